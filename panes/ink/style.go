package ink

import (
	"github.com/gdamore/tcell/v2"
)

// Style is how cells are drawn.
type Style = tcell.Style

// GreenOn is the colour of what is chosen; in reverse video the terminal's own, which stays readable everywhere.
func GreenOn(style Style) tcell.Color {
	if _, _, attrs := style.Decompose(); attrs&tcell.AttrReverse != 0 {
		return tcell.ColorDefault
	}
	return tcell.ColorGreen
}

// Styles of the dashboard: the terminal's own colours, and of the palette green and red only. Colour is never the
// only signal.
var (
	Plain  = tcell.StyleDefault
	Bold   = tcell.StyleDefault.Bold(true)
	Dim    = tcell.StyleDefault.Dim(true)
	Good   = tcell.StyleDefault.Foreground(tcell.ColorGreen)
	Danger = tcell.StyleDefault.Foreground(tcell.ColorRed)
)
