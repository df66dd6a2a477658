package talk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// flaky is a store whose server goes away with a write, which it may have taken, and is back some calls later.
type flaky struct {
	queue.Store
	mu      sync.Mutex
	downFor int                      // calls that fail once it went away
	goesAt  func(queue.Session) bool // with which write it goes
	stores  bool                     // that write is stored all the same
	down    int
}

func (f *flaky) away() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.down == 0 {
		return nil
	}
	f.down--
	return fmt.Errorf("failed: %w: there is no connection to the server", queue.ErrUnreachable)
}

// goes reports whether the server goes away with this write.
func (f *flaky) goes(s queue.Session) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.goesAt == nil || !f.goesAt(s) {
		return false
	}
	f.goesAt, f.down = nil, f.downFor
	return true
}

func (f *flaky) Get(ctx context.Context, id string) (queue.Session, error) {
	if err := f.away(); err != nil {
		return queue.Session{}, err
	}
	return f.Store.Get(ctx, id)
}

func (f *flaky) Put(ctx context.Context, s queue.Session) (queue.Session, error) {
	if f.goes(s) && f.stores {
		if _, err := f.Store.Put(ctx, s); err != nil {
			return s, err
		}
	}
	if err := f.away(); err != nil {
		return s, err
	}
	return f.Store.Put(ctx, s)
}

const awayWords = "The queue cannot be reached: there is no connection to the server. What you typed is kept until it can " +
	"be. Ctrl-C stops waiting.\n"

// onFlaky has the queue's server go away with the write that ends the question.
func (r *rig) onFlaky(stores bool) *flaky {
	f := &flaky{Store: r.q.Store, downFor: 4, stores: stores, goesAt: func(s queue.Session) bool { return s.Outcome != nil }}
	r.q.Store = f
	r.late[TryEvery] = 5
	return f
}

func TestWhatWasTypedIsStoredOnceTheQueuesServerIsBack(t *testing.T) {
	for name, lines := range map[string][]string{
		"an answer": {"MySQL"}, "an answer while the team has it": {"w", "", "b", "MySQL"},
		"a candidate": {"w", "", "b", "f", summed, "a"}, "a deferral": {"d", "the auditors decide"},
		"a deferral while the team has it": {"w", "", "b", "d", "the auditors decide"},
	} {
		for _, stores := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, stored %v", name, stores), func(t *testing.T) {
				r := newRig(t)
				f := r.onFlaky(stores)
				end, out := r.play(lines...)
				require.Zero(t, f.down)
				assert.Equal(t, Over, end, out)
				assert.Equal(t, 1, strings.Count(out, awayWords+"The queue can be reached again.\n"), out)
				assert.NotContains(t, out, "failed:")
				assert.NotContains(t, out, "lsewhere")
				if r.outcome().Status == queue.StatusDeferred {
					assert.Equal(t, "the auditors decide", r.outcome().Reason)
				} else {
					assert.Contains(t, []string{"MySQL", "PostgreSQL, with a plan for migration."}, r.text())
				}
			})
		}
	}
}

func TestTheTeamIsAskedOnceThoughTheQueuesServerWasAwayThen(t *testing.T) {
	for _, stores := range []bool{false, true} {
		r := newRig(t)
		f := r.onFlaky(stores)
		f.goesAt = func(s queue.Session) bool { return s.Widen != nil }
		end, out := r.play("w", "alice johnson", "c")
		require.Zero(t, f.down)
		assert.Equal(t, Parked, end, out)
		assert.Contains(t, out, awayWords+"The queue can be reached again.\n")
		assert.Len(t, r.team.calls, 1)
		assert.True(t, r.session().Parked())
	}
}

func TestAQuestionThatCannotBeReadYetIsAskedOnceItCan(t *testing.T) {
	r := newRig(t)
	talk := r.talk("MySQL")
	r.onFlaky(false).down = 2
	end, err := talk.Ask(t.Context(), r.about)
	require.NoError(t, err)
	assert.Equal(t, Over, end)
	assert.True(t, strings.HasPrefix(r.out.String(), awayWords+"The queue can be reached again.\n"), r.out)
	assert.Equal(t, "MySQL", r.text())
}

// pressesAt presses Ctrl-C when the words are printed.
type pressesAt struct {
	words   string
	pressed chan<- struct{}
}

func (w pressesAt) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.words) {
		select {
		case w.pressed <- struct{}{}:
		default: // it is pressed already
		}
	}
	return len(p), nil
}

func TestCtrlCStopsWaitingForTheQueuesServer(t *testing.T) {
	r := newRig(t)
	f := r.onFlaky(false)
	r.late[TryEvery], f.downFor = 0, 1<<20 // also for whoever else reads the queue
	pressed := make(chan struct{}, 1)
	talk := r.talk("MySQL")
	talk.o.Interrupt, talk.o.Out = pressed, pressesAt{words: "cannot be reached", pressed: pressed}
	end, err := talk.Ask(t.Context(), r.about)
	require.NoError(t, err)
	assert.Equal(t, Stopped, end)
	f.mu.Lock()
	f.down = 0
	f.mu.Unlock()
	assert.Nil(t, r.session().Outcome)

	pressed <- struct{}{}
	err = talk.Outlast(t.Context(), func() error { return queue.ErrUnreachable })
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, errors.Is(err, queue.ErrUnreachable))
}
