package queue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestSettingAsidePutsTheQuestionOffAndItsDeadlineAsFar(t *testing.T) {
	t.Parallel()
	s, err := do(t, asked(nil), queue.Later{})
	require.NoError(t, err)
	now := noon.Add(time.Second)
	until, aside := s.AsideUntil(now)
	require.True(t, aside)
	require.Equal(t, now.Add(10*time.Minute), until)
	require.Equal(t, noon.Add(15*time.Minute), s.Deadline)
	require.Equal(t, now, s.CountdownFrom, "the fuse burns from here")
	e, told := s.Last(queue.EventLater)
	require.True(t, told)
	require.Equal(t, "until 2026-11-20T12:10:01Z, deadline +600s to 2026-11-20T12:15:00Z", e.Detail)
	require.Equal(t, queue.ByHuman, e.By)
	require.True(t, s.Pending())

	_, aside = s.AsideUntil(until)
	require.False(t, aside, "it is back when the time is up")
	s, err = do(t, s, settle)
	require.NoError(t, err)
	_, aside = s.AsideUntil(now)
	require.False(t, aside, "what is over is not set aside")
}

func TestSettingAsideAgainAddsOnlyWhatIsNew(t *testing.T) {
	t.Parallel()
	s, err := do(t, asked(nil), queue.Later{})
	require.NoError(t, err)
	s, _, err = queue.Transition(s, queue.Command{ID: "again", Do: queue.Later{}}, noon.Add(4*time.Minute+time.Second))
	require.NoError(t, err)
	until, _ := s.AsideUntil(noon.Add(5 * time.Minute))
	require.Equal(t, noon.Add(14*time.Minute+time.Second), until)
	require.Equal(t, noon.Add(19*time.Minute), s.Deadline)
}

func TestSettingAsideNeverMovesTheDeadlineBeyondADay(t *testing.T) {
	t.Parallel()
	s, err := do(t, asked(func(a *queue.Ask, _ *queue.Question) {}), queue.Move{By: 23*time.Hour + 54*time.Minute})
	require.NoError(t, err)
	s, _, err = queue.Transition(s, queue.Command{ID: "later", Do: queue.Later{}}, noon.Add(2*time.Second))
	require.NoError(t, err)
	require.Equal(t, noon.Add(2*time.Second+24*time.Hour), s.Deadline)
}

func TestSettingAsideIsRefusedWhereItsAgentCannotWait(t *testing.T) {
	t.Parallel()
	approval := asked(func(a *queue.Ask, _ *queue.Question) { a.Kind = queue.KindApproval })
	call := asked(func(a *queue.Ask, _ *queue.Question) { a.WaitsSeconds = 60 })
	call.Origin.Dialect = queue.DialectBound
	stopped := asked(nil)
	stopped.Deadline = time.Time{}
	over, err := do(t, asked(nil), cancel)
	require.NoError(t, err)
	for _, c := range []struct {
		s    queue.Session
		want error
	}{
		{approval, queue.ErrLaterApproval}, {call, queue.ErrLaterCall}, {stopped, queue.ErrLaterStopped},
		{over, queue.ErrSettled},
	} {
		s, err := do(t, c.s, queue.Later{})
		require.ErrorIs(t, err, c.want)
		require.True(t, same(t, c.s, s))
	}
	short := asked(func(a *queue.Ask, _ *queue.Question) { a.WaitsSeconds = 119 })
	_, err = do(t, short, queue.Later{})
	require.ErrorIs(t, err, queue.ErrLaterCall, "it would be back in less than a minute")
	call.Ask.WaitsSeconds = 0
	_, err = do(t, call, queue.Later{})
	require.NoError(t, err, "a call that gave no time of its own waits on")
}

func TestWhatIsSetAsideStandsBelowWhatWaits(t *testing.T) {
	t.Parallel()
	aside, err := do(t, asked(nil), queue.Later{})
	require.NoError(t, err)
	open := asked(nil)
	open.ID, open.Deadline = "zzzzzzzz", noon.Add(time.Hour)
	everybody := func(string) bool { return true }
	order := queue.WaitingOrder([]queue.Session{aside, open}, everybody, "", noon.Add(time.Minute))
	require.Equal(t, open.ID, order[0].ID)
	require.Equal(t, queue.StandingLater, order[1].Standing)
	gone := func(queue.Session) time.Time { return noon }
	require.True(t, aside.ClosesChat(everybody, gone, noon.Add(time.Minute)), "it still closes chat and gate")

	order = queue.WaitingOrder([]queue.Session{aside, open}, everybody, "", noon.Add(11*time.Minute))
	require.Equal(t, aside.ID, order[0].ID, "its deadline is the sooner one again")
	require.Equal(t, queue.StandingOpen, order[0].Standing)
}

func TestMoreDetailIsACancelThatSaysSo(t *testing.T) {
	t.Parallel()
	wants := queue.Cancel{Reason: "what it costs", Code: queue.ReasonMoreDetail}
	s, err := do(t, asked(nil), wants)
	require.NoError(t, err)
	require.Equal(t, queue.StatusCancelled, s.Status())
	require.Equal(t, queue.ReasonMoreDetail, s.Outcome.ReasonCode)
	require.Equal(t, "what it costs", s.Outcome.Reason)
	require.Equal(t, "more detail is wanted: “what it costs”", s.Summary())

	var bad *queue.Invalid
	_, err = do(t, asked(nil), queue.Cancel{Code: "whatever"})
	require.ErrorAs(t, err, &bad)
	_, err = do(t, asked(func(a *queue.Ask, _ *queue.Question) { a.Kind = queue.KindApproval }), wants)
	require.ErrorAs(t, err, &bad, "an approval takes no such answer")
}
