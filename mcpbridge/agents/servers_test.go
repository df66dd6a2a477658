package agents

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// kindOf returns the kind of the server with this command line; empty: it is none.
func kindOf(args []string) string {
	server, _ := Servers().Of(args)
	return server.Kind
}

func TestAServerOfManySessionsIsToldFromAnAgentByItsCommandLine(t *testing.T) {
	for line, want := range map[string]string{
		"codex app-server --listen unix://":                                "app-server",
		"/opt/codex/codex -c model=o5 --strict app-server":                 "app-server",
		"node /usr/lib/node_modules/@openai/codex/bin/codex.js app-server": "app-server",
		"/usr/bin/cline --cline-hub-daemon":                                "hub daemon",
		"node /usr/lib/cline/dist/cli.mjs run --cline-hub-daemon=1":        "hub daemon",
		"opencode serve --port 4096":                                       "opencode server",
		"bun /opt/opencode/bin/opencode web":                               "opencode server",
		"/home/me/.opencode/bin/opencode serve --service":                  "opencode server",
		"/usr/bin/kilo serve":                                              "opencode server",
		"/usr/bin/mimo web":                                                "opencode server",
		"opencode --port 1 serve":                                          "opencode server",

		"codex":                                 "",
		"codex --no-daemon":                     "",
		"codex fix the app-server":              "",
		"codex --yolo -m o5 fix the app-server": "",
		"codex resume app-server":               "",
		"claude":                                "",
		"vite serve":                            "",
		"opencode":                              "",
		"opencode run serve":                    "",
		"tmux new-session -s app-server":        "",
		"app-server":                            "",
		"":                                      "",
	} {
		require.Equal(t, want, kindOf(strings.Fields(line)), line)
	}
	require.Equal(t, "app-server", kindOf([]string{"codex app-server --listen unix://"}), "it wrote its own title over its arguments")
	require.Empty(t, kindOf([]string{"codex", "fix the app-server"}), "a prompt is one argument")
}
