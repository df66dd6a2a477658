package screen

import (
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/assert"
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
