package panes

import "github.com/gdamore/tcell/v2"

// Theme turns the styles of the panes into what the terminal gets, at the one place where cells are written. The
// zero Theme is `auto`: the terminal's own colours.
type Theme struct{ apply func(tcell.Style) tcell.Style }

func (t Theme) of(style tcell.Style) tcell.Style {
	if t.apply == nil {
		return style
	}
	return t.apply(style)
}
