package roomtest

import (
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"
)

func TestReversedTextHasAGroundInTheColourOfText(t *testing.T) {
	cell := func(style tcell.Style) []tcell.SimCell { return []tcell.SimCell{{Runes: []rune("x"), Style: style}} }
	reversed := tcell.StyleDefault.Reverse(true)
	button := string(SVG(cell(reversed.Bold(true)), 1, 1))
	require.Contains(t, button, `height="18" class="r"/>`)
	require.Contains(t, button, `class="r b">x<`)
	red := string(SVG(cell(reversed.Foreground(tcell.ColorRed)), 1, 1))
	require.Contains(t, red, `height="18" class="c9"/>`)
	require.Contains(t, red, `class="r">x<`)
}
