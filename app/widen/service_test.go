package widen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
	"github.com/choicetui/choicetui/queue/widen"
)

// fakeTeam is a backend that does as it is told.
type fakeTeam struct {
	mu     sync.Mutex
	fail   error // of each call
	calls  []Invitation
	told   []string
	talk   widen.Discussion
	during func() // runs in the call that widens
	busy   error  // what those that are stuck end with
	stuck  bool   // those that tell how it ended take as long as they may
}

func (f *fakeTeam) Name() string     { return "http" }
func (f *fakeTeam) TakesNames() bool { return true }
func (f *fakeTeam) Who() string      { return "The server at example.org" }

func (f *fakeTeam) Ready(context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fail
}

func (f *fakeTeam) Audience(context.Context, string) ([]queue.Member, error) { return alice, f.fail }

func (f *fakeTeam) Widen(_ context.Context, i Invitation) (json.RawMessage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, i)
	if f.during != nil {
		f.during()
	}
	raw := fmt.Sprintf("{\n  \"decision_id\": %q,\n  \"widened_at\": \"2026-04-23T16:00:00Z\",\n"+
		"  \"slack_thread_url\": \"https://slack.com/archives/C1/p1\", \"invited_count\": 1}", i.Decision)
	return json.RawMessage(raw), f.fail
}

func (f *fakeTeam) Discussion(context.Context, Thread) (widen.Discussion, error) {
	return f.talk, f.fail
}

func (f *fakeTeam) Resolve(ctx context.Context, t Thread, r Resolved) error {
	return f.tell(ctx, "resolve %s %q %s %q %q", t.Decision, r.Answer, r.Summary.Source, r.Summary.Text, r.Rationale)
}

func (f *fakeTeam) Defer(ctx context.Context, t Thread, rationale string) error {
	return f.tell(ctx, "defer %s %q", t.Decision, rationale)
}

func (f *fakeTeam) tell(ctx context.Context, format string, args ...any) error {
	f.mu.Lock()
	f.told = append(f.told, fmt.Sprintf(format, args...))
	fail, stuck := f.fail, f.stuck
	f.mu.Unlock()
	if stuck {
		<-ctx.Done()
		fail = ctx.Err()
		if f.busy != nil {
			fail = f.busy
		}
	}
	return fail
}

func (f *fakeTeam) heard() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.told)
}

func (f *fakeTeam) setFail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail = err
}

// bench is a queue, a team and a service between them.
type bench struct {
	*testing.T
	ctx     context.Context
	q       *queue.Queue
	team    *fakeTeam
	o       Options
	service *Service
	now     func() time.Time
}

func newBench(t *testing.T) *bench {
	b := &bench{T: t, ctx: t.Context(), q: queue.New(storetest.NewMemory()), team: &fakeTeam{}, now: time.Now}
	b.o = Options{Queue: b.q,
		Backend: func() (Backend, error) { return b.team, nil }}
	b.q.Now = func() time.Time { return b.now() }
	b.service = New(b.o)
	return b
}

func (b *bench) ask(change ...func(*queue.Session)) queue.Session {
	s := queue.Session{Origin: queue.Origin{Dialect: "provide_choice", Cwd: "/home/me/shop"},
		Ask: queue.Ask{Kind: queue.KindChoice, Title: "Database", Prompt: "Choose **one**.", TimeoutSeconds: 300,
			OnTimeout: queue.OnTimeoutNone, Questions: []queue.Question{{ID: "db", Text: "Which database?",
				Mode: queue.ModeHybrid, Max: 1, Options: []queue.Option{{ID: "pg", Label: "PostgreSQL"}}}}}}
	for _, c := range change {
		c(&s)
	}
	made, err := b.q.Create(b.ctx, s)
	require.NoError(b, err)
	return made
}

var alice = []queue.Member{{UserID: "U1", Name: "Alice Johnson"}}

func (b *bench) widen(id string) (queue.Session, error) {
	return b.service.Ask(b.ctx, id, widen.Call{Invited: alice}, widen.Actor{Surface: queue.SurfaceDashboard})
}

