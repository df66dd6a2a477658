package widen

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// asked returns a pending question that may go to the team.
func asked() queue.Session {
	return queue.Session{ID: "s1", Deadline: time.Unix(1e9, 0), Ask: queue.Ask{Kind: queue.KindChoice, Title: "Which?",
		Prompt: "Two ways are open.", Questions: []queue.Question{{ID: "q", Mode: queue.ModeSingle, Min: 1, Max: 1,
			Options: []queue.Option{{ID: "pg", Label: "PostgreSQL"}, {ID: "lite", Label: "SQLite"}}}}}}
}

// withTeam returns it once it is with the team.
func withTeam(state string) queue.Session {
	s := asked()
	s.Widen = &queue.Widened{Decision: "01KPXFGJ", State: state}
	return s
}

func over() queue.Session {
	s := asked()
	s.Outcome = &queue.Outcome{Status: queue.StatusCancelled}
	return s
}

func mates() []queue.Member {
	return []queue.Member{{UserID: "1", Name: "Alice Johnson"}, {UserID: "2", Name: "Bob Smith"}}
}

// opened returns a Consult on its page, with the audience known.
func opened(t *testing.T) *Consult {
	c := &Consult{}
	c.See(asked())
	w, err := c.Begin()
	require.NoError(t, err)
	require.Equal(t, WantAudience, w.Kind)
	_, news := c.Take(Got{Want: w, Audience: Audience{Members: mates(), Before: doing}})
	require.Equal(t, Moved, news)
	return c
}

// doing is what the agent was doing in these tests.
const doing = "✓ go test ./cart"

// reviewing returns a Consult that reviews an answer.
func reviewing(t *testing.T, answer string) *Consult {
	c := &Consult{}
	c.See(withTeam(queue.WidenBlocked))
	w, err := c.Fetch()
	require.NoError(t, err)
	w, _ = c.Take(Got{Want: w, Discussion: Discussion{Messages: []string{"[Alice] yes"}}})
	require.Equal(t, WantSummarise, w.Kind)
	_, news := c.Take(Got{Want: w, Candidate: queue.Candidate{Summary: "They agree.", Answer: answer}})
	require.Equal(t, Moved, news)
	require.Equal(t, Reviewing, c.Stage)
	return c
}

func TestEnterAsksTheTeamOnTheLastPartAlone(t *testing.T) {
	c := opened(t)
	c.Type("bob smith, Zed")
	assert.Equal(t, []string{"Zed"}, c.Unnamed)
	for _, part := range []Part{PartNames, PartLetter} {
		assert.Equal(t, part, c.Part)
		assert.False(t, c.Sends())
		w, err := c.Enter()
		require.NoError(t, err)
		assert.Equal(t, WantNothing, w.Kind)
	}
	require.True(t, c.Sends())
	w, err := c.Enter()
	require.NoError(t, err)
	assert.Equal(t, WantAsk, w.Kind)
	assert.Equal(t, mates()[1:], w.Invited)
	assert.False(t, w.WithPrompt)
	assert.Empty(t, w.Before)
	assert.Equal(t, Calling, c.Stage)
}

func TestWhatTheAgentWasDoingIsAddedOnlyOnThePageThatShowsIt(t *testing.T) {
	c := opened(t)
	assert.ErrorIs(t, c.ToggleBefore(), ErrNotNow, "the letter has not the cursor")
	require.NoError(t, c.Turn(1))
	require.NoError(t, c.ToggleBefore())
	assert.Equal(t, doing, c.BeforeToo())
	require.NoError(t, c.ToggleBefore())
	assert.Empty(t, c.BeforeToo())
	require.NoError(t, c.ToggleBefore())
	require.NoError(t, c.Turn(1))
	w, err := c.Try((*Consult).Enter)
	require.NoError(t, err)
	assert.Equal(t, doing, w.Before)

	require.NoError(t, c.Leave())
	w, err = c.Begin()
	require.NoError(t, err)
	assert.Empty(t, c.Before, "it is read again")
	c.Take(Got{Want: w, Audience: Audience{Members: mates(), Before: doing}})
	require.NoError(t, c.Turn(2))
	w, err = c.Enter()
	require.NoError(t, err)
	assert.Empty(t, w.Before, "the page comes up with it left out")
}

func TestWithoutKnowledgeOfItNothingCanBeAdded(t *testing.T) {
	c := opened(t)
	c.Before = ""
	require.NoError(t, c.Turn(1))
	assert.ErrorIs(t, c.ToggleBefore(), ErrNoBefore)
}

