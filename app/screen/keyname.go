package screen

import (
	"strings"

	"github.com/gdamore/tcell/v2"
)

// keyName names a key event as the key table writes it: a rune itself, else enter, esc, ctrl+g, alt+enter.
func keyName(ev *tcell.EventKey) string {
	const both = tcell.ModAlt | tcell.ModCtrl
	switch k := ev.Key(); {
	case k == tcell.KeyRune && ev.Rune() == 'm' && ev.Modifiers()&both == both:
		return "alt+enter" // as tcell 2.13 reports it
	case k == tcell.KeyRune:
		return runeKey(ev)
	case k == tcell.KeyEnter && ev.Modifiers()&tcell.ModAlt != 0:
		return "alt+enter"
	case k == tcell.KeyEnter:
		return "enter"
	case k == tcell.KeyEscape:
		return "esc"
	case k == tcell.KeyTab:
		return "tab"
	case k == tcell.KeyBackspace, k == tcell.KeyBackspace2:
		return "backspace"
	case k >= tcell.KeyCtrlA && k <= tcell.KeyCtrlZ:
		return "ctrl+" + string(rune('a'+k-tcell.KeyCtrlA))
	}
	return strings.ToLower(ev.Name())
}

func runeKey(ev *tcell.EventKey) string {
	name := string(ev.Rune())
	if ev.Rune() == ' ' {
		name = "space"
	}
	if ev.Modifiers()&tcell.ModAlt != 0 {
		return "alt+" + name
	}
	return name
}