func (b *bench) widened() queue.Session {
	s, err := b.widen(b.ask().ID)
	require.NoError(b, err)
	return s
}

// stored returns a session as the queue has it.
func (b *bench) stored(id string) queue.Session {
	s, err := b.q.Store.Get(b.ctx, id)
	require.NoError(b, err)
	return s
}

// deliver has a courier of another process go over all that is owed.
func (b *bench) deliver(left int) {
	b.Helper()
	n, err := New(b.o).Deliver(b.ctx)
	require.NoError(b, err)
	assert.Equal(b, left, n)
}

func TestAQuestionGoesToTheTeamAndItsClockStops(t *testing.T) {
	b := newBench(t)
	s := b.widened()
	require.NotNil(t, s.Widen)
	assert.True(t, s.Deadline.IsZero())
	assert.Equal(t, alice, s.Widen.Team)
	assert.Equal(t, "https://slack.com/archives/C1/p1", s.Widen.ThreadURL)
	require.Len(t, b.team.calls, 1)
	i := b.team.calls[0]
	assert.True(t, widen.IsDecision(i.Decision))
	assert.Equal(t, i.Decision, s.Widen.Decision)
	assert.Equal(t, []string{"shop", "provide_choice." + s.ID, "Database", "Which database?\nOptions:\n1. PostgreSQL", ""},
		[]string{s.Widen.Mission, s.Widen.QuestionID, i.Title, i.Question, i.Prompt})
	_, err := b.widen(s.ID)
	assert.ErrorIs(t, err, queue.ErrWidened)
}

func TestThePromptGoesOnlyWhereThatWasChosenAndNothingIsHidden(t *testing.T) {
	s := queue.Session{Ask: queue.Ask{Title: "a\u202eb", Prompt: "p\u200b", Questions: []queue.Question{{Text: "q"}, {}}}}
	assert.Empty(t, Letter(s, false, "").Prompt)
	assert.Equal(t, "p<U+200B>", Letter(s, true, "").Prompt)
	assert.Equal(t, "a<U+202E>b", Letter(s, true, "").Title)
	assert.Equal(t, "q", Letter(s, true, "").Question)
}

func TestWhatTheAgentWasDoingGoesOnlyWhereThatWasChosenCleanAndBounded(t *testing.T) {
	b := newBench(t)
	lines := []say.BeforeLine{{Text: "\x1b]0;evil\a ✓ go test ./cart\u202e"}, {Text: strings.Repeat("x", 5000)},
		say.NewBeforeLine("“Carts are done.”", 0)}
	b.o.Before = func(context.Context, queue.Session) (say.Before, error) {
		return say.Before{Where: "claude\ntranscript", Lines: lines}, nil
	}
	b.service = New(b.o)
	plain, s := b.ask(), b.ask()
	_, err := b.service.Ask(b.ctx, plain.ID, widen.Call{Invited: alice, WithPrompt: true}, widen.Actor{})
	require.NoError(t, err)
	assert.Equal(t, "Choose **one**.", b.team.calls[0].Prompt)

	before := func(of *Service) string {
		asked, err := of.Audience(b.ctx, s)
		require.NoError(t, err)
		return asked.Before
	}
	doing := before(b.service)
	_, err = b.service.Ask(b.ctx, s.ID, widen.Call{Invited: alice, WithPrompt: true, Before: doing}, widen.Actor{})
	require.NoError(t, err)
	sent := b.team.calls[1]
	asked, err := b.service.Audience(b.ctx, s)
	require.NoError(t, err)
	visible, _ := queue.Visible(doing)
	assert.Equal(t, asked.Letter.Prompt+"\n\n"+visible, sent.Prompt, "they read what the person was shown")
	assert.Equal(t, asked.Letter.Question, sent.Question)
	assert.Equal(t, "Choose **one**.\n\nWhat the agent was doing when it asked (claude transcript):\n"+
		"> <U+001B>]0;evil<U+0007> ✓ go test ./cart<U+202E>\n> "+strings.Repeat("x", mostOfDescription)+
		"…\n> “Carts are done.”",
		sent.Prompt)
	sent.Prompt = ""
	assert.Equal(t, b.team.calls[0].Asked, sent.Asked)
	kept, err := b.q.Store.Get(b.ctx, s.ID)
	require.NoError(t, err)
	raw, err := json.Marshal(kept)
	require.NoError(t, err)
	assert.NotContains(t, string(raw), "go test", "the queue does not keep it")

	for range 200 {
		lines = append(lines, say.BeforeLine{Text: "more"})
	}
	rows := strings.Split(before(b.service), "\n")
	assert.Len(t, rows, mostBeforeLines+2)
	assert.Equal(t, "> (163 earlier lines left out)", rows[1])
	lines = nil
	for range mostBeforeLines {
		lines = append(lines, say.BeforeLine{Text: strings.Repeat("ü", 300)})
	}
	assert.Less(t, len(before(b.service)), mostBeforeBytes+200)
	lines = nil
	assert.Empty(t, before(b.service))
	b.o.Before = nil
	assert.Empty(t, before(New(b.o)))
}

