package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// playsPi plays Pi to our extension: it asks about one call, with a dialog that nobody answers, and prints what becomes
// of the call.
const playsPi = `
const extension = (await import(process.argv[2])).default;
let asks;
extension({ on: (_, f) => { asks = f; } });
const open = new Promise((resolve) => setTimeout(() => resolve("open"), 2000));
const ctx = { mode: process.argv[3], cwd: "/src", sessionManager: { getSessionId: () => "s" }, ui: {
  select: (_t, _o, { signal }) => new Promise((_, no) => signal.addEventListener("abort", () => no(new Error("aborted")))),
} };
const decided = await Promise.race([open, asks({ toolName: "bash", input: { command: "rm -rf /" }, toolCallId: "1" }, ctx)]);
console.log(decided === undefined ? "runs" : decided.block ? "blocked" : decided);
process.exit(0);
`

// Where Pi has no screen, nobody but the dashboard can allow what choicetui has asked about.
func TestACallThatNobodyAllowedRunsInPiOnlyIfNobodyWasAsked(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	need(r, "node")
	source, err := os.ReadFile(filepath.Join("..", "..", "mcpbridge", "agents", "pi", "extension.js"))
	require.NoError(t, err)
	play := filepath.Join(r.dir, "pi.mjs")
	require.NoError(t, os.WriteFile(play, []byte(playsPi), 0o600))
	for name, c := range map[string]struct{ hook, mode, want string }{
		"nobody was asked":        {"exit 0", "print", "runs"},
		"there is no hook":        {"exit 127", "rpc", "runs"},
		"cancelled, no screen":    {"echo asking >&2", "print", "blocked"},
		"cancelled over rpc":      {"echo asking >&2", "rpc", "blocked"},
		"cancelled, on a screen":  {"echo asking >&2", "tui", "open"},
		"allowed, no screen":      {`echo asking >&2; echo '{"behavior":"allow"}'`, "print", "runs"},
		"refused, no screen":      {`echo asking >&2; echo '{"behavior":"deny"}'`, "print", "blocked"},
		"broken answer, unasked":  {"echo '{'", "print", "runs"},
		"broken answer, if asked": {"echo asking >&2; echo '{'", "print", "blocked"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			hook := filepath.Join(dir, "hook")
			require.NoError(t, os.WriteFile(hook, []byte("#!/bin/sh\ncat >/dev/null\n"+c.hook+"\n"), 0o700))
			module := filepath.Join(dir, "choicetui.mjs")
			text := strings.ReplaceAll(string(source), "PROGRAM", `"`+hook+`"`)
			require.NoError(t, os.WriteFile(module, []byte(text), 0o600))
			got, err := exec.Command("node", play, module, c.mode).CombinedOutput()
			require.NoError(t, err, string(got))
			require.Equal(t, c.want, strings.TrimSpace(string(got)))
		})
	}
}
