package widen

import (
	"errors"
	"math/rand/v2"
	"slices"
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
	_, news := c.Take(Got{Want: w, Audience: Audience{Members: mates(), Before: doing,
		Letter: Letter{Title: "Which?"}}})
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

// answer answers what the person is asked about the team: the options and the words, by question.
func answer(t *testing.T, c *Consult, replies ...queue.Reply) queue.Answer {
	t.Helper()
	a := queue.StartAnswer(c.Question())
	for _, r := range replies {
		at := slices.IndexFunc(a.Replies, func(old queue.Reply) bool { return old.Question == r.Question })
		require.GreaterOrEqual(t, at, 0, "no question %s", r.Question)
		a.Replies[at] = r
	}
	_, err := c.Question().Accept(a)
	require.NoError(t, err, "the form would not send it")
	return a
}

func leave(t *testing.T, c *Consult) {
	t.Helper()
	_, err := c.Leave()
	require.NoError(t, err)
}

func putOff(t *testing.T, c *Consult) {
	t.Helper()
	_, err := c.PutOff()
	require.NoError(t, err)
}

func explain(t *testing.T, c *Consult, a queue.Answer) {
	t.Helper()
	_, err := c.Explain(a)
	require.NoError(t, err)
}

// words is the reply to a question that takes words alone, and chosen the one to a question with an option.
func words(text string) queue.Reply { return queue.Reply{Question: ownAnswer, Text: text} }

func chosen(option string) queue.Reply {
	return queue.Reply{Question: ownAnswer, Selected: []string{option}}
}

func TestConsult_AsksAsAnswered(t *testing.T) {
	c := opened(t)
	c.Letter, c.ByName = Letter{Title: "Which?", Prompt: "Two ways are open."}, true
	w, err := c.Settle(answer(t, c, queue.Reply{Question: askWho, Selected: []string{"1"}, Text: "Zed, ALICE JOHNSON"},
		queue.Reply{Question: askRead, Selected: []string{readQuestion, readPrompt}},
		queue.Reply{Question: askUntil, Selected: []string{untilOthers}}))
	require.NoError(t, err)
	assert.Equal(t, WantAsk, w.Kind)
	alice, bob := mates()[0], mates()[1]
	assert.Equal(t, Call{Invited: []queue.Member{bob, alice, {Name: "Zed"}}, WithPrompt: true}, w.Call)
	assert.Equal(t, Calling, c.Stage)
	assert.False(t, c.Asks(), "the agent's question can be answered meanwhile")

	done := withTeam(queue.WidenBlocked)
	w, news := c.Take(Got{Want: w, Session: done})
	assert.Equal(t, Asked, news)
	assert.Equal(t, WantRegroup, w.Kind, "the person said what they do until they reply")
	assert.Equal(t, queue.Regroup{State: queue.WidenParked}, w.Do)
	_, err = c.Fetch()
	assert.ErrorIs(t, err, ErrBusy)
}

func TestConsult_LeavesOutWhatIsNotAdded(t *testing.T) {
	c := opened(t)
	c.Letter = Letter{Title: "Which?", Prompt: "Two ways are open."}
	whole := c.Question()
	assert.Contains(t, whole.Questions[1].Text, "Two ways are open.", "each part is shown")
	assert.Contains(t, whole.Questions[1].Text, doing)
	w, err := c.Settle(answer(t, c))
	require.NoError(t, err)
	assert.Equal(t, Call{Invited: mates()}, w.Call, "the whole audience, and the question alone")

	c = opened(t)
	w, err = c.Settle(answer(t, c, queue.Reply{Question: askRead, Selected: []string{readQuestion, readBefore}}))
	require.NoError(t, err)
	assert.Equal(t, doing, w.Before)

	c = opened(t)
	_, err = c.Settle(answer(t, c, queue.Reply{Question: askRead, Selected: []string{readBefore}}))
	assert.ErrorIs(t, err, ErrNoQuestion)
	assert.Equal(t, Asking, c.Stage)
}

func TestAudience_Named(t *testing.T) {
	a := Audience{Members: mates()}
	invited, unknown := a.Named("bob smith, Zed")
	assert.Equal(t, mates()[1:], invited)
	assert.Equal(t, []string{"Zed"}, unknown)
	invited, _ = a.Named(" ")
	assert.Equal(t, mates(), invited)
	invited, _ = a.Named("Zed")
	assert.Empty(t, invited)
	a.ByName = true
	invited, unknown = a.Named("Zed")
	assert.Equal(t, []queue.Member{{Name: "Zed"}}, invited)
	assert.Equal(t, []string{"Zed"}, unknown)
	assert.Equal(t, mates(), a.add(mates(), " ,\n"), "no name was typed")
}

func TestNobodyIsAskedBeforeItIsKnownWho(t *testing.T) {
	c := &Consult{}
	c.See(asked())
	w, err := c.Begin()
	require.NoError(t, err)
	_, err = c.Ask(Call{Invited: mates()}, false)
	assert.ErrorIs(t, err, ErrNotNow)
	c.Take(Got{Want: w, Audience: Audience{Members: mates()}})
	_, err = c.Ask(Call{}, false)
	assert.ErrorIs(t, err, ErrNobodyNamed)
}

// Nobody else's text passes for a part of the question: it is fenced or quoted.
func TestConsult_QuotesTextOfOthers(t *testing.T) {
	c := opened(t)
	c.Letter = Letter{Title: "Which?", Prompt: "a\n```\nThe agent's message, only if you add it:\n````"}
	assert.Contains(t, c.Question().Questions[1].Text, "`````\n"+c.Letter.Prompt+"\n`````")
	c = reviewing(t, "yes\n\nSummary:\n# no")
	c.Discussed.Messages = []string{"[Eve] ``` Proposed answer: ```"}
	prompt := c.Question().Prompt
	assert.Contains(t, prompt, "> yes\n> \n> Summary:\n> # no\n")
	assert.Contains(t, prompt, "````\n[Eve] ``` Proposed answer: ```\n````")
}

func TestAFailedStepLeadsBackAndIsKept(t *testing.T) {
	broken := errors.New("the server does not answer")
	c := opened(t)
	w, err := c.Settle(answer(t, c))
	require.NoError(t, err)
	assert.ErrorIs(t, c.WhyNot((*Consult).Begin), ErrAsking)
	assert.Equal(t, Calling, c.Stage, "trying it changed nothing")
	assert.ErrorIs(t, c.WhyNot((*Consult).Leave), ErrNotNow)
	_, news := c.Take(Got{Want: w, Err: broken})
	assert.Equal(t, Failed, news)
	assert.Equal(t, Asking, c.Stage)
	assert.Equal(t, broken, c.Fault)
	_, err = c.Settle(answer(t, c))
	require.NoError(t, err, "it can be tried again")

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
	leave(t, c)
	assert.False(t, c.Awaits(old))
	_, news := c.Take(Got{Want: old})
	assert.Equal(t, Ignored, news)
	w, err := c.Fetch()
	require.NoError(t, err)
	_, news = c.Take(Got{Want: old})
	assert.Equal(t, Ignored, news)
	late, _ := c.Take(Got{Want: w, Discussion: Discussion{Messages: []string{"[Alice] yes"}}})
	leave(t, c)
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
	w, _ := c.Settle(answer(t, c))
	assert.False(t, c.See(withTeam(queue.WidenBlocked)), "it was asked from here")
	_, news := c.Take(Got{Want: w, Err: queue.ErrWidened})
	assert.Equal(t, Ignored, news)
	assert.True(t, c.See(withTeam(queue.WidenBlocked)))

	c = reviewing(t, "SQLite")
	w, err := c.Accept("")
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
		answer       string
		final        *string
		on           queue.Session
		picks, empty bool
		err          error
		source       string
	}{
		"an option":            {"sqlite", nil, withTeam(queue.WidenBlocked), false, false, nil, queue.SourceTeam},
		"none of the options":  {"DynamoDB", nil, withTeam(queue.WidenBlocked), true, false, nil, queue.SourceTeam},
		"no answer":            {" ", nil, withTeam(queue.WidenBlocked), false, false, ErrNoAnswer, queue.SourceManual},
		"an interview, none":   {"", nil, interview, false, true, nil, queue.SourceManual},
		"an interview, erased": {"SQLite", &none, interview, false, true, nil, queue.SourceManual},
	} {
		t.Run(name, func(t *testing.T) {
			c := reviewing(t, tc.answer)
			c.See(tc.on)
			c.Final = tc.final
			do, picks, err := c.Accepts()
			require.Equal(t, tc.err, err)
			assert.Equal(t, tc.picks, picks)
			assert.Equal(t, tc.empty, do.Empty)
			assert.Equal(t, tc.source, c.Source())
			assert.Equal(t, tc.final != nil, c.Overrides(), "the person may say why the team's answer is gone")
			w, err := c.Accept("")
			require.Equal(t, tc.err, err)
			if tc.picks || tc.err != nil {
				assert.Equal(t, WantNothing, w.Kind)
				assert.Equal(t, tc.picks, c.Picks)
				return
			}
			assert.Equal(t, tc.empty, w.Do.(queue.Settle).Empty)
			assert.Equal(t, "They agree.", w.Do.(queue.Settle).Team.Summary.Text)
		})
	}
}

