package ink

import (
	"slices"

	"github.com/gdamore/tcell/v2"
)

// Theme turns the styles of this package into the colours of a theme. Canvas applies it when it writes cells. The zero
// Theme is `auto`: the terminal's own colours.
type Theme struct {
	apply func(tcell.Style) tcell.Style
	mono  bool
	hues  *[len(hues)]tcell.Color // the colours of agents' names; nil: they follow from the terminal's colours
	wide  bool                    // the terminal has 256 colours; see OnCursorRow
	few   bool                    // the terminal has eight colours
}

// The values of the setting `theme`.
const (
	ThemeAuto  = "auto"
	ThemeDark  = "dark"
	ThemeLight = "light"
	ThemeMono  = "mono"
)

// ThemeNamed returns the theme of a name, and `auto` for an unknown name. A colour never tells anything that a glyph, a
// word or an attribute does not tell too, so every theme keeps reverse, bold and dim.
func ThemeNamed(name string) Theme {
	switch name {
	case ThemeDark:
		return Theme{apply: dark.apply, hues: &darkHues}
	case ThemeLight:
		return Theme{apply: light.apply, hues: &lightHues}
	case ThemeMono:
		return Theme{apply: mono, mono: true}
	}
	return Theme{}
}

// On returns the theme for a terminal with the given number of colours. With fewer than eight it is mono. With eight,
// blue is too dark to be read, and the default colour replaces it.
func (t Theme) On(colours int) Theme {
	if colours < 8 {
		return ThemeNamed(ThemeMono)
	}
	t.wide, t.few = colours >= 256, colours < 16
	return t
}

// The colours of agents' names. Where the terminal has 256 colours there are six that differ and can be read on black,
// on white and between; with fewer, four of the terminal's own. None is red, which warns.
var (
	wideHues  = huesOf(98, 33, 65, 136, 169, 30)
	darkHues  = huesOf(141, 75, 108, 179, 213, 73)
	lightHues = huesOf(90, 26, 22, 94, 163, 24)
	ownHues   = [len(hues)]tcell.Color{tcell.ColorPurple, tcell.ColorBlue, tcell.ColorGreen, tcell.ColorOlive,
		tcell.ColorDefault, tcell.ColorDefault}
)

// huesOf returns colours for agents' names by their numbers among the 256.
func huesOf(numbers ...int) (list [len(hues)]tcell.Color) {
	for i, n := range numbers {
		list[i] = tcell.PaletteColor(n)
	}
	return list
}

// withHue replaces a colour of hues, which stands for an agent, by the colour that the agent's name has in this theme.
func (t Theme) withHue(style tcell.Style) tcell.Style {
	fg, _, _ := style.Decompose()
	at := slices.Index(hues[:], fg)
	switch {
	case at < 0:
		return style
	case t.mono: // the green of an agent is not the green of success, which becomes bold
		return style.Foreground(tcell.ColorDefault)
	case t.hues != nil:
		return style.Foreground(t.hues[at])
	case t.wide:
		return style.Foreground(wideHues[at])
	case t.few && ownHues[at] == tcell.ColorBlue:
		return style.Foreground(tcell.ColorDefault)
	}
	return style.Foreground(ownHues[at])
}

// Paints reports whether the theme has a background colour of its own, so that the whole screen must be filled with it.
func (t Theme) Paints() bool {
	_, bg, _ := t.Of(Plain).Decompose()
	return bg != tcell.ColorDefault
}

// Of returns a style in the colours of the theme.
func (t Theme) Of(style tcell.Style) tcell.Style {
	style = t.withHue(style)
	if t.apply == nil {
		return style
	}
	return t.apply(style)
}

// The colours of the cursor row: white on dark blue, which can be read on every
// background. They are from the part of the 256 colours that people do not change.
var (
	cursorRowText   = tcell.PaletteColor(231)
	cursorRowGround = tcell.PaletteColor(24)
)

// OnCursorRow returns a style for text on the highlighted row of the cursor. The row has two colours of its own if the
// terminal has 256, and is reversed otherwise. Other colours and dim text could not be read there, so it has none.
func (t Theme) OnCursorRow(style tcell.Style) tcell.Style {
	style = style.Dim(false)
	if t.wide && !t.mono {
		return style.Foreground(cursorRowText).Background(cursorRowGround)
	}
	return style.Foreground(tcell.ColorDefault).Background(tcell.ColorDefault).Reverse(true)
}

