package desk_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/widen"
)

// teamBench is a desk with a team. Calls to the team are only carried out when the test calls run.
type teamBench struct {
	*bench
	team  *roomtest.Team
	view  *desk.View
	calls []func()
}

func newTeamBench(t *testing.T) *teamBench {
	b := &teamBench{team: &roomtest.Team{Said: []widen.Message{{Name: "Alice Johnson", Text: "SQLite is enough."}}}}
	b.bench = newBench(t, func(o *desk.Options) {
		o.Team, o.Go = b.team, func(f func()) { b.calls = append(b.calls, f) }
		b.team.Queue = o.Queue
	})
	b.view = view(b.bench)
	return b
}

// run carries out the calls that were begun beside the owner.
func (b *teamBench) run() {
	b.calm()
	for len(b.calls) > 0 {
		f := b.calls[0]
		b.calls = b.calls[1:]
		f()
		b.calm()
	}
}

// open asks a question and checks whether the team can be reached.
func (b *teamBench) open() queue.Session {
	s := b.ask("Which database?", 300)
	b.run()
	return s
}

// called asks a question and sends it to the team; the result is not known yet.
func (b *teamBench) called() queue.Session {
	b.t.Helper()
	s := b.open()
	b.call()
	return s
}

// call sends the question on view to the team.
func (b *teamBench) call() {
	b.t.Helper()
	b.toAsk()
	b.settle()
}

// toAsk brings up the questions who is asked, what they read and what happens until they reply.
func (b *teamBench) toAsk() {
	b.t.Helper()
	require.NoError(b.t, b.view.Team.Do((*widen.Consult).Begin))
	b.run()
	require.True(b.t, b.view.OfTeam())
	require.Equal(b.t, 3, b.view.Form().Len())
}

// settle gives the answer in the form about the team.
func (b *teamBench) settle() {
	b.t.Helper()
	require.NoError(b.t, b.view.Team.Settle())
}

// choose marks the n-th option of the i-th question about the team alone, counted from 1, and settle gives the answer.
func (b *teamBench) choose(i int, options ...int) {
	b.t.Helper()
	q := b.view.Form().Question(i - 1)
	var ids []string
	for _, n := range options {
		ids = append(ids, q.Options[n-1].ID)
	}
	q.Select(ids...)
}

// write types words into the form about the team, and gives the answer.
func (b *teamBench) write(words string) {
	b.t.Helper()
	b.view.Form().Here().Write(words)
	b.settle()
}

// does runs a verb on the consultation about the question on view.
func (b *teamBench) does(do widen.Verb) {
	b.t.Helper()
	require.NoError(b.t, b.view.Team.Do(do))
}

// parks asks the team, and says that the person answers other questions meanwhile.
func (b *teamBench) parks() {
	b.t.Helper()
	b.toAsk()
	b.choose(3, 2)
	b.settle()
}

func (b *teamBench) fetch(again bool) {
	b.t.Helper()
	fetch := (*widen.Consult).Fetch
	if again {
		fetch = (*widen.Consult).FetchAgain
	}
	require.NoError(b.t, b.view.Team.Do(fetch))
}

// withTeam asks a question and passes it to the team.
func (b *teamBench) withTeam() queue.Session {
	b.t.Helper()
	s := b.called()
	b.run()
	require.Equal(b.t, widen.Idle, b.view.Team.On().Stage)
	return b.stored(s.ID)
}

// reviewed fetches and summarizes the discussion of a question at the team.
func (b *teamBench) reviewed(answer string) queue.Session {
	b.t.Helper()
	s := b.withTeam()
	if answer != "" {
		b.team.Summary = &queue.Candidate{Summary: "They want " + answer, Answer: answer, SourceHint: queue.SourceTeam}
	}
	b.fetch(false)
	b.run()
	require.Equal(b.t, widen.Reviewing, b.view.Team.On().Stage)
	return s
}

// heard counts the news of a kind about the team.
func heard(b *bench, kind widen.News) (n int) {
	for _, e := range b.events {
		if news, is := e.(desk.TeamNews); is && news.News == kind {
			n++
		}
	}
	return n
}

