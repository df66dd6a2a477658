package queue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// docs/design.md section 4, rule 6: the caller is a waiter, not the owner.

var theirs = queue.Claim{Instance: "other", Conn: "9"}

func everyone(string) bool { return true }
func nobody(string) bool   { return false }

func only(instance string) func(string) bool { return func(i string) bool { return i == instance } }

func TestAClaimIsHeldByOne(t *testing.T) {
	t.Parallel()
	s, err := do(t, asked(nil), take)
	require.NoError(t, err)
	require.Equal(t, mine, *s.Claim)
	_, err = do(t, s, take)
	require.NoError(t, err, "taking again is no theft")
	_, err = do(t, s, queue.Take{Claim: theirs})
	require.ErrorIs(t, err, queue.ErrUsed)
	_, err = do(t, s, queue.Take{Claim: theirs, Over: queue.Claim{Instance: "bridge", Conn: "2"}})
	require.ErrorIs(t, err, queue.ErrUsed, "another holder than the one seen dead")
	s, err = do(t, s, queue.Take{Claim: theirs, Over: mine})
	require.NoError(t, err)
	require.Equal(t, theirs, *s.Claim)
	_, err = do(t, s, settle, collect)
	require.ErrorIs(t, err, queue.ErrUsed, "who lost the claim does not collect")
}

func TestATakeoverNamesTheNewConnectionOnly(t *testing.T) {
	t.Parallel()
	s := asked(nil)
	s.Origin = queue.Origin{Dialect: "provide_choice", Client: "claude", Cwd: "/src/shop", Pane: "%1", PID: 7, Agent: "a", Instance: "bridge", CallID: "1", Thread: "t1"}
	s.Claim = &mine
	s, err := do(t, s, queue.Take{Claim: theirs, Over: mine, Origin: queue.Origin{
		Dialect: "x", Client: "y", Cwd: "/z", Pane: "%2", PID: 8, Agent: "b", Instance: "other", CallID: "2",
		Thread: "t2", OneSession: true,
	}})
	require.NoError(t, err)
	require.Equal(t, queue.Origin{
		Dialect: "provide_choice", Client: "claude", Cwd: "/src/shop", Pane: "%2", PID: 8, Agent: "b", Instance: "other", CallID: "2",
		Thread: "t2", OneSession: true,
	}, s.Origin)
}

func TestADroppedCallReleasesAndTheQuestionStays(t *testing.T) {
	t.Parallel()
	s, err := do(t, asked(nil), take, queue.Release{Claim: mine, Dropped: true})
	require.NoError(t, err)
	require.True(t, s.Pending())
	require.Nil(t, s.Claim)
	require.NotNil(t, s.DroppedAt)
	require.True(t, s.Gone(everyone))
	s, err = do(t, s, queue.Take{Claim: theirs})
	require.NoError(t, err)
	require.Nil(t, s.DroppedAt)
	require.False(t, s.Gone(everyone), "somebody waits again")
}

func TestAStillWaitingResultIsNotGoneWhileItsBridgeLives(t *testing.T) {
	t.Parallel()
	s := asked(nil)
	s.Origin.Instance = "bridge"
	s, err := do(t, s, take, queue.Release{Claim: mine})
	require.NoError(t, err)
	require.Nil(t, s.DroppedAt)
	require.False(t, s.Gone(only("bridge")))
	require.True(t, s.Gone(nobody))
	s, err = do(t, s, queue.Take{Claim: theirs})
	require.NoError(t, err)
	require.False(t, s.Gone(only("other")), "another bridge waits for it")
}

func TestReleasingAnothersClaimDoesNothing(t *testing.T) {
	t.Parallel()
	s, err := do(t, asked(nil), take)
	require.NoError(t, err)
	after, err := do(t, s, queue.Release{Claim: theirs, Dropped: true})
	require.NoError(t, err)
	require.Equal(t, s, after)
}

