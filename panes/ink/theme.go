package ink

import (
	"github.com/gdamore/tcell/v2"
)

// Theme turns the styles of the panes into what the terminal gets, at the one place where cells are written. The
// zero Theme is `auto`: the terminal's own colours.
type Theme struct{ apply func(tcell.Style) tcell.Style }

// Themes are the names the setting `theme` may have.
const (
	ThemeAuto  = "auto"
	ThemeDark  = "dark"
	ThemeLight = "light"
	ThemeMono  = "mono"
)

// ThemeNamed is the theme of that name, `auto` for any other. What a theme says in colour is said by a glyph, a word
// or an attribute as well, so that reverse, bold and dim stay in every theme.
func ThemeNamed(name string) Theme {
	switch name {
	case ThemeDark:
		return Theme{dark.apply}
	case ThemeLight:
		return Theme{light.apply}
	case ThemeMono:
		return Theme{mono}
	}
	return Theme{}
}

// Paints reports whether the theme brings a background, so that the whole screen must be filled with it.
func (t Theme) Paints() bool {
	_, bg, _ := t.Of(Plain).Decompose()
	return bg != tcell.ColorDefault
}

// Of is a style of the panes as the terminal gets it.
func (t Theme) Of(style tcell.Style) tcell.Style {
	if t.apply == nil {
		return style
	}
	return t.apply(style)
}

// colours are a theme's own, out of the fixed part of the 256: the first 16 are what the person made of them. On a
// terminal of 8 colours tcell takes the nearest, which is black and white, green and red.
type colours struct{ fg, bg, green, red tcell.Color }

var (
	dark = colours{tcell.PaletteColor(252), tcell.PaletteColor(234), tcell.PaletteColor(114),
		tcell.PaletteColor(203)}
	light = colours{tcell.PaletteColor(235), tcell.PaletteColor(231), tcell.PaletteColor(28), tcell.PaletteColor(160)}
)

func (p colours) apply(style tcell.Style) tcell.Style {
	fg, bg, _ := style.Decompose()
	return style.Foreground(p.of(fg, p.fg)).Background(p.of(bg, p.bg))
}

func (p colours) of(c, own tcell.Color) tcell.Color {
	switch c {
	case tcell.ColorDefault:
		return own
	case tcell.ColorGreen:
		return p.green
	case tcell.ColorRed:
		return p.red
	}
	return c
}

// mono has no colour at all: what was green or red is bold.
func mono(style tcell.Style) tcell.Style {
	fg, bg, _ := style.Decompose()
	if fg != tcell.ColorDefault || bg != tcell.ColorDefault {
		style = style.Bold(true)
	}
	return style.Foreground(tcell.ColorDefault).Background(tcell.ColorDefault)
}