func TestTheTeamIsAskedOnlyWhereItCanBeReached(t *testing.T) {
	b := newTeamBench(t)
	b.team.Down = errors.New("the server does not answer")
	b.ask("Which database?", 3000)
	assert.ErrorIs(t, b.view.Team.WhyNot((*widen.Consult).Begin), widen.ErrUnknown, "nobody has looked yet")
	b.run()
	assert.ErrorIs(t, b.view.Team.WhyNot((*widen.Consult).Begin), b.team.Down)

	b.team.Down = nil
	b.pass(59 * time.Second)
	b.view.Pressed(b.rig.Clock.T)
	b.Refresh()
	b.run()
	assert.Equal(t, 1, b.team.Looked, "once a minute at most")
	b.pass(time.Second)
	b.view.Pressed(b.rig.Clock.T)
	b.Refresh()
	b.run()
	assert.Equal(t, 2, b.team.Looked)
	assert.NoError(t, b.view.Team.WhyNot((*widen.Consult).Begin))

	b.pass(30 * time.Minute)
	b.run()
	assert.Equal(t, 2, b.team.Looked, "nobody is there")
	b.team.Off = true
	assert.ErrorIs(t, b.view.Team.WhyNot((*widen.Consult).Begin), widen.ErrNoTeam)
}

func TestTheTeamIsNotLookedForWhereNoQuestionCouldGoToIt(t *testing.T) {
	b := newTeamBench(t)
	b.askAs("Which database?", 300, queue.Origin{Dialect: queue.DialectBound, Client: "codex", Cwd: "/src"})
	b.run()
	assert.Zero(t, b.team.Looked)
	assert.Error(t, b.view.Team.WhyNot((*widen.Consult).Begin))
}

func TestTeamwork_BeginsNothingUnasked(t *testing.T) {
	b := newTeamBench(t)
	first, second := b.open(), b.ask("Which cache?", 300)
	b.view.Pressed(b.rig.Clock.T)
	b.Refresh()
	require.NoError(t, b.view.Team.WhyNot((*widen.Consult).Begin))
	require.NoError(t, b.view.Later(), "a question set aside, and one brought up, has none either")
	b.run()
	require.Equal(t, second.ID, b.view.Up())
	require.Nil(t, b.view.Team.Begun)
	require.False(t, b.view.OfTeam())

	require.NoError(t, b.view.Team.Do((*widen.Consult).Begin))
	begun := b.view.Team.Begun
	require.NotNil(t, begun)
	require.True(t, b.view.OfTeam())
	b.view.Show(first.ID)
	require.Nil(t, b.view.Team.Begun, "it is about the other question")
	require.False(t, b.view.OfTeam())
	b.view.Show(second.ID)
	require.Same(t, begun, b.view.Team.Begun)
	require.True(t, b.view.OfTeam())
}

func TestTheTeamIsAskedAsThePersonAnswered(t *testing.T) {
	b := newTeamBench(t)
	s := b.open()
	require.NoError(t, b.view.Team.Do((*widen.Consult).Begin))
	require.Equal(t, "Ask the team", b.view.Session().Ask.Title)
	require.Equal(t, s.ID, b.view.Session().ID, "it is in front of the agent's question")
	b.run()
	assert.ErrorIs(t, b.view.Guard.Refuses(desk.Press{Effect: desk.Sending}, b.rig.Clock.T), desk.ErrEarly, "it came up")
	assert.ErrorIs(t, b.view.Guard.Refuses(desk.Press{Key: "1", Effect: desk.Marking}, b.rig.Clock.T), desk.ErrTooSoon)
	b.choose(1, 2)
	b.choose(2, 1, 2)
	assert.Empty(t, b.team.Calls)
	b.settle()
	b.run()
	require.Len(t, b.team.Calls, 1)
	assert.Equal(t, widen.Call{Invited: roomtest.Mates()[1:2], WithPrompt: true}, b.team.Calls[0])
	events := b.stored(s.ID).Events
	assert.Equal(t, queue.SurfaceDashboard, events[len(events)-1].Surface)
	assert.Equal(t, queue.WidenBlocked, b.stored(s.ID).Widen.State)
	assert.False(t, b.view.OfTeam())
	assert.Equal(t, "Which database?", b.view.Session().Ask.Title)
}

func TestSomebodyOutsideTheAudienceIsAskedWhereTheTeamTakesNames(t *testing.T) {
	b := newTeamBench(t)
	b.open()
	b.toAsk()
	require.False(t, b.view.Form().Here().TakesText(), "this team takes no names")
	b.does((*widen.Consult).Leave)
	b.team.ByName = true
	b.toAsk()
	b.choose(1)
	b.write("Zed")
	b.run()
	require.Len(t, b.team.Calls, 1)
	assert.Equal(t, []queue.Member{{Name: "Zed"}}, b.team.Calls[0].Invited)
}

