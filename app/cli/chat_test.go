package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/codex"
	"github.com/choicetui/choicetui/mcpbridge/agents/codex/socket"
	"github.com/choicetui/choicetui/panes/peek"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestWhenAProcessBeganIsTakenFromTheNameOfThatProcessOnly(t *testing.T) {
	require.Equal(t, tmux.Agent{Pane: "%1", PID: 7, Started: "55", Servers: agents.Servers()},
		agentOf(queue.Origin{Pane: "%1", PID: 7, Agent: "7-55"}))
	require.Equal(t, tmux.Agent{PID: 7, Cwd: "/src", Servers: agents.Servers()}, agentOf(queue.Origin{PID: 7, Cwd: "/src", Agent: "8-56"}),
		"8 is a bridge below a server of many agents")
}

// appServer starts a process that looks like Codex's app-server, with a home directory in which no socket listens.
func appServer(t *testing.T) (pid int) {
	t.Helper()
	if _, err := os.Stat("/proc/self/cmdline"); err != nil {
		t.Skip("no /proc here")
	}
	cmd := exec.Command("sh", "-c", "read wait", "/opt/codex", "app-server")
	cmd.Env = append(os.Environ(), "CODEX_HOME="+t.TempDir())
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	require.Eventually(t, func() bool { // the process is visible a moment after its start
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", cmd.Process.Pid))
		return bytes.Contains(line, []byte("app-server"))
	}, 10*time.Second, time.Millisecond)
	return cmd.Process.Pid
}

func TestBelowAnAppServerALineGoesToTheThreadOrNowhere(t *testing.T) {
	t.Setenv("TMUX", "")
	dir, err := os.Getwd()
	require.NoError(t, err)
	o := queue.Origin{Client: "codex-mcp-client", PID: appServer(t), Cwd: dir, Pane: "%1"}
	ways := agentWays{queue.New(storetest.NewMemory())}

	at := ways.Reach(t.Context(), o)
	require.Equal(t, desk.Reached{Shared: true, Err: codex.ErrNoThread}, at, "an older Codex names none")
	_, err = ways.Send(t.Context(), queue.NewMessage(o, "hello"))
	require.ErrorIs(t, err, codex.ErrNoThread)

	o.Thread = "t1"
	at = ways.Reach(t.Context(), o)
	require.False(t, at.Ready())
	require.False(t, at.Alive, "that the server runs says nothing of this agent")
	require.EqualError(t, at.Err, "its Codex server does not answer on its socket")
	_, err = ways.Send(t.Context(), queue.NewMessage(o, "hello"))
	require.ErrorIs(t, err, socket.ErrNoServer)
	var unsure *queue.Doubt
	require.NotErrorAs(t, err, &unsure)

	o.PID = os.Getpid()
	require.ErrorIs(t, ways.Reach(t.Context(), o).Err, tmux.ErrOutside, "a Codex that runs alone is typed to in its pane")
	o.Host = "another"
	require.ErrorIs(t, ways.Reach(t.Context(), o).Err, errElsewhere)
	require.EqualError(t, ways.Reach(t.Context(), o).Err, "it runs on another")
	_, err = ways.Send(t.Context(), queue.NewMessage(o, "hello"))
	require.ErrorIs(t, err, errElsewhere)
	_, err = ways.peek(t.Context(), queue.Session{Origin: o}, peek.Shot{})
	require.ErrorIs(t, err, errElsewhere)
	require.ErrorIs(t, ways.goToPane(t.Context(), o), errElsewhere)
	require.False(t, paneWatched(t.Context(), o))
}

func TestAnAgentWhosePaneHasEndedCountsAsGone(t *testing.T) {
	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "tmux"), []byte("#!/bin/sh\necho '%1 2 1 0 /dev/pts/9 /'\n"), 0o700))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("TMUX", "/nowhere,1,0")
	at := agentWays{queue.New(storetest.NewMemory())}.Reach(t.Context(), queue.Origin{PID: os.Getpid(), Pane: "%1"})
	require.Equal(t, desk.Reached{Err: tmux.ErrGone}, at, "one look never says both that it runs and that it does not")
}

func TestThePaneOfAScriptIsShownWithoutWhatChoicetuiAskWroteThere(t *testing.T) {
	require.Equal(t, "$ ./release\nchecked\n", cutOwnNote("$ ./release\nchecked\nchoicetui: the question is in the open\n"+
		"dashboard; choicetui attach k7f3m2qx opens it in another terminal\n"))
	require.Equal(t, "", cutOwnNote("choicetui: the question is in the open dashboard\n"))
	require.Equal(t, "$ choicetui: no\n", cutOwnNote("$ choicetui: no\n"))
}