func TestThePartsOfThePageTakeOnlyWhatIsTheirs(t *testing.T) {
	c := opened(t)
	assert.ErrorIs(t, c.TogglePrompt(), ErrNotNow)
	assert.ErrorIs(t, c.Park(true), ErrNotNow)
	require.NoError(t, c.Turn(1))
	c.Type("nobody types here")
	assert.Empty(t, c.Text(LineNames))
	require.NoError(t, c.TogglePrompt())
	assert.True(t, c.WithPrompt)
	require.NoError(t, c.Turn(1))
	require.NoError(t, c.Park(true))
	require.NoError(t, c.Turn(1))
	assert.Equal(t, PartNames, c.Part, "after the last part comes the first")
	require.NoError(t, c.Turn(-1))
	w, err := c.Enter()
	require.NoError(t, err)
	assert.True(t, w.WithPrompt)

	done := asked()
	done.Widen = &queue.Widened{State: queue.WidenBlocked}
	w, news := c.Take(Got{Want: w, Session: done})
	assert.Equal(t, Asked, news)
	assert.Equal(t, WantRegroup, w.Kind, "the person said what happens until they reply")
	assert.Equal(t, queue.Regroup{State: queue.WidenParked}, w.Do)
	_, err = c.Fetch()
	assert.ErrorIs(t, err, ErrBusy)
}

func TestNobodyIsAskedBeforeItIsKnownWho(t *testing.T) {
	c := &Consult{}
	c.See(asked())
	w, err := c.Begin()
	require.NoError(t, err)
	_, err = c.Enter()
	assert.ErrorIs(t, err, ErrUnknown)
	require.NoError(t, c.Turn(-1), "the other parts can be read meanwhile")
	_, err = c.Enter()
	assert.ErrorIs(t, err, ErrUnknown)
	c.Take(Got{Want: w, Audience: Audience{Members: mates()}})
	require.NoError(t, c.Turn(1))
	c.Type("Zed")
	_, err = c.Enter()
	assert.ErrorIs(t, err, ErrNobodyNamed)
	c.Type(" Cancel")
	w, err = c.Enter()
	require.NoError(t, err)
	assert.Equal(t, WantNothing, w.Kind)
	assert.Equal(t, Idle, c.Stage)
	assert.Empty(t, c.Text(LineNames))
}

func TestAFailedStepLeadsBackAndIsKept(t *testing.T) {
	broken := errors.New("the server does not answer")
	c := opened(t)
	require.NoError(t, c.Turn(-1))
	w, _ := c.Enter()
	_, news := c.Take(Got{Want: w, Err: broken})
	assert.Equal(t, Failed, news)
	assert.Equal(t, Asking, c.Stage)
	assert.Equal(t, broken, c.Fault)
	w, err := c.Enter()
	require.NoError(t, err, "it can be tried again")
	require.NoError(t, c.Leave())
	assert.True(t, c.Calls())
	assert.False(t, c.OnPage())
	assert.ErrorIs(t, c.WhyNot((*Consult).Begin), ErrAsking)
	assert.True(t, c.Calls(), "trying it changed nothing")
	_, news = c.Take(Got{Want: w, Err: broken})
	assert.Equal(t, Failed, news)
	assert.Equal(t, Idle, c.Stage, "nobody looks at the page any more")

	c = reviewing(t, "SQLite")
	w, err = c.FetchAgain()
	require.NoError(t, err)
	c.Take(Got{Want: w, Err: broken})
	assert.Equal(t, Reviewing, c.Stage, "the earlier review is still there")
}

func TestWhatIsLeftIsNotTaken(t *testing.T) {
	c := &Consult{}
	c.See(withTeam(queue.WidenBlocked))
	old, err := c.Fetch()
	require.NoError(t, err)
	require.NoError(t, c.Leave())
	assert.False(t, c.Awaits(old))
	_, news := c.Take(Got{Want: old})
	assert.Equal(t, Ignored, news)
	w, err := c.Fetch()
	require.NoError(t, err)
	_, news = c.Take(Got{Want: old})
	assert.Equal(t, Ignored, news)
	late, _ := c.Take(Got{Want: w, Discussion: Discussion{Messages: []string{"[Alice] yes"}}})
	require.NoError(t, c.Leave(), "without a summary")
	assert.Equal(t, Reviewing, c.Stage)
	assert.Empty(t, c.Candidate)
	_, news = c.Take(Got{Want: late, Candidate: queue.Candidate{Answer: "late"}})
	assert.Equal(t, Ignored, news)
	assert.Empty(t, c.Candidate)
}