func TestAnotherTryIsTheSameDecision(t *testing.T) {
	b := newBench(t)
	id := b.ask().ID
	b.team.fail = errors.New("away")
	_, err := b.widen(id)
	require.ErrorIs(t, err, b.team.fail)
	s, _ := b.q.Store.Get(b.ctx, id)
	assert.Nil(t, s.Widen)
	assert.False(t, s.Deadline.IsZero())
	b.team.fail = nil
	b.service = New(b.o) // as another process after a crash
	s, err = b.widen(id)
	require.NoError(t, err)
	require.Len(t, b.team.calls, 2)
	assert.Equal(t, b.team.calls[0].Decision, b.team.calls[1].Decision)
	assert.Equal(t, s.Widen.Decision, b.team.calls[0].Decision)
	assert.True(t, b.team.calls[0].Again.IsZero())
	assert.False(t, b.team.calls[1].Again.IsZero())
}

func TestACrashBehindTheCallAsksNobodyTwice(t *testing.T) {
	b := newBench(t)
	id := b.ask().ID
	ctx, cancel := context.WithCancel(b.ctx)
	b.team.during = cancel // the person gives up while the call is under way
	s, err := b.service.Ask(ctx, id, widen.Call{Invited: alice}, widen.Actor{})
	require.NoError(t, err, "they were asked, so that is stored")
	require.NotNil(t, s.Widen)

	cut := b.ask().ID // killed between the answer and the store
	_, err = b.q.Do(b.ctx, cut, queue.Command{ID: "x", Do: queue.CallTeam{Call: "x", Decision: "D", Backend: "http", For: time.Second}})
	require.NoError(t, err)
	b.now = func() time.Time { return time.Now().Add(2 * time.Second) }
	s, err = b.widen(cut)
	require.NoError(t, err)
	assert.Equal(t, "D", s.Widen.Decision)
	assert.Equal(t, "D", b.team.calls[1].Decision)
	assert.Equal(t, s.AskedAt, b.team.calls[1].Again)
}

func TestWhatIsNotForTheTeamDoesNotGoThere(t *testing.T) {
	b := newBench(t)
	approval := b.ask(func(s *queue.Session) { s.Ask.Kind = queue.KindApproval })
	_, err := b.widen(approval.ID)
	assert.ErrorIs(t, err, queue.ErrWidenApproval)
	bound := b.ask(func(s *queue.Session) { s.Origin.Dialect = queue.DialectBound })
	_, err = b.widen(bound.ID)
	assert.ErrorIs(t, err, queue.ErrWidenCall)
	assert.Empty(t, b.team.calls)
}