// What the person is asked about the team never takes the place of a text that they are typing.
func TestTeamwork_WaitsForTyping(t *testing.T) {
	b := newTeamBench(t)
	b.withTeam()
	b.fetch(false)
	b.does((*widen.Consult).Leave)
	_, why := b.view.Form().Begin(form.FieldReason)
	require.True(t, why.OK())
	require.NoError(t, b.view.Team.Do((*widen.Consult).Fetch))
	b.run()
	require.Equal(t, widen.Reviewing, b.view.Team.On().Stage)
	require.False(t, b.view.OfTeam())
	b.view.Form().EndTyping()
	b.Refresh()
	require.True(t, b.view.OfTeam())
	assert.ErrorIs(t, b.view.Guard.Refuses(desk.Press{Effect: desk.Sending}, b.rig.Clock.T), desk.ErrEarly)
}

func TestWhatTheAgentWasDoingIsAddedEachTimeAgain(t *testing.T) {
	b := newTeamBench(t)
	b.team.Doing, b.team.ByName = "✓ go test ./cart", true
	b.open()
	b.toAsk()
	require.Contains(t, b.view.Form().Question(1).Text, "✓ go test ./cart")
	b.view.Form().Here().Write("Zed")
	b.choose(2, 1, 3)
	other := b.ask("Deploy?", 900)
	b.view.Show(other.ID)
	b.view.Show(b.view.Listed()[0].ID)
	require.Equal(t, []string{"question", "before"}, b.view.Form().Question(1).Selected(), "it was only out of sight")
	b.team.Unasked = errors.New("Widen failed: 503")
	b.settle()
	b.run()
	require.Equal(t, []string{"question", "before"}, b.view.Form().Question(1).Selected(), "Enter tries the same again")
	b.does((*widen.Consult).Leave)
	b.toAsk()
	assert.Equal(t, []string{"question"}, b.view.Form().Question(1).Selected())
	assert.Equal(t, "Zed", b.view.Form().Here().Words(), "words are kept")
}

// The draft of a question holds the person's answer to the agent, whatever they are asked about the team.
func TestTeamwork_IsNoDraft(t *testing.T) {
	b := newTeamBench(t)
	s := b.open()
	b.view.Form().Here().Move(1)
	b.toAsk()
	b.choose(1, 1)
	b.view.DraftSoon()
	b.view.SaveDraft()
	b.calm()
	drafts, err := b.q.Store.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	require.Len(t, drafts, 1)
	require.Len(t, drafts[0].Answer.Replies, 1)
	assert.Equal(t, []string{"lite"}, drafts[0].Answer.Replies[0].Selected)
}

func TestAskingThatFailsLeavesThePageAndCanBeTriedAgain(t *testing.T) {
	b := newTeamBench(t)
	s := b.open()
	b.team.Unasked = errors.New("Widen failed: 503")
	b.call()
	b.run()
	c := b.view.Team.On()
	assert.Equal(t, widen.Asking, c.Stage)
	assert.EqualError(t, c.Fault, "Widen failed: 503")
	assert.Equal(t, 1, heard(b.bench, widen.Failed))
	assert.Nil(t, b.stored(s.ID).Widen)
	b.team.Unasked = nil
	b.settle()
	b.run()
	assert.NotNil(t, b.stored(s.ID).Widen)
}

func TestAQuestionThatIsParkedGivesWayToOneThatHurries(t *testing.T) {
	b := newTeamBench(t)
	s := b.open()
	other := b.ask("Deploy?", 900)
	b.parks()
	b.run()
	b.run()
	assert.Equal(t, queue.WidenParked, b.stored(s.ID).Widen.State)
	assert.Equal(t, other.ID, b.view.Up())
	n, _ := b.Closing()
	assert.Equal(t, 1, n, "a parked one keeps no chat closed")
}

// parkedAlone returns a bench whose only question has just been parked.
func parkedAlone(t *testing.T) (*teamBench, queue.Session) {
	b := newTeamBench(t)
	s := b.open()
	b.parks()
	b.run()
	require.Equal(t, s.ID, b.view.Up(), "there is no other to go on with")
	return b, s
}