// The bridge turns a client's time-out into a Release, and any other cancel into a Cancel by the caller. This test
// checks the effect of both.
func TestATimedOutCallKeepsTheQuestionARealCancelWithdrawsIt(t *testing.T) {
	t.Parallel()
	s, err := do(t, asked(nil), take)
	require.NoError(t, err)
	timedOut, _, err := queue.Transition(s, queue.Command{ID: "r", By: queue.ByCaller, Do: queue.Release{Claim: mine, Dropped: true}}, noon.Add(time.Minute))
	require.NoError(t, err)
	require.True(t, timedOut.Pending())
	answered, err := do(t, timedOut, settle)
	require.NoError(t, err)
	require.Equal(t, queue.StatusSelected, answered.Outcome.Status, "it can still be answered")

	withdrawn, _, err := queue.Transition(s, queue.Command{ID: "x", By: queue.ByCaller, Surface: queue.SurfaceClient, Do: queue.Cancel{Reason: "user aborted"}}, noon.Add(time.Minute))
	require.NoError(t, err)
	require.Equal(t, queue.StatusCancelled, withdrawn.Outcome.Status)
	require.Equal(t, queue.ByCaller, withdrawn.Outcome.By)
	require.Equal(t, "user aborted", withdrawn.Outcome.Reason)
	_, err = do(t, withdrawn, settle)
	require.ErrorIs(t, err, queue.ErrSettled)
}

func TestCollectingTakesAnOutcomeAndTheClaimOnce(t *testing.T) {
	t.Parallel()
	_, err := do(t, asked(nil), take, collect)
	require.ErrorIs(t, err, queue.ErrPending)
	_, err = do(t, asked(nil), settle, collect)
	require.ErrorIs(t, err, queue.ErrUsed, "nobody collects without the claim")
	s, err := do(t, asked(nil), take, settle, collect)
	require.NoError(t, err)
	require.True(t, s.Final)
	again, err := do(t, s, collect)
	require.ErrorIs(t, err, queue.ErrFinal)
	require.Equal(t, s, again, "and is told what happened")
	e, ok := again.Last(queue.EventCollected)
	require.True(t, ok)
	require.False(t, e.At.IsZero())
}

func TestAnOutcomeCanBeTakenAfterItsCallerDied(t *testing.T) {
	t.Parallel()
	s, err := do(t, asked(nil), take, settle)
	require.NoError(t, err)
	s, err = do(t, s, queue.Take{Claim: theirs, Over: mine}, queue.Collect{Claim: theirs})
	require.NoError(t, err)
	require.True(t, s.Final)
}

func TestTheSameAskJoinsOnlyWhatNobodyWaitsFor(t *testing.T) {
	t.Parallel()
	origin := queue.Origin{Dialect: "provide_choice", Client: "claude", Host: "h", Cwd: "/src/shop", Agent: "4711@1"}
	key := queue.Key(origin, ask(nil))
	base := asked(nil)
	base.Key, base.Origin = key, origin
	answered := func(after time.Duration) func(*queue.Session) {
		return func(s *queue.Session) {
			s.Outcome = &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, At: noon.Add(-after)}
		}
	}
	ended := func(status string) func(*queue.Session) {
		return func(s *queue.Session) { s.Outcome = &queue.Outcome{Status: status, At: noon} }
	}
	for name, c := range map[string]struct {
		change func(*queue.Session)
		key    string
		agent  string
		alive  func(string) bool
		want   bool
	}{
		"pending and free":              {nil, key, "x", everyone, true},
		"another ask":                   {nil, "other", "4711@1", everyone, false},
		"no key never joins":            {func(s *queue.Session) { s.Key = "" }, "", "4711@1", everyone, false},
		"somebody waits":                {func(s *queue.Session) { s.Claim = &mine }, key, "4711@1", everyone, false},
		"the waiter is dead":            {func(s *queue.Session) { s.Claim = &mine }, key, "x", nobody, true},
		"answered just now":             {answered(time.Minute), key, "4711@1", everyone, true},
		"own words":                     {ended(queue.StatusCustom), key, "4711@1", everyone, true},
		"answered for another agent":    {answered(time.Minute), key, "x", everyone, false},
		"answered, agents unknown":      {func(s *queue.Session) { answered(0)(s); s.Origin.Agent = "" }, key, "", everyone, false},
		"answered ten minutes ago":      {answered(queue.JoinAnswerWithin), key, "4711@1", everyone, true},
		"answered longer ago":           {answered(queue.JoinAnswerWithin + time.Millisecond), key, "4711@1", everyone, false},
		"collected":                     {func(s *queue.Session) { answered(0)(s); s.Final = true }, key, "4711@1", everyone, false},
		"being collected":               {func(s *queue.Session) { answered(0)(s); s.Claim = &mine }, key, "4711@1", everyone, false},
		"a timeout":                     {ended(queue.StatusTimeout), key, "4711@1", everyone, false},
		"a cancel":                      {ended(queue.StatusCancelled), key, "4711@1", everyone, false},
		"a deferral":                    {ended(queue.StatusDeferred), key, "4711@1", everyone, false},
		"an answered confirmation":      {func(s *queue.Session) { answered(0)(s); s.Ask.Confirm = true }, key, "4711@1", everyone, false},
		"an approval, pending":          {func(s *queue.Session) { s.Ask.Kind = queue.KindApproval }, key, "4711@1", everyone, false},
		"a hand-off, pending":           {func(s *queue.Session) { s.Ask.HandOff = true }, key, "4711@1", everyone, false},
		"a confirmation, still pending": {func(s *queue.Session) { s.Ask.Confirm = true }, key, "4711@1", everyone, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := base
			if c.change != nil {
				c.change(&s)
			}
			o := origin
			o.Agent = c.agent
			require.Equal(t, c.want, s.Joins(c.key, o, c.alive, noon))
		})
	}
}

