package httpapi

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/app/widen/contractserver"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
	rules "github.com/choicetui/choicetui/queue/widen"
)

// process is one choicetui at a queue on disk: each has a store and a service of its own.
type process struct {
	*testing.T
	q    *queue.Queue
	team *widen.Service
}

func newProcess(t *testing.T, dir string, b *Backend) process {
	store, err := spool.Open(filepath.Join(dir, "queue"))
	require.NoError(t, err)
	q := queue.New(store)
	return process{t, q, widen.New(widen.Options{Queue: q, Backend: func() (widen.Backend, error) { return b, nil },
		Dir: filepath.Join(dir, "widen"), Place: filepath.Join(dir, "queue")})}
}

func (p process) ask(origin queue.Origin) queue.Session {
	s, err := p.q.Create(p.Context(), queue.Session{Origin: origin, Ask: queue.Ask{Kind: queue.KindChoice,
		Title: "Database", Prompt: "Choose.", TimeoutSeconds: 300, OnTimeout: queue.OnTimeoutNone,
		Questions: []queue.Question{{ID: "charter.db", Text: "Which database?", Mode: queue.ModeText}}}})
	require.NoError(p, err)
	return s
}

func TestAQuestionGoesToTheTeamAndComesBackDecidedAcrossProcesses(t *testing.T) {
	dir := t.TempDir()
	b, server := start(t)
	one, other := newProcess(t, dir, b), newProcess(t, dir, b)
	ctx := t.Context()
	release, err := one.q.Store.Announce(ctx, queue.Presence{Instance: "bridge", Role: queue.RoleBridge})
	require.NoError(t, err)
	defer release()
	asked := one.ask(queue.Origin{Dialect: "provide_choice", Cwd: "/home/me/shop", Instance: "bridge"})

	all, err := one.team.Audience(ctx, widen.Mission(asked))
	require.NoError(t, err)
	kept, unknown := rules.Trim(all, "carol lee, alice johnson, Eve")
	assert.Equal(t, []string{"Eve"}, unknown)
	s, err := one.team.Widen(ctx, widen.Call{Session: asked.ID, Invited: kept})
	require.NoError(t, err)
	assert.Equal(t, "Alice Johnson, Carol Lee", s.Widen.Names())
	_, err = one.team.Park(ctx, s.ID, widen.Actor{})
	require.NoError(t, err)
	entries, _ := other.team.Pending().List()
	require.Len(t, entries, 1)
	assert.Equal(t, "shop", entries[0].MissionSlug)

	server.Say(s.Widen.Decision, "Alice Johnson", "PostgreSQL, and a plan")
	d, err := other.team.Fetch(ctx, s.ID)
	require.NoError(t, err)
	go one.sumUp(s.ID)
	review, err := other.team.Summarise(ctx, s.ID, d, widen.Actor{})
	require.NoError(t, err)
	assert.Equal(t, "PostgreSQL", review.CandidateAnswer)

	answer, ok := rules.FinalAnswer(s.Ask, review.CandidateAnswer)
	require.True(t, ok)
	verdict := widen.Verdict{Answer: answer, Team: &queue.Resolution{Summary: queue.Summary{Text: review.CandidateSummary,
		Source: rules.Source("PostgreSQL", review.CandidateAnswer)}}}
	_, err = other.team.Resolve(ctx, s.ID, verdict)
	require.NoError(t, err)
	_, err = one.team.Resolve(ctx, s.ID, verdict)
	assert.ErrorIs(t, err, queue.ErrSettled, "two who review the same question")
	left, err := other.team.Courier().Deliver(ctx)
	require.NoError(t, err)
	assert.Zero(t, left)
	assert.Equal(t, contractserver.Resolve, server.Ended(s.Widen.Decision))
	entries, _ = one.team.Pending().List()
	assert.Empty(t, entries)
	files, err := os.ReadDir(filepath.Join(dir, "widen"))
	require.NoError(t, err)
	assert.Empty(t, files, "nothing is left behind")
}

// sumUp is the agent: it fetches the discussion and gives a summary.
func (p process) sumUp(id string) {
	for p.Context().Err() == nil {
		s, err := p.q.Store.Get(p.Context(), id)
		if err == nil && s.SummaryWanted() != nil {
			request := s.SummaryWanted().ID
			_, err = p.q.Do(p.Context(), id, queue.Command{Do: queue.WriteSummary{ID: request}})
			assert.NoError(p, err)
			_, err = p.q.Do(p.Context(), id, queue.Command{Do: queue.GiveSummary{Request: request,
				Candidate: queue.Candidate{Summary: "All agree.", Answer: "PostgreSQL", SourceHint: queue.SourceTeam}}})
			assert.NoError(p, err)
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func TestWhateverTheServerDoesTheQuestionIsStillThereAndUnanswered(t *testing.T) {
	for name, order := range map[string]contractserver.Order{
		"401": {Status: 401}, "500": {Status: 500}, "half an answer": {Half: true}, "no answer": {Hang: true},
		"busy": {Status: 429, RetryAfter: "3600"}, "another answer": {Body: `{"decision_id": 7}`}, "slow": {Delay: time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			b, server := start(t)
			p := newProcess(t, dir, b)
			asked := p.ask(queue.Origin{Dialect: queue.DialectInterview, Thread: "mission"})
			if order.Delay > 0 {
				order = contractserver.Order{Delay: 400 * time.Millisecond}
			}
			server.Misbehave(contractserver.Widen, order)
			call := widen.Call{Session: asked.ID, Invited: []queue.Member{{UserID: "u1", Name: "Alice Johnson"}}}
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			_, err := p.team.Widen(ctx, call)
			var f *widen.Failure
			require.True(t, errors.As(err, &f), "%v", err)
			assert.Regexp(t, `^[A-Z].*\.$`, err.Error(), "a sentence")
			s, err := p.q.Store.Get(t.Context(), asked.ID)
			require.NoError(t, err)
			assert.Nil(t, s.Outcome)
			assert.Nil(t, s.Widen)

			p = newProcess(t, dir, b) // after a crash
			s, err = p.team.Widen(t.Context(), call)
			require.NoError(t, err)
			requests := server.Requests(contractserver.Widen)
			assert.Equal(t, requests[0].Decision, requests[len(requests)-1].Decision, "the same decision")
			assert.Equal(t, "mission", s.Widen.Mission)
			assert.Equal(t, "charter.db", s.Widen.QuestionID)
		})
	}
}
