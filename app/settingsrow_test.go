package app

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/keys"
)

func TestABadKeyIsSaidInTheSettingsUntilItIsMendedAndTheGoodOnesStay(t *testing.T) {
	b := newBench(t, 80, 24)
	file := b.onFile(`{"keys": {"nosuch": "z", "note": "N", "cancel": ""}}`)
	b.ask(database(), shop())
	b.press("s")
	for range 3 {
		b.press("down")
		require.Contains(t, b.picture(), "! line 1, column 49: keys.cancel is empty", b.picture())
		require.Contains(t, strings.ReplaceAll(b.picture(), "\n", " "), "keys.nosuch is no action")
	}
	b.press("esc")
	require.Equal(t, keys.ActNote, b.keys.Lookup(keys.PlaceQuestion, "N").Action)
	require.Equal(t, keys.ActCancel, b.keys.Lookup(keys.PlaceQuestion, "x").Action)
	require.NoError(t, writeFile(b.o.Settings.Path(), `{"keys": {"note": "N"}}`))
	file.Reload()
	b.newSettings()
	b.press("s")
	require.NotContains(t, b.picture(), "!")
}

func TestATimeBeyondTheRangeIsRefusedWithTheRange(t *testing.T) {
	b := newBench(t, 80, 24)
	b.onFile("")
	b.press("s")
	b.to("timeout_seconds")
	b.press("enter")
	b.set.field.SetText("25h")
	b.press("enter")
	require.Equal(t, `timeout_seconds is "25h"; it must be 1 s to 24 h: 300, 90m, 2h`, b.foot())
	b.set.field.SetText("90m")
	b.press("enter")
	require.JSONEq(t, `{"timeout_seconds": 5400}`, b.fileText())
}

func TestOnlyAValueThatArrowsChangeStandsBetweenThem(t *testing.T) {
	b := newBench(t, 80, 24)
	b.onFile("")
	b.press("s")
	b.to("queue")
	require.Contains(t, b.row("queue"), "  the usual place")
	require.NotContains(t, b.row("queue"), "‹")
	b.to("theme")
	require.Contains(t, b.row("theme"), "‹ auto ›")
}

func TestUndoLeavesWhatWasNeverSetOutOfTheFile(t *testing.T) {
	b := newBench(t, 80, 24)
	b.onFile("{\n  \"theme\": \"mono\"\n}\n")
	before := b.fileText()
	b.press("s")
	for _, key := range []string{"timeout_seconds", "notify.bell", "theme"} {
		b.to(key)
		b.press("right", "u")
		require.Equal(t, before, b.fileText(), key)
	}
}

func writeFile(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }
