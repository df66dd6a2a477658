package interview

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/widen/talk"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
	"github.com/choicetui/choicetui/queue/widen"
)

const two = `mission: shop
questions:
  - id: charter.db
    text: Which database?
    default: lite
    options: [PostgreSQL, {id: lite, label: SQLite}]
  - id: charter.name
    text: What is it called?
`

// person answers each question by its text, in the name of any frontend.
type person struct {
	*testing.T
	q     *queue.Queue
	do    map[string]queue.Action // by the question's id; nil: they leave
	asked []string
	pass  []string
	waits int // for the queue's server
}

func (p *person) Ask(ctx context.Context, about string) (talk.End, error) {
	p.asked = append(p.asked, p.id(about))
	return p.act(ctx, about)
}

func (p *person) BeginPass(n int) { p.pass = append(p.pass, strings.Repeat("x", n)) }

func (p *person) Pass(ctx context.Context, about string, _, _ int) (talk.End, error) {
	p.pass = append(p.pass, p.id(about))
	_, err := p.q.Do(ctx, about, queue.Command{By: queue.ByHuman, Do: queue.Settle{Answer: words(p.id(about), "late"),
		Team: &queue.Resolution{Summary: queue.Summary{Text: "S", Source: queue.SourceTeam}, Rationale: "why"}}})
	return talk.Over, err
}

// id returns the id of a session's question.
func (p *person) id(session string) string {
	s, err := p.q.Store.Get(p.Context(), session)
	require.NoError(p, err)
	return s.Ask.Questions[0].ID
}

func (p *person) Outlast(_ context.Context, do func() error) error {
	return talk.Outlast(do, func(error) error { p.waits++; return nil })
}

func (p *person) act(ctx context.Context, about string) (talk.End, error) {
	do := p.do[p.id(about)]
	if do == nil {
		return talk.Stopped, nil
	}
	_, err := p.q.Do(ctx, about, queue.Command{By: queue.ByHuman, Do: do})
	if w, ok := do.(queue.Widen); ok && err == nil {
		require.NotEmpty(p, w.Widened.Decision)
		_, err = p.q.Do(ctx, about, queue.Command{By: queue.ByHuman, Do: queue.Regroup{State: queue.WidenParked}})
		return talk.Parked, err
	}
	if _, parks := do.(queue.Regroup); parks {
		return talk.Parked, err
	}
	return talk.Over, err
}

func words(id, text string) queue.Answer {
	return queue.Answer{Replies: []queue.Reply{{Question: id, Text: text}}}
}

// bench is a place for an interview, and the person who is asked.
type bench struct {
	*testing.T
	dir    string
	person *person
}

func newBench(t *testing.T, file string) *bench {
	b := &bench{T: t, dir: t.TempDir(), person: &person{T: t, q: queue.New(storetest.NewMemory()),
		do: map[string]queue.Action{"charter.db": queue.Settle{Answer: words("charter.db", "MySQL")},
			"charter.name": queue.Settle{Answer: words("charter.name", "shop")}}}}
	require.NoError(t, os.WriteFile(b.path("charter.yaml"), []byte(file), 0o600))
	return b
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

func (b *bench) read(name string) string {
	raw, err := os.ReadFile(b.path(name))
	require.NoError(b, err)
	return string(raw)
}

func (b *bench) options(force bool) (Options, error) {
	f, err := Load(b.path("charter.yaml"))
	return Options{Queue: b.person.q, Frontend: b.person, File: f, Answers: b.path("answers.yaml"), Force: force,
		Origin: queue.Origin{Instance: queue.NewToken(), Cwd: b.dir}}, err
}

func (b *bench) open(force bool) (*Interview, error) {
	b.Helper()
	o, err := b.options(force)
	require.NoError(b, err)
	return Open(o)
}

func (b *bench) run(force bool) (Result, error) {
	b.Helper()
	i, err := b.open(force)
	require.NoError(b, err)
	defer i.Close()
	return i.Run(b.Context())
}

func (b *bench) live() []queue.Session {
	live, _, err := b.person.q.Store.Live(b.Context())
	require.NoError(b, err)
	return live
}

func TestAnswersAndDecisionsAreWrittenAndNothingElseIsLeft(t *testing.T) {
	b := newBench(t, two)
	b.person.do["charter.name"] = queue.Defer{Rationale: "marketing decides"}
	res, err := b.run(false)
	require.NoError(t, err)
	assert.Equal(t, Finished, res.Status)
	assert.Equal(t, "mission: shop\nanswers:\n  charter.db: MySQL\ndeferred:\n  charter.name: marketing decides\n",
		b.read("answers.yaml"))
	var list []Decision
	require.NoError(t, json.Unmarshal([]byte(b.read("decisions.json")), &list))
	require.Len(t, list, 2)
	assert.True(t, widen.IsDecision(list[0].DecisionID))
	assert.Equal(t, "MySQL", *list[0].FinalAnswer)
	assert.Equal(t, queue.Summary{Source: queue.SourceManual}, list[0].Summary)
	assert.Nil(t, list[0].Rationale)
	assert.Equal(t, StatusDeferred, list[1].Status)
	assert.Nil(t, list[1].FinalAnswer)
	assert.NoFileExists(t, b.path("answers.yaml.partial"))
	assert.Empty(t, b.live())
}

func TestAParkedQuestionIsReviewedInTheEnd(t *testing.T) {
	b := newBench(t, two)
	b.person.do["charter.db"] = queue.Widen{Widened: queue.Widened{Decision: "D1", Mission: "shop", QuestionID: "charter.db"}}
	_, err := b.run(false)
	require.NoError(t, err)
	assert.Equal(t, []string{"x", "charter.db"}, b.person.pass)
	assert.Contains(t, b.read("answers.yaml"), "  charter.db: late\n")
	assert.Contains(t, b.read("decisions.json"), `"decision_id": "D1"`)
	assert.Contains(t, b.read("decisions.json"), `"rationale": "why"`)
}

// parking is an answer of a person who goes on while the team has the question.
func parking(decision string) queue.Action {
	return queue.Widen{Widened: queue.Widened{Decision: decision, Mission: "shop", QuestionID: "charter.db",
		Response: json.RawMessage("{\"decision_id\": \"" + decision + "\",\n \"widened_at\":\"2026-04-23T16:00:00Z\"}")}}
}

func TestAParkedQuestionIsOnTheListUntilItIsDecided(t *testing.T) {
	b := newBench(t, two)
	require.NoError(t, os.WriteFile(b.path(PendingName), []byte("{broken\n"), 0o600))
	b.person.do["charter.db"], b.person.do["charter.name"] = parking("D1"), nil
	_, err := b.run(false)
	require.ErrorIs(t, err, ErrStopped)
	broken, line, _ := strings.Cut(b.read(PendingName), "\n")
	assert.Equal(t, "{broken", broken, "what cannot be read stays")
	e, err := widen.ParsePending([]byte(line))
	require.NoError(t, err)
	assert.Equal(t, []string{"D1", "shop", "charter.db", "Which database?"},
		[]string{e.DecisionID, e.MissionSlug, e.QuestionID, e.QuestionText})
	is, err := os.Stat(b.path(PendingName))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), is.Mode().Perm())

	require.NoError(t, os.Remove(b.path(PendingName))) // as if it was killed before it wrote the line
	b.person.do["charter.db"] = queue.Regroup{State: queue.WidenParked}
	_, err = b.run(false)
	require.ErrorIs(t, err, ErrStopped)
	assert.Contains(t, b.read(PendingName), "D1")
	b.person.do["charter.db"] = queue.Settle{Answer: words("charter.db", "SQLite")}
	b.person.do["charter.name"] = queue.Settle{Answer: words("charter.name", "shop")}
	_, err = b.run(false)
	require.NoError(t, err)
	assert.NoFileExists(t, b.path(PendingName), "a list of nothing is no file")
}