func TestTheKeyIsTheAskAndWhereItComesFrom(t *testing.T) {
	t.Parallel()
	o := queue.Origin{Dialect: "d", Client: "c", Version: "1", Host: "h", Cwd: "/w", Branch: "b", Pane: "%1", CallID: "1", Agent: "a", Instance: "i", PID: 1}
	key := queue.Key(o, ask(nil))
	same := o
	same.Version, same.Branch, same.Pane, same.CallID, same.Agent, same.Instance, same.PID = "2", "x", "%2", "2", "b", "j", 2
	require.Equal(t, key, queue.Key(same, ask(nil)), "the connection does not count")
	for _, change := range []func(*queue.Origin){
		func(o *queue.Origin) { o.Dialect = "x" }, func(o *queue.Origin) { o.Client = "x" },
		func(o *queue.Origin) { o.Host = "x" }, func(o *queue.Origin) { o.Cwd = "x" },
	} {
		other := o
		change(&other)
		require.NotEqual(t, key, queue.Key(other, ask(nil)))
	}
	require.NotEqual(t, key, queue.Key(o, ask(func(_ *queue.Ask, q *queue.Question) { q.Options[1].Description = "x" })))
}

// Two bridges see that the holder is dead and try to take the claim. One of them gets it.
func TestATakeoverIsWonByOne(t *testing.T) {
	t.Parallel()
	store, ctx := storetest.NewMemory(), t.Context()
	q := queue.New(store)
	s := storetest.Create(t, store)
	_, err := q.Do(ctx, s.ID, queue.Command{Do: take})
	require.NoError(t, err)
	won := make(chan bool)
	for i := range 8 {
		go func() {
			c := queue.Claim{Instance: "b", Conn: string(rune('a' + i))}
			_, err := queue.New(store).Do(ctx, s.ID, queue.Command{Do: queue.Take{Claim: c, Over: mine}})
			won <- err == nil
		}()
	}
	winners := 0
	for range 8 {
		if <-won {
			winners++
		}
	}
	require.Equal(t, 1, winners)
}

func TestWithdrawEndsOnlyWhatBrokeOffLongEnoughAgoAndNobodyTookUp(t *testing.T) {
	t.Parallel()
	withdraw := queue.Withdraw{DroppedFor: 10 * time.Second, Reason: queue.CallEnded}
	dropped := func(ago time.Duration) queue.Session {
		s := asked(nil)
		at := noon.Add(time.Second - ago) // do applies the first action a second after this
		s.DroppedAt = &at
		return s
	}
	for name, c := range map[string]struct {
		s    queue.Session
		ends bool
	}{
		"broke off long ago": {dropped(10 * time.Second), true},
		"broke off just now": {dropped(10*time.Second - time.Millisecond), false},
		"never broke off":    {asked(nil), false},
		"taken up since": {func() queue.Session {
			s, err := do(t, dropped(time.Minute), queue.Take{Claim: mine})
			require.NoError(t, err)
			return s
		}(), false},
	} {
		s, err := do(t, c.s, withdraw)
		require.NoError(t, err, name)
		require.Equal(t, c.ends, s.Outcome != nil, name)
		if c.ends {
			require.Equal(t, queue.CallEnded, s.Outcome.Reason)
		}
	}
	_, err := do(t, dropped(time.Minute), settle, withdraw)
	require.ErrorIs(t, err, queue.ErrSettled, "an answer stays")
}
