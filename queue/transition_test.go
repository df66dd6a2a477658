package queue_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// asked returns a session asked at noon, with five minutes to answer.
func asked(change func(a *queue.Ask, q *queue.Question)) queue.Session {
	return queue.Session{
		Schema: queue.Schema, ID: "k7f3m2qx", Revision: 1, Ask: ask(change), AskedAt: noon, CountdownFrom: noon,
		Deadline: noon.Add(5 * time.Minute), Events: []queue.Event{{ID: "e0", Kind: queue.EventAsked, At: noon}},
	}
}

// do applies actions one second apart; the last error counts.
func do(t *testing.T, s queue.Session, actions ...queue.Action) (queue.Session, error) {
	t.Helper()
	var err error
	for i, a := range actions {
		require.NoError(t, err)
		c := queue.Command{ID: fmt.Sprintf("c%d-%d", len(s.Events), i), By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: a}
		before, at := s, noon.Add(time.Duration(i+1)*time.Second)
		var changed bool
		s, changed, err = queue.Transition(before, c, at)
		require.Equal(t, !same(t, before.At(at), s), changed, "%T says whether it changed anything", a)
	}
	return s, err
}

// same compares two sessions as they are stored.
func same(t *testing.T, a, b queue.Session) bool {
	t.Helper()
	one, err := json.Marshal(a)
	require.NoError(t, err)
	other, err := json.Marshal(b)
	require.NoError(t, err)
	return string(one) == string(other)
}

var (
	settle  = queue.Settle{Answer: storetest.Answer("a")}
	cancel  = queue.Cancel{Reason: "no"}
	mine    = queue.Claim{Instance: "bridge", Conn: "1"}
	take    = queue.Take{Claim: mine}
	collect = queue.Collect{Claim: mine}
)

func TestTheFirstOutcomeStaysWhateverComesAfter(t *testing.T) {
	t.Parallel()
	for _, first := range []queue.Action{settle, cancel} {
		for _, second := range []queue.Action{settle, cancel, queue.Move{By: time.Minute}, queue.Attach{Instance: "x"}} {
			s, err := do(t, asked(nil), first)
			require.NoError(t, err)
			again, err := do(t, s, second)
			require.ErrorIs(t, err, queue.ErrSettled)
			require.Equal(t, s, again, "the loser is told who won")
		}
	}
}

func TestTheDeadlineDecidesEvenIfNobodyStoredIt(t *testing.T) {
	t.Parallel()
	s := asked(nil)
	c := queue.Command{ID: "late", Do: settle}
	late, _, err := queue.Transition(s, c, s.Deadline)
	require.ErrorIs(t, err, queue.ErrSettled, "at the deadline it is over")
	require.Equal(t, queue.StatusTimeout, late.Outcome.Status)
	require.Equal(t, queue.ByClock, late.Outcome.By)
	require.Equal(t, s.Deadline, late.Outcome.At, "dated at the deadline, whoever noticed")
	require.Empty(t, late.Outcome.Answer.Replies, "a timeout never invents an answer")
	require.Nil(t, s.Outcome, "the input is not changed")

	inTime, _, err := queue.Transition(s, c, s.Deadline.Add(-time.Millisecond))
	require.NoError(t, err)
	require.Equal(t, queue.StatusSelected, inTime.Outcome.Status)
	require.True(t, s.At(s.Deadline.Add(-time.Millisecond)).Pending())
	s.Deadline = time.Time{}
	require.True(t, s.At(noon.AddDate(1, 0, 0)).Pending(), "a stopped clock never rings")
}

func TestATimeoutTakesDefaultsOnlyWhereTheAskSaysSo(t *testing.T) {
	t.Parallel()
	s := asked(func(a *queue.Ask, _ *queue.Question) { a.OnTimeout = queue.OnTimeoutDefaults })
	o := s.At(s.Deadline).Outcome
	require.Equal(t, queue.StatusTimeout, o.Status)
	require.Equal(t, []string{"b"}, o.Answer.Replies[0].Selected)
	require.Equal(t, queue.ByClock, o.By)
}