func TestInterviewsOfOneDirectoryShareTheListWithoutLosingALine(t *testing.T) {
	b := newBench(t, two)
	i, err := b.open(false)
	require.NoError(t, err)
	defer i.Close()
	var group sync.WaitGroup
	all := make([]queue.Session, 20)
	for n := range all {
		now := time.Now()
		w := parking(fmt.Sprint("d", n)).(queue.Widen).Widened
		w.State, w.ParkedAt = queue.WidenParked, &now
		all[n] = queue.Session{Widen: &w, Ask: i.o.File.Questions[0].Ask()}
		group.Go(func() { assert.NoError(t, i.updatePending(t.Context(), all[n])) })
	}
	group.Wait()
	assert.Len(t, strings.Split(b.read(PendingName), "\n"), 21)
	for _, s := range all {
		s.Outcome = &queue.Outcome{}
		group.Go(func() { assert.NoError(t, i.updatePending(t.Context(), s)) })
	}
	group.Wait()
	assert.NoFileExists(t, b.path(PendingName))
	left, _ := filepath.Glob(b.path(".widen-*"))
	assert.Empty(t, left)
}

func TestAnInterviewThatWasLeftGoesOnWhereItWas(t *testing.T) {
	b := newBench(t, two)
	b.person.do["charter.name"] = nil
	res, err := b.run(false)
	require.ErrorIs(t, err, ErrStopped)
	assert.Equal(t, Result{Status: Stopped, Mission: "shop", Questions: 2, Answered: 1, Partial: b.path("answers.yaml.partial")}, res)
	require.Len(t, b.live(), 1)
	pending := b.live()[0].ID
	b.person.do["charter.name"] = queue.Settle{Answer: words("charter.name", "shop")}
	_, err = b.run(false)
	require.NoError(t, err)
	assert.Equal(t, []string{"charter.db", "charter.name", "charter.name"}, b.person.asked)
	assert.Equal(t, "mission: shop\nanswers:\n  charter.db: MySQL\n  charter.name: shop\n", b.read("answers.yaml"))
	s, err := b.person.q.Store.Get(t.Context(), pending)
	require.NoError(t, err)
	assert.True(t, s.Outcome.Answered(), "the session that was pending got the answer")
}

func TestAnAnswerGivenWhileNobodyRanIsTaken(t *testing.T) {
	b := newBench(t, two)
	b.person.do["charter.db"] = nil
	_, err := b.run(false)
	require.ErrorIs(t, err, ErrStopped)
	_, err = b.person.q.Do(t.Context(), b.live()[0].ID, queue.Command{By: queue.ByHuman,
		Do: queue.Settle{Answer: words("charter.db", "Oracle")}})
	require.NoError(t, err)
	_, err = b.run(false)
	require.NoError(t, err)
	assert.Contains(t, b.read("answers.yaml"), "charter.db: Oracle")
	assert.Equal(t, []string{"charter.db", "charter.name"}, b.person.asked)
}

func TestWithoutItsPartialFileAPendingQuestionIsNotAskedTwice(t *testing.T) {
	b := newBench(t, two)
	b.person.do["charter.db"] = nil
	_, err := b.run(false)
	require.ErrorIs(t, err, ErrStopped)
	require.NoError(t, os.Remove(b.path("answers.yaml.partial")))
	_, err = b.run(false)
	require.ErrorIs(t, err, ErrStopped)
	assert.Len(t, b.live(), 1)
}

func TestAQuestionChangedInTheFileIsAskedAnew(t *testing.T) {
	b := newBench(t, two)
	b.person.do["charter.db"] = nil
	_, err := b.run(false)
	require.ErrorIs(t, err, ErrStopped)
	old := b.live()[0].ID
	require.NoError(t, os.WriteFile(b.path("charter.yaml"), []byte(strings.Replace(two, "Which", "What", 1)), 0o600))
	_, err = b.run(false)
	require.ErrorIs(t, err, ErrStopped)
	s, err := b.person.q.Store.Get(t.Context(), old)
	require.NoError(t, err)
	assert.Equal(t, queue.StatusCancelled, s.Outcome.Status)
	assert.Equal(t, queue.ByCaller, s.Outcome.By)
}

