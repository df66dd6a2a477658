package desk_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

var noon = roomtest.Noon

// bench is a desk on a memory store without goroutines: the test runs each step.
type bench struct {
	*desk.Desk
	rig    *roomtest.Rig
	t      *testing.T
	q      *queue.Queue
	events []desk.Event
}

// usual returns the options of a desk with the default settings.
func usual(q *queue.Queue) desk.Options {
	settings := &roomtest.Settings{S: config.Default()}
	return desk.Options{Services: desk.Services{Queue: q, Settings: settings, Instance: "me"}}
}

func newBench(t *testing.T, change func(*desk.Options)) *bench {
	t.Helper()
	b := &bench{t: t, rig: roomtest.NewRig(t)}
	b.q = b.rig.Queue
	o := desk.Options{Services: b.rig.Services()}
	if change != nil {
		change(&o)
	}
	b.Desk = desk.New(o)
	b.Subscribe(func(e desk.Event) { b.events = append(b.events, e) })
	b.rig.Watch(b.Desk)
	return b
}

// calm runs the worker and the watch until nothing is left to do.
func (b *bench) calm() {
	b.t.Helper()
	b.rig.Drive(b.Desk, b.Drain)
}

// pass advances the clock and calls Tick.
func (b *bench) pass(d time.Duration) {
	b.rig.Clock.Pass(d)
	b.Tick()
	b.calm()
}

func (b *bench) ask(title string, seconds int) queue.Session {
	b.t.Helper()
	return b.askAs(title, seconds, queue.Origin{Client: "claude-code", Cwd: "/src/shop", Agent: "a1"})
}

func (b *bench) askAs(title string, seconds int, o queue.Origin) queue.Session {
	b.t.Helper()
	if o.Instance == "" {
		o.Instance = "bridge"
	}
	ask := queue.Ask{Kind: queue.KindChoice, Title: title, Prompt: "I ask because two ways are open.",
		TimeoutSeconds: seconds, OnTimeout: queue.OnTimeoutNone,
		Questions: []queue.Question{{ID: "q1", Mode: queue.ModeSingle, Min: 1, Max: 1, Annotate: true,
			Options: []queue.Option{{ID: "pg", Label: "PostgreSQL", Recommended: true}, {ID: "lite", Label: "SQLite"},
				{ID: "dynamo", Label: "DynamoDB"}}}}}
	s, err := b.q.Create(b.t.Context(), queue.Session{Ask: ask, Origin: o,
		Claim: &queue.Claim{Instance: o.Instance, Conn: "1"}})
	require.NoError(b.t, err)
	b.calm()
	return s
}

func (b *bench) stored(id string) queue.Session {
	b.t.Helper()
	return roomtest.Stored(b.t, b.q, id)
}

func view(b *bench) *desk.View { return b.View(desk.ViewOptions{Points: true}) }

// happened returns the number of events of one type.
func happened[E desk.Event](b *bench) (n int) {
	for _, e := range b.events {
		if _, ok := e.(E); ok {
			n++
		}
	}
	return n
}

// typing saves the draft of a view, which offers it to the other views.
func (b *bench) typing(s *desk.View) {
	s.DraftSoon()
	s.SaveDraft()
	b.calm()
}

func TestWhatIsTypedAtOneViewIsOfferedAtTheOtherBehindTheGuard(t *testing.T) {
	b := newBench(t, nil)
	one, two := view(b), view(b)
	s := b.ask("Which database?", 300)
	b.pass(time.Second)
	require.Equal(t, []string{s.ID, s.ID}, []string{one.Up(), two.Up()})
	require.NoError(t, two.Guard.Refuses(desk.Press{Effect: desk.Sending}, b.rig.Clock.T))

	one.Form().Here().Move(1)
	b.typing(one)
	assert.Equal(t, []string{"lite"}, two.Form().Here().Selected())
	assert.Equal(t, one.Instance(), two.Form().From().Instance)
	assert.ErrorIs(t, two.Guard.Refuses(desk.Press{Effect: desk.Sending}, b.rig.Clock.T), desk.ErrEarly, "it is like a new question")
	assert.Equal(t, 1, happened[desk.DraftTaken](b))

	b.pass(time.Second)
	one.Form().Here().Move(1)
	b.typing(one)
	assert.Equal(t, []string{"dynamo"}, two.Form().Here().Selected(), "a newer draft takes the place of an older one")

	two.Form().Here().Move(-2)
	b.typing(two)
	b.pass(time.Second)
	one.Form().Here().Move(-1)
	b.typing(one)
	assert.Equal(t, []string{"pg"}, two.Form().Here().Selected(), "the person here has pressed a key")
}

