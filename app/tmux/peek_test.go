package tmux

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// countCalls counts the calls of tmux.
func countCalls(t *testing.T) (calls func() int) {
	t.Helper()
	real, err := exec.LookPath("tmux")
	require.NoError(t, err)
	dir := t.TempDir()
	log := filepath.Join(dir, "calls")
	script := fmt.Sprintf("#!/bin/sh\necho call >>'%s'\nexec '%s' \"$@\"\n", log, real)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tmux"), []byte(script), 0o700))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return func() int {
		text, _ := os.ReadFile(log)
		return strings.Count(string(text), "call")
	}
}

// writer is an agent in its own window. It prints the content of a file whenever that changes.
func writer(t *testing.T) (a Agent, pane string, write func(text string)) {
	t.Helper()
	dir := t.TempDir()
	pid, file := filepath.Join(dir, "pid"), filepath.Join(dir, "text")
	script := "echo $$ >" + pid + "; while :; do if [ -f " + file + " ]; then mv " + file + " " + file +
		".old; cat " + file + ".old; fi; sleep 0.02; done"
	pane, err := runTmux(context.Background(), "new-window", "-d", "-P", "-F", "#{pane_id}", "sh", "-c", script)
	require.NoError(t, err)
	eventually(t, "the agent's pid", func() bool {
		text, _ := os.ReadFile(pid)
		a.PID = number(strings.TrimSpace(string(text)))
		return a.PID > 0
	})
	return a, pane, func(text string) {
		require.NoError(t, os.WriteFile(file+".new", []byte(text), 0o600))
		require.NoError(t, os.Rename(file+".new", file))
	}
}

func TestThePeekReadsTheAgentsOwnPaneInOneCallAndOnlyWhatIsNew(t *testing.T) {
	server(t)
	a, pane, write := writer(t)
	calls := countCalls(t)
	ctx := context.Background()
	write("\x1b[31mtests: 4 passed\x1b[0m\n数据库 ready\n")
	var last Sight
	eventually(t, "its lines", func() bool {
		got, err := Peek(ctx, a, Sight{})
		require.NoError(t, err)
		last = got
		return strings.HasPrefix(got.Text, "tests: 4 passed\n数据库 ready\n")
	})
	require.Equal(t, pane, last.Pane)
	require.Equal(t, "1:0", last.Where)
	require.NotContains(t, last.Text, "\x1b")

	time.Sleep(2100 * time.Millisecond) // tmux counts whole seconds
	before := calls()
	quiet, err := Peek(ctx, a, last)
	require.NoError(t, err)
	require.Equal(t, before+1, calls())
	require.NotEmpty(t, quiet.Changed)
	quiet.Text = "as it was"
	again, err := Peek(ctx, a, quiet)
	require.NoError(t, err)
	require.Equal(t, quiet, again, "nothing was written, so nothing was read")

	write("deploying\n")
	eventually(t, "the new line", func() bool {
		got, err := Peek(ctx, a, quiet)
		require.NoError(t, err)
		return strings.Contains(got.Text, "ready\ndeploying\n")
	})
}

func TestThePeekNeverGoesByAPaneThatTheAskerNamed(t *testing.T) {
	own := server(t)
	ctx := context.Background()
	a, pane, _ := writer(t)
	other, err := SplitBeside(ctx, own, []string{"sleep", "300"}, nil)
	require.NoError(t, err)

	a.Pane = other
	got, err := Peek(ctx, a, Sight{})
	require.NoError(t, err)
	require.Equal(t, pane, got.Pane, "its process says where it is")

	_, err = Peek(ctx, Agent{PID: os.Getpid(), Pane: other}, Sight{})
	require.ErrorIs(t, err, ErrNoPane, "this process is in no pane there")
	_, err = Peek(ctx, Agent{Pane: other}, Sight{})
	require.ErrorIs(t, err, ErrNoPane)
}

func TestThePeekEndsWithItsAgentAndItsPane(t *testing.T) {
	server(t)
	ctx := context.Background()
	a, pane, _ := writer(t)
	got, err := Peek(ctx, a, Sight{})
	require.NoError(t, err)

	_, err = lookInto(ctx, Sight{Pane: "%999"})
	require.ErrorIs(t, err, ErrNoPane)
	_, err = lookInto(ctx, Sight{Pane: "work:0"})
	require.ErrorIs(t, err, ErrNoPane)

	_, err = runTmux(ctx, "kill-pane", "-t", pane)
	require.NoError(t, err)
	eventually(t, "the agent is gone", func() bool { return !Running(a) })
	_, err = Peek(ctx, a, got)
	require.ErrorIs(t, err, ErrGone)
}

func TestThePeekNeedsTmux(t *testing.T) {
	t.Setenv("TMUX", "")
	_, err := Peek(context.Background(), Agent{PID: os.Getpid()}, Sight{})
	require.ErrorIs(t, err, ErrOutside)
}

func TestAPaneIsWatchedWhileItIsTheActiveOneOfAnAttachedClient(t *testing.T) {
	own := server(t)
	ctx := context.Background()
	agent, pane, _ := writer(t)
	set := func(args ...string) {
		_, err := runTmux(ctx, args...)
		require.NoError(t, err)
	}
	set("select-window", "-t", pane)
	require.False(t, Watched(ctx, agent), "nobody is attached")

	set("set", "-g", "focus-events", "on")
	heard, says := attachTyping(t, "xterm-256color")
	eventually(t, "it is attached", func() bool { return strings.Contains(heard(), "[work]") })
	eventually(t, "it is before the person", func() bool { return Watched(ctx, agent) })
	set("select-window", "-t", own)
	require.False(t, Watched(ctx, agent), "another window is")
	set("select-window", "-t", pane)
	beside, err := runTmux(ctx, "split-window", "-t", pane, "-P", "-F", "#{pane_id}", "sleep", "300")
	require.NoError(t, err)
	require.False(t, Watched(ctx, agent), "the pane beside it has the keys")
	set("kill-pane", "-t", beside)
	require.True(t, Watched(ctx, agent))

	calls := countCalls(t)
	require.True(t, Watched(ctx, agent))
	require.Equal(t, 2, calls())
	says("\x1b[O")
	eventually(t, "the person is in another program", func() bool { return !Watched(ctx, agent) })
	says("\x1b[I")
	eventually(t, "the person is back", func() bool { return Watched(ctx, agent) })
	require.False(t, Watched(ctx, Agent{PID: 1 << 22, Pane: pane}), "an agent that is gone has no pane, whatever it said")
	t.Setenv("TMUX", "")
	require.False(t, Watched(ctx, agent), "outside tmux nobody knows")
}