func TestTwoProcessesDoNotAskAboutTheSameQuestion(t *testing.T) {
	b := newBench(t)
	id := b.ask().ID
	_, release, err := b.o.claim(b.ctx, id, byCourier(queue.CallTeam{Call: "x", Decision: "D", Backend: "http"}))
	require.NoError(t, err)
	_, err = b.widen(id)
	assert.ErrorContains(t, err, "Another choicetui is asking the team")
	release()
	_, err = b.q.Do(b.ctx, id, byCourier(queue.LeaveTeam{Call: "x"}))
	require.NoError(t, err)
	s, err := b.widen(id)
	assert.NoError(t, err)
	assert.Equal(t, "D", s.Widen.Decision)
}

func TestAQuestionThatEndsWhileTheTeamIsAskedIsToldToThem(t *testing.T) {
	b := newBench(t)
	id := b.ask().ID
	b.team.during = func() {
		_, err := b.q.Do(b.ctx, id, queue.Command{By: queue.ByHuman, Do: queue.Settle{Answer: pg()}})
		assert.NoError(t, err)
	}
	s, err := b.widen(id)
	require.ErrorIs(t, err, queue.ErrSettled)
	require.NotNil(t, s.Widen, "the thread is kept")
	b.deliver(0)
	assert.Equal(t, []string{"resolve " + s.Widen.Decision + ` "PostgreSQL, with a plan" manual "" ""`}, b.team.told)
}

func TestACallThatTakesLongKeepsItsClaim(t *testing.T) {
	b := newBench(t)
	id := b.ask().ID
	_, release, err := b.o.claim(b.ctx, id, byCourier(queue.CallTeam{Call: "x", Decision: "D", Backend: "http"}))
	require.NoError(t, err)
	defer release()
	first := b.stored(id).Calling.Until
	require.Eventually(t, func() bool { return b.stored(id).Calling.Until.After(first) }, claimFor, 50*time.Millisecond)
}

func TestADiscussionIsFetchedCleanWithThoseWhoWereAsked(t *testing.T) {
	b := newBench(t)
	s := b.widened()
	b.team.talk = widen.Discussion{Messages: []string{"[Alice\x1b] hi"}, MessageCount: 1}
	d, err := b.service.Discussion(b.ctx, s.ID)
	require.NoError(t, err)
	assert.Equal(t, []string{"Alice Johnson"}, d.Participants)
	assert.Equal(t, []string{"[Alice<U+001B>] hi"}, d.Messages)
	require.NotEmpty(t, d.ThreadURL)
	_, err = b.service.Discussion(b.ctx, b.ask().ID)
	assert.ErrorIs(t, err, queue.ErrNotWidened)
}

// agent returns a call that waits for a question.
func (b *bench) agent() func(*queue.Session) {
	release, err := b.q.Store.Announce(b.ctx, queue.Presence{Instance: "bridge", Role: queue.RoleBridge})
	require.NoError(b, err)
	b.Cleanup(func() { _ = release() })
	return func(s *queue.Session) {
		s.Origin.Instance, s.Claim = "bridge", &queue.Claim{Instance: "bridge", Conn: "1"}
	}
}

// wanted waits until a summary is wanted of a session.
func (b *bench) wanted(id string) queue.Request {
	var r queue.Request
	require.Eventually(b, func() bool {
		s, err := b.q.Store.Get(b.ctx, id)
		if err != nil || s.SummaryWanted() == nil {
			return false
		}
		r = *s.SummaryWanted()
		return true
	}, 5*time.Second, time.Millisecond)
	return r
}