func (b *bench) rewrite(old, other string) {
	text := b.read("charter.yaml")
	require.Contains(b, text, old)
	require.NoError(b, os.WriteFile(b.path("charter.yaml"), []byte(strings.Replace(text, old, other, 1)), 0o600))
}

func TestAnAnsweredQuestionThatWasChangedInTheFileIsAskedAnew(t *testing.T) {
	for _, changed := range []struct{ old, other string }{
		{"Which database", "What database"}, {"PostgreSQL, {id", "MariaDB, {id"}, {"label: SQLite", "label: SQLite 3"},
		{"[PostgreSQL, ", "["},
	} {
		b := newBench(t, two)
		b.person.do["charter.name"] = nil
		_, err := b.run(false)
		require.ErrorIs(t, err, ErrStopped)
		b.rewrite(changed.old, changed.other)
		b.person.do["charter.db"] = queue.Settle{Answer: words("charter.db", "Oracle")}
		b.person.do["charter.name"] = queue.Settle{Answer: words("charter.name", "shop")}
		_, err = b.run(false)
		require.NoError(t, err)
		assert.Equal(t, []string{"charter.db", "charter.name", "charter.db", "charter.name"}, b.person.asked)
		assert.Equal(t, "Oracle", answerIn(t, b.read("answers.yaml")))
		var list []Decision
		require.NoError(t, json.Unmarshal([]byte(b.read("decisions.json")), &list))
		assert.Len(t, list, 2)
	}
}

func TestAnAnswerStandsWhereOnlyTheDefaultWasChanged(t *testing.T) {
	b := newBench(t, two)
	b.person.do["charter.name"] = nil
	_, err := b.run(false)
	require.ErrorIs(t, err, ErrStopped)
	b.rewrite("default: lite", "default: PostgreSQL")
	b.person.do["charter.name"] = queue.Settle{Answer: words("charter.name", "shop")}
	_, err = b.run(false)
	require.NoError(t, err)
	assert.Equal(t, []string{"charter.db", "charter.name", "charter.name"}, b.person.asked)
}

func TestAnAnswerGivenWhileNobodyRanToAQuestionThatWasChangedIsNotTaken(t *testing.T) {
	b := newBench(t, two)
	settle := b.person.do["charter.db"]
	b.person.do["charter.db"] = nil
	_, err := b.run(false)
	require.ErrorIs(t, err, ErrStopped)
	_, err = b.person.q.Do(t.Context(), b.live()[0].ID, queue.Command{By: queue.ByHuman,
		Do: queue.Settle{Answer: words("charter.db", "Oracle")}})
	require.NoError(t, err)
	b.rewrite("Which database", "What database")
	b.person.do["charter.db"] = settle
	_, err = b.run(false)
	require.NoError(t, err)
	assert.Equal(t, "MySQL", answerIn(t, b.read("answers.yaml")))
}

func TestWhatTheTeamHasIsNotAskedAnewWhereTheFileWasChanged(t *testing.T) {
	b := newBench(t, two)
	b.person.do["charter.db"] = queue.Widen{Widened: queue.Widened{Decision: "D1", Mission: "shop", QuestionID: "charter.db"}}
	b.person.do["charter.name"] = nil
	_, err := b.run(false)
	require.ErrorIs(t, err, ErrStopped)
	b.rewrite("Which database", "What database")
	b.person.do["charter.db"] = queue.Settle{Answer: words("charter.db", "Oracle")}
	b.person.do["charter.name"] = queue.Settle{Answer: words("charter.name", "shop")}
	_, err = b.run(false)
	require.NoError(t, err)
	assert.Contains(t, b.read("decisions.json"), `"decision_id": "D1"`)
	assert.Equal(t, []string{"charter.db", "charter.name", "charter.db", "charter.name"}, b.person.asked, "once a run")
}

