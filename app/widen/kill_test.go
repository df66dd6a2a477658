package widen_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/app/widen/contractserver"
	"github.com/choicetui/choicetui/app/widen/httpapi"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
	rules "github.com/choicetui/choicetui/queue/widen"
)

// What a child process is told by its environment.
const (
	childDir    = "CHOICETUI_TEST_DIR"
	childServer = "CHOICETUI_TEST_SERVER"
	childEpoch  = "CHOICETUI_TEST_EPOCH" // in ms; from then on time runs hurry times as fast
)

// hurry is how much faster the clock of these processes runs, so that the claim of a process that was killed ends soon.
const hurry = 20

func openQueue(t *testing.T, dir string) *queue.Queue {
	store, err := spool.Open(filepath.Join(dir, "queue"))
	require.NoError(t, err)
	return queue.New(store)
}

// TestChildOfKills is the program that is killed: it asks the team about every question, answers it, has it collected
// and tells the team.
func TestChildOfKills(t *testing.T) {
	dir := os.Getenv(childDir)
	if dir == "" {
		t.Skip("it is run by TestAKilledProcessAsksAboutOneDecisionAndTellsTheTeam")
	}
	ms, err := strconv.ParseInt(os.Getenv(childEpoch), 10, 64)
	require.NoError(t, err)
	epoch, q, ctx := time.UnixMilli(ms), openQueue(t, dir), t.Context()
	q.Now = func() time.Time { return epoch.Add(hurry * time.Since(epoch)) }
	way, err := httpapi.New(config.Widen{Backend: config.WidenHTTP, BaseURL: os.Getenv(childServer),
		TokenFile: filepath.Join(dir, "token")})
	require.NoError(t, err)
	service := widen.New(widen.Options{Queue: q,
		Backend: func() (widen.Backend, error) { return way, nil }})
	live, _, err := q.Store.Live(ctx)
	require.NoError(t, err)
	for _, s := range live {
		for s.Outcome == nil && s.Widen == nil {
			_, err := service.Ask(ctx, s.ID, rules.Call{Invited: []queue.Member{{UserID: "u1", Name: "Alice Johnson"}}}, rules.Actor{})
			var busy *widen.Failure
			require.True(t, err == nil || errors.As(err, &busy), "%v", err)
			s, err = q.Store.Get(ctx, s.ID)
			require.NoError(t, err)
			time.Sleep(5 * time.Millisecond)
		}
		if s.Outcome == nil {
			_, err := service.Do(ctx, s.ID, queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q", Text: "x"}}}}, rules.Actor{})
			require.NoError(t, err)
		}
		for _, do := range []queue.Action{queue.Take{Claim: queue.Claim{Instance: "i"}}, queue.Collect{Claim: queue.Claim{Instance: "i"}}} {
			_, err = q.Do(ctx, s.ID, queue.Command{By: queue.ByCaller, Do: do})
			require.True(t, err == nil || errors.Is(err, queue.ErrFinal) || errors.Is(err, queue.ErrNotFound), "%v", err)
		}
		for service.Untold(ctx) > 0 {
			_, err = service.Deliver(ctx)
			require.NoError(t, err)
			time.Sleep(5 * time.Millisecond)
		}
	}
}

func TestAKilledProcessAsksAboutOneDecisionAndTellsTheTeam(t *testing.T) {
	t.Parallel()
	const questions, seed = 16, 5
	dir, server := t.TempDir(), contractserver.New()
	defer server.Close()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "token"), []byte(contractserver.Token), 0o600))
	slow := make([]contractserver.Order, 400)
	for i := range slow {
		slow[i].Delay = 20 * time.Millisecond
	}
	server.Misbehave(contractserver.Widen, slow...)
	server.Misbehave(contractserver.Resolve, slow...)
	q := openQueue(t, dir)
	var ids []string
	for range questions {
		s, err := q.Create(t.Context(), queue.Session{Origin: queue.Origin{Dialect: "provide_choice"},
			Ask: queue.Ask{Kind: queue.KindChoice, Title: "Database", OnTimeout: queue.OnTimeoutNone, TimeoutSeconds: 86400,
				Questions: []queue.Question{{ID: "q", Text: "Which?", Mode: queue.ModeText}}}})
		require.NoError(t, err)
		ids = append(ids, s.ID)
	}
	random, epoch, kills := rand.New(rand.NewPCG(seed, 1)), time.Now(), 0
	for done := false; !done; {
		child := exec.Command(os.Args[0], "-test.run", "^TestChildOfKills$", "-test.v")
		child.Env = append(os.Environ(), childDir+"="+dir, childServer+"="+server.URL,
			childEpoch+"="+strconv.FormatInt(epoch.UnixMilli(), 10))
		var said bytes.Buffer
		child.Stdout, child.Stderr = &said, &said
		require.NoError(t, child.Start())
		var kill *time.Timer
		if kills < 25 {
			kill = time.AfterFunc(time.Duration(60+random.IntN(300))*time.Millisecond, func() { _ = child.Process.Kill() })
		}
		err := child.Wait()
		if done = err == nil; !done {
			require.ErrorContains(t, err, "killed", said.String())
			kills++
		}
		if kill != nil {
			kill.Stop()
		}
	}
	asked, told := map[string]int{}, map[string]int{}
	for _, r := range server.Requests(contractserver.Widen) {
		asked[r.Decision]++
	}
	for _, r := range server.Requests(contractserver.Resolve) {
		told[r.Decision]++
	}
	assert.Len(t, asked, questions, "one decision for each question, however often the call was made")
	for _, id := range ids {
		s, err := q.Store.Get(t.Context(), id)
		require.NoError(t, err)
		assert.False(t, s.OwesTeam())
		assert.Equal(t, contractserver.Resolve, server.Ended(s.Widen.Decision), "they were told")
	}
	twice := len(server.Requests(contractserver.Resolve)) - len(told)
	assert.LessOrEqual(t, twice, kills, "only a process that was killed in its call tells them again")
	t.Logf("%d kills, %d calls that asked, %d that told", kills, len(server.Requests(contractserver.Widen)), questions+twice)
}