func TestTheAgentSumsUpTheDiscussion(t *testing.T) {
	b := newBench(t)
	s, err := b.widen(b.ask(b.agent()).ID)
	require.NoError(t, err)
	d := widen.NewDiscussion(nil, []widen.Message{{Name: "Alice", Text: "pg"}}, 1, "")
	go func() {
		r := b.wanted(s.ID)
		assert.Equal(t, Block(s.Widen.Decision, "Which database?", d), r.Block)
		_, err := b.q.Do(b.ctx, s.ID, queue.Command{By: queue.ByCaller, Do: queue.WriteSummary{ID: r.ID}})
		assert.NoError(t, err)
		_, err = b.q.Do(b.ctx, s.ID, queue.Command{By: queue.ByCaller, Do: queue.GiveSummary{Request: r.ID,
			Candidate: queue.Candidate{Summary: "All agree.", Answer: "PostgreSQL", SourceHint: queue.SourceTeam}}})
		assert.NoError(t, err)
	}()
	candidate, err := b.service.Summarise(b.ctx, s.ID, d, widen.Actor{})
	require.NoError(t, err)
	assert.Equal(t, queue.Candidate{Summary: "All agree.", Answer: "PostgreSQL", SourceHint: queue.SourceTeam}, candidate)
}

func TestThirtySecondsAfterTheAgentHasItTheOwnerWritesTheAnswer(t *testing.T) {
	b := newBench(t)
	s, err := b.widen(b.ask(b.agent()).ID)
	require.NoError(t, err)
	agent := *b.q
	agent.Now = time.Now
	b.now = func() time.Time { return time.Now().Add(queue.SummaryWithin - 300*time.Millisecond) }
	go func() {
		_, err := agent.Do(b.ctx, s.ID, queue.Command{Do: queue.WriteSummary{ID: b.wanted(s.ID).ID}})
		assert.NoError(t, err)
	}()
	began := time.Now()
	candidate, err := b.service.Summarise(b.ctx, s.ID, oneMessage(), widen.Actor{})
	require.NoError(t, err)
	assert.Zero(t, candidate)
	assert.Less(t, time.Since(began), 10*time.Second)
	assert.GreaterOrEqual(t, time.Since(began), 200*time.Millisecond)
}

func TestWhereNobodyCanSumUpTheOwnerWritesTheAnswerAtOnce(t *testing.T) {
	b := newBench(t)
	for name, change := range map[string]func(*queue.Session){
		"the agent is gone": func(s *queue.Session) { s.Origin.Instance = "dead" },
		"an interview":      func(s *queue.Session) { s.Origin.Dialect = queue.DialectInterview },
		"a script that asked": func(s *queue.Session) {
			b.agent()(s)
			s.Origin.Client = queue.ClientAsk
		},
	} {
		s, err := b.widen(b.ask(change).ID)
		require.NoError(t, err, name)
		candidate, err := b.service.Summarise(b.ctx, s.ID, oneMessage(), widen.Actor{})
		require.NoError(t, err, name)
		assert.Zero(t, candidate, name)
	}
}

func TestAnAnswerElsewhereEndsTheWaitForASummary(t *testing.T) {
	b := newBench(t)
	s, err := b.widen(b.ask(b.agent()).ID)
	require.NoError(t, err)
	go func() {
		b.wanted(s.ID)
		_, err := b.q.Do(b.ctx, s.ID, queue.Command{By: queue.ByHuman, Do: queue.Cancel{}})
		assert.NoError(t, err)
	}()
	_, err = b.service.Summarise(b.ctx, s.ID, oneMessage(), widen.Actor{})
	assert.ErrorIs(t, err, queue.ErrSettled)
}

func pg() queue.Answer {
	return queue.Answer{Replies: []queue.Reply{{Question: "db", Text: "PostgreSQL, with a plan"}}}
}

func TestTheTeamIsToldUntilItTakesIt(t *testing.T) {
	b := newBench(t)
	s := b.widened()
	_, err := b.service.Do(b.ctx, s.ID, queue.Settle{Answer: pg(), Team: &queue.Resolution{
		Summary: queue.Summary{Text: "All agree.", Source: queue.SourceOwner}, Rationale: "cheaper"}}, widen.Actor{})
	require.NoError(t, err)
	b.team.fail = &Failure{Words: "away", After: time.Minute}
	at := time.Now()
	b.now = func() time.Time { return at }
	for n := range 3 {
		left, err := New(b.o).Deliver(b.ctx)
		assert.Equal(t, 1, left)
		assert.Equal(t, n == 0, err != nil)
	}
	assert.Len(t, b.team.told, 1, "not before Retry-After")
	at = at.Add(61 * time.Second)
	b.team.fail = nil
	left, err := New(b.o).Deliver(b.ctx)
	require.NoError(t, err)
	assert.Zero(t, left)
	want := "resolve " + s.Widen.Decision + ` "PostgreSQL, with a plan" mission_owner_override "All agree." "cheaper"`
	assert.Equal(t, []string{want, want}, b.team.told)
	again, _ := b.q.Store.Get(b.ctx, s.ID)
	assert.True(t, again.Outcome.Answered(), "a failed call undoes nothing")
	left, err = b.service.Deliver(b.ctx)
	assert.NoError(t, err)
	assert.Zero(t, left)
	assert.Len(t, b.team.told, 2)
}

