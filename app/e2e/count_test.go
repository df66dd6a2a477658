package e2e

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tally is a tmux with the number in it, and what the commands in it need to find it.
type tallied struct {
	*tmux
	env []string
}

func newTallied(t *testing.T) *tallied {
	t.Helper()
	m := newRoom(t).tmux()
	m.open(80, 24, "sleep", "600") // a server without a session has no options
	require.NoError(t, os.WriteFile(filepath.Join(m.work, "ask.json"), []byte(`{"type":"user_choice","question":"Ship it?","options":["now","later"]}`), 0o600))
	return &tallied{m, []string{"TMUX=" + m.socket() + ",1,0"}}
}

func (c *tallied) number() string { return c.do("show-options", "-gqv", "@choicetui_count") }

// shows waits until tmux has the number, and holds it against list and gate. Empty: nothing waits.
func (c *tallied) shows(want string) {
	c.Helper()
	until(c, fmt.Sprintf("tmux shows %q", want), func() bool { return c.number() == want })
	waits := len(c.list())
	assert.Equal(c, want, strings.TrimPrefix(fmt.Sprint(waits), "0"), "list")
	if waits > 0 {
		assert.Contains(c, c.run("gate").err, fmt.Sprintf("chat is closed until %d question", waits))
	} else {
		assert.Zero(c, c.run("gate").code)
	}
}

// inside runs a command in tmux, to its end.
func (c *tallied) inside(args ...string) result {
	c.Helper()
	return c.startWith(c.env, args...).wait()
}

// bridge is an agent in tmux that has asked one question; end closes its input.
func (c *tallied) bridge() (end func()) {
	c.Helper()
	cmd := c.room.command("mcp")
	cmd.Env = append(cmd.Env, c.env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var said locked
	cmd.Stdout, cmd.Stderr = &said, &said
	in, err := cmd.StdinPipe()
	require.NoError(c, err)
	require.NoError(c, cmd.Start())
	_, err = io.WriteString(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"claude-code","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"provide_choice","arguments":{"title":"Which database?","prompt":"p","selection_mode":"single","timeout_seconds":600,"options":[{"id":"pg","recommended":true},{"id":"lite"}]}}}
`)
	require.NoError(c, err)
	until(c, "the question is asked", func() bool { return strings.Contains(said.String(), "session_id") })
	return func() {
		_ = in.Close()
		require.NoError(c, cmd.Wait())
	}
}

// option is the id of the first option of the first question that waits.
func (c *tallied) option() string {
	s, err := c.store().Get(c.Context(), c.ids()[0])
	require.NoError(c, err)
	return s.Ask.Questions[0].Options[0].ID
}

func (c *tallied) ids() (ids []string) {
	c.Helper()
	for _, s := range c.list() {
		ids = append(ids, s.ID)
	}
	return ids
}

func TestAskCountsWithoutDashboardAndAgent(t *testing.T) {
	t.Parallel()
	c := newTallied(t)
	ask := c.startWith(c.env, "ask", "ask.json")
	c.shows("1")
	other := c.startWith(c.env, "ask", "ask.json")
	c.shows("2")
	require.Zero(t, c.inside("answer", c.ids()[0], "--select", c.option()).code)
	assert.Equal(t, "1", c.number(), "when answer is done, the number is right")
	require.Zero(t, c.run("answer", c.ids()[0], "--select", c.option()).code) // not in tmux: ask itself sees it
	ask.wait()
	other.wait()
	c.shows("")
}

func TestTheNumberStaysTrueWhenAnAgentLeavesAndAnAskGoesOn(t *testing.T) {
	t.Parallel()
	c := newTallied(t)
	end := c.bridge()
	c.shows("1")
	ask := c.startWith(c.env, "ask", "ask.json")
	c.shows("2")
	end()
	assert.Equal(t, "2", c.number(), "what waits goes on waiting")
	c.shows("2")
	for _, id := range c.ids() {
		require.Zero(t, c.inside("cancel", id).code)
	}
	ask.wait()
	c.shows("")
}

func TestTheLastBridgeLeavesTheNumberOfWhatItLeavesBehind(t *testing.T) {
	t.Parallel()
	c := newTallied(t)
	end := c.bridge()
	c.shows("1")
	end()
	assert.Equal(t, "1", c.number())
	p := c.dashboard(80, 24)
	p.meet("Which database?")
	c.shows("1")
	p.quit()
	until(t, "the dashboard is gone", func() bool { return p.told("#{pane_dead}") == "1" })
	assert.Equal(t, "1", c.number(), "a dashboard that leaves too")
	require.Zero(t, c.inside("cancel", c.ids()[0]).code)
	assert.Empty(t, c.number())
}

func TestPlainAndAttachCountToo(t *testing.T) {
	t.Parallel()
	c := newTallied(t)
	end := c.bridge()
	c.shows("1")
	end()
	c.do("set-option", "-gu", "@choicetui_count") // as if nobody had counted
	plain := c.startWith(append([]string{}, c.env...), "attach", c.ids()[0], "--plain")
	plain.wait() // no input: left without an answer
	assert.Equal(t, "1", c.number())
	c.do("set-option", "-gu", "@choicetui_count")
	p := c.open(80, 24, c.bin, "--plain")
	c.shows("1")
	require.Zero(t, c.run("cancel", c.ids()[0]).code)
	c.shows("")
	p.press("C-c")
}
