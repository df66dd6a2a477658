package tmux

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/term"

	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/queue"
)

// TestMain makes the test binary act as an agent if a test starts it in a pane: it reads keys in raw mode with
// bracketed paste on, and appends every byte to the file $CHOICETUI_TEST_AGENT; its process id is in a file beside
// that. Its last output shows that tmux has processed the switch to bracketed paste.
func TestMain(m *testing.M) {
	file := os.Getenv("CHOICETUI_TEST_AGENT")
	if file == "" {
		os.Exit(m.Run())
	}
	if _, err := term.MakeRaw(0); err != nil {
		panic(err)
	}
	out, err := os.Create(file)
	if err != nil {
		panic(err)
	}
	fmt.Print("\x1b[?2004h\r\n" + listens)
	if err := os.WriteFile(file+".t", []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		panic(err)
	}
	_ = os.Rename(file+".t", file+".pid")
	_, _ = io.Copy(out, os.Stdin)
}

// listens is the agent's output once bracketed paste is on.
const listens = "(listens)"

// agentIn starts the agent as a command line of the pane, and waits until it listens.
func agentIn(t *testing.T, pane string, format string) (a Agent, received func() string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "keys")
	self := "CHOICETUI_TEST_AGENT=" + file + " " + os.Args[0]
	_, err := runTmux(t.Context(), "send-keys", "-t", pane, "-l", "--", fmt.Sprintf(format, self))
	require.NoError(t, err)
	_, err = runTmux(t.Context(), "send-keys", "-t", pane, "Enter")
	require.NoError(t, err)
	eventually(t, "the agent starts", func() bool {
		raw, _ := os.ReadFile(file + ".pid")
		a.PID, _ = strconv.Atoi(string(raw))
		return a.PID > 0
	})
	p, _ := readProcess(a.PID)
	a.Started, a.Servers = p.started, agents.Servers()
	eventually(t, "tmux reads that bracketed paste is on", func() bool { return strings.Contains(look(t, pane), listens) })
	return a, func() string { raw, _ := os.ReadFile(file); return string(raw) }
}

// shellPane opens a pane with an interactive shell.
func shellPane(t *testing.T, beside string) string {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	id, err := SplitBeside(t.Context(), beside, []string{"bash", "--norc", "--noprofile", "-i"}, []string{"PS1=$ "})
	require.NoError(t, err)
	eventually(t, "a prompt", func() bool { return strings.Contains(look(t, id), "$") })
	return id
}

func look(t *testing.T, pane string) string {
	t.Helper()
	text, err := runTmux(t.Context(), "capture-pane", "-p", "-t", pane)
	require.NoError(t, err)
	return text
}

// framed returns the bytes that an agent with bracketed paste reads for a paste and Enter.
func framed(text string) string { return "\x1b[200~" + text + "\x1b[201~\r" }

func TestAnAgentReadsExactlyTheTextAndEnter(t *testing.T) {
	pane := shellPane(t, server(t))
	a, received := agentIn(t, pane, "%s")
	texts := []string{
		"the README still says SQLite",
		"first line\n\tsecond é $(touch x) `id` \"q\" 'q' #{pane_id} 日本語 👩‍👩‍👧\n\n-- last;",
		"-t %0; kill-server",
		strings.Repeat("a long line of 40 characters, all of it\n", 800) + "end",
	}
	want := ""
	for _, text := range texts {
		got, err := Paste(t.Context(), a, text)
		require.NoError(t, err)
		require.Equal(t, pane, got)
		want += framed(text)
		eventually(t, "all of it arrives", func() bool { return len(received()) >= len(want) })
		require.Equal(t, want, received())
	}
	left, err := runTmux(t.Context(), "list-buffers", "-F", "#{buffer_name}")
	require.NoError(t, err)
	require.Empty(t, left, "no buffer keeps the person's words")
}

