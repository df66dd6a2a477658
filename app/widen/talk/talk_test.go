package talk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	team "github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
	"github.com/choicetui/choicetui/queue/widen"
)

// teammates is a backend with four people and one discussion.
type teammates struct {
	mu      sync.Mutex
	down    error // of every call
	refuses error // of the call that widens
	calls   []team.Invitation
	members []queue.Member
	talk    widen.Discussion
	during  func() // runs in the call that widens
	byName  bool
}

func (b *teammates) Name() string                { return "http" }
func (b *teammates) Who() string                 { return "The server at example.org" }
func (b *teammates) TakesNames() bool            { return b.byName }
func (b *teammates) Ready(context.Context) error { return b.down }
func (b *teammates) Audience(context.Context, string) ([]queue.Member, error) {
	return b.members, b.down
}

func (b *teammates) Widen(_ context.Context, i team.Invitation) (json.RawMessage, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls = append(b.calls, i)
	if b.during != nil {
		b.during()
	}
	raw, _ := json.Marshal(map[string]any{"decision_id": i.Decision, "widened_at": "2026-04-23T16:00:00Z",
		"slack_thread_url": "https://slack.com/archives/C1/p1", "invited_count": len(i.Invited)})
	return raw, cmp.Or(b.refuses, b.down)
}

func (b *teammates) Discussion(context.Context, team.Thread) (widen.Discussion, error) {
	return b.talk, b.down
}
func (b *teammates) Resolve(context.Context, team.Thread, team.Resolved) error { return nil }
func (b *teammates) Defer(context.Context, team.Thread, string) error          { return nil }

// rig is a queue with one question, a team, and lines to type.
type rig struct {
	*testing.T
	q      *queue.Queue
	team   *teammates
	about  string
	edit   func(string) (string, error)
	colour bool
	late   map[time.Duration]int // how often a time comes before any line, by its length
	now    func() time.Time
	out    *strings.Builder
	hold   bool // the next line comes later
	guard  time.Duration
}

const question = "Which database do we use for orders?"

func newRig(t *testing.T, change ...func(*queue.Session)) *rig {
	r := &rig{T: t, q: queue.New(storetest.NewMemory()), late: map[time.Duration]int{},
		team: &teammates{members: []queue.Member{{UserID: "1", Name: "Alice Johnson"}, {UserID: "2", Name: "Bob Smith"},
			{UserID: "3", Name: "Carol Lee"}, {UserID: "4", Name: "Dana Park"}},
			talk: widen.NewDiscussion([]string{"Alice Johnson", "Carol Lee"}, []widen.Message{
				{Name: "Alice Johnson", Text: "We should definitely go with PostgreSQL for this."},
				{Name: "Carol Lee", Text: "Agreed, but let's make sure we consider the migration path."},
			}, 2, "https://slack.com/archives/C1/p1")}}
	clock := time.Date(2026, 4, 23, 16, 0, 0, 0, time.UTC)
	r.now = func() time.Time { return clock }
	r.q.Now = r.now
	s := queue.Session{Origin: queue.Origin{Dialect: queue.DialectInterview, Thread: "shop"},
		Ask: queue.Ask{Kind: queue.KindChoice, Title: question, OnTimeout: queue.OnTimeoutNone, TimeoutSeconds: 3600,
			Questions: []queue.Question{{ID: "charter.db", Text: question, Mode: queue.ModeText, DefaultText: "SQLite"}}}}
	for _, c := range change {
		c(&s)
	}
	made, err := r.q.Create(t.Context(), s)
	require.NoError(t, err)
	r.about = made.ID
	return r
}

// after returns a clock that comes at once as often as late says, and then never. The line that is typed next comes
// later.
func (r *rig) after(d time.Duration) <-chan time.Time {
	if r.late[d] == 0 {
		return nil
	}
	r.late[d]--
	r.hold = true
	c := make(chan time.Time, 1)
	c <- r.now()
	return c
}

func (r *rig) service() *team.Service {
	return team.New(team.Options{Queue: r.q,
		Backend: func() (team.Backend, error) { return r.team, nil }})
}

func (r *rig) talk(lines ...string) *Talk {
	r.out = &strings.Builder{}
	in := make(chan string, len(lines))
	var mu sync.Mutex
	next := func() {
		mu.Lock()
		defer mu.Unlock()
		if len(lines) == 0 {
			close(in)
			return
		}
		in <- lines[0]
		lines = lines[1:]
	}
	want := func() {
		if r.hold {
			r.hold = false
			time.AfterFunc(50*time.Millisecond, next)
			return
		}
		next()
	}
	o := Options{Queue: r.q, Team: r.service(), Surface: queue.SurfaceCLI, In: in, Want: want, Out: r.out, After: r.after, Colour: r.colour,
		Guard: r.guard, Drop: func() {}}
	if r.edit != nil {
		o.Edit = func(_ context.Context, text string) (string, error) { return r.edit(text) }
	}
	return New(o)
}

// play has the conversation with these lines typed, and returns how it ended and what was written.
func (r *rig) play(lines ...string) (End, string) {
	r.Helper()
	t := r.talk(lines...)
	if s := r.session(); s.Widen != nil && s.Outcome == nil && s.Parked() {
		end, err := t.Pass(r.Context(), r.about, 1, 1)
		require.NoError(r, err)
		return end, r.out.String()
	}
	end, err := t.Ask(r.Context(), r.about)
	require.NoError(r, err)
	return end, r.out.String()
}

func (r *rig) session() queue.Session {
	s, err := r.q.Store.Get(r.Context(), r.about)
	require.NoError(r, err)
	return s
}

func (r *rig) outcome() queue.Outcome {
	r.Helper()
	s := r.session()
	require.NotNil(r, s.Outcome, "%s", r.out)
	return *s.Outcome
}

func (r *rig) text() string { return r.outcome().Answer.Replies[0].Text }

