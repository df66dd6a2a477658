package queue_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// bound returns a pending question of hitl_request. The instance "bridge" asked it.
func bound() queue.Session {
	s := asked(nil)
	s.Origin = queue.Origin{Dialect: queue.DialectBound, Instance: "bridge"}
	s.Claim = &mine
	return s
}

func TestABoundSessionIsCancelledAsTheCallerOnceThatIsGone(t *testing.T) {
	t.Parallel()
	s, err := do(t, bound(), queue.Abandon{Alive: everyone})
	require.NoError(t, err)
	require.True(t, s.Pending(), "its caller lives")

	s, err = do(t, bound(), queue.Abandon{Alive: nobody})
	require.NoError(t, err)
	require.Equal(t, queue.StatusCancelled, s.Outcome.Status)
	require.Equal(t, queue.CallerGone, s.Outcome.Reason)
	require.Equal(t, queue.EventSettled, s.Events[len(s.Events)-1].Kind)

	s, err = do(t, bound(), queue.Release{Claim: mine}, queue.Abandon{Alive: only("bridge")})
	require.NoError(t, err)
	require.True(t, s.Pending(), "told that it still waits, and its bridge lives")

	s, err = do(t, bound(), queue.Release{Claim: mine, Dropped: true}, queue.Abandon{Alive: only("bridge")})
	require.NoError(t, err)
	require.False(t, s.Pending(), "the call broke off")

	_, err = do(t, bound(), settle, queue.Abandon{Alive: nobody})
	require.ErrorIs(t, err, queue.ErrSettled, "the first outcome wins")
}

func TestOtherSessionsOutliveTheirCaller(t *testing.T) {
	t.Parallel()
	s := bound()
	s.Origin.Dialect = "provide_choice"
	s, err := do(t, s, queue.Abandon{Alive: nobody})
	require.NoError(t, err)
	require.True(t, s.Pending())
}

func TestABoundSessionIsNeverJoined(t *testing.T) {
	t.Parallel()
	require.Empty(t, queue.Key(bound().Origin, bound().Ask))
}

func TestSweepCancelsBoundSessionsOfTheDead(t *testing.T) {
	t.Parallel()
	store, ctx := storetest.NewMemory(), t.Context()
	q := queue.New(store)
	create := func(dialect, instance string) queue.Session {
		s, err := q.Create(ctx, queue.Session{Ask: storetest.Ask(), Origin: queue.Origin{Dialect: dialect, Instance: instance}})
		require.NoError(t, err)
		return s
	}
	_, err := store.Announce(ctx, queue.Presence{Instance: "living", Role: queue.RoleBridge})
	require.NoError(t, err)
	dead, living, other := create(queue.DialectBound, "dead"), create(queue.DialectBound, "living"), create("provide_choice", "dead")
	all := []queue.Session{dead, living, other}

	q.Store = blindToPresence{store}
	require.NoError(t, q.Sweep(ctx, all))
	require.Equal(t, []string{"pending", "pending", "pending"}, statuses(t, store, all), "who runs is not known")

	q.Store = store
	require.NoError(t, q.Sweep(ctx, all))
	require.NoError(t, q.Sweep(ctx, all), "anyone may do it again")
	require.Equal(t, []string{"cancelled", "pending", "pending"}, statuses(t, store, all))
	got, err := store.Get(ctx, dead.ID)
	require.NoError(t, err)
	require.Equal(t, queue.ByCaller, got.Outcome.By)
}

func statuses(t *testing.T, store queue.Store, all []queue.Session) (out []string) {
	for _, s := range all {
		got, err := store.Get(t.Context(), s.ID)
		require.NoError(t, err)
		out = append(out, got.Status())
	}
	return out
}

// blindToPresence is a store whose Present fails.
type blindToPresence struct{ queue.Store }

func (blindToPresence) Present(context.Context, ...string) ([]queue.Presence, error) {
	return nil, errors.New("no")
}