// colours holds the colours of a theme. They are from the upper part of the 256 colours, because people change the
// first 16. On a terminal of 8 colours tcell takes the nearest: black and white, green and red.
type colours struct {
	fg, bg tcell.Color
	of     map[tcell.Color]tcell.Color // the replacement for each colour of the roles
}

var (
	dark  = coloursOf(252, 234, 114, 203, 80)
	light = coloursOf(235, 231, 28, 160, 23)
)

// coloursOf returns the colours by their numbers.
func coloursOf(fg, bg, green, red, cyan int) colours {
	p := tcell.PaletteColor
	return colours{p(fg), p(bg), map[tcell.Color]tcell.Color{tcell.ColorGreen: p(green), tcell.ColorRed: p(red),
		accent: p(cyan)}}
}

// apply returns a style with the colours of the theme.
func (p colours) apply(style tcell.Style) tcell.Style {
	fg, bg, _ := style.Decompose()
	return style.Foreground(p.instead(fg, p.fg)).Background(p.instead(bg, p.bg))
}

// instead returns the colour of the theme for a colour of the roles. For the terminal's default colour it returns own.
func (p colours) instead(c, own tcell.Color) tcell.Color {
	if c == tcell.ColorDefault {
		return own
	}
	if mine, ok := p.of[c]; ok {
		return mine
	}
	return c
}

// mono returns a style without colour: green and red become bold.
func mono(style tcell.Style) tcell.Style {
	if fg, _, _ := style.Decompose(); fg == tcell.ColorGreen || fg == tcell.ColorRed {
		style = style.Bold(true)
	}
	return style.Foreground(tcell.ColorDefault).Background(tcell.ColorDefault)
}

// Glyphs holds the signs that are drawn on the screen: one set for UTF-8, one for other locales.
type Glyphs struct {
	RadioOn, RadioOff, MarkOn, MarkOff         string
	Cursor, Star, Note, Enter                  string
	StarLong                                   [2]string // the sign and the words behind it, where there is room
	Countdown, Divider, Border, TeeDown, TeeUp string
	TeeLeft, Up, Down, Done, Ellipsis          string
	Left, Right, Arrow, Prompt, Dot, Bar       string
	GoesOn                                     string // marks a row that continues the line above it, in one cell

	ASCII bool // the program's own words are drawn in ASCII too; see plainOf
}

// Unicode is the set of signs for UTF-8 locales.
var Unicode = Glyphs{
	RadioOn: "●", RadioOff: "○", MarkOn: "■", MarkOff: "□",
	Cursor: "▸", Star: "★", StarLong: [2]string{"★", " recommended"}, Note: "✎", Enter: "⏎",
	Countdown: "━", Divider: "─", Border: "│", TeeDown: "┬", TeeUp: "┴", TeeLeft: "┤",
	Up: "▲", Down: "▼", Done: "✓", Ellipsis: "…",
	Left: "‹", Right: "›", Arrow: "→", Prompt: "›", Dot: "·", Bar: "│", GoesOn: "↳",
}

// ASCII is the set of signs for locales without UTF-8, and for terminals without the glyphs (TERM=linux).
var ASCII = Glyphs{
	RadioOn: "(*)", RadioOff: "( )", MarkOn: "[x]", MarkOff: "[ ]",
	Cursor: ">", Star: "rec", StarLong: [2]string{"recommended"}, Note: "#", Enter: "Enter",
	Countdown: "=", Divider: "-", Border: "|", TeeDown: "+", TeeUp: "+", TeeLeft: "+",
	Up: "^", Down: "v", Done: "ok", Ellipsis: "...",
	Left: "<", Right: ">", Arrow: "->", Prompt: ">", Dot: "-", Bar: "|", GoesOn: ">",
	ASCII: true,
}

// plainOf maps the characters of the program's own sentences that are not ASCII to ASCII, cell for cell. Other
// characters, from agents, are drawn as the terminal can.
var plainOf = map[rune]rune{
	'·': '-', '…': '.', '“': '"', '”': '"', '‘': '\'', '’': '\'', '–': '-', '—': '-', '×': 'x', '\u00a0': ' ',
	'←': '<', '→': '>', '↑': '^', '↓': 'v', '│': '|', '─': '-', '✓': 'v', '✎': '#', '▲': '^', '▼': 'v', '↳': '>',
	'≡': '=', '¶': '#', '±': '~', '◌': 'o',
}
