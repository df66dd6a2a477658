package e2e

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// undoRounds is how often each time to undo is measured.
const undoRounds = 3

// TestHoldingAnAnswerCostsItsTime measures how long an agent waits from the Enter that answers until its call returns,
// without a time to undo and with one. The agent waits for the whole time, and for little more.
func TestHoldingAnAnswerCostsItsTime(t *testing.T) {
	t.Parallel()
	for _, undo := range []int{0, 1, 2, 4} {
		t.Run(fmt.Sprintf("%d s", undo), func(t *testing.T) {
			r := newRoom(t)
			r.settings(fmt.Sprintf(`{"undo_seconds": %d}`, undo))
			p := r.tmux().dashboard(80, 24)
			a := r.connect("claude-code")
			var took []time.Duration
			for range undoRounds {
				call := a.ask(which())
				p.meet("Which database?", "⏎ Send PostgreSQL")
				began := time.Now()
				p.press("Enter")
				assert.Equal(t, "selected", call.answer().status())
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			t.Logf("time to undo %d s: the call returns %v after Enter (median of %d; %v to %v)", undo,
				took[undoRounds/2].Round(time.Millisecond), undoRounds, took[0].Round(time.Millisecond),
				took[undoRounds-1].Round(time.Millisecond))
			held := time.Duration(undo) * time.Second
			assert.GreaterOrEqual(t, took[0], held)
			assert.Less(t, took[0], held+1500*time.Millisecond)
		})
	}
}