const summed = `{"candidate_summary": "All want PostgreSQL.", "candidate_answer": "PostgreSQL, with a plan for ` +
	`migration.", "source_hint": "slack_extraction"}`

func TestAnAnswerIsWhatWasTyped(t *testing.T) {
	r := newRig(t)
	end, out := r.play("MySQL")
	assert.Equal(t, Over, end)
	assert.Equal(t, "MySQL", r.text())
	assert.Equal(t, question+" [SQLite]:\n[enter]=accept default | [text]=type answer | [w]iden | [d]efer | [!cancel]\n", out)
}

func TestWidenIsOfferedOnlyWhereTheTeamCanBeAsked(t *testing.T) {
	r := newRig(t)
	r.team.down = errors.New("nobody listens")
	end, out := r.play("w", "")
	assert.Equal(t, Over, end)
	assert.Equal(t, "SQLite", r.text())
	assert.Contains(t, out, question+" [SQLite]:\n[enter]=accept default | [text]=type answer | [d]efer | [!cancel]\n")
	assert.NotContains(t, out, "[w]iden")
	assert.Contains(t, out, "Nobody listens. No answer was sent.\n")
	assert.Empty(t, r.team.calls)
}

func TestDeferAtTheQuestionTakesARationaleThatMayBeEmpty(t *testing.T) {
	for _, why := range []string{"", "the auditors decide"} {
		r := newRig(t)
		end, out := r.play("d", why)
		assert.Equal(t, Over, end)
		assert.Equal(t, queue.StatusDeferred, r.outcome().Status)
		assert.Equal(t, why, r.outcome().Reason)
		assert.Contains(t, out, "Optional rationale (press Enter to skip):\nDecision deferred.\n")
	}
}

func TestNothingIsAnsweredByTheEndOfTheInputOrByCancel(t *testing.T) {
	for name, lines := range map[string][]string{
		"end": nil, "cancel": {"!cancel"}, "hint": {"[WIDEN-HINT] ask them"}, "defer, then end": {"d"},
		"audience, then end": {"w"}, "widened, then end": {"w", ""}, "widened, cancel": {"w", "", "!cancel"},
		"waiting, then end": {"w", "", "b"}, "waiting, cancel": {"w", "", "b", "!cancel"},
		"fetched, then end": {"w", "", "b", "f"}, "reviewed, then end": {"w", "", "b", "f", summed},
		"reviewed, cancel":      {"w", "", "b", "f", summed, "!cancel"},
		"deferring":             {"w", "", "b", "f", summed, "d", "", "  "},
		"keys that are no text": {"\x1b[A"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			end, _ := r.play(lines...)
			assert.Equal(t, Stopped, end)
			assert.Nil(t, r.session().Outcome)
		})
	}
}

func TestWhatWasWrittenBeforeTheQuestionChangedElsewhereDoesNotAnswerTheNext(t *testing.T) {
	r := newRig(t)
	again := r.session()
	again.ID = ""
	next, err := r.q.Create(t.Context(), again)
	require.NoError(t, err)
	in, written, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { in.Close(); written.Close() })
	_, err = written.WriteString("w\n\nb\nf\n" + summed + "\ne\nMySQL\nOracle\n\n")
	require.NoError(t, err)
	lines, want := Read(in)
	out := &syncBuilder{}
	talk := New(Options{Queue: r.q, Team: r.service(), Surface: queue.SurfaceCLI, In: lines, Want: want, Out: out,
		Drop: func() {}, Edit: func(context.Context, string) (string, error) {
			_, err := r.q.Do(t.Context(), r.about, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceWeb,
				Do: queue.Cancel{Reason: "no"}})
			return "PostgreSQL and so on", err
		}})
	end, err := talk.Ask(t.Context(), r.about)
	require.NoError(t, err)
	require.Equal(t, Over, end)
	require.NoError(t, written.Close())
	end, err = talk.Ask(t.Context(), next.ID)
	require.NoError(t, err)
	assert.Equal(t, Stopped, end, out.String())
	assert.Contains(t, out.String(), "Not taken: \"Oracle\" came too soon. Type it again.\n"+
		"Not yet: that Enter came too soon.")
	s, err := r.q.Store.Get(t.Context(), next.ID)
	require.NoError(t, err)
	assert.Nil(t, s.Outcome)
}

func TestALineThatWasReadForAQuestionThatEndedElsewhereDoesNotAnswerTheNext(t *testing.T) {
	r := newRig(t)
	out, in := &syncBuilder{}, make(chan string, 1)
	talk := New(Options{Queue: r.q, Team: r.service(), Surface: queue.SurfaceCLI, In: in, Want: func() {}, Out: out,
		Drop: func() { in <- "b" }})
	ended := make(chan End)
	go func() {
		end, _ := talk.Ask(t.Context(), r.about)
		ended <- end
	}()
	require.Eventually(t, func() bool { return strings.HasSuffix(out.String(), "[!cancel]\n") }, 5*time.Second, time.Millisecond)
	_, err := r.q.Do(t.Context(), r.about, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceWeb,
		Do: queue.Cancel{Reason: "no"}})
	require.NoError(t, err)
	assert.Equal(t, Over, <-ended)
	assert.Contains(t, out.String(), "Not taken: \"b\" came too soon.")
}

func TestALineIsReadOnceItIsWanted(t *testing.T) {
	lines, want := Read(strings.NewReader("one\ntwo\r\n\nfour"))
	for _, line := range []string{"one", "two", "", "four"} {
		select {
		case early := <-lines:
			t.Fatalf("%q was not wanted yet", early)
		case <-time.After(10 * time.Millisecond):
		}
		want()
		assert.Equal(t, line, <-lines)
	}
	want()
	_, more := <-lines
	assert.False(t, more)
}

func TestALineThatIsTooLongEndsTheInput(t *testing.T) {
	lines, want := Read(strings.NewReader("one\n" + strings.Repeat("x", MaxLine+1) + "\nthree"))
	want()
	assert.Equal(t, "one", <-lines)
	want()
	_, more := <-lines
	assert.False(t, more)
}