func TestNoDraftIsTakenOverWhileAChoiceIsRememberedThatWasNotTaken(t *testing.T) {
	b := newBench(t, nil)
	one, two := view(b), view(b)
	b.ask("Which database?", 300)
	two.Guard.NotTaken("2", "")
	b.pass(time.Second)
	one.Form().Here().Move(1)
	b.typing(one)
	assert.Equal(t, []string{"pg"}, two.Form().Here().Selected())
	assert.Zero(t, happened[desk.DraftTaken](b))

	require.Error(t, two.Guard.Refuses(desk.Press{Effect: desk.Sending}, b.rig.Clock.T), "this Enter clears it")
	b.pass(time.Second)
	one.Form().Here().Move(1)
	b.typing(one)
	assert.Equal(t, []string{"dynamo"}, two.Form().Here().Selected())
}

func TestOneOfTwoViewsWinsAndTheOtherIsToldWho(t *testing.T) {
	b := newBench(t, nil)
	one, two := view(b), view(b)
	s := b.ask("Which database?", 300)
	b.pass(time.Second)
	two.Form().Here().Move(2)
	require.NoError(t, one.Send())
	require.ErrorIs(t, two.Send(), desk.ErrSending, "one answer a session is on its way")
	b.calm()
	assert.Equal(t, "PostgreSQL", b.stored(s.ID).Summary())
	assert.Equal(t, 1, happened[desk.Stored](b))
	assert.ErrorIs(t, two.Send(), desk.ErrOver)
	assert.Equal(t, s.ID, b.Last().ID)
}

func TestAnAnswerThatCannotBeStoredIsTriedAgainUntilItIs(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s := b.ask("Which database?", 300)
	b.rig.Disk.Err = errors.New("no space left on device")
	require.NoError(t, one.Send())
	b.calm()
	require.Equal(t, s.ID, one.Up(), "the form stays")
	require.Error(t, b.Outbox().Of(s.ID).Err)
	require.ErrorIs(t, one.Send(), desk.ErrSending)
	b.rig.Disk.Err = nil
	b.pass(desk.RetryIn)
	assert.Equal(t, queue.StatusSelected, b.stored(s.ID).Status())
	assert.Empty(t, one.Up())
	assert.Zero(t, b.Outbox().Len())
}

func TestArrivalsNeverMoveWhatIsOnView(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	first := b.ask("Which database?", 300)
	soon := b.ask("Deploy?", 42)
	require.Equal(t, first.ID, one.Up())
	require.Equal(t, soon.ID, b.Waiting()[0].ID, "the soonest deadline comes first")
	require.NoError(t, one.Send())
	b.calm()
	require.Equal(t, soon.ID, one.Up(), "after an answer the top of the queue comes up")
	require.ErrorIs(t, one.Guard.Refuses(desk.Press{Effect: desk.Sending}, b.rig.Clock.T), desk.ErrEarly)
	require.NoError(t, one.Guard.Refuses(desk.Press{Effect: desk.Moving}, b.rig.Clock.T), "keys that answer nothing are free")
}

func TestAClosedQuestionGivesWayToOneThatIsPending(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s := b.ask("Which database?", 60)
	next := b.ask("Deploy?", 300)
	one.Form().Here().Move(1)
	b.pass(61 * time.Second)
	require.Equal(t, next.ID, one.Up(), "a mark is no text")
	require.Empty(t, one.Closed().ID)
	require.Len(t, one.Missed(), 1)
	require.Equal(t, queue.StatusTimeout, b.stored(s.ID).Status(), "whoever notices first stores it")
	require.Equal(t, s.ID, b.Last().Lost.ID, "it stays as the last event")
}

func TestAClosedQuestionLeavesAfterTenSecondsWhereNothingIsPending(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s := b.ask("Which database?", 60)
	b.pass(61 * time.Second)
	require.Equal(t, s.ID, one.Up())
	one.Pressed(b.rig.Clock.T.Add(9 * time.Second))
	b.pass(11 * time.Second)
	require.Empty(t, one.Up(), "also where a key was pressed meanwhile")

	b.ask("Which cache?", 60)
	b.pass(61 * time.Second)
	next := b.ask("Deploy?", 300)
	require.Equal(t, next.ID, one.Up(), "at once, when another one arrives")
}

