package queue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

var callTeam = queue.CallTeam{Call: "c1", Decision: widen.Widened.Decision, Backend: "http", For: 10 * time.Second}

// at applies an action at the given time.
func at(s queue.Session, now time.Time, do queue.Action) (queue.Session, error) {
	s, _, err := queue.Transition(s, queue.Command{ID: queue.NewToken(), By: queue.ByHuman, Person: "ana@laptop", Do: do}, now)
	return s, err
}

func TestATeamIsCalledByOneAtATimeAndAlwaysAboutTheSameDecision(t *testing.T) {
	t.Parallel()
	s, err := at(asked(nil), noon, callTeam)
	require.NoError(t, err)
	first, called := s.TeamAsked()
	require.True(t, called)
	require.Equal(t, []string{"http", widen.Widened.Decision, "ana@laptop"}, []string{first.Backend, first.Decision, first.Person})
	other := queue.CallTeam{Call: "c2", Decision: "another", Backend: "http", For: time.Minute}
	_, err = at(s, noon.Add(9*time.Second), other)
	require.ErrorIs(t, err, queue.ErrUsed)
	longer, err := at(s, noon.Add(9*time.Second), callTeam)
	require.NoError(t, err, "whoever has the claim may keep it")
	_, err = at(longer, noon.Add(18*time.Second), other)
	require.ErrorIs(t, err, queue.ErrUsed)

	again, err := at(s, noon.Add(11*time.Second), other)
	require.NoError(t, err, "whoever had it died")
	now, _ := again.TeamAsked()
	require.Equal(t, first, now)
	require.Len(t, again.Events, len(s.Events))
	left, err := at(s, noon.Add(time.Second), queue.LeaveTeam{Call: "c1"})
	require.NoError(t, err)
	other.Backend = "slack"
	left, err = at(left, noon.Add(2*time.Second), other)
	require.NoError(t, err)
	now, _ = left.TeamAsked()
	require.Equal(t, []string{"slack", first.Decision}, []string{now.Backend, now.Decision})

	w, err := at(s, noon.Add(2*time.Second), widen)
	require.NoError(t, err)
	require.Nil(t, w.Calling)
	_, err = at(w, noon.Add(time.Minute), callTeam)
	require.ErrorIs(t, err, queue.ErrWidened)
	_, err = at(asked(nil), noon, queue.CallTeam{Call: "x", For: time.Second})
	require.ErrorContains(t, err, "decision_id")
	approval := asked(func(a *queue.Ask, _ *queue.Question) { a.Kind = queue.KindApproval })
	_, err = at(approval, noon, callTeam)
	require.ErrorIs(t, err, queue.ErrWidenApproval)
	over, err := do(t, asked(nil), settle)
	require.NoError(t, err)
	_, err = at(over, noon.Add(time.Minute), callTeam)
	require.ErrorIs(t, err, queue.ErrSettled)
}

// owing returns a session that was answered and collected, but whose team was not told.
func owing(t *testing.T) queue.Session {
	s, err := do(t, asked(nil), callTeam, widen, settle, queue.Take{Claim: queue.Claim{Instance: "i"}},
		queue.Collect{Claim: queue.Claim{Instance: "i"}})
	require.NoError(t, err)
	require.True(t, s.Final)
	require.True(t, s.OwesTeam())
	require.False(t, s.Closed())
	return s
}

func TestWhatItsTeamHasToHearTakesNothingElseAfterItIsFinal(t *testing.T) {
	t.Parallel()
	s, now := owing(t), noon.Add(time.Minute)
	for _, no := range []queue.Action{settle, queue.Cancel{}, queue.Collect{}, queue.Regroup{State: queue.WidenParked},
		queue.Take{}} {
		_, err := at(s, now, no)
		require.ErrorIs(t, err, queue.ErrFinal, "%T", no)
	}
	_, err := at(s, now, widen)
	require.Error(t, err)
	s, err = at(s, now, callTeam)
	require.NoError(t, err)
	s, err = at(s, now, queue.LeaveTeam{Call: "c1", Again: time.Hour})
	require.NoError(t, err)
	require.Equal(t, 1, s.Calling.Tries)
	_, err = at(s, now.Add(59*time.Minute), queue.CallTeam{Call: "c2", For: time.Second})
	require.ErrorIs(t, err, queue.ErrUsed, "it is too early")
	now = now.Add(time.Hour)
	s, err = at(s, now, queue.CallTeam{Call: "c2", For: time.Second})
	require.NoError(t, err)
	require.Equal(t, 1, s.Calling.Tries)
	s, err = at(s, now, queue.LeaveTeam{Call: "c2"})
	require.NoError(t, err)
	require.Equal(t, 1, s.Calling.Tries, "who was stopped has not tried")
	s, err = at(s, now, queue.LeaveTeam{Call: "c3", Told: true})
	require.NoError(t, err, "they know, whoever told them")
	require.True(t, s.Closed())
	_, err = at(s, now, callTeam)
	require.ErrorIs(t, err, queue.ErrFinal)
}

func TestWhatEndsWhileTheTeamIsBeingAskedSaysThatTheyWere(t *testing.T) {
	t.Parallel()
	s, err := do(t, asked(nil), callTeam, settle)
	require.NoError(t, err)
	late, err := at(s, noon.Add(time.Minute), widen)
	require.NoError(t, err)
	require.Equal(t, widen.Widened.Decision, late.Widen.Decision)
	require.Equal(t, s.Outcome, late.Outcome)
	require.True(t, late.OwesTeam())
	_, err = at(late, noon.Add(time.Minute), widen)
	require.ErrorIs(t, err, queue.ErrSettled)
}

func TestASweepArchivesOnlyWhatTheTeamWasTold(t *testing.T) {
	t.Parallel()
	ctx, store := t.Context(), storetest.NewMemory()
	q := queue.New(store)
	now := time.Now()
	q.Now = func() time.Time { return now }
	made := storetest.Create(t, store)
	by := func(do queue.Action) {
		_, err := q.Do(ctx, made.ID, queue.Command{By: queue.ByCaller, Do: do})
		require.NoError(t, err)
	}
	sweep := func() (live int) {
		all, _, err := store.Live(ctx)
		require.NoError(t, err)
		require.NoError(t, q.Sweep(ctx, all))
		all, _, err = store.Live(ctx)
		require.NoError(t, err)
		return len(all)
	}
	by(callTeam)
	by(queue.Cancel{})
	now = now.Add(queue.KeptFor)
	require.Equal(t, 1, sweep())
	require.Equal(t, 1, sweep())
	kept, err := store.Get(ctx, made.ID)
	require.NoError(t, err)
	require.True(t, kept.Final)
	told := kept
	by(queue.CallTeam{Call: "c2", For: time.Minute})
	by(queue.LeaveTeam{Call: "c2", Told: true})
	_, err = store.Put(ctx, told)
	require.ErrorIs(t, err, queue.ErrConflict)
	require.Zero(t, sweep())

	now = time.Now()
	made = storetest.Create(t, store)
	by(callTeam)
	by(queue.Cancel{})
	now = now.Add(queue.KeptFor)
	require.Equal(t, 1, sweep())
	now = now.Add(queue.UntoldFor - queue.KeptFor)
	require.Zero(t, sweep())
	last, err := store.Get(ctx, made.ID)
	require.NoError(t, err)
	e, given := last.Last(queue.EventTeamTold)
	require.True(t, given)
	require.Contains(t, e.Detail, "could not be told")
}