func TestAHintIsShownDimAndNeverIsTheAnswer(t *testing.T) {
	r := newRig(t)
	r.colour = true
	const hint = "This looks like a good widen candidate — press w to consult the team."
	_, out := r.play("[WIDEN-HINT] "+hint, "MySQL")
	assert.Contains(t, out, "\x1b[2m"+hint+"\x1b[0m\n"+question+" [SQLite]:\n")
	assert.Equal(t, "MySQL", r.text())
}

func TestAHintOfThePromptStandsAboveTheQuestion(t *testing.T) {
	r := newRig(t, func(s *queue.Session) { s.Ask.Prompt = "Some words.\n[WIDEN-HINT] Ask them.\n" })
	_, out := r.play("")
	assert.True(t, strings.HasPrefix(out, "Ask them.\n"+question), out)
}

func TestUnknownNamesAreWarnedOfAndSentWhereTheServerTakesNames(t *testing.T) {
	r := newRig(t)
	r.team.byName = true
	_, out := r.play("w", "Zoe, carol lee, zoe", "c")
	assert.Contains(t, out, "Not in the audience, asked by name alone: Zoe\n"+
		"Audience confirmed: Carol Lee, Zoe (2 members)\nCalling widen endpoint...\n")
	require.Len(t, r.team.calls, 1)
	assert.Equal(t, []queue.Member{{UserID: "3", Name: "Carol Lee"}, {Name: "Zoe"}}, r.team.calls[0].Invited)

	r = newRig(t)
	r.team.byName = true
	_, out = r.play("w", "Zoe\u202e, Kim", "c")
	assert.Contains(t, out, "Audience confirmed: Zoe<U+202E>, Kim (2 members)\n")
	assert.Equal(t, "Zoe<U+202E>, Kim", r.session().Widen.Names())
}

func TestOneIsNoPlural(t *testing.T) {
	r := newRig(t)
	_, out := r.play("w", "carol lee", "c")
	assert.Contains(t, out, "Audience confirmed: Carol Lee (1 member)\n")
	assert.Contains(t, out, "Slack thread created. Carol Lee has been invited to discuss:")
	talk := r.talk()
	talk.BeginPass(1)
	assert.Contains(t, r.out.String(), "1 widened question is still pending. Resolve it before finalizing")
}

func TestTheAudienceIsTrimmedAndUnknownNamesAreNeitherCountedNorSent(t *testing.T) {
	r := newRig(t)
	_, out := r.play("w", "Zoe, nobody", "carol lee, ALICE JOHNSON, Zoe", "c")
	assert.Contains(t, out, "Not in the audience, so not asked: Zoe, nobody\nNobody is left to ask.")
	assert.Contains(t, out, "Not in the audience, so not asked: Zoe\n"+
		"Audience confirmed: Alice Johnson, Carol Lee (2 members)\nCalling widen endpoint...\n")
	require.Len(t, r.team.calls, 1)
	assert.Equal(t, []queue.Member{{UserID: "1", Name: "Alice Johnson"}, {UserID: "3", Name: "Carol Lee"}},
		r.team.calls[0].Invited)
	assert.Equal(t, "charter.db", r.session().Widen.QuestionID)
	assert.Equal(t, "shop", r.session().Widen.Mission)
}

func TestCancelAsksNobody(t *testing.T) {
	for _, word := range []string{"cancel", "CANCEL", " Cancel ", "!cancel"} {
		r := newRig(t)
		end, out := r.play("w", word, "")
		assert.Equal(t, Over, end)
		assert.Empty(t, r.team.calls)
		assert.Equal(t, "SQLite", r.text())
		assert.Contains(t, out, "Audience >\nThe team was not asked.\n")
	}
}

func TestOutsideOfAnInterviewAConversationEndsWithItsOneStep(t *testing.T) {
	agents := func(s *queue.Session) {
		s.Origin.Dialect, s.Origin.Instance, s.Ask.Prompt = "provide_choice", "gone", "p"
	}
	for name, c := range map[string]struct {
		lines []string
		end   End
		said  string
	}{
		"nobody asked": {[]string{"cancel"}, Stopped, "The team was not asked.\n"},
		"parked":       {[]string{"", "c"}, Parked, "Question parked as pending. fetch brings what the team said.\n"},
		"left":         {[]string{"", "b", "!cancel"}, Stopped, "Waiting >\n"},
		"answered":     {[]string{"", "b", "MySQL"}, Over, "Resolved locally. SaaS will close the Slack thread shortly.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, agents)
			end, err := r.talk(c.lines...).Widen(t.Context(), r.about)
			require.NoError(t, err)
			assert.Equal(t, c.end, end)
			assert.True(t, strings.HasSuffix(r.out.String(), c.said), r.out.String())
		})
	}
	r := newRig(t, agents)
	for name, ask := range map[string]func(*Talk) (End, error){
		"fetch": func(talk *Talk) (End, error) { return talk.Fetch(t.Context(), r.about) },
		"defer": func(talk *Talk) (End, error) { return talk.Defer(t.Context(), r.about) },
	} {
		end, err := ask(r.talk("x"))
		require.NoError(t, err)
		assert.Equal(t, Stopped, end, name)
		assert.Equal(t, "The team was not asked about this question: widen asks it.\n", r.out.String())
	}
	assert.Nil(t, r.session().Outcome)
}

func TestAnInterviewsQuestionIsDeferredFromElsewhereToo(t *testing.T) {
	r := newRig(t)
	end, err := r.talk("later").Defer(t.Context(), r.about)
	require.NoError(t, err)
	assert.Equal(t, Over, end)
	assert.Equal(t, "later", r.outcome().Reason)
}

