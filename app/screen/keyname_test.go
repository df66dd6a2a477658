package screen

import (
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestKeyName_EnterWithAModifierIsNoEnter(t *testing.T) {
	for mods, want := range map[tcell.ModMask]string{
		tcell.ModNone: "enter", tcell.ModShift: modifiedEnter, tcell.ModCtrl: modifiedEnter, tcell.ModAlt: modifiedEnter,
		tcell.ModMeta: modifiedEnter, tcell.ModShift | tcell.ModCtrl: modifiedEnter,
	} {
		assert.Equal(t, want, keyName(tcell.NewEventKey(tcell.KeyEnter, 0, mods)), mods)
	}
	assert.Equal(t, modifiedEnter, keyName(tcell.NewEventKey(tcell.KeyRune, 'm', tcell.ModAlt|tcell.ModCtrl)))
}

func TestKeyName_ACharacterWithCtrlIsAnotherKey(t *testing.T) {
	for want, ev := range map[string]*tcell.EventKey{
		"1": tcell.NewEventKey(tcell.KeyRune, '1', tcell.ModNone), "ctrl+1": tcell.NewEventKey(tcell.KeyRune, '1', tcell.ModCtrl),
		"alt+z": tcell.NewEventKey(tcell.KeyRune, 'z', tcell.ModAlt), "ctrl+_": tcell.NewEventKey(tcell.KeyCtrlUnderscore, 0, tcell.ModCtrl),
		"ctrl+alt+y": tcell.NewEventKey(tcell.KeyRune, 'y', tcell.ModAlt|tcell.ModCtrl),
		"ctrl+q":     tcell.NewEventKey(tcell.KeyRune, 'q', tcell.ModCtrl),
		"ctrl+space": tcell.NewEventKey(tcell.KeyCtrlSpace, 0, tcell.ModCtrl),
	} {
		assert.Equal(t, want, keyName(ev))
	}
}

// TestModifiedEnter_SeparatesWords types two words with a modified Enter between them, in each input line.
func TestModifiedEnter_SeparatesWords(t *testing.T) {
	for name, c := range inALine {
		t.Run(name, func(t *testing.T) {
			b := newTeamBench(t, 120, 40).bench
			b.o.Chat = &panesFake{}
			b.ask(database(), shop())
			b.ask(endpoints(), infra())
			for _, k := range c.keys {
				b.calm()
				b.press(k)
			}
			b.reached(c.place)
			b.calm()
			b.press("o")
			b.Key(tcell.NewEventKey(tcell.KeyEnter, 0, tcell.ModShift))
			b.press("x")
			require.Regexp(t, `o\sx$`, b.room().Field().Text())
		})
	}
}