func TestNothingInTheTextBreaksOutOfThePaste(t *testing.T) {
	pane := shellPane(t, server(t))
	a, received := agentIn(t, pane, "%s")
	_, err := Paste(t.Context(), a, "a\x1b[201~\rb\x03c\u009b201~d\x7fe\r\nf\x00\n\n")
	require.NoError(t, err)
	want := framed("a[201~\nbc201~de\nf")
	eventually(t, "it arrives", func() bool { return len(received()) >= len(want) })
	require.Equal(t, want, received())
}

func TestEnterBehindAMentionSendsAndPicksNoFile(t *testing.T) {
	pane := shellPane(t, server(t))
	a, received := agentIn(t, pane, "%s")
	want := ""
	for text, pasted := range map[string]string{
		"look at @say": "look at @say ", "@say": "@say ", "one\n@two": "one\n@two ",
		"mail me@home": "mail me@home", "@say it": "@say it", "an @": "an @ ",
	} {
		_, err := Paste(t.Context(), a, text)
		require.NoError(t, err)
		want += framed(pasted)
		eventually(t, "it arrives", func() bool { return len(received()) >= len(want) })
		require.Equal(t, want, received())
	}
}

func TestAShellInFrontIsRefusedWhateverTheSessionSays(t *testing.T) {
	first := server(t)
	pane := shellPane(t, first)
	pid, err := expandFormat(t.Context(), pane, "#{pane_pid}")
	require.NoError(t, err)
	shell := Agent{Pane: pane, PID: number(pid)}
	before := look(t, pane)
	var busy *Busy
	_, err = Paste(t.Context(), shell, "touch owned")
	require.ErrorAs(t, err, &busy, "the bridge was started by hand: the shell itself is the agent")
	require.Equal(t, "bash is in front in its pane", err.Error())

	a, received := agentIn(t, pane, "%s")
	_, err = runTmux(t.Context(), "send-keys", "-t", pane, "C-z") // in raw mode the agent reads it as a key
	require.NoError(t, err)
	require.NoError(t, exec.Command("kill", "-STOP", strconv.Itoa(a.PID)).Run())
	eventually(t, "the shell is back", func() bool { return strings.Contains(look(t, pane), "Stopped") })
	_, err = Paste(t.Context(), a, "touch owned")
	require.ErrorAs(t, err, &busy, "suspended: the shell reads the keys")

	require.NoError(t, exec.Command("kill", "-KILL", strconv.Itoa(a.PID)).Run())
	eventually(t, "it is gone", func() bool { return !Running(a) || errors.Is(reach(t, a), ErrGone) || reach(t, a) != nil })
	_, err = Paste(t.Context(), a, "touch owned")
	require.Error(t, err)
	require.NotContains(t, look(t, pane), "touch owned")
	require.NotContains(t, received(), "owned")
	require.NotContains(t, before, "owned")
}

func reach(t *testing.T, a Agent) error {
	_, err := Reach(t.Context(), a)
	return err
}

func TestAnAgentBehindAScriptIsReached(t *testing.T) {
	first := server(t)
	for _, start := range []string{"%s", "sh -c '%s; :'", "bash -c '%s; exit'", "( %s )"} {
		pane := shellPane(t, first)
		a, received := agentIn(t, pane, start)
		_, err := Paste(t.Context(), a, "hi")
		require.NoError(t, err, start)
		eventually(t, start, func() bool { return received() == framed("hi") })
		_, err = runTmux(t.Context(), "kill-pane", "-t", pane)
		require.NoError(t, err)
	}
}

func TestAnAgentInTheBackgroundIsRefused(t *testing.T) {
	pane := shellPane(t, server(t))
	file := filepath.Join(t.TempDir(), "pid")
	_, err := runTmux(t.Context(), "send-keys", "-t", pane, "sleep 900 & echo $! >"+file+"; cat", "Enter")
	require.NoError(t, err)
	var busy *Busy
	eventually(t, "cat is in front", func() bool {
		raw, _ := os.ReadFile(file)
		return errors.As(reach(t, Agent{PID: number(strings.TrimSpace(string(raw)))}), &busy) && busy.With == "cat"
	})
}

