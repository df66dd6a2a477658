package widen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
	"github.com/choicetui/choicetui/queue/widen"
)

// olderRecord writes the file that a program of an older version keeps about a session, to the byte, and returns its
// path. response is empty where nobody knows whether the team was asked.
func (b *bench) olderRecord(s queue.Session, decision, response string) string {
	require.NoError(b, os.MkdirAll(b.o.Dir, 0o700))
	if response != "" {
		response = fmt.Sprintf(`
  "widen_endpoint_response": {
    "decision_id": %q,
    "widened_at": "2026-04-23T16:00:00Z",
    "slack_thread_url": "https://slack.com/archives/C1/p1"
  },`, decision)
	}
	text := fmt.Sprintf(`{
  "schema_version": 1,
  "queue": "/queue",
  "session_id": %q,
  "decision_id": %q,
  "mission_slug": "shop",
  "question_id": "provide_choice.x",
  "backend": "http",
  "asked_at": "2026-11-20T12:00:00Z",
  "called": true,
  "invited": [
    {
      "user_id": "U1",
      "display_name": "Alice Johnson"
    }
  ],%s
  "pending_file": "/home/me/.local/state/choicetui/widen/widen-pending.jsonl",
  "tries": 2
}
`, s.ID, decision, response)
	path := filepath.Join(b.o.Dir, decision+".json")
	require.NoError(b, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// olderWidened asks the team as an older program does: nothing but the question's Widened and a record say so.
func (b *bench) olderWidened() (s queue.Session, record string) {
	s = b.ask()
	decision := widen.NewDecision(time.Now())
	record = b.olderRecord(s, decision, "known")
	w := queue.Widened{Decision: decision, Mission: "shop", QuestionID: "provide_choice.x", Team: alice,
		Response: json.RawMessage(`{"decision_id":"` + decision + `","widened_at":"2026-04-23T16:00:00Z"}`)}
	s, err := b.q.Do(b.ctx, s.ID, queue.Command{ID: "widen-" + decision, By: queue.ByHuman, Do: queue.Widen{Widened: w}})
	require.NoError(b, err)
	return s, record
}

// finish answers a session and has its agent collect that.
func (b *bench) finish(id string) queue.Session {
	claim := queue.Claim{Instance: "i"}
	for _, do := range []queue.Action{queue.Settle{Answer: pg()}, queue.Take{Claim: claim}, queue.Collect{Claim: claim}} {
		_, err := b.q.Do(b.ctx, id, queue.Command{By: queue.ByHuman, Do: do})
		require.NoError(b, err)
	}
	return b.stored(id)
}

// archiving is a team during whose call an older program archives the session.
type archiving struct {
	*fakeTeam
	archive func()
}

func (a archiving) Resolve(ctx context.Context, t Thread, r Resolved) error {
	a.archive()
	return a.fakeTeam.Resolve(ctx, t, r)
}

func TestATeamIsToldOnceAlsoIfAnOlderProgramArchivesTheSessionMeanwhile(t *testing.T) {
	b := newBench(t)
	s := b.widened()
	_, err := b.service.Deliver(b.ctx)
	require.NoError(t, err)
	_, err = b.service.Do(b.ctx, s.ID, queue.Settle{Answer: pg()}, widen.Actor{})
	require.NoError(t, err)
	b.o.Backend = func() (Backend, error) {
		return archiving{b.team, func() {
			claim := queue.Claim{Instance: "i"}
			for _, do := range []queue.Action{queue.Take{Claim: claim}, queue.Collect{Claim: claim}} {
				_, err := b.q.Do(b.ctx, s.ID, queue.Command{By: queue.ByCaller, Do: do})
				assert.NoError(t, err)
			}
			assert.NoError(t, b.q.Store.Archive(b.ctx, b.stored(s.ID)))
		}}, nil
	}
	running := New(b.o)
	for range 3 {
		_, err = running.Deliver(b.ctx)
		require.NoError(t, err)
	}
	assert.Equal(t, 1, b.team.heard())
	assert.Zero(t, running.Untold(b.ctx))
}

func TestWhatAnOlderProgramKeptGoesIntoTheSessions(t *testing.T) {
	b := newBench(t)
	s, record := b.olderWidened()
	b.deliver(1)
	assert.NoFileExists(t, record)
	assert.NoDirExists(t, b.o.Dir)
	asked, called := b.stored(s.ID).TeamAsked()
	require.True(t, called)
	assert.Equal(t, []string{"http", s.Widen.Decision}, []string{asked.Backend, asked.Decision})
	b.deliver(1)
	assert.Empty(t, b.team.told)
	b.finish(s.ID)
	b.deliver(0)
	want := []string{"resolve " + s.Widen.Decision + ` "PostgreSQL, with a plan" manual "" ""`}
	assert.Equal(t, want, b.team.told)
	b.deliver(0)
	assert.Equal(t, want, b.team.told)
}

func TestAnOlderProgramsDecisionIsAskedAboutAgainAndNoOther(t *testing.T) {
	b := newBench(t)
	unsure, sure := b.ask(), b.ask()
	first, second := widen.NewDecision(time.Now()), widen.NewDecision(time.Now())
	b.olderRecord(unsure, first, "")
	b.olderRecord(sure, second, "known")
	s, err := b.widen(unsure.ID)
	require.NoError(t, err)
	assert.Equal(t, first, s.Widen.Decision)
	assert.Equal(t, first, b.team.calls[0].Decision)
	assert.False(t, b.team.calls[0].Again.IsZero(), "perhaps they were asked before")
	s, err = b.widen(sure.ID)
	require.ErrorIs(t, err, queue.ErrWidened, "they were asked")
	assert.Equal(t, second, s.Widen.Decision)
	assert.Equal(t, alice, s.Widen.Team)
	assert.Len(t, b.team.calls, 1)
}

func TestWhatTakesNoMoreIsToldFromAnOlderProgramsRecord(t *testing.T) {
	b := newBench(t)
	final, _ := b.olderWidened()
	b.finish(final.ID)
	archived, _ := b.olderWidened()
	require.NoError(t, b.q.Store.Archive(b.ctx, b.finish(archived.ID)))
	lost, record := b.olderWidened()
	b.q.Store.(*storetest.Memory).Lose(lost.ID)
	b.team.setFail(errors.New("away"))
	courier := b.service
	left, err := courier.Deliver(b.ctx)
	require.ErrorContains(t, err, "does not know of the decision yet")
	assert.Equal(t, 3, left)
	_, err = courier.Deliver(b.ctx)
	require.NoError(t, err)
	assert.Len(t, b.team.told, 3, "not before the pause is over")
	assert.FileExists(t, record)
	b.team.setFail(nil)
	b.now = func() time.Time { return time.Now().Add(firstPause) }
	left, err = courier.Deliver(b.ctx)
	require.NoError(t, err)
	assert.Zero(t, left)
	assert.ElementsMatch(t, []string{
		"resolve " + final.Widen.Decision + ` "PostgreSQL, with a plan" manual "" ""`,
		"resolve " + archived.Widen.Decision + ` "PostgreSQL, with a plan" manual "" ""`,
		"defer " + lost.Widen.Decision + ` "The question is no longer in the queue."`,
	}, b.team.told[3:])
	b.deliver(0)
	assert.Len(t, b.team.told, 6)
	assert.NoDirExists(t, b.o.Dir)
}

func TestARecordThatAnOlderProgramWorksOnIsLeftToIt(t *testing.T) {
	b := newBench(t)
	s, record := b.olderWidened()
	asked := b.ask()
	b.olderRecord(asked, widen.NewDecision(time.Now()), "")
	for _, name := range []string{s.ID, asked.ID} {
		path := filepath.Join(b.o.Dir, name+".lock")
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		lock, err := whole.Lock(b.ctx, path, 0)
		require.NoError(t, err)
		defer lock.Close()
	}
	b.finish(s.ID)
	b.deliver(2)
	assert.FileExists(t, record)
	assert.Empty(t, b.team.told)
	_, err := b.widen(asked.ID)
	require.ErrorContains(t, err, "Another choicetui is asking")
	assert.Empty(t, b.team.calls)
}

func TestARecordThatIsNotOursOrCannotBeReadStays(t *testing.T) {
	b := newBench(t)
	s, _ := b.olderWidened()
	other := b.o
	other.Place = "/another/queue"
	left, err := New(other).Deliver(b.ctx)
	require.NoError(t, err)
	assert.Zero(t, left)
	b.finish(s.ID)
	path := filepath.Join(b.o.Dir, widen.NewDecision(time.Now())+".json")
	require.NoError(t, os.WriteFile(path, []byte("{half"), 0o600))
	_, err = b.service.Deliver(b.ctx)
	assert.ErrorContains(t, err, filepath.Base(path))
	assert.FileExists(t, path)
	assert.Len(t, b.team.told, 1, "the others are told")
	b.widened()
}

func TestWhatAnOlderProgramArchivedBeforeTheTeamWasToldIsToldOnce(t *testing.T) {
	b := newBench(t)
	seen, unseen := b.widened(), b.widened()
	running := b.service
	_, err := running.Deliver(b.ctx)
	require.NoError(t, err)
	b.team.setFail(errors.New("away"))
	require.NoError(t, b.q.Store.Archive(b.ctx, b.finish(seen.ID)))
	_, err = running.Deliver(b.ctx)
	require.ErrorContains(t, err, "does not know")
	b.team.setFail(nil)
	b.now = func() time.Time { return time.Now().Add(firstPause) }
	_, err = running.Deliver(b.ctx)
	require.NoError(t, err)
	assert.Len(t, b.team.told, 2)
	require.NoError(t, b.q.Store.Archive(b.ctx, b.finish(unseen.ID)))
	assert.Equal(t, 1, running.Untold(b.ctx))
	for range 3 { // each is another process
		b.deliver(0)
	}
	assert.Zero(t, running.Untold(b.ctx), "nobody is told that the team does not know it yet")
	assert.Len(t, b.team.told, 3, "a day's history is looked through, and says nothing of whom it told")
	_, err = running.Deliver(b.ctx)
	require.NoError(t, err)
	assert.Len(t, b.team.told, 3)
}