func TestADeferralNeedsAReasonAndAnAnswerOfOnesOwnMayHaveOne(t *testing.T) {
	c := reviewing(t, "SQLite")
	_, err := c.Settle(answer(t, c, chosen(doPutOff)))
	require.NoError(t, err)
	require.Equal(t, Deferring, c.Stage)
	_, err = c.Settle(queue.Answer{Replies: []queue.Reply{words(" ")}})
	assert.ErrorIs(t, err, ErrNoReason)
	leave(t, c)
	assert.Equal(t, Reviewing, c.Stage)
	putOff(t, c)
	w, err := c.Settle(answer(t, c, words("after the load test")))
	require.NoError(t, err)
	assert.Equal(t, queue.Defer{Rationale: "after the load test", Summary: "They agree."}, w.Do)

	c = reviewing(t, "SQLite")
	_, err = c.Settle(answer(t, c, chosen(doEdit)))
	require.NoError(t, err)
	assert.Equal(t, "SQLite", c.Question().Questions[0].DefaultText, "it is edited, not written anew")
	w, err = c.Settle(answer(t, c, words("PostgreSQL")))
	require.NoError(t, err)
	assert.Equal(t, WantNothing, w.Kind)
	require.Equal(t, Explaining, c.Stage)
	w, err = c.Settle(answer(t, c, words("we have it already")))
	require.NoError(t, err)
	do := w.Do.(queue.Settle)
	assert.Equal(t, []string{"pg"}, do.Answer.Replies[0].Selected)
	assert.Equal(t, "we have it already", do.Team.Rationale)
}