func TestAQuestionThatIsParkedGivesWayToTheNextThatComes(t *testing.T) {
	b, _ := parkedAlone(t)
	next := b.ask("Deploy?", 900)
	b.run()
	assert.Equal(t, next.ID, b.view.Up(), "the person said to go on with other questions")
	assert.ErrorIs(t, b.view.Guard.Refuses(desk.Press{Effect: desk.Sending}, b.rig.Clock.T), desk.ErrEarly)
}

func TestAParkedQuestionThatComesUpByItselfGivesWayToTheNextThatComes(t *testing.T) {
	b, s := parkedAlone(t)
	for range 2 {
		next := b.ask("Deploy?", 900)
		b.run()
		require.Equal(t, next.ID, b.view.Up())
		b.pass(time.Second)
		b.view.Pressed(b.rig.Clock.T)
		_, err := b.q.Do(t.Context(), next.ID, queue.Command{By: queue.ByHuman, Do: queue.Cancel{}})
		require.NoError(t, err)
		b.run()
		b.pass(time.Minute)
		require.Equal(t, s.ID, b.view.Up(), "it is the only one")
	}
}

func TestAQuestionThatIsParkedStaysWhereThePersonTurnedToItAgain(t *testing.T) {
	b, s := parkedAlone(t)
	b.pass(time.Second)
	b.view.Pressed(b.rig.Clock.T)
	b.ask("Deploy?", 900)
	b.run()
	assert.Equal(t, s.ID, b.view.Up())
}

func TestAcceptingTheCandidateResolvesWithItsSummary(t *testing.T) {
	b := newTeamBench(t)
	s := b.reviewed("sqlite")
	b.choose(1, 1)
	b.settle()
	b.run()
	b.calm()
	now := b.stored(s.ID)
	require.NotNil(t, now.Outcome)
	assert.Equal(t, []string{"lite"}, now.Outcome.Answer.Replies[0].Selected)
	assert.Equal(t, queue.Resolution{Decision: "01KPXFGJ",
		Summary: queue.Summary{Text: "They want sqlite", Source: queue.SourceTeam}}, *now.Outcome.Team)
	assert.Equal(t, 1, b.team.Rung, "the team is told at once")
	assert.Equal(t, 1, happened[desk.Stored](b.bench))
}

func TestAnAnswerThatIsNoOptionIsPickedInTheFormAndTheSummaryGoesAlong(t *testing.T) {
	b := newTeamBench(t)
	s := b.reviewed("PostgreSQL, with a plan for the migration")
	b.choose(1, 1)
	b.settle()
	b.run()
	require.True(t, b.stored(s.ID).Pending(), "nothing is sent by that")
	require.False(t, b.view.OfTeam())
	require.NoError(t, b.view.Send())
	b.run()
	b.calm()
	assert.Equal(t, "They want PostgreSQL, with a plan for the migration", b.stored(s.ID).Outcome.Team.Summary.Text)
	assert.Equal(t, queue.SourceTeam, b.stored(s.ID).Outcome.Team.Summary.Source)
}

func TestAnOptionThatIsPickedAgainstTheTeamIsTheOwners(t *testing.T) {
	b := newTeamBench(t)
	s := b.reviewed("Use PostgreSQL, managed")
	b.choose(1, 1)
	b.settle()
	b.run()
	b.view.Form().Here().Move(1)
	require.True(t, b.view.Team.AsksWhy())
	require.NoError(t, b.view.Team.Explain())
	assert.ErrorIs(t, b.view.Guard.Refuses(desk.Press{Effect: desk.Sending}, b.rig.Clock.T), desk.ErrEarly,
		"a second Enter was meant for the first")
	b.choose(1)
	b.write("one file is enough")
	b.run()
	b.calm()
	team := b.stored(s.ID).Outcome.Team
	assert.Equal(t, queue.SourceOwner, team.Summary.Source)
	assert.Equal(t, "one file is enough", team.Rationale)
	assert.Zero(t, heard(b.bench, widen.Closed), "it was closed here")
}

func TestAnAnswerOfThePersonsOwnIsManual(t *testing.T) {
	b := newTeamBench(t)
	s := b.withTeam()
	b.view.Form().Here().Move(1)
	require.NoError(t, b.view.Send())
	b.run()
	b.calm()
	assert.Equal(t, queue.SourceManual, b.stored(s.ID).Outcome.Team.Summary.Source)
}