func TestCopyModeIsLeftFirst(t *testing.T) {
	pane := shellPane(t, server(t))
	a, received := agentIn(t, pane, "%s")
	_, err := runTmux(t.Context(), "copy-mode", "-t", pane)
	require.NoError(t, err)
	_, err = Paste(t.Context(), a, "one\ntwo")
	require.NoError(t, err)
	eventually(t, "it arrives framed", func() bool { return received() == framed("one\ntwo") })
	in, err := expandFormat(t.Context(), pane, "#{pane_in_mode}")
	require.NoError(t, err)
	require.Equal(t, "0", in)
}

func TestPanesThatTypeTogetherAreRefused(t *testing.T) {
	pane := shellPane(t, server(t))
	a, received := agentIn(t, pane, "%s")
	_, err := runTmux(t.Context(), "set-option", "-w", "-t", pane, "synchronize-panes", "on")
	require.NoError(t, err)
	_, err = Paste(t.Context(), a, "hi")
	require.ErrorContains(t, err, "synchronize-panes")
	require.Empty(t, received())
}

func TestAnotherProcessUnderTheNumberIsNotTheAgent(t *testing.T) {
	pane := shellPane(t, server(t))
	a, received := agentIn(t, pane, "%s")
	if a.Started == "" {
		t.Skip("no /proc here")
	}
	a.Started = "1"
	_, err := Paste(t.Context(), a, "hi")
	require.ErrorIs(t, err, ErrGone)
	require.Empty(t, received())
	_, err = Paste(t.Context(), Agent{Pane: pane}, "hi")
	require.ErrorIs(t, err, ErrNoPane, "a pane alone is not enough: on another server it is another program's")
	_, err = Paste(t.Context(), Agent{PID: os.Getpid()}, "hi")
	require.ErrorIs(t, err, ErrNoPane)
}

func TestAPasteThatFailsIsADoubtAndIsNotTriedAgain(t *testing.T) {
	pane := shellPane(t, server(t))
	a, received := agentIn(t, pane, "%s")
	real, err := exec.LookPath("tmux")
	require.NoError(t, err)
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	script := "#!/bin/sh\necho \"$1\" >>" + log + "\n[ \"$1\" = paste-buffer ] && { echo 'server hiccup' >&2; exit 1; }\nexec " + real + " \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tmux"), []byte(script), 0o700))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	_, err = Paste(t.Context(), a, "hi")
	var doubt *queue.Doubt
	require.ErrorAs(t, err, &doubt)
	require.ErrorContains(t, err, "server hiccup")
	raw, _ := os.ReadFile(log)
	require.Equal(t, 1, strings.Count(string(raw), "paste-buffer"))
	require.NotContains(t, string(raw), "send-keys")
	require.Contains(t, string(raw), "delete-buffer")
	require.Empty(t, received())
}

func TestAShellThatPromptsIsToldFromOneThatRuns(t *testing.T) {
	for line, want := range map[string]bool{
		"bash": true, "-bash": true, "/bin/zsh -l": true, "bash --norc -i": true, "bash --rcfile x": true, "busybox sh": true, "fish": true,
		"sh -c claude": false, "bash -lc claude": false, "bash run.sh": false, "/bin/sh /usr/bin/claude": false, "node": false, "": false,
		"python": false, "bash -o pipefail -i": true, "fish --command=claude": false,
	} {
		require.Equal(t, want, isPromptingShell(strings.Fields(line)), line)
	}
}

func TestTheCountIsShownAndTakenAway(t *testing.T) {
	server(t)
	var c Counter
	shown := func() string {
		v, err := runTmux(context.Background(), "show-options", "-gqv", CountOption)
		require.NoError(t, err)
		return v
	}
	for n := range 50 {
		c.Show(n)
	}
	eventually(t, "the last number", func() bool { return shown() == "49" })
	line, err := runTmux(t.Context(), "display-message", "-p", "#{?@choicetui_count,#{@choicetui_count} waiting,}")
	require.NoError(t, err)
	require.Equal(t, "49 waiting", line)
	c.Clear()
	require.Empty(t, shown())
	line, err = runTmux(t.Context(), "display-message", "-p", "#{?@choicetui_count,#{@choicetui_count} waiting,}")
	require.NoError(t, err)
	require.Empty(t, line)
}