func TestASummaryThatTheSessionHasIsNotAskedForAgain(t *testing.T) {
	for _, again := range []bool{false, true} {
		c, s := &Consult{}, withTeam(queue.WidenParked)
		s.Widen.Candidate = &queue.Candidate{Answer: "SQLite", SourceHint: queue.SourceTeam}
		c.See(s)
		w, err := c.fetch(Want{Kind: WantFetch, again: again})
		require.NoError(t, err)
		next, _ := c.Take(Got{Want: w})
		assert.Equal(t, again, next.Kind == WantSummarise)
		assert.Equal(t, !again, c.Stage == Reviewing)
	}
}

func TestWhatIsUnderWayEndsWithItsQuestion(t *testing.T) {
	c := opened(t)
	assert.False(t, c.See(asked()))
	assert.True(t, c.See(withTeam(queue.WidenBlocked)), "somebody else asked the team")
	assert.Equal(t, Idle, c.Stage)
	assert.False(t, c.See(over()), "nothing was under way")

	c = opened(t)
	require.NoError(t, c.Turn(-1))
	w, _ := c.Enter()
	assert.False(t, c.See(withTeam(queue.WidenBlocked)), "it was asked from here")
	_, news := c.Take(Got{Want: w, Err: queue.ErrWidened})
	assert.Equal(t, Ignored, news)
	assert.True(t, c.See(withTeam(queue.WidenBlocked)))

	c = reviewing(t, "SQLite")
	w, err := c.Accept()
	require.NoError(t, err)
	assert.False(t, c.See(over()), "it ended from here")
	_, news = c.Take(Got{Want: w, Session: over()})
	assert.Equal(t, Ended, news)
	assert.Equal(t, Idle, c.Stage)
}

func TestAcceptingLeadsToTheOutcomeOrToTheForm(t *testing.T) {
	none := ""
	interview := withTeam(queue.WidenBlocked)
	interview.Origin.Dialect = queue.DialectInterview
	for name, tc := range map[string]struct {
		answer string
		final  *string
		on     queue.Session
		how    Acceptance
		source string
	}{
		"an option":            {"sqlite", nil, withTeam(queue.WidenBlocked), AcceptSends, queue.SourceTeam},
		"none of the options":  {"DynamoDB", nil, withTeam(queue.WidenBlocked), AcceptPicks, queue.SourceTeam},
		"no answer":            {" ", nil, withTeam(queue.WidenBlocked), AcceptNothing, queue.SourceManual},
		"an interview, none":   {"", nil, interview, AcceptEmpty, queue.SourceManual},
		"an interview, erased": {"SQLite", &none, interview, AcceptEmpty, queue.SourceManual},
	} {
		t.Run(name, func(t *testing.T) {
			c := reviewing(t, tc.answer)
			c.See(tc.on)
			c.Final = tc.final
			_, how := c.Accepts()
			require.Equal(t, tc.how, how)
			assert.Equal(t, tc.source, c.Source())
			assert.Equal(t, tc.final != nil, c.Overrides(), "the person may say why the team's answer is gone")
			w, err := c.Accept()
			switch how {
			case AcceptNothing:
				assert.ErrorIs(t, err, ErrNoAnswer)
			case AcceptPicks:
				require.NoError(t, err)
				assert.Equal(t, WantNothing, w.Kind)
				assert.True(t, c.Picks)
				assert.Equal(t, "They agree.", c.Picked(queue.Answer{}).Summary.Text)
			default:
				require.NoError(t, err)
				assert.Equal(t, WantEnd, w.Kind)
				assert.Equal(t, how == AcceptEmpty, w.Do.(queue.Settle).Empty)
			}
		})
	}
}

func TestADeferralNeedsAReasonAndAnAnswerOfOnesOwnMayHaveOne(t *testing.T) {
	c := reviewing(t, "SQLite")
	require.NoError(t, c.Open(LineDeferral))
	_, err := c.Enter()
	assert.ErrorIs(t, err, ErrNoReason)
	c.Type("after the load test")
	w, err := c.Enter()
	require.NoError(t, err)
	assert.Equal(t, queue.Defer{Rationale: "after the load test", Summary: "They agree."}, w.Do)

	c = reviewing(t, "SQLite")
	c.Edited("PostgreSQL")
	require.True(t, c.Overrides())
	require.NoError(t, c.Open(LineRationale))
	c.Type("we have it already")
	w, err = c.Enter()
	require.NoError(t, err)
	assert.Equal(t, "we have it already", w.Do.(queue.Settle).Team.Rationale)
	assert.Equal(t, []string{"PostgreSQL", "we have it already"}, c.TakeWords())
	assert.Empty(t, c.TakeWords())
}