func TestAClosedQuestionWithWordsLeavesThemInTheHistoryAndSaysSo(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s := b.ask("Which database?", 60)
	next := b.ask("Deploy?", 300)
	_, why := one.Form().Begin(form.FieldComment)
	require.True(t, why.OK())
	one.Form().Type("only the managed offering")
	one.DraftSoon()
	one.Pressed(b.rig.Clock.T.Add(60 * time.Second))
	b.pass(61 * time.Second)
	require.Equal(t, s.ID, one.Up(), "the next letters would be commands")
	b.pass(2 * time.Second)
	require.Equal(t, next.ID, one.Up())
	require.Equal(t, s.ID, one.Closed().ID)
	b.calm()
	drafts, err := b.q.Store.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	require.Len(t, drafts, 1)
	require.Equal(t, "only the managed offering", drafts[0].Answer.Comment)
	one.ForgetMissed()
	require.Empty(t, one.Closed().ID, "the person has looked")
}

func TestWhatThePersonCalledOffInTheAgentIsNotMissed(t *testing.T) {
	for reason, missed := range map[string]int{
		"": 0, "user cancelled": 0, queue.CallerGone: 1, queue.CallEnded: 1, "Request timed out": 1,
	} {
		b := newBench(t, nil)
		one := view(b)
		s := b.ask("Which database?", 300)
		_, err := b.q.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Surface: queue.SurfaceClient,
			Do: queue.Cancel{Reason: reason}})
		require.NoError(t, err)
		b.calm()
		require.Len(t, one.Missed(), missed, "%q", reason)
		require.NotNil(t, b.Last().Lost, "it is the last event all the same: %q", reason)
	}
}

func TestAKeyWithAnEndedQuestionOnViewCountsAsHavingSeenIt(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	b.ask("Which database?", 60)
	b.pass(61 * time.Second)
	one.Pressed(b.rig.Clock.T.Add(100 * time.Millisecond))
	require.Len(t, one.Missed(), 1, "that key was pressed for something else")
	one.Pressed(b.rig.Clock.T.Add(time.Second))
	require.Empty(t, one.Missed())
}

func TestHoldClockMovesADeadlineThatIsNear(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s := b.ask("Which database?", 60)
	one.HoldClock()
	b.calm()
	require.Equal(t, noon.Add(time.Minute), b.stored(s.ID).Deadline, "there is time enough")
	b.pass(20 * time.Second)
	one.HoldClock()
	b.calm()
	require.Equal(t, b.rig.Clock.T.Add(time.Minute), b.stored(s.ID).Deadline)
	require.True(t, one.Extended(s.ID))
}

func TestADeadlineMovesWithinItsBounds(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	require.ErrorIs(t, one.Move(time.Minute), desk.ErrOver)
	s := b.ask("Which database?", 90)
	require.NoError(t, one.Move(-time.Minute))
	b.calm()
	require.Equal(t, b.rig.Clock.T.Add(time.Minute), b.stored(s.ID).Deadline)
	require.ErrorIs(t, one.Move(-time.Minute), desk.ErrLeast)
	require.ErrorIs(t, one.Move(queue.MaxTimeout), desk.ErrMost)
}

func TestAQuestionThatBelongsToOneCallEndsWithItsCaller(t *testing.T) {
	b := newBench(t, nil)
	view(b)
	s := b.askAs("Drop it?", 300, queue.Origin{Dialect: queue.DialectBound, Client: "claude-code"})
	stays := b.askAs("Another dialect stays", 300, queue.Origin{Dialect: "provide_choice", Client: "claude-code"})
	b.Take(queue.Changes{Presence: true}, []queue.Presence{{Instance: "me", Role: queue.RoleDashboard}})
	b.calm()
	got := b.stored(s.ID)
	require.NotNil(t, got.Outcome)
	require.Equal(t, queue.ByCaller, got.Outcome.By)
	require.Nil(t, b.stored(stays.ID).Outcome)
}

func TestQuestionsWhoseCallerIsGoneForAMinuteDoNotCloseChat(t *testing.T) {
	b := newBench(t, nil)
	view(b)
	b.ask("Which database?", 300)
	n, first := b.Closing()
	require.Equal(t, 1, n)
	require.Equal(t, "Which database?", first.Ask.Title)
	b.TakePresence(nil)
	b.Refresh()
	n, _ = b.Closing()
	require.Equal(t, 1, n, "it may come back")
	b.pass(queue.GoneGrace)
	n, _ = b.Closing()
	require.Zero(t, n)
	require.Equal(t, 1, b.Gone())
}

func TestAViewListsWhatMatches(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	first := b.ask("Which database?", 300)
	other := b.ask("Deploy to production?", 600)
	one.Narrow("deploy", one.Up())
	require.Len(t, one.Listed(), 1)
	require.Equal(t, other.ID, one.Up())
	require.ErrorIs(t, one.Guard.Refuses(desk.Press{Effect: desk.Marking}, b.rig.Clock.T), desk.ErrTooSoon)
	one.Narrow("", first.ID)
	require.Equal(t, first.ID, one.Up())
	require.Len(t, one.Listed(), 2)
}

