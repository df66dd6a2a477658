//go:build agents

package e2e

import "time"

var piKind = kind{
	name: "pi", setup: "pi",
	env: []string{"PI_OFFLINE=1", "PI_TELEMETRY=0"},
	files: map[string]string{
		".pi/agent/models.json": `{"providers": {"here": {"baseUrl": "$MODEL/v1", "api": "openai-completions", "apiKey": "x",
  "models": [{"id": "m"}]}}}
`,
		".pi/agent/settings.json": `{"defaultProvider": "here", "defaultModel": "m"}
`,
		".pi/agent/mcp.json": `{
    "mcpServers": {"mine":   {"command": "mine", "enabled": false}} }
`,
	},
	rows: []row{
		{name: "setup and remove", setup: "-", late: true, steps: setUpAndRemoved("pi", "")},
		{name: "setup, changed since and remove", setup: "-", late: true, steps: setUpAndChanged("pi", "", ".pi/agent/mcp.json")},
		{name: "mcp/question", run: "pi 'play=ask'", steps: []step{
			answers(dash, "⏎ Send PostgreSQL", "j", "Enter"), told(`"lite"`), logged("Which store?", byPerson),
			logged("Which store?", `"event":"collected"`), pending(0),
		}},
		{name: "mcp/two in parallel", run: "pi 'play=two'", steps: []step{
			sees(dash, "2 waiting"), answers(dash, "⏎ Send", "Enter"), answers(dash, "⏎ Send", "Enter"), told(`"a"`),
			told(`"c"`), pending(0),
		}},
		{name: "mcp/a long wait", run: "pi 'play=ask'", steps: []step{
			sees(dash, "⏎ Send PostgreSQL"), stays(75 * time.Second), pending(1), press(dash, "j", "Enter"), told(`"lite"`),
			untold("No answer yet"), pending(0),
		}},
		{name: "mcp/question of pi -p", run: "pi -p 'play=ask'", steps: []step{
			answers(dash, "⏎ Send PostgreSQL", "Enter"), told(`"pg"`), pending(0),
		}},
		{name: "mcp/Esc", run: "pi 'play=ask'", steps: []step{
			sees(dash, "⏎ Send PostgreSQL"), press(cli, "Escape"), logged("Which store?", withdrawn), pending(0),
		}},
		{name: "mcp/kill -9", run: "pi 'play=ask'", steps: []step{
			sees(dash, "⏎ Send PostgreSQL"), kills(cli), sees(dash, "pi disconnected"),
		}},
	},
}