func TestACommandIsAppliedOnce(t *testing.T) {
	t.Parallel()
	s := asked(nil)
	c := queue.Command{ID: "once", Do: queue.Move{By: time.Minute}}
	moved, _, err := queue.Transition(s, c, noon.Add(time.Second))
	require.NoError(t, err)
	again, changed, err := queue.Transition(moved, c, noon.Add(2*time.Second))
	require.NoError(t, err)
	require.False(t, changed)
	require.Equal(t, moved, again)
}

func TestTheDeadlineMovesWithinADay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		move queue.Move
		ok   bool
	}{
		"later":            {queue.Move{By: time.Minute}, true},
		"sooner":           {queue.Move{By: -time.Minute}, true},
		"to a time":        {queue.Move{To: noon.Add(time.Hour)}, true},
		"into the past":    {queue.Move{By: -5 * time.Minute}, false},
		"to a day":         {queue.Move{To: noon.Add(time.Second + queue.MaxTimeout)}, true},
		"beyond a day":     {queue.Move{To: noon.Add(2*time.Second + queue.MaxTimeout)}, false},
		"neither":          {queue.Move{}, false},
		"both":             {queue.Move{By: time.Minute, To: noon.Add(time.Hour)}, false},
		"under one second": {queue.Move{To: noon.Add(1900 * time.Millisecond)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := do(t, asked(nil), c.move)
			if !c.ok {
				var invalid *queue.Invalid
				require.ErrorAs(t, err, &invalid)
				require.Equal(t, asked(nil), s)
				return
			}
			require.NoError(t, err)
			require.Equal(t, noon.Add(time.Second), s.CountdownFrom, "the fuse burns from here")
			_, moved := s.Last(queue.EventMoved)
			require.True(t, moved)
		})
	}
}

func TestAConfirmationWantsConfirming(t *testing.T) {
	t.Parallel()
	s := asked(func(a *queue.Ask, _ *queue.Question) { a.Confirm = true })
	_, err := do(t, s, settle)
	var invalid *queue.Invalid
	require.ErrorAs(t, err, &invalid)
	s, err = do(t, s, queue.Settle{Answer: storetest.Answer("a"), Confirmed: true})
	require.NoError(t, err)
	require.Equal(t, queue.StatusSelected, s.Outcome.Status)
}

func TestTheStatusSaysWhatWasGiven(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		least int
		reply queue.Reply
		want  string
	}{
		"an id":          {0, reply("", "a"), queue.StatusSelected},
		"an id and text": {0, reply("mine", "a"), queue.StatusSelected},
		"text alone":     {0, reply("mine"), queue.StatusCustom},
	} {
		t.Run(name, func(t *testing.T) {
			s := asked(func(_ *queue.Ask, q *queue.Question) { q.Mode, q.Min, q.Max = queue.ModeHybrid, c.least, 3 })
			s, err := do(t, s, queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{c.reply}}})
			require.NoError(t, err)
			require.Equal(t, c.want, s.Outcome.Status)
		})
	}
	s := asked(func(_ *queue.Ask, q *queue.Question) { q.Mode, q.Min, q.Max = queue.ModeMulti, 0, 3 })
	s, err := do(t, s, queue.Settle{Answer: storetest.Answer()})
	require.NoError(t, err)
	require.Equal(t, queue.StatusSelected, s.Outcome.Status, "an empty multi whose min is 0")
}

func TestASessionIsAttachedOnce(t *testing.T) {
	t.Parallel()
	s, err := do(t, asked(nil), queue.Attach{Instance: "a", Pane: "%3"})
	require.NoError(t, err)
	_, err = do(t, s, queue.Attach{Instance: "b"})
	require.ErrorIs(t, err, queue.ErrUsed)
	s, err = do(t, s, settle)
	require.NoError(t, err)
	_, err = do(t, s, queue.Attach{Instance: "b"})
	require.ErrorIs(t, err, queue.ErrUsed)
}