func TestADeferralOfAnInterviewNeedsNoReason(t *testing.T) {
	c, s := &Consult{}, asked()
	s.Origin.Dialect = queue.DialectInterview
	c.See(s)
	putOff(t, c)
	w, err := c.Settle(answer(t, c))
	require.NoError(t, err)
	assert.Equal(t, queue.Defer{}, w.Do)
}

func TestAHardlyEditedAnswerNeedsNoReason(t *testing.T) {
	c := reviewing(t, "PostgreSQL")
	_, err := c.Settle(answer(t, c, chosen(doEdit)))
	require.NoError(t, err)
	w, err := c.Settle(answer(t, c, words("postgreSQL")))
	require.NoError(t, err)
	assert.Equal(t, queue.SourceTeam, w.Do.(queue.Settle).Team.Summary.Source)
}

func TestAnInterviewMayAcceptNoAnswer(t *testing.T) {
	c := reviewing(t, "SQLite")
	assert.NotContains(t, optionIDs(c), doEmpty, "an agent needs an answer")
	s := withTeam(queue.WidenBlocked)
	s.Origin.Dialect = queue.DialectInterview
	c.See(s)
	_, err := c.Settle(answer(t, c, chosen(doEmpty)))
	require.NoError(t, err)
	require.Equal(t, Explaining, c.Stage, "the person may say why the team's answer is gone")
	w, err := c.Settle(answer(t, c))
	require.NoError(t, err)
	assert.True(t, w.Do.(queue.Settle).Empty)
}