func TestCtrlCAtTheAudienceAsksNobodyAndElsewhereLeaves(t *testing.T) {
	r := newRig(t)
	ctrlC := make(chan struct{}, 2)
	in := make(chan string, 2)
	r.out = &strings.Builder{}
	o := Options{Queue: r.q, Team: r.service(), Surface: queue.SurfaceCLI, In: in, Want: func() {}, Out: r.out,
		Interrupt: ctrlC}
	in <- "w"
	ended := make(chan End)
	go func() {
		end, _ := New(o).Ask(t.Context(), r.about)
		ended <- end
	}()
	ctrlC <- struct{}{}
	ctrlC <- struct{}{}
	assert.Equal(t, Stopped, <-ended)
	assert.Empty(t, r.team.calls)
	assert.Nil(t, r.session().Outcome)
}

func TestAFailedCallSaysWhyAndAsksAgain(t *testing.T) {
	r := newRig(t)
	r.team.during = func() { r.team.down = errors.New("the server is busy") }
	end, out := r.play("w", "", "MySQL")
	assert.Equal(t, Over, end)
	assert.Contains(t, out, "Calling widen endpoint...\nWiden failed: the server is busy\nReturning to interview prompt.\n")
	assert.Equal(t, "MySQL", r.text())
	assert.Nil(t, r.session().Widen)
}

func TestTheServersOwnWordsAreWhyTheCallFailed(t *testing.T) {
	r := newRig(t)
	r.team.during = func() {
		r.team.down = &team.Failure{Words: "The server x says: not a member of this mission.",
			Said: "not a member of this mission"}
	}
	_, out := r.play("w", "", "MySQL")
	assert.Contains(t, out, "\nWiden failed: not a member of this mission\nReturning to interview prompt.\n")
}

func TestAnAnswerOfOnesOwnEndsTheWait(t *testing.T) {
	r := newRig(t)
	end, out := r.play("w", "", "", "MySQL, we know it")
	assert.Equal(t, Over, end)
	assert.Contains(t, out, "Waiting >\nResolved locally. SaaS will close the Slack thread shortly.\n")
	o := r.outcome()
	assert.Equal(t, "MySQL, we know it", r.text())
	assert.Equal(t, queue.Summary{Source: queue.SourceManual}, o.Team.Summary)
}

func TestTheWaitRemindsEachTimeAnHourPassesWithoutALine(t *testing.T) {
	r := newRig(t)
	r.late[60*time.Minute] = 2
	_, out := r.play("w", "", "b", "MySQL")
	const reminder = "Waiting >\nStill waiting on widened discussion.\n" +
		"Check Slack, type a local answer, or press d to defer.\n\n"
	assert.Contains(t, out, reminder+reminder+"Waiting >\nResolved locally.")
}

func TestTheCandidateIsAcceptedAsItIs(t *testing.T) {
	r := newRig(t)
	end, out := r.play("w", "", "b", "f", "Here it is:", "```json", summed, "```", "a")
	assert.Equal(t, Over, end)
	o := r.outcome()
	assert.Equal(t, "PostgreSQL, with a plan for migration.", r.text())
	assert.Equal(t, queue.Summary{Text: "All want PostgreSQL.", Source: queue.SourceTeam}, o.Team.Summary)
	assert.Empty(t, o.Team.Rationale)
	assert.Contains(t, out, "[a]ccept | [e]dit | [d]efer:\nDecision resolved.\n")
	assert.NotContains(t, out, "rationale")
}

func TestJSONOverSeveralLinesIsRead(t *testing.T) {
	r := newRig(t)
	r.play("w", "", "b", "f", "{", ` "candidate_summary": "S {",`, ` "candidate_answer": "A",`,
		` "source_hint": "slack_extraction"`, "}", "```", "a")
	assert.Equal(t, "A", r.text())
}

func TestWithoutASummaryThePersonWritesTheAnswer(t *testing.T) {
	const fallback = "\nSummarization timed out or produced invalid output.\n" +
		"Showing raw discussion. Please write the answer manually.\n\n" +
		"[a]ccept empty | [e]dit (blank pre-fill) | [d]efer\n"
	for name, c := range map[string]struct {
		late  int
		lines []string
	}{
		"time": {1, nil}, "no JSON": {0, []string{`{"a": 1}`}}, "half": {0, []string{`{"candidate_summary": }`}},
		"a member missing": {0, []string{strings.Replace(summed, "source_hint", "hint", 1)}},
		"other source":     {0, []string{strings.Replace(summed, "slack_extraction", "me", 1)}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.late[30*time.Second] = c.late
			r.edit = func(text string) (string, error) { return text + "Postgres\n", nil }
			end, out := r.play(append(append([]string{"w", "", "b", "f"}, c.lines...), "e")...)
			assert.Equal(t, Over, end)
			assert.Contains(t, out, fallback)
			assert.Equal(t, "Postgres", r.text())
			assert.Equal(t, queue.Summary{Source: queue.SourceManual}, r.outcome().Team.Summary)
		})
	}
}

func TestAcceptingAnEmptyCandidateResolvesAnInterviewsQuestion(t *testing.T) {
	r := newRig(t)
	end, _ := r.play("w", "", "b", "f", "{}", "a")
	assert.Equal(t, Over, end)
	assert.Empty(t, r.text())
	assert.Equal(t, queue.SourceManual, r.outcome().Team.Summary.Source)
}

func TestAcceptingAnEmptyCandidateOfAnAgentsQuestionIsRefused(t *testing.T) {
	r := newRig(t, func(s *queue.Session) {
		s.Origin.Dialect, s.Origin.Instance, s.Ask.Prompt = "provide_choice", "gone", "p"
	})
	end, out := r.play("w", "", "b", "f", "a")
	assert.Equal(t, Stopped, end)
	assert.Contains(t, out, "There is no candidate to accept. Type e to write the answer, or d to defer.")
	assert.Nil(t, r.session().Outcome)
}