func TestAExpireIsDueADayAfterTheOutcome(t *testing.T) {
	t.Parallel()
	_, err := do(t, asked(nil), queue.Expire{})
	require.ErrorIs(t, err, queue.ErrPending)
	s, err := do(t, asked(nil), settle)
	require.NoError(t, err)
	c := queue.Command{ID: "lapse", Do: queue.Expire{}}
	_, _, err = queue.Transition(s, c, s.Outcome.At.Add(queue.KeptFor-time.Second))
	require.ErrorIs(t, err, queue.ErrNotDue)
	s, _, err = queue.Transition(s, c, s.Outcome.At.Add(queue.KeptFor))
	require.NoError(t, err)
	require.True(t, s.Final)
	for _, a := range []queue.Action{settle, cancel, take, collect, queue.Expire{}, queue.TimeOut{}, queue.Release{Claim: mine}} {
		_, _, err := queue.Transition(s, queue.Command{ID: "x", Do: a}, noon)
		require.ErrorIs(t, err, queue.ErrFinal, "%T", a)
	}
}

func TestTheTrailIsBoundedAndKeepsRoomForTheEnd(t *testing.T) {
	t.Parallel()
	s, err := asked(nil), error(nil)
	for i := 0; err == nil; i++ {
		require.Less(t, i, queue.MaxEvents)
		s, _, err = queue.Transition(s, queue.Command{ID: fmt.Sprint(i), Do: queue.Move{By: time.Second}}, noon.Add(time.Second))
	}
	require.ErrorIs(t, err, queue.ErrFull)
	s, err = do(t, s, settle, take, collect)
	require.NoError(t, err)
	require.True(t, s.Final)
	require.LessOrEqual(t, len(s.Events), queue.MaxEvents)
}

func TestTheTrailNeverGoesBackInTime(t *testing.T) {
	t.Parallel()
	s, err := do(t, asked(nil), queue.Move{By: time.Minute})
	require.NoError(t, err)
	s, _, err = queue.Transition(s, queue.Command{ID: "x", Do: settle}, noon.Add(-time.Hour)) // a clock set back
	require.NoError(t, err)
	for i := 1; i < len(s.Events); i++ {
		require.False(t, s.Events[i].At.Before(s.Events[i-1].At))
	}
}

func TestATransitionChangesNothingItWasGiven(t *testing.T) {
	t.Parallel()
	s := asked(nil)
	s.Events = append(make([]queue.Event, 0, 50), s.Events...) // room to write into by mistake
	before, err := json.Marshal(s)
	require.NoError(t, err)
	for _, a := range []queue.Action{settle, cancel, queue.Move{By: time.Minute}, queue.Attach{Instance: "x"}, take} {
		_, err := do(t, s, a)
		require.NoError(t, err)
	}
	require.Zero(t, s.Events[:2][1], "not even behind the end of its events")
	after, err := json.Marshal(s)
	require.NoError(t, err)
	require.JSONEq(t, string(before), string(after))
}

func TestSweepStoresTimeoutsExpiresAndArchives(t *testing.T) {
	t.Parallel()
	store, ctx := storetest.NewMemory(), t.Context()
	q := queue.New(store)
	overdue, young := storetest.Create(t, store), storetest.Create(t, store)
	done := storetest.Finish(t, store, storetest.Create(t, store), time.Second)
	q.Now = func() time.Time { return overdue.Deadline.Add(time.Second) }
	require.NoError(t, q.Sweep(ctx, []queue.Session{overdue, done}))
	got, err := store.Get(ctx, overdue.ID)
	require.NoError(t, err)
	require.Equal(t, queue.StatusTimeout, got.Status())
	require.False(t, got.Final)
	page, _, err := store.History(ctx, "", 10, queue.Whole)
	require.NoError(t, err)
	require.Len(t, page, 1)

	q.Now = func() time.Time { return overdue.Deadline.Add(queue.KeptFor + time.Hour) }
	require.NoError(t, q.Sweep(ctx, []queue.Session{overdue, got, done, young}))
	require.NoError(t, q.Sweep(ctx, []queue.Session{overdue, got, done, young}), "anyone may do it again")
	page, _, err = store.History(ctx, "", 10, queue.Whole)
	require.NoError(t, err)
	require.Len(t, page, 3)
}

