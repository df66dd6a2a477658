package e2e

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEvidence_StrayDeskNotesWhatAPersonDoes does on purpose, and with time between the keys, what stray typing may not do: the
// evidence looks for it with the same eyes.
func TestEvidence_StrayDeskNotesWhatAPersonDoes(t *testing.T) {
	needControls(t)
	t.Parallel()
	need(t, "tmux")
	bin, err := program()
	require.NoError(t, err)
	typeAlone(t)
	var desks []*strayDesk
	deeds := []struct {
		place, kind string
		keys        []string
	}{
		{"single", strayAnswer, []string{"\r"}},
		{"single", strayAnswer, []string{"L", "\r"}},
		{"history", strayAnswer, []string{"\x1b", "i", "hello", "\r"}},
		{"submit on select", strayAtOnce, []string{"2"}},
		{"single", strayText, []string{"n", "cheap", "\r"}},
		{"hybrid", strayAnswer, []string{"t", "neither", "\r", "\r"}},
		{"single", strayText, []string{"a", "quickly", "\r"}},
		{"approval", strayText, []string{"n", "not now"}},
		{"approval", strayMark, []string{"y"}},
		{"confirmation", strayAnswer, []string{"y"}},
		{"multi", strayOtherMark, []string{"2"}},
		{"settings", straySetting, []string{"\x1b[C"}},
		{"settings", strayOpened, []string{"e"}},
		{"single", strayOpened, []string{"p"}},
		{"single", strayOpened, []string{"o"}},
		{"history", strayClipboard, []string{"y"}},
		{"single", strayQuit, []string{"q", "q"}},
		{"single", strayDeadline, []string{"+"}},
	}
	for _, deed := range deeds {
		for _, place := range strayPlaces() {
			if place.name == deed.place {
				desks = append(desks, newStrayDesk(t, bin, strayRun{place, deed.keys[0], true}, func(int) int { return 0 }))
			}
		}
	}
	require.Len(t, desks, len(deeds))
	reached(desks)
	for i := range 4 {
		for n, d := range desks {
			if i < len(deeds[n].keys) {
				d.frontend.press(deeds[n].keys[i])
			}
		}
		time.Sleep(guarded)
	}
	look(desks)
	for n, d := range desks {
		assert.NotEmpty(t, d.did[deeds[n].kind], "%s by %q: %s", d, deeds[n].keys, d.frontend.screen())
		t.Logf("%s by %q: %q", d.place.name, deeds[n].keys, d.did)
	}
}