func TestWhereTheEditedAnswerComesFrom(t *testing.T) {
	for name, c := range map[string]struct{ saved, source, why string }{
		"as it was":    {"PostgreSQL, with a plan for migration.\n", queue.SourceTeam, ""},
		"hardly":       {"PostgreSQL, with a plan for migrations.", queue.SourceTeam, ""},
		"materially":   {"MySQL", queue.SourceOwner, "we know it"},
		"without why ": {"MySQL", queue.SourceOwner, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.edit = func(text string) (string, error) {
				assert.Equal(t, "PostgreSQL, with a plan for migration.", text)
				return c.saved, nil
			}
			end, out := r.play("w", "", "b", "f", summed, "e", c.why)
			assert.Equal(t, Over, end)
			assert.Equal(t, strings.TrimSpace(c.saved), r.text())
			assert.Equal(t, c.source, r.outcome().Team.Summary.Source)
			assert.Equal(t, "All want PostgreSQL.", r.outcome().Team.Summary.Text)
			assert.Equal(t, c.why, r.outcome().Team.Rationale)
			assert.Equal(t, c.source == queue.SourceOwner, strings.Contains(out, "Optional rationale (press Enter to skip):"))
		})
	}
}

func TestAnEditorThatFailsAnswersNothing(t *testing.T) {
	r := newRig(t)
	r.edit = func(string) (string, error) { return " \n", errors.New("vi ended with exit status 1") }
	end, out := r.play("w", "", "b", "f", summed, "e")
	assert.Equal(t, Stopped, end)
	assert.Contains(t, out, "Editor failed: vi ended with exit status 1\n[a]ccept")
	assert.Nil(t, r.session().Outcome)
}

func TestAnEditorThatEmptiesTheTextResolvesAnInterviewsQuestionAsManual(t *testing.T) {
	r := newRig(t)
	r.edit = func(string) (string, error) { return " \n", nil }
	end, out := r.play("w", "", "b", "f", summed, "e", "none fits")
	assert.Equal(t, Over, end)
	assert.Contains(t, out, "[d]efer:\nOptional rationale (press Enter to skip):\nDecision resolved.\n")
	assert.Empty(t, r.text())
	team := r.outcome().Team
	assert.Equal(t, queue.Summary{Text: "All want PostgreSQL.", Source: queue.SourceManual}, team.Summary)
	assert.Equal(t, "none fits", team.Rationale)

	r = newRig(t)
	r.edit = func(string) (string, error) { return "", nil }
	end, out = r.play("w", "", "b", "f", "e")
	assert.Equal(t, Over, end)
	assert.NotContains(t, out, "rationale", "there was no candidate to decide otherwise than")
	assert.Equal(t, queue.Summary{Source: queue.SourceManual}, r.outcome().Team.Summary)

	r = newRig(t, func(s *queue.Session) {
		s.Origin.Dialect, s.Origin.Instance, s.Ask.Prompt = "provide_choice", "gone", "p"
	})
	r.edit = func(string) (string, error) { return "", nil }
	end, out = r.play("w", "", "b", "f", "e")
	assert.Equal(t, Stopped, end)
	assert.Contains(t, out, "The editor left no text, and its agent wants an answer: nothing was sent. e opens it again.\n[a]ccept")
	assert.Nil(t, r.session().Outcome)
}

func TestADeferralWithTheTeamWantsARationale(t *testing.T) {
	for name, lines := range map[string][]string{
		"waiting": {"w", "", "b", "d", "", " ", "not now"}, "review": {"w", "", "b", "f", summed, "d", "", "not now"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			end, out := r.play(lines...)
			assert.Equal(t, Over, end)
			assert.Equal(t, queue.StatusDeferred, r.outcome().Status)
			assert.Equal(t, "not now", r.outcome().Reason)
			assert.Contains(t, out, "Rationale for deferral (required):\nA rationale is required")
			assert.True(t, strings.HasSuffix(out, "Rationale for deferral (required):\nDecision deferred.\n"), out)
		})
	}
}

func TestAParkedQuestionIsMetAgainAndReviewedInTheEnd(t *testing.T) {
	r := newRig(t)
	r.now = func() time.Time { return time.Date(2026, 4, 23, 16, 30, 0, 0, time.UTC) } // the server: 16:00
	r.q.Now = r.now
	end, out := r.play("w", "", "x", "c")
	assert.Equal(t, Parked, end)
	assert.Contains(t, out, "Block here or continue with other questions? [b/c] (default: b):\n"+
		"Type b to wait here, or c to continue with the other questions.\n")
	assert.True(t, strings.HasSuffix(out,
		"Question parked as pending. You'll be prompted to resolve it at end of interview.\n"), out)
	end, err := r.talk("").Ask(t.Context(), r.about)
	require.NoError(t, err)
	assert.Equal(t, Parked, end)
	assert.Equal(t, question+" [pending-external-input]\n"+
		"[f]etch & resolve | [local answer]=type answer | [d]efer | [!cancel]\n", r.out.String())
	end, out = r.play(summed, "a")
	assert.Equal(t, Over, end)
	assert.True(t, strings.HasPrefix(out, "(1/1) Question: "+question+"\n      Widened at: 2026-04-23 16:00 UTC\n"+
		"      Participants: Alice Johnson, Bob Smith, Carol Lee, Dana Park\n      Fetching discussion...\n"), out)
}

func TestWhereTheDiscussionCannotBeFetchedTheQuestionStays(t *testing.T) {
	r := newRig(t)
	r.play("w", "", "c")
	r.team.down = errors.New("nobody listens")
	end, out := r.play("f", "", "MySQL")
	assert.Equal(t, Over, end)
	assert.Contains(t, out, "Fetch failed: nobody listens\n\n"+question+" [pending-external-input]\n")
	assert.Equal(t, "MySQL", r.text())
}