func TestWhatThePersonWroteOverTheCandidateSaysSo(t *testing.T) {
	b := newTeamBench(t)
	s := b.reviewed("PostgreSQL")
	b.choose(1, 2)
	b.settle()
	require.Equal(t, "PostgreSQL", b.view.Form().Here().Words())
	b.write("SQLite")
	require.Equal(t, widen.Explaining, b.view.Team.On().Stage)
	b.choose(1)
	b.write("we have it already")
	b.run()
	b.calm()
	team := b.stored(s.ID).Outcome.Team
	assert.Equal(t, queue.SourceOwner, team.Summary.Source)
	assert.Equal(t, "we have it already", team.Rationale)
}

func TestNothingIsAcceptedWhereThereIsNoCandidate(t *testing.T) {
	b := newTeamBench(t)
	s := b.reviewed("")
	require.Len(t, b.view.Form().Here().Options, 2, "write the answer, or put the question off")
	b.choose(1, 1)
	b.settle()
	require.True(t, b.view.Form().WantsWords())
	assert.True(t, b.stored(s.ID).Pending())
}

func TestAnInterviewsQuestionIsAcceptedWithoutAnAnswer(t *testing.T) {
	b := newTeamBench(t)
	s := b.askAs("Which database?", 300, queue.Origin{Dialect: queue.DialectInterview, Thread: "shop"})
	b.run()
	b.call()
	b.run()
	b.team.Summary = &queue.Candidate{Summary: "They want SQLite", Answer: "SQLite", SourceHint: queue.SourceTeam}
	b.fetch(false)
	b.run()
	b.choose(1, 3)
	b.settle()
	b.choose(1)
	b.write("none fits")
	b.run()
	b.calm()
	team := b.stored(s.ID).Outcome.Team
	assert.Equal(t, queue.Summary{Text: "They want SQLite", Source: queue.SourceManual}, team.Summary)
	assert.Equal(t, "none fits", team.Rationale)
}

func TestAQuestionIsDeferredForAReason(t *testing.T) {
	b := newTeamBench(t)
	s := b.reviewed("SQLite")
	b.does((*widen.Consult).PutOff)
	require.ErrorIs(t, b.view.Team.Settle(), widen.ErrNoReason)
	b.write("after the load test")
	b.run()
	b.calm()
	o := b.stored(s.ID).Outcome
	assert.Equal(t, queue.StatusDeferred, o.Status)
	assert.Equal(t, "after the load test", o.Team.Rationale)
	assert.Equal(t, "They want SQLite", o.Team.Summary.Text)
}

func TestThePersonGoesOnWithoutASummary(t *testing.T) {
	b := newTeamBench(t)
	b.withTeam()
	b.fetch(false)
	b.calls[0]()
	b.calls = b.calls[1:]
	b.Drain()
	require.Equal(t, widen.Summing, b.view.Team.On().Stage)
	b.does((*widen.Consult).Leave)
	c := b.view.Team.On()
	require.Equal(t, widen.Reviewing, c.Stage)
	assert.Empty(t, c.Candidate)
	assert.Equal(t, []string{"[Alice Johnson] SQLite is enough."}, c.Discussed.Messages)
	b.team.Summary = &queue.Candidate{Answer: "late", SourceHint: queue.SourceTeam}
	b.run()
	assert.Empty(t, b.view.Team.On().Candidate, "what comes later takes nothing's place")
	assert.Error(t, b.team.Ctx.Err())
}

func TestAReviewStaysWhileOthersAreOnView(t *testing.T) {
	b := newTeamBench(t)
	s := b.reviewed("SQLite")
	b.choose(1, 2)
	b.settle()
	b.view.Form().Here().Write("SQLite for now")
	b.does((*widen.Consult).Leave)
	b.does((*widen.Consult).Leave)
	other := b.ask("Deploy?", 900)
	b.view.Show(other.ID)
	b.view.Show(s.ID)
	require.True(t, b.view.Team.On().Reviewable())
	b.does((*widen.Consult).Reopen)
	b.choose(1, 2)
	b.settle()
	assert.Equal(t, "SQLite for now", b.view.Form().Here().Words(), "what was typed is kept")
	b.does((*widen.Consult).Leave)
	b.team.Untold = errors.New("the server does not answer")
	b.fetch(true)
	b.run()
	assert.Equal(t, widen.Reviewing, b.view.Team.On().Stage, "one that cannot be fetched anew is still there")
}

