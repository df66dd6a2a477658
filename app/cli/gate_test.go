package cli

import (
	"context"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestAGateThatGotNoAnswerSaysSoInWords(t *testing.T) {
	t.Parallel()
	r := gateRun{sh: &shell{out: io.Discard, err: io.Discard, now: time.Now, queue: t.TempDir()}}
	_, err := r.lookWithin(t.Context(), func(ctx context.Context) (gateLook, error) {
		<-ctx.Done()
		return gateLook{}, ctx.Err()
	})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.EqualError(t, err, "it did not answer within 2s")
}

// endless is a store with more questions than can be read in time.
type endless struct {
	queue.Store
	read []queue.Session
}

func (e endless) Live(ctx context.Context) ([]queue.Session, []queue.Broken, error) {
	<-ctx.Done()
	return e.read, nil, ctx.Err()
}

func TestAGateStaysClosedByWhatItReadBeforeItsTimeWasOver(t *testing.T) {
	t.Parallel()
	r := gateRun{sh: &shell{out: io.Discard, err: io.Discard, now: time.Now, queue: t.TempDir()}}
	look := func(read ...queue.Session) (gateLook, error) {
		q := queue.New(endless{storetest.NewMemory(), read})
		return r.lookWithin(t.Context(), func(ctx context.Context) (gateLook, error) {
			return r.lookAt(ctx, q, func(o queue.Origin) bool { return o.Client == "claude" })
		})
	}
	waits := queue.Session{ID: "k7f3m2qx", Ask: queue.Ask{Kind: queue.KindChoice, Title: "Which?"},
		Origin: queue.Origin{Client: "claude"}, AskedAt: time.Now(), Deadline: time.Now().Add(time.Hour)}
	found, err := look(waits)
	require.NoError(t, err)
	require.False(t, found.state().Open)
	require.Contains(t, gateWords(found), "Which?")
	require.Contains(t, gateWords(found), "not all questions could be read in time")
	waits.Origin.Client = "codex"
	for _, none := range [][]queue.Session{nil, {waits}} {
		_, err = look(none...)
		require.ErrorIs(t, err, context.DeadlineExceeded, "it saw nothing that closes it")
	}
}

func TestAPromptIsNotClosedByAnAgentInTheSameDirectoryOfAnotherMachine(t *testing.T) {
	host, err := os.Hostname()
	require.NoError(t, err)
	dir := t.TempDir()
	p, shared := promptInput{Cwd: dir}, &queue.Queue{Host: host}
	require.True(t, p.isBeside(shared, queue.Origin{Cwd: dir, Host: host}))
	require.False(t, p.isBeside(shared, queue.Origin{Cwd: dir, Host: host + "-2"}))
	require.False(t, p.isBeside(shared, queue.Origin{Cwd: t.TempDir(), Host: host}))
	require.True(t, p.isBeside(&queue.Queue{}, queue.Origin{Cwd: dir, Host: "as-it-was-called-before"}),
		"in a directory all agents are here, whatever the machine is called now")
}

func TestTheGateNamesTheMachineOfAnAgentThatIsElsewhere(t *testing.T) {
	look := gateLook{host: "laptop", closing: []queue.Waiting{{Session: &queue.Session{
		Origin: queue.Origin{Client: "claude-code", Cwd: "/src/shop", Host: "devbox"}, Ask: queue.Ask{Title: "Deploy?"}}}}}
	require.Contains(t, gateWords(look), "@devbox")
}
