//go:build agents

package e2e

import "time"

// cline starts Cline so that it asks its person before each call of a tool.
const cline = "cline -i --auto-approve false "

var clineKind = kind{
	name: "cline", setup: "cline",
	env: []string{"CLINE_NO_AUTO_UPDATE=1"},
	files: map[string]string{
		".cline/data/settings/providers.json": `{"version": 1, "lastUsedProvider": "openai-compatible", "modes": {},
  "providers": {"openai-compatible": {"settings": {"provider": "openai-compatible", "apiKey": "x", "model": "m",
    "baseUrl": "$MODEL/v1"}, "updatedAt": "2026-11-29T08:38:47.447Z", "tokenSource": "manual"}}}
`,
		".cline/data/settings/cline_mcp_settings.json": `{
    "mcpServers": {} }
`,
	},
	rows: []row{
		{name: "setup and remove", setup: "-", late: true, steps: setUpAndRemoved("cline", "")},
		{name: "setup, changed since and remove", setup: "-", late: true,
			steps: setUpAndChanged("cline", "", ".cline/data/settings/cline_mcp_settings.json")},
		{name: "mcp/question", run: cline + "'play=ask'", steps: []step{
			answers(dash, "⏎ Send PostgreSQL", "j", "Enter"), told(`"lite"`), logged("Which store?", byPerson),
			logged("Which store?", `"event":"collected"`), pending(0),
		}},
		{name: "mcp/two at once, one after the other", run: cline + "'play=two'", steps: []step{
			answers(dash, "Par one?", "Enter"), answers(dash, "Par two?", "Enter"), told(`"a"`), told(`"c"`), pending(0),
		}},
		{name: "mcp/a long wait", run: cline + "'play=ask'", steps: []step{
			sees(dash, "⏎ Send PostgreSQL"), waitsLong, pending(1), press(dash, "j", "Enter"), told(`"lite"`), pending(0),
		}},
		{name: "mcp/Esc leaves it here", run: cline + "'play=ask'", steps: []step{
			sees(dash, "⏎ Send PostgreSQL"), press(cli, "x"), press(cli, "Escape"), sees(cli, "abort requested"),
			stays(5 * time.Second), pending(1), press(dash, "Enter"), pending(0),
		}},
		{name: "mcp/kill -9", run: cline + "'play=ask'", steps: []step{
			sees(dash, "⏎ Send PostgreSQL"), kills(cli), sees(dash, "cline disconnected"),
		}},
		{name: "command/asked by cline alone", run: cline + "'play=clineruns'", steps: []step{
			sees(cli, "Approve tool call?"), stays(2 * time.Second), pending(0), press(cli, "y"), press(cli, "y"),
			file("made-by-cline", ""),
		}},
	},
}