func TestADeskThatWasOpenedOnOneSessionIsFinishedWithIt(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask("Which database?", 300)
	attached := newBench(t, func(o *desk.Options) { o.Queue, o.Attach = b.q, s.ID })
	attached.rig.Watcher, _ = b.q.Store.Watch(t.Context(), queue.AllNews, s.ID)
	one := view(attached)
	attached.calm()
	require.Equal(t, s.ID, one.Up())
	require.NoError(t, one.Send())
	attached.calm()
	require.Equal(t, queue.SurfaceAttach, b.stored(s.ID).Outcome.Surface)
	require.NotZero(t, happened[desk.Finished](attached))
}

func TestASessionThatLeftTheQueueWhileOnViewIsSeenToItsEnd(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s := b.ask("Which database?", 300)
	done, err := b.q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceWeb,
		Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"lite"}}}}}})
	require.NoError(t, err)
	done, err = b.q.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: queue.Collect{Claim: *done.Claim}})
	require.NoError(t, err)
	require.NoError(t, b.q.Store.Archive(t.Context(), done))
	b.calm()
	require.Equal(t, s.ID, one.Up())
	require.Equal(t, queue.SurfaceWeb, one.Session().Outcome.Surface)
	require.ErrorIs(t, one.Send(), desk.ErrOver)
}

func TestAShortRunOwnsTheDeskAndStoresWhatIsDue(t *testing.T) {
	b := newBench(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan struct{})
	b.Do(func() { close(ran); cancel() })
	b.Run(ctx)
	<-ran
}

func TestARunFollowsAWallClockThatWasStepped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, nil)
		var slept atomic.Int64
		b.q.Now = func() time.Time { return noon.Add(time.Duration(slept.Load())) }
		one := view(b)
		b.ask("Which database?", 7200)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			b.Run(ctx)
		}()
		synctest.Wait()
		require.Nil(t, one.Session().Outcome)
		slept.Store(int64(3 * time.Hour)) // the timers did not run meanwhile
		time.Sleep(desk.LookAgain)
		synctest.Wait()
		require.ErrorIs(t, one.Send(), desk.ErrOver)
		require.Equal(t, 1, happened[desk.Ended](b))
		cancel()
		<-ended
	})
}

func TestAQuestionThatTheQueueLostGoesFromTheView(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s := b.ask("Which database?", 300)
	b.rig.Memory.Lose(s.ID)
	b.calm()
	require.NotNil(t, one.Session().Outcome)
	require.ErrorIs(t, one.Send(), desk.ErrOver)
	require.Equal(t, 1, happened[desk.Ended](b))
}

func TestADraftFromElsewhereIsNotSavedAsOnesOwnNorChangesAnAnswerOnItsWay(t *testing.T) {
	b := newBench(t, nil)
	one, two := view(b), view(b)
	s := b.ask("Which database?", 300)
	one.Form().Here().Move(1)
	b.typing(one)
	b.typing(two)
	drafts, err := b.q.Store.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	assert.Len(t, drafts, 1, "a later save would be newer than what the other one changes meanwhile")

	b.pass(time.Second)
	require.NoError(t, two.Send())
	one.Form().Here().Move(1)
	one.DraftSoon()
	one.SaveDraft()
	assert.Equal(t, []string{"lite"}, two.Form().Here().Selected(), "its answer is on the way")
}

func TestHear_TellsOfOneKindOfEvent(t *testing.T) {
	b := newBench(t, nil)
	view(b)
	var told []desk.Shown
	stop := desk.Hear(b.Desk, func(e desk.Shown) { told = append(told, e) })
	s := b.ask("Which database?", 300)
	b.ask("Which cache?", 300)
	require.Len(t, told, 1)
	assert.Equal(t, s.ID, told[0].ID)
	stop()
	b.Desk.View(desk.ViewOptions{})
	b.Refresh()
	assert.Len(t, told, 1, "it has stopped")
}

func TestASubscriberThatStopsIsToldNothingMoreAndTheOthersAre(t *testing.T) {
	b := newBench(t, nil)
	var told []desk.Event
	stop := b.Subscribe(func(e desk.Event) { told = append(told, e) })
	b.ask("Which database?", 300)
	require.NotEmpty(t, told)
	stop()
	before, others := len(told), len(b.events)
	b.ask("Which cache?", 300)
	assert.Len(t, told, before)
	assert.Greater(t, len(b.events), others)
}