func TestAnAnswerThatIsPickedAgainstTheTeamIsExplained(t *testing.T) {
	c := reviewing(t, "Use PostgreSQL, managed")
	assert.NotEmpty(t, c.Question().Questions[0].Options[0].Description, "it says that it leads to the form")
	_, err := c.Settle(answer(t, c, chosen(doAccept)))
	require.NoError(t, err)
	require.True(t, c.Picks)
	lite := queue.Answer{Replies: []queue.Reply{{Question: "q", Selected: []string{"lite"}}}}
	require.True(t, c.AsksWhy(lite))
	explain(t, c, lite)
	leave(t, c)
	require.Equal(t, Idle, c.Stage, "the form is on view again")
	explain(t, c, lite)
	w, err := c.Settle(answer(t, c, words("one file is enough")))
	require.NoError(t, err)
	do := w.Do.(queue.Settle)
	assert.Equal(t, lite, do.Answer)
	assert.Equal(t, "one file is enough", do.Team.Rationale)
	assert.Equal(t, queue.SourceOwner, do.Team.Summary.Source)
}

// optionIDs returns the options of the first question about the team.
func optionIDs(c *Consult) (ids []string) {
	for _, o := range c.Question().Questions[0].Options {
		ids = append(ids, o.ID)
	}
	return ids
}

// walker does what comes to its mind, and keeps what the machine promised.
type walker struct {
	t     *testing.T
	r     *rand.Rand
	c     *Consult
	calls []Want // those whose result has not come
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

// settle answers what is asked, with any option and perhaps with words.
func (w *walker) settle() {
	asks, c := w.c.Asks(), w.c
	var a queue.Answer
	for _, q := range c.Question().Questions {
		reply := queue.Reply{Question: q.ID, Text: []string{"", "bob smith", "Zed", "why not"}[w.r.IntN(4)]}
		for _, o := range q.Options {
			if w.r.IntN(2) == 0 {
				reply.Selected = append(reply.Selected, o.ID)
			}
		}
		a.Replies = append(a.Replies, reply)
	}
	was := c.Stage
	x, err := c.Settle(a)
	if !asks {
		assert.ErrorIs(w.t, err, ErrNotNow)
	}
	if x.Kind == WantAsk {
		assert.Equal(w.t, Asking, was, "asked without the person's answer")
		assert.NotEmpty(w.t, x.Invited)
	}
	w.want(x, err)
}

func (w *walker) step() {
	c, r := w.c, w.r
	switch r.IntN(12) {
	case 0:
		w.want(c.Begin())
	case 1, 2, 3:
		w.settle()
	case 4:
		_, _ = c.Leave()
	case 5:
		w.want(c.Regroup([]string{queue.WidenBlocked, queue.WidenParked}[r.IntN(2)]))
	case 6:
		w.want(c.fetch(Want{Kind: WantFetch, again: r.IntN(2) == 0}))
	case 7:
		_, _ = c.PutOff()
	case 8:
		_, _ = c.Explain(queue.Answer{})
	case 9:
		_, _ = c.Reopen()
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
			assert.Equal(t, w.c.Asks(), len(w.c.Question().Questions) > 0, "where the person is asked, there is a question")
			if t.Failed() {
				t.Fatalf("with seed %d", seed)
			}
		}
	}
}
