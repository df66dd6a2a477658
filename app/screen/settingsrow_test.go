package screen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

func TestABadKeyIsSaidInTheSettingsUntilItIsMendedAndTheGoodOnesStay(t *testing.T) {
	b := newBenchOnFile(t, 80, 24, `{"keys": {"nosuch": "z", "note": "N", "cancel": ""}}`)
	b.ask(database(), shop())
	b.press("s")
	for range 3 {
		b.press("down")
		require.Contains(t, b.picture(), "! line 1, column 49: keys.cancel is empty", b.picture())
		require.Contains(t, strings.ReplaceAll(b.picture(), "\n", " "), "keys.nosuch is no action")
	}
	b.press("esc")
	require.Equal(t, deed.Note, b.Keys().Lookup(keys.PlaceQuestion, "N").Action)
	require.Equal(t, deed.Cancel, b.Keys().Lookup(keys.PlaceQuestion, "x").Action)
	b.rewrite(`{"keys": {"note": "N"}}`)
	b.press("s")
	require.NotContains(t, b.picture(), "!")
}