func TestATeamThatIsNotCalledIsNotCountedAsTold(t *testing.T) {
	b := newBench(t)
	s := b.widened()
	_, err := b.service.Do(b.ctx, s.ID, queue.Settle{Answer: pg()}, widen.Actor{})
	require.NoError(t, err)
	b.team.fail = ErrNotCalled
	left, err := b.service.Deliver(b.ctx)
	require.NoError(t, err)
	assert.Zero(t, left, "it is not tried again")
	again, _ := b.q.Store.Get(b.ctx, s.ID)
	e, _ := again.Last(queue.EventTeamTold)
	label, words := say.Trail{Session: again}.Event(e)
	assert.Equal(t, "Team not told: the settings switch this call off", label+words)
}

func TestAQuestionThatEndedWithoutAnAnswerIsToldAsDeferredWithTheReason(t *testing.T) {
	b := newBench(t)
	deferred, cancelled, lost := b.widened(), b.widened(), b.widened()
	_, err := b.service.Do(b.ctx, deferred.ID, queue.Defer{Rationale: "legal has to look", Summary: "they talk"}, widen.Actor{})
	require.NoError(t, err)
	_, err = b.q.Do(b.ctx, cancelled.ID, queue.Command{By: queue.ByCaller, Do: queue.Cancel{Reason: "other plan"}})
	require.NoError(t, err)
	look := func() {
		_, err = b.service.Deliver(b.ctx)
		require.NoError(t, err)
	}
	look()
	b.q.Store.(*storetest.Memory).Lose(lost.ID)
	look()
	look()
	assert.ElementsMatch(t, []string{
		"defer " + deferred.Widen.Decision + ` "legal has to look"`,
		"defer " + cancelled.Widen.Decision + ` "The question ended without an answer (cancelled): other plan"`,
		"defer " + lost.Widen.Decision + ` "The question is no longer in the queue."`,
	}, b.team.told)
	_, err = b.service.Do(b.ctx, b.widened().ID, queue.Defer{Rationale: " "}, widen.Actor{})
	var bad *queue.Invalid
	assert.ErrorAs(t, err, &bad, "a rationale is required")
}

func TestWhatIsWithTheTeamIsToldNothing(t *testing.T) {
	b := newBench(t)
	b.widened()
	b.deliver(1)
	assert.Empty(t, b.team.told)
	b.q.Person = "ben@desk"
	s := b.widened()
	_, err := b.service.Do(b.ctx, s.ID, queue.Settle{Answer: pg()}, widen.Actor{})
	require.NoError(t, err)
	b.q.Person = "ana@laptop"
	b.deliver(1)
	assert.Empty(t, b.team.told, "each person tells their own team")
	b.q.Person = "ben@desk"
	b.deliver(1)
	assert.Len(t, b.team.told, 1)
}

func TestOneCourierAtATime(t *testing.T) {
	b := newBench(t)
	s := b.widened()
	_, err := b.service.Do(b.ctx, s.ID, queue.Settle{Answer: pg()}, widen.Actor{})
	require.NoError(t, err)
	_, release, err := b.o.claim(b.ctx, s.ID, byCourier(queue.CallTeam{Call: "x"}))
	require.NoError(t, err)
	b.deliver(1)
	assert.Empty(t, b.team.told)
	release()
	_, err = b.q.Do(b.ctx, s.ID, byCourier(queue.LeaveTeam{Call: "x"}))
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { _, _ = New(b.o).Deliver(b.ctx) })
	}
	group.Wait()
	assert.Len(t, b.team.told, 1)
	assert.False(t, b.stored(s.ID).OwesTeam())
}