func TestAQuestionThatEndsElsewhereEndsTheConversationWithASentence(t *testing.T) {
	for name, lines := range map[string][]string{"prompt": {}, "waiting": {"w", "", "b"}} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			in := make(chan string, 5)
			for _, l := range lines {
				in <- l
			}
			out := &syncBuilder{}
			ended := make(chan End)
			go func() {
				talk := New(Options{Queue: r.q, Team: r.service(), Surface: queue.SurfaceCLI, In: in, Want: func() {}, Out: out,
					Drop: func() {}})
				end, _ := talk.Ask(t.Context(), r.about)
				ended <- end
			}()
			waits := "[!cancel]\n"
			if len(lines) > 0 {
				waits = "Waiting >\n"
			}
			require.Eventually(t, func() bool { return strings.HasSuffix(out.String(), waits) }, 5*time.Second, time.Millisecond)
			_, err := r.q.Do(t.Context(), r.about, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceWeb,
				Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "charter.db", Text: "Oracle"}}}}})
			require.NoError(t, err)
			assert.Equal(t, Over, <-ended)
			assert.Contains(t, out.String(), "This question was already answered: “Oracle” (by a person, in the browser).")
		})
	}
}

func TestAQuestionThatEndsBetweenTheCandidateAndTheAcceptanceIsNotAnsweredAgain(t *testing.T) {
	r := newRig(t)
	elsewhere := func() {
		_, err := r.q.Do(t.Context(), r.about, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceWeb,
			Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "charter.db", Text: "Oracle"}}}}})
		require.NoError(t, err)
	}
	r.edit = func(string) (string, error) { elsewhere(); return "MySQL", nil }
	end, out := r.play("w", "", "b", "f", summed, "e", "")
	assert.Equal(t, Over, end)
	assert.Equal(t, "Oracle", r.text())
	assert.Contains(t, out, "This question was already answered: “Oracle” (by a person, in the browser).")
	assert.NotContains(t, out, "Decision resolved.")
}

func TestAQuestionThatEndsWhileTheTeamIsAskedIsNotAnsweredAgain(t *testing.T) {
	r := newRig(t)
	r.team.during = func() {
		_, _ = r.q.Do(context.Background(), r.about, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceWeb,
			Do: queue.Cancel{Reason: "no"}})
	}
	end, out := r.play("w", "", "b")
	assert.Equal(t, Over, end)
	assert.Equal(t, queue.StatusCancelled, r.outcome().Status)
	assert.NotContains(t, out, "Widened ✓")
}

func TestAnAnswerThatIsNoOptionIsPickedFirst(t *testing.T) {
	r := newRig(t, single)
	end, out := r.play("w", "", "b", "f", summed, "a", "3", "", "a", "1")
	assert.Equal(t, Over, end)
	assert.Contains(t, out, "This question takes one of its options, and \"PostgreSQL, with a plan for migration.\" is not one of them. "+
		"Which one do you mean?\n  1: PostgreSQL\n  2: MySQL\nNumber of the option, or Enter to go back:\n"+
		"That is not the number of an option.\n")
	assert.Equal(t, []string{"pg"}, r.outcome().Answer.Replies[0].Selected)
}

// single makes the question one that takes one of two options alone.
func single(s *queue.Session) {
	s.Ask.Prompt = "p"
	s.Ask.Questions[0] = queue.Question{ID: "q", Text: question, Mode: queue.ModeSingle, Min: 1, Max: 1,
		Options: []queue.Option{{ID: "pg", Label: "PostgreSQL"}, {ID: "my", Label: "MySQL"}}}
}

func TestAnOptionPickedInPlaceOfTheProposalIsThePersonsOwnDecision(t *testing.T) {
	r := newRig(t, single)
	end, out := r.play("w", "", "b", "f", summed, "a", "2", "we know it")
	assert.Equal(t, Over, end)
	assert.Contains(t, out, "Optional rationale (press Enter to skip):\nDecision resolved.\n")
	assert.Equal(t, []string{"my"}, r.outcome().Answer.Replies[0].Selected)
	assert.Equal(t, queue.SourceOwner, r.outcome().Team.Summary.Source)
	assert.Equal(t, "we know it", r.outcome().Team.Rationale)
}

func TestWhatWasWrittenInTheEditorIsShownAgainWhereThePersonGoesBack(t *testing.T) {
	r := newRig(t, single)
	var opened []string
	r.edit = func(text string) (string, error) {
		opened = append(opened, text)
		return "Oracle", nil
	}
	end, out := r.play("w", "", "b", "f", summed, "e", "", "", "e", "", "1")
	assert.Equal(t, Over, end)
	assert.Contains(t, out, "Proposed answer:                                                   │\n│   Oracle  ")
	assert.Equal(t, []string{"PostgreSQL, with a plan for migration.", "Oracle"}, opened)
}

func TestOptionsAreChosenByNumberLabelOrOwnWords(t *testing.T) {
	for typed, want := range map[string]queue.Reply{
		"2": {Question: "q", Selected: []string{"my"}}, "mysql": {Question: "q", Selected: []string{"my"}},
		"": {Question: "q", Selected: []string{"pg"}}, `"3"`: {Question: "q", Text: "3"},
		`"2"`: {Question: "q", Text: "2"}, "3 of them": {Question: "q", Text: "3 of them"}, `"so"`: {Question: "q", Text: `"so"`},
		"Oracle": {Question: "q", Text: "Oracle"},
	} {
		r := newRig(t, func(s *queue.Session) {
			s.Ask.Questions[0] = queue.Question{ID: "q", Text: question, Mode: queue.ModeHybrid, Max: 1, Defaults: []string{"pg"},
				Options: []queue.Option{{ID: "pg", Label: "PostgreSQL"}, {ID: "my", Label: "MySQL"}}}
		})
		_, out := r.play(typed)
		assert.True(t, strings.HasPrefix(out, "  1: PostgreSQL\n  2: MySQL\n"+question+" [PostgreSQL]:\n"), out)
		assert.Equal(t, want, r.outcome().Answer.Replies[0], typed)
	}
}

// silent is a team where no agent sums up before the person gives up on it.
type silent struct{ widen.Team }