func TestAQuestionCancelledElsewhereEndsTheInterviewWithoutAnAnswer(t *testing.T) {
	b := newBench(t, two)
	b.person.do["charter.db"] = queue.Cancel{Reason: "no"}
	_, err := b.run(false)
	require.ErrorIs(t, err, ErrStopped)
	assert.NoFileExists(t, b.path("answers.yaml"))
	assert.Equal(t, []string{"charter.db"}, b.person.asked)
}

func TestAQuestionWhoseTimeRanOutIsAskedAnew(t *testing.T) {
	b := newBench(t, two)
	late := false
	b.person.q.Now = func() time.Time {
		if late {
			return time.Now().Add(25 * time.Hour)
		}
		return time.Now()
	}
	first := b.person.do["charter.db"]
	b.person.do["charter.db"] = nil
	_, err := b.run(false)
	require.ErrorIs(t, err, ErrStopped)
	late = true
	b.person.do["charter.db"] = first
	_, err = b.run(false)
	require.NoError(t, err)
	assert.Contains(t, b.read("answers.yaml"), "charter.db: MySQL")
}

func TestFinishedAnswersAreOverwrittenOnlyByForce(t *testing.T) {
	for _, there := range []string{"answers.yaml", "decisions.json"} {
		b := newBench(t, two)
		require.NoError(t, os.WriteFile(b.path(there), []byte("mine"), 0o600))
		_, err := b.open(false)
		require.ErrorContains(t, err, there+" is there already; --force overwrites it")
		assert.Equal(t, "mine", b.read(there))
		_, err = b.run(true)
		require.NoError(t, err)
		assert.NotEqual(t, "mine", b.read(there))
	}
}

func TestARunThatWasKilledWhileItWroteTheAnswersIsFinished(t *testing.T) {
	b := newBench(t, two)
	i, err := b.open(false)
	require.NoError(t, err)
	require.NoError(t, i.askAll(t.Context()))
	i.Close() // all is answered, nothing is written
	require.NoError(t, os.WriteFile(b.path("decisions.json"), []byte("[]"), 0o600))
	_, err = b.run(false)
	require.NoError(t, err)
	assert.Len(t, b.person.asked, 2)
	assert.Contains(t, b.read("answers.yaml"), "charter.name: shop")
}

func TestAnotherProcessIsKeptFromTheSameFile(t *testing.T) {
	b := newBench(t, two)
	i, err := b.open(false)
	require.NoError(t, err)
	_, err = b.open(false)
	require.ErrorContains(t, err, "another choicetui asks the questions of")
	i.Close()
	_, err = b.run(false)
	require.NoError(t, err)
}

func TestAPartialFileOfAnotherInterviewOrABrokenOneIsLeftAlone(t *testing.T) {
	for text, want := range map[string]string{
		"mission: other\n": "has the answers of another interview", "][": "cannot be read", "mission: shop\nx: 1\n": "cannot be read",
	} {
		b := newBench(t, two)
		require.NoError(t, os.WriteFile(b.path("answers.yaml.partial"), []byte(text), 0o600))
		_, err := b.open(true)
		require.ErrorContains(t, err, want)
		assert.Equal(t, text, b.read("answers.yaml.partial"))
	}
}

func TestAnswersThatLookLikeSomethingElseStayTexts(t *testing.T) {
	for _, text := range []string{"no", "1.0", "null", "a: b", "two\nlines\n", "- x", "a\u202eb", "日本", "'\""} {
		b := newBench(t, two)
		b.person.do["charter.db"] = queue.Settle{Answer: words("charter.db", text)}
		_, err := b.run(false)
		require.NoError(t, err)
		assert.Equal(t, text, answerIn(t, b.read("answers.yaml")))
	}
}