func TestTheCourierRunsWhileSomethingIsWithTheTeam(t *testing.T) {
	b := newBench(t)
	ctx, cancel := context.WithCancel(b.ctx)
	done := make(chan struct{})
	go func() { defer close(done); b.service.Tell(ctx, nil) }()
	s := b.widened()
	_, err := b.service.Do(b.ctx, s.ID, queue.Settle{Answer: pg()}, widen.Actor{})
	require.NoError(t, err)
	require.Eventually(t, func() bool { return b.service.Untold(b.ctx) == 0 && b.team.heard() == 1 }, 5*time.Second, 5*time.Millisecond)
	cancel()
	<-done
}

func TestWhoStopsTheCourierIsNoFailedTry(t *testing.T) {
	b := newBench(t)
	s := b.widened()
	_, err := b.service.Do(b.ctx, s.ID, queue.Settle{Answer: pg()}, widen.Actor{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(b.ctx)
	b.team.setFail(context.Canceled)
	b.o.Backend = func() (Backend, error) { cancel(); return b.team, nil }
	_, err = New(b.o).Deliver(ctx)
	assert.ErrorIs(t, err, context.Canceled)
	b.team.setFail(nil)
	left, err := b.service.Deliver(b.ctx)
	require.NoError(t, err)
	assert.Zero(t, left)
}

// stopInCall stops a courier whose call about a decision is under way and stuck, and has it finish.
func (b *bench) stopInCall() {
	s := b.widened()
	b.team.stuck = true
	_, err := b.service.Do(b.ctx, s.ID, queue.Settle{Answer: pg()}, widen.Actor{})
	require.NoError(b, err)
	b.service.last = 200 * time.Millisecond
	ctx, stop := context.WithCancel(b.ctx)
	done := make(chan struct{})
	go func() { defer close(done); b.service.Tell(ctx, nil) }()
	require.Eventually(b, func() bool { return b.team.heard() == 1 }, 5*time.Second, time.Millisecond)
	stop()
	b.service.Finish(b.ctx)
	<-done
	assert.Equal(b, 1, b.team.heard(), "no second call beside or behind the first")
	require.Equal(b, 1, b.service.Untold(b.ctx))
	b.team.mu.Lock()
	b.team.stuck = false
	b.team.mu.Unlock()
}

func TestACallThatHangsWhenTheCourierStopsIsLeftToTheNextProcess(t *testing.T) {
	b := newBench(t)
	b.stopInCall()
	b.deliver(0)
}

func TestATimeThatTheTeamNamedIsKeptWhereItsCallWasStopped(t *testing.T) {
	b := newBench(t)
	at := time.Now()
	b.now = func() time.Time { return at }
	b.team.busy = &Failure{Words: "busy", After: 20 * time.Second}
	b.stopInCall()
	at = at.Add(19 * time.Second)
	b.deliver(1)
	assert.Equal(t, 1, b.team.heard())
	at = at.Add(2 * time.Second)
	b.deliver(0)
	assert.Equal(t, 2, b.team.heard())
}

// kinds returns the events of a session since the team was asked.
func (b *bench) kinds(id string) (kinds []string) {
	s, err := b.q.Store.Get(b.ctx, id)
	require.NoError(b, err)
	for _, e := range s.Events[3:] {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

func TestASummaryFromTheLinesOfAnInterviewLeavesItsTrail(t *testing.T) {
	b := newBench(t)
	s, err := b.widen(b.ask(func(s *queue.Session) { s.Origin.Dialect = queue.DialectInterview }).ID)
	require.NoError(t, err)
	d := oneMessage()
	want := queue.Candidate{Summary: "All agree.", Answer: "PostgreSQL", SourceHint: queue.SourceTeam}
	candidate, err := SummariseHere(b.ctx, b.q, s, d, queue.SurfaceCLI,
		func(context.Context) (queue.Candidate, error) {
			now, err := b.q.Store.Get(b.ctx, s.ID)
			require.NoError(t, err)
			assert.Nil(t, now.SummaryWanted(), "nobody else is given the discussion")
			return want, nil
		})
	require.NoError(t, err)
	assert.Equal(t, want, candidate)
	assert.Equal(t, []string{queue.EventSummaryAsked, queue.EventSummaryGiven}, b.kinds(s.ID))
	s, err = b.q.Store.Get(b.ctx, s.ID)
	require.NoError(t, err)
	assert.Equal(t, "PostgreSQL", s.Widen.Candidate.Answer)
}

func TestThatNoSummaryCameLeavesItsTrailOnce(t *testing.T) {
	b := newBench(t)
	s, err := b.widen(b.ask(func(s *queue.Session) { s.Origin.Dialect = queue.DialectInterview }).ID)
	require.NoError(t, err)
	d := oneMessage()
	_, err = SummariseHere(b.ctx, b.q, s, d, "", func(context.Context) (queue.Candidate, error) {
		return queue.Candidate{}, nil
	})
	require.NoError(t, err)
	for range 3 { // as from a dashboard, where nobody can sum up
		_, err = b.service.Summarise(b.ctx, s.ID, d, widen.Actor{})
		require.NoError(t, err)
	}
	assert.Equal(t, []string{queue.EventSummaryAsked, queue.EventSummaryMissed}, b.kinds(s.ID))
	_, err = SummariseHere(b.ctx, b.q, s, d, "", func(context.Context) (queue.Candidate, error) {
		return queue.Candidate{}, context.Canceled
	})
	assert.ErrorIs(t, err, context.Canceled)
}

// oneMessage is a discussion that there is something to say about.
func oneMessage() widen.Discussion {
	return widen.NewDiscussion(nil, []widen.Message{{Name: "Alice", Text: "pg"}}, 1, "")
}

func TestADiscussionWithoutMessagesIsGivenToNobody(t *testing.T) {
	b := newBench(t)
	s, err := b.widen(b.ask(b.agent()).ID)
	require.NoError(t, err)
	candidate, err := b.service.Summarise(b.ctx, s.ID, widen.NewDiscussion([]string{"Alice"}, nil, 0, ""), widen.Actor{})
	require.NoError(t, err)
	require.Zero(t, candidate)
	s, err = b.q.Store.Get(b.ctx, s.ID)
	require.NoError(t, err)
	_, given := s.Last(queue.EventSummaryAsked)
	require.False(t, given)
}

// What the server refused is not known to the team, so the team is not told how it ended; an unclear failure may have
// reached it.
func TestOnlyATeamThatMayKnowTheQuestionIsToldItsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		fail error
		owes bool
	}{
		"refused": {&Failure{Words: "no", Refused: true}, false},
		"unclear": {&Failure{Words: "no answer"}, true},
	} {
		b := newBench(t)
		b.team.fail = c.fail
		s := b.ask()
		_, err := b.widen(s.ID)
		require.Error(t, err, name)
		s, err = b.q.Do(b.ctx, s.ID, queue.Command{By: queue.ByHuman, Do: queue.Settle{Answer: queue.Answer{
			Replies: []queue.Reply{{Question: "db", Selected: []string{"pg"}}}}}})
		require.NoError(t, err, name)
		require.Equal(t, c.owes, s.OwesTeam(), name)
	}
	b := newBench(t)
	s := b.ask()
	b.team.fail = &Failure{Words: "no", Refused: true}
	_, err := b.widen(s.ID)
	require.Error(t, err)
	b.team.fail = nil
	s, err = b.widen(s.ID)
	require.NoError(t, err, "it may be asked again")
	require.NotNil(t, s.Widen)
}