func (s silent) Summarise(ctx context.Context, _ string, _ widen.Discussion, _ widen.Actor) (queue.Candidate, error) {
	<-ctx.Done()
	return queue.Candidate{}, ctx.Err()
}

func TestThePersonGoesOnWithoutTheSummaryOfAnAgent(t *testing.T) {
	const said = "The agent has 30 seconds to sum this up, from when it receives it; type e to write it yourself, " +
		"d to defer, Enter to continue without it.\nThe agent has not summed this up yet; type e to write it yourself, " +
		"d to defer, Enter to continue without it.\n"
	for typed, then := range map[string][]string{"": {"d", "no time"}, "A": {"d", "no time"}, "d": {"no time"}, "e": {}} {
		r := newRig(t, func(s *queue.Session) { s.Origin.Dialect, s.Ask.Prompt = "provide_choice", "p" })
		r.edit = func(text string) (string, error) { assert.Empty(t, text); return "MySQL", nil }
		talk := r.talk(append([]string{"w", "", "b", "f", "perhaps", typed}, then...)...)
		talk.o.Team = silent{talk.o.Team}
		end, err := talk.Ask(t.Context(), r.about)
		require.NoError(t, err)
		assert.Equal(t, Over, end)
		out := r.out.String()
		switch typed {
		case "d":
			assert.Contains(t, out, said+"\nRationale for deferral (required):\n")
		case "e":
			assert.Contains(t, out, said+"\nDecision resolved.\n")
			assert.Equal(t, "MySQL", r.text())
			assert.Equal(t, queue.SourceManual, r.outcome().Team.Summary.Source)
			continue
		default:
			assert.Contains(t, out, said+"\nSummarization timed out")
		}
		assert.Equal(t, "no time", r.outcome().Reason)
	}
}

func TestThePersonNeedNotWaitForASummaryOfTheLines(t *testing.T) {
	const said = "Waiting for the summary, up to 30 seconds; type e to write it yourself, d to defer.\n"
	r := newRig(t)
	end, out := r.play("w", "", "b", "f", "perhaps", "D", "no time")
	assert.Equal(t, Over, end)
	assert.Contains(t, out, said+"\nRationale for deferral (required):\n")
	assert.Equal(t, "no time", r.outcome().Reason)

	r = newRig(t)
	r.edit = func(text string) (string, error) { assert.Empty(t, text); return "MySQL", nil }
	end, out = r.play("w", "", "b", "f", "e")
	assert.Equal(t, Over, end)
	assert.Contains(t, out, said+"\nDecision resolved.\n")
	assert.Equal(t, "MySQL", r.text())

	r = newRig(t)
	end, out = r.play(append([]string{"w", "", "b", "f", "{", "d"}, "}", "d", "no")...)
	assert.Equal(t, Over, end)
	assert.Contains(t, out, "Summarization timed out or produced invalid output.", "no line of a summary is a command")

	r = newRig(t)
	_, _ = r.play("w", "", "b")
	r.guard = time.Hour
	talk := r.talk("d", summed)
	s, err := r.q.Store.Get(t.Context(), r.about)
	require.NoError(t, err)
	talk.c.See(s)
	_, err = talk.readSummary(t.Context())
	require.NoError(t, err)
	assert.Empty(t, talk.typed, "it was meant for what stood there before")
	assert.Contains(t, r.out.String(), said+say.LineTooSoon("d"))
}

func TestTheEndOfTheConversationEndsTheWaitForAnAgentToo(t *testing.T) {
	for name, lines := range map[string][]string{"!cancel": {"!cancel"}, "end of input": {}} {
		r := newRig(t, func(s *queue.Session) { s.Origin.Dialect, s.Ask.Prompt = "provide_choice", "p" })
		talk := r.talk(append([]string{"w", "", "b", "f"}, lines...)...)
		talk.o.Team = silent{talk.o.Team}
		end, err := talk.Ask(t.Context(), r.about)
		require.NoError(t, err, name)
		assert.Equal(t, Stopped, end, name)
		assert.Nil(t, r.session().Outcome, name)
	}
}

func TestAQuestionOfAScriptIsReviewedAtOnceWithoutASummary(t *testing.T) {
	r := newRig(t, func(s *queue.Session) {
		s.Origin.Dialect, s.Origin.Client, s.Ask.Prompt = "provide_choice", queue.ClientAsk, "p"
	})
	begun := time.Now()
	_, out := r.play("w", "", "b", "f", "d", "later")
	assert.Less(t, time.Since(begun), 5*time.Second)
	assert.Contains(t, out, "Summarization timed out or produced invalid output.")
	assert.NotContains(t, out, "to sum this up")
}

func TestCancelEndsTheWaitForASummary(t *testing.T) {
	for name, before := range map[string][]string{"before it": {}, "behind words": {"Here it is:"}, "within it": {"{"}} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			end, out := r.play(append(append([]string{"w", "", "b", "f"}, before...), "!cancel", summed, "a")...)
			assert.Equal(t, Stopped, end)
			assert.NotContains(t, out, "Candidate Review")
			assert.NotContains(t, out, "Summarization")
			assert.Nil(t, r.session().Outcome)
		})
	}
}

func TestANumberThatNoOptionHasIsRefused(t *testing.T) {
	for name, begin := range map[string][]string{"prompt": {}, "waiting": {"w", "", "b"}} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, func(s *queue.Session) {
				s.Ask.Questions[0] = queue.Question{ID: "q", Text: question, Mode: queue.ModeHybrid, Max: 1,
					Options: []queue.Option{{ID: "pg", Label: "PostgreSQL"}, {ID: "2026", Label: "MySQL"}}}
			})
			end, out := r.play(append(begin, "7", "0")...)
			assert.Equal(t, Stopped, end)
			assert.Contains(t, out, "There is no option 7; choose 1 or 2, or type \"7\" in quotes as your own words.\n")
			assert.Contains(t, out, "There is no option 0;")
			assert.Nil(t, r.session().Outcome)
			end, _ = r.play("2026")
			assert.Equal(t, Over, end)
			assert.Equal(t, []string{"2026"}, r.outcome().Answer.Replies[0].Selected, "an option's id is no number")
		})
	}
}