// walker does what comes to its mind, and keeps what the machine promised.
type walker struct {
	t     *testing.T
	r     *rand.Rand
	c     *Consult
	calls []Want // those whose result has not come
	texts [lines]string
	on    queue.Session
}

// want notes a call, and what must hold when one begins.
func (w *walker) want(x Want, err error) {
	if err != nil {
		assert.Equal(w.t, WantNothing, x.Kind, "what refuses wants nothing")
	}
	if x.Kind == WantNothing {
		return
	}
	for _, old := range w.calls {
		assert.False(w.t, w.c.Awaits(old), "two calls are under way: %d and %d", old.Kind, x.Kind)
		assert.False(w.t, old.Kind == WantAsk && x.Kind == WantAsk && w.on.Pending(), "asked twice")
	}
	assert.True(w.t, w.c.Awaits(x))
	w.calls = append(w.calls, x)
}

// arrives has one of the results come, perhaps one that is not awaited.
func (w *walker) arrives() {
	if len(w.calls) == 0 {
		return
	}
	n := w.r.IntN(len(w.calls))
	x := w.calls[n]
	w.calls = append(w.calls[:n:n], w.calls[n+1:]...)
	g := Got{Want: x, Audience: Audience{Members: mates()}, Session: w.on, Candidate: queue.Candidate{Answer: "SQLite"}}
	switch {
	case w.r.IntN(4) == 0:
		g.Err = errors.New("lost")
	case !w.on.Pending():
		g.Err = queue.ErrSettled
	case x.Kind == WantAsk:
		g.Session = withTeam(queue.WidenBlocked)
	case x.Kind == WantRegroup:
		g.Session = withTeam(x.Do.(queue.Regroup).State)
	case x.Kind == WantEnd:
		g.Session = over()
	}
	if g.Err == nil && x.Kind != WantAudience {
		w.on = g.Session
	}
	before, awaited := *w.c, w.c.Awaits(x)
	next, news := w.c.Take(g)
	if !awaited {
		assert.Equal(w.t, Ignored, news)
		assert.Equal(w.t, before, *w.c, "an old result is not taken")
	}
	w.want(next, nil)
}

func (w *walker) step() {
	c, r := w.c, w.r
	switch r.IntN(16) {
	case 0:
		w.want(c.Begin())
	case 1, 2, 3:
		sends, cancels := c.Sends(), c.Cancels()
		x, err := c.Enter()
		if assert.True(w.t, x.Kind != WantAsk || sends && err == nil, "asked before the last part"); x.Kind == WantAsk {
			assert.NotEmpty(w.t, x.Invited)
		}
		if c.Stage == Idle && cancels && err == nil {
			w.texts[LineNames] = c.Text(LineNames)
		}
		w.want(x, err)
	case 4:
		_ = c.Turn(1 - 2*r.IntN(2))
	case 5:
		if l := c.Line(); l != NoLine {
			w.texts[l] = []string{"", "bob smith", "Zed", "cancel", "why not"}[r.IntN(5)]
			c.Type(w.texts[l])
		}
	case 6:
		_ = c.TogglePrompt()
		_ = c.ToggleBefore()
	case 7:
		_ = c.Park(r.IntN(2) == 0)
	case 8:
		_ = c.Leave()
	case 9:
		w.want(c.Regroup([]string{queue.WidenBlocked, queue.WidenParked}[r.IntN(2)]))
	case 10:
		w.want(c.fetch(Want{Kind: WantFetch, again: r.IntN(2) == 0}))
	case 11:
		_ = c.Open([]Line{LineRationale, LineDeferral}[r.IntN(2)])
	case 12:
		w.want(c.Accept())
	case 13:
		_ = c.Reopen()
		c.Edited([]string{"", "PostgreSQL"}[r.IntN(2)])
	default:
		w.arrives()
	}
	if r.IntN(40) == 0 {
		w.on = []queue.Session{withTeam(queue.WidenBlocked), withTeam(queue.WidenParked), over()}[r.IntN(3)]
	}
	c.See(w.on)
}

func TestARandomWalkKeepsWhatTheMachinePromises(t *testing.T) {
	for seed := range uint64(400) {
		w := &walker{t: t, r: rand.New(rand.NewPCG(seed, 7)), c: &Consult{}, on: asked()}
		w.c.See(w.on)
		for range 200 {
			w.step()
			assert.Equal(t, w.texts, w.c.texts, "texts survive")
			if t.Failed() {
				t.Fatalf("with seed %d", seed)
			}
		}
	}
}