func TestTheSummaryThatTheSessionHasIsNotAskedForAgain(t *testing.T) {
	b := newTeamBench(t)
	s := b.withTeam()
	for _, do := range []queue.Action{queue.AskSummary{ID: "r1", Block: "sum it up"}, queue.WriteSummary{ID: "r1"},
		queue.GiveSummary{Candidate: queue.Candidate{Summary: "SQLite", Answer: "SQLite", SourceHint: queue.SourceTeam}}} {
		_, err := b.q.Do(t.Context(), s.ID, queue.Command{ID: queue.NewToken(), By: queue.ByHuman, Do: do})
		require.NoError(t, err)
	}
	b.calm()
	b.fetch(false)
	b.run()
	assert.Equal(t, "SQLite", b.view.Team.On().Answer())
	assert.Zero(t, b.team.Summarising)
	b.fetch(true)
	b.run()
	assert.Equal(t, 1, b.team.Summarising)
}

func TestAConsultationEndsWithItsQuestion(t *testing.T) {
	b := newTeamBench(t)
	s := b.open()
	require.NoError(t, b.view.Team.Do((*widen.Consult).Begin))
	b.run()
	_, err := b.q.Do(t.Context(), s.ID, queue.Command{ID: queue.NewToken(), By: queue.ByHuman, Surface: queue.SurfaceWeb,
		Do: queue.Cancel{}})
	require.NoError(t, err)
	b.calm()
	assert.Equal(t, 1, heard(b.bench, widen.Closed))
	assert.Equal(t, widen.Idle, b.view.Team.On().Stage)

	b = newTeamBench(t)
	b.ask("Which database?", 60)
	b.run()
	b.toAsk()
	b.pass(time.Minute)
	assert.Equal(t, 1, heard(b.bench, widen.Closed), "the clock ended it")
}

func TestAnIdlePersonIsRemindedEachHour(t *testing.T) {
	b := newTeamBench(t)
	b.withTeam()
	b.view.Pressed(b.rig.Clock.T)
	hours, next := b.view.Team.Reminded()
	assert.Zero(t, hours)
	assert.Equal(t, b.rig.Clock.T.Add(time.Hour), next)
	b.pass(150 * time.Minute)
	hours, next = b.view.Team.Reminded()
	assert.Equal(t, 2, hours)
	assert.Equal(t, b.rig.Clock.T.Add(30*time.Minute), next)
	b.view.Pressed(b.rig.Clock.T)
	hours, _ = b.view.Team.Reminded()
	assert.Zero(t, hours)
}

func TestAQuestionThatEndsWhileTheTeamIsAskedClosesWithWordsOfItsOwn(t *testing.T) {
	b := newTeamBench(t)
	s := b.called()
	_, err := b.q.Do(t.Context(), s.ID, queue.Command{ID: queue.NewToken(), By: queue.ByHuman, Do: queue.Cancel{}})
	require.NoError(t, err)
	b.team.Unasked = queue.ErrSettled
	b.run()
	assert.Zero(t, heard(b.bench, widen.Failed))
	assert.Equal(t, 1, heard(b.bench, widen.Closed))

	b = newTeamBench(t)
	s = b.called()
	_, err = b.team.Ask(t.Context(), s.ID, widen.Call{Invited: roomtest.Mates()}, widen.Actor{})
	require.NoError(t, err)
	b.run()
	assert.Equal(t, 1, heard(b.bench, widen.Closed), "somebody else asked the team meanwhile")
	assert.Equal(t, widen.Idle, b.view.Team.On().Stage)
}

func TestAKeyBehindTheOneThatParkedAQuestionNeitherAnswersItNorKeepsItOnView(t *testing.T) {
	b := newTeamBench(t)
	s := b.withTeam()
	b.pass(time.Second)
	b.view.Pressed(b.rig.Clock.T)
	require.NoError(t, b.view.Team.Do(func(c *widen.Consult) (widen.Want, error) {
		return c.Regroup(queue.WidenParked)
	}))
	require.ErrorIs(t, b.view.Guard.Refuses(desk.Press{Effect: desk.Sending}, b.rig.Clock.T), desk.ErrEarly, "a second Enter was meant for the first")
	b.run()
	require.Equal(t, s.ID, b.view.Up())
	require.ErrorIs(t, b.view.Guard.Refuses(desk.Press{Effect: desk.Sending}, b.rig.Clock.T), desk.ErrEarly)
	b.pass(200 * time.Millisecond)
	b.view.Pressed(b.rig.Clock.T)
	next := b.ask("Deploy?", 900)
	b.run()
	assert.Equal(t, next.ID, b.view.Up(), "the person said to go on, and that key did nothing")
}
