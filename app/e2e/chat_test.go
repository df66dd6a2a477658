package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// paneAgent is an agent on a terminal: a program in raw mode with bracketed paste on that keeps every key it reads,
// with a bridge as its child, which asks one question.
const paneAgent = `stty raw -echo
printf '\033[?2004hagent'
{ printf '%s\n' \
 '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"claude-code","version":"1"}}}' \
 '{"jsonrpc":"2.0","method":"notifications/initialized"}' \
 '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"provide_choice","arguments":{"title":"Which database?","prompt":"p","selection_mode":"single","timeout_seconds":600,"options":[{"id":"pg","recommended":true},{"id":"lite"}]}}}'
 sleep 600; } | choicetui mcp >answers &
cat >keys
`

// keys is what the agent in the pane has read.
func (r *room) keys() string {
	raw, _ := os.ReadFile(filepath.Join(r.work, "keys"))
	return string(raw)
}

func TestALineGoesIntoTheAgentsPaneWhenItsQuestionsAreAnswered(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	require.NoError(t, os.WriteFile(filepath.Join(r.work, "agent.sh"), []byte(paneAgent), 0o600))
	m := r.tmux()
	m.do("set", "-g", "status-right", "#{?@choicetui_count,#{@choicetui_count} waiting,}")
	p := m.dashboard(80, 24)
	shell := m.shell(80, 24)
	shell.line("sh agent.sh")
	p.meet("Which database?", "─ 1 waiting ")
	count := func() string { return m.do("display-message", "-p", "#{T:status-right}") }
	until(t, "the status line says so", func() bool { return count() == "1 waiting" })
	gate := r.run("gate")
	assert.Equal(t, 2, gate.code)
	assert.Equal(t, "choicetui: chat is closed until 1 question is answered: “Which database?” (shop · claude)\n", gate.err)

	p.opens("i", "Can't send: “Which database?” from shop · claude is waiting. Your text is kept.")
	p.write("use SQLite x q 1")
	p.see("› use SQLite x q 1")
	p.press("Enter")
	p.press("Escape")
	p.meet("⏎ Send pg")
	p.press("Enter")
	p.see("chat · to shop · claude, tmux ", "›")
	until(t, "nothing is shown any more", func() bool { return count() == "" })
	assert.Zero(t, r.run("gate").code)
	assert.Empty(t, r.keys(), "nothing was sent by itself")

	shell.do("copy-mode", "-t", shell.id)
	p.opens("i", "› use SQLite x q 1", "⏎ Send to shop · claude")
	p.press("C-j")
	p.write("second line")
	p.press("Enter")
	p.see("✓ “use SQLite x q 1” → shop", "sent")
	want := "\x1b[200~use SQLite x q 1\nsecond line\x1b[201~\r"
	until(t, "the agent has it", func() bool { return len(r.keys()) >= len(want) })
	assert.Equal(t, want, r.keys())
	assert.Contains(t, r.run("log").out, "sent to shop · claude, pasted into its tmux pane (0:0)")

	shell.do("kill-pane", "-t", shell.id)
	p.opens("i", "nothing can be sent: shop · claude is gone")
	p.write("are you there")
	p.press("Enter")
	p.see("› are you there", "Your text is kept")
	p.press("Escape")
	p.lose("^J new line")
	p.opens("i", "› are you there", "Cannot be sent: shop · claude is gone. Your text is kept.")
}

func TestALineToAShellIsRefused(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	_, background, _ := strings.Cut(paneAgent, "agent'\n")
	background = strings.TrimSuffix(background, " &\ncat >keys\n")
	require.NoError(t, os.WriteFile(filepath.Join(r.work, "agent.sh"), []byte(background), 0o600))
	m := r.tmux()
	p := m.dashboard(80, 24)
	shell := m.shell(80, 24)
	shell.line("sh agent.sh &") // the agent goes to the background: the shell reads the keys
	p.meet("Which database?")
	p.press("Enter")
	p.see("chat · to shop · claude")
	p.opens("i", "type a line to shop · claude")
	p.write("touch owned")
	p.see("⏎ Send to shop · claude", "delivered when it next asks")
	p.press("Enter")
	p.see("✓ “", "delivered when it next asks") // the composer says the latter before it is sent, too
	assert.NoFileExists(t, filepath.Join(r.work, "owned"))
	assert.NotContains(t, shell.screen(), "touch owned")
}

func TestALineWaitsForNextMessage(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().dashboard(80, 24)
	a := r.connect("claude-code", "--queue", r.queue)
	listen := func() answer {
		req := mcp.CallToolRequest{}
		req.Params.Name = "next_message"
		got, err := a.client.CallTool(context.Background(), req)
		require.NoError(t, err)
		return read(t, got)
	}
	heard := make(chan answer, 1)
	go func() { heard <- listen() }()
	p.see("chat · to shop · claude")
	p.opens("i", "waiting")
	p.write("hello there")
	p.press("Enter")
	got := <-heard
	assert.Equal(t, "message", got.structured["status"])
	assert.Equal(t, "hello there", got.structured["text"])
	assert.True(t, strings.HasSuffix(got.text, "hello there"))
	p.see("✓ “hello there” → shop", "delivered")
	assert.Contains(t, r.run("log").out, "sent to shop · claude, delivered with a result (next_message)")
}