func TestTheAgentThatAskedSumsUp(t *testing.T) {
	r := newRig(t, func(s *queue.Session) { s.Origin.Dialect, s.Ask.Prompt = "provide_choice", "p" })
	w, err := r.q.Store.Watch(t.Context(), queue.AllNews, r.about)
	require.NoError(t, err)
	defer w.Close()
	go func() {
		for {
			if _, err := w.Next(t.Context()); err != nil {
				return
			}
			s, err := r.q.Store.Get(t.Context(), r.about)
			if err == nil && s.SummaryWanted() != nil {
				do := func(a queue.Action) { _, _ = r.q.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: a}) }
				do(queue.WriteSummary{ID: s.Widen.Request.ID})
				do(queue.GiveSummary{Candidate: queue.Candidate{Summary: "S", Answer: "PostgreSQL", SourceHint: queue.SourceTeam}})
			}
		}
	}()
	end, out := r.play("w", "", "b", "f", "a")
	assert.Equal(t, Over, end, out)
	assert.Equal(t, "PostgreSQL", r.text())
}

func TestAHintIsShownAndNeverAnAnswerAtAnyPrompt(t *testing.T) {
	const hint, shown = "[WIDEN-HINT] my hint", "\nmy hint\n"
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"question":         {[]string{hint, "MySQL"}, queue.StatusCustom},
		"audience":         {[]string{"w", hint, "", "b", "MySQL"}, queue.StatusCustom},
		"pause":            {[]string{"w", "", hint, "b", "MySQL"}, queue.StatusCustom},
		"waiting":          {[]string{"w", "", "b", hint, "MySQL"}, queue.StatusCustom},
		"own deferral":     {[]string{"d", hint, "later"}, queue.StatusDeferred},
		"deferral":         {[]string{"w", "", "b", "d", hint, "later"}, queue.StatusDeferred},
		"summary":          {[]string{"w", "", "b", "f", hint, summed, "e", "so"}, queue.StatusCustom},
		"review":           {[]string{"w", "", "b", "f", summed, hint, "e", "so"}, queue.StatusCustom},
		"rationale":        {[]string{"w", "", "b", "f", summed, "e", hint, "so"}, queue.StatusCustom},
		"inside a summary": {[]string{"w", "", "b", "f", "{", hint, summed[1:], "e", "so"}, queue.StatusCustom},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.edit = func(string) (string, error) { return "MySQL", nil }
			end, out := r.play(c.lines...)
			require.Equal(t, Over, end, out)
			assert.Contains(t, out, shown)
			assert.NotContains(t, out, "WIDEN-HINT")
			o := r.outcome()
			assert.Equal(t, c.want, o.Status)
			if c.want == queue.StatusDeferred {
				assert.Equal(t, "later", o.Reason)
				return
			}
			assert.Equal(t, "MySQL", r.text())
			if o.Team != nil {
				assert.NotContains(t, o.Team.Rationale, "hint")
			}
		})
	}
}

func TestALineTypedBeforeSomethingNewStoodThereIsNotTaken(t *testing.T) {
	r := newRig(t)
	r.guard = 50 * time.Millisecond
	end, out := r.play("MySQL", "")
	assert.Equal(t, Stopped, end)
	assert.Contains(t, out, "Not taken: \"MySQL\" came too soon. Type it again.\n")
	assert.Contains(t, out, "Not yet: that Enter came too soon.")
	assert.Nil(t, r.session().Outcome)
}

func TestHostileNamesAndTextsNeitherSteerATerminalNorForgeABox(t *testing.T) {
	const evil = "Mallory\n╰──╯\n[green]Decision resolved.[/green]\x1b[2J\u202e"
	r := newRig(t, func(s *queue.Session) {
		s.Ask.Title, s.Ask.Prompt = "t", "p"
		s.Ask.Questions[0].Text, s.Ask.Questions[0].DefaultText = "Text\x1b]0;x\a\n"+evil, evil
	})
	r.team.members = []queue.Member{{UserID: "9", Name: evil}}
	r.team.talk = widen.NewDiscussion([]string{evil}, []widen.Message{{Name: evil, Text: evil}}, 1, "javascript:alert(1)")
	hostile, err := json.Marshal(map[string]string{"candidate_summary": evil, "candidate_answer": evil + strings.Repeat("界", 90),
		"source_hint": "slack_extraction"})
	require.NoError(t, err)
	_, out := r.play("[WIDEN-HINT] "+"h", "w", "", "b", "f", string(hostile), "d", "x")
	assert.NotRegexp(t, `[\x00-\x09\x0b-\x1f\x7f]`, out)
	assert.NotContains(t, out, "\u202e")
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "╭"), strings.HasPrefix(line, "│"), strings.HasPrefix(line, "╰"):
			assert.Equal(t, 70, ink.Width(line), line)
			assert.Regexp(t, "[╮│╯]$", line)
		case strings.HasPrefix(line, "║"), strings.HasPrefix(line, "╔"), strings.HasPrefix(line, "╚"):
			assert.Equal(t, 68, ink.Width(line), line)
		}
	}
}

func TestColoursAreWrittenOnlyWhereTheyAreWanted(t *testing.T) {
	r := newRig(t)
	_, out := r.play("w", "", "b", "f", summed, "a")
	assert.NotContains(t, out, "\x1b")
	assert.NotRegexp(t, `\[/?(red|green|yellow|dim)\]`, out)
	r = newRig(t)
	r.colour = true
	_, out = r.play("w", "", "b", "f", summed, "a")
	assert.Contains(t, out, "\x1b[32mDecision resolved.\x1b[0m\n")
}

// syncBuilder may be read while it is written.
type syncBuilder struct {
	mu sync.Mutex
	b  strings.Builder
}

func (b *syncBuilder) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuilder) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
