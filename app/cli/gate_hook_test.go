package cli

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAPromptIsNotClosedByAnAgentInTheSameDirectoryOfAnotherMachine(t *testing.T) {
	host, err := os.Hostname()
	require.NoError(t, err)
	dir := t.TempDir()
	p, shared := prompted{Cwd: dir}, &queue.Queue{Host: host}
	require.True(t, p.isBeside(shared, queue.Origin{Cwd: dir, Host: host}))
	require.False(t, p.isBeside(shared, queue.Origin{Cwd: dir, Host: host + "-2"}))
	require.False(t, p.isBeside(shared, queue.Origin{Cwd: t.TempDir(), Host: host}))
	require.True(t, p.isBeside(&queue.Queue{}, queue.Origin{Cwd: dir, Host: "as-it-was-called-before"}),
		"in a directory all agents are here, whatever the machine is called now")
}

func TestTheGateNamesTheMachineOfAnAgentThatIsElsewhere(t *testing.T) {
	look := gateLook{host: "laptop", closing: []queue.Waiting{{Session: &queue.Session{
		Origin: queue.Origin{Client: "claude-code", Cwd: "/src/shop", Host: "devbox"}, Ask: queue.Ask{Title: "Deploy?"}}}}}
	require.Contains(t, gateWords(look), "on devbox")
}