func TestATimeoutNeverSelectsFewerThanTheQuestionWants(t *testing.T) {
	t.Parallel()
	for least, want := range map[int]string{0: "timed out, defaults taken: PostgreSQL", 1: "timed out, defaults taken: PostgreSQL",
		2: "timed out, no answer"} {
		s := asked(func(a *queue.Ask, q *queue.Question) {
			a.OnTimeout = queue.OnTimeoutDefaults
			q.Mode, q.Min, q.Max, q.Defaults = queue.ModeMulti, least, len(q.Options), []string{q.Options[1].ID}
		})
		require.Equal(t, want, s.At(s.Deadline).Summary())
	}
}

func TestOnlyTheCancelOfAClientThatLivesOnCallsAQuestionOff(t *testing.T) {
	t.Parallel()
	cancelled := func(by, reason string) queue.Outcome {
		return queue.Outcome{Status: queue.StatusCancelled, By: by, Surface: queue.SurfaceClient, Reason: reason}
	}
	tool := queue.Origin{Client: "qwen-code", Dialect: "provide_choice", CallID: "7"}
	for name, c := range map[string]struct {
		from    queue.Origin
		outcome queue.Outcome
		want    bool
	}{
		"Esc in the agent":                       {tool, cancelled(queue.ByCaller, "user cancelled"), true},
		"a client that gives no reason":          {tool, cancelled(queue.ByCaller, ""), true},
		"a client that lost patience":            {tool, cancelled(queue.ByCaller, "MCP error -32001: Request timed out"), false},
		"its process is gone":                    {tool, cancelled(queue.ByCaller, queue.CallerGone), false},
		"its stream was closed":                  {tool, cancelled(queue.ByCaller, queue.CallEnded), false},
		"the person, here":                       {tool, cancelled(queue.ByHuman, "no"), false},
		"the clock":                              {tool, queue.Outcome{Status: queue.StatusTimeout, By: queue.ByClock}, false},
		"a script that was ended":                {queue.Origin{Client: queue.ClientAsk}, cancelled(queue.ByCaller, "ended"), false},
		"what an agent shows its own prompt":     {queue.Origin{Source: "claude:1/2"}, cancelled(queue.ByCaller, "left to the agent"), false},
		"an interview whose mission was changed": {queue.Origin{Dialect: queue.DialectInterview}, cancelled(queue.ByCaller, "changed"), false},
	} {
		s := queue.Session{Origin: c.from, Outcome: &c.outcome}
		require.Equal(t, c.want, s.CalledOff(), name)
	}
	require.False(t, queue.Session{Origin: tool}.CalledOff(), "it is pending")
}

func TestSession_StoppedByTheWordsOfItsClient(t *testing.T) {
	t.Parallel()
	for reason, stopped := range map[string]bool{
		"AbortError: user-cancel": true, "user cancelled": true,
		"": false, "AbortError: This operation was aborted": false, queue.CallEnded: false, "Request timed out": false,
	} {
		s := queue.Session{Origin: queue.Origin{Client: "claude-code"},
			Outcome: &queue.Outcome{Status: queue.StatusCancelled, By: queue.ByCaller, Reason: reason}}
		require.Equal(t, stopped, s.Stopped(), reason)
		require.Equal(t, stopped, s.Summary() == "interrupted in the agent", reason)
		s.Outcome.By = queue.ByHuman
		require.False(t, s.Stopped(), reason)
	}
}

func TestADeadlineIsADayAheadAtMostAndAClockMayBeADayAhead(t *testing.T) {
	t.Parallel()
	s := asked(nil)
	for ahead, fits := range map[time.Duration]bool{-time.Hour: true, 24 * time.Hour: true, 46 * time.Hour: true, 49 * time.Hour: false,
		1 << 62: false} {
		s.Deadline = noon.Add(ahead)
		err := queue.CheckDeadline(s, noon)
		require.Equal(t, fits, err == nil, "%v: %v", ahead, err)
		if !fits {
			var bad *queue.Unreadable
			require.ErrorAs(t, err, &bad)
		}
	}
	s.Outcome = &queue.Outcome{Status: queue.StatusCancelled}
	require.NoError(t, queue.CheckDeadline(s, noon), "it waits for nothing")
	s.Outcome, s.Deadline = nil, time.Time{}
	require.NoError(t, queue.CheckDeadline(s, noon), "its clock is stopped")
}
