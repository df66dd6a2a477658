//go:build agents

package e2e

import "time"

// connectContinue adds the lines that setup shows, as a person does, since setup does not write YAML.
const connectContinue = `choicetui setup continue --yes >~/shown &&
	sed -n '/^ *mcpServers:/,/args/p' ~/shown | sed 's/^  *mcpServers/mcpServers/; s/^    //' >>~/.continue/config.yaml`

// continueKind is Continue. It sends the prompt of its command line without waiting for its servers, so a row types it.
var continueKind = kind{
	name: "continue", setup: "-", program: "cn",
	files: map[string]string{".continue/.onboarding_complete": "2026-11-29T09:00:00.000Z", ".continue/config.yaml": `name: mine # odd
version: 1.0.0
schema: v1
models:
  - {name: here, provider: openai, model: m, apiKey: x, apiBase: "$MODEL/v1", capabilities: [tool_use], roles: [chat]}
`},
	rows: []row{
		{name: "setup shows the lines", late: true, steps: []step{
			had, sh("choicetui setup continue --yes >~/shown"), restored,
			sh("choicetui doctor | grep 'Continue.*it does not know choicetui'"), sh(connectContinue),
			sh("choicetui setup continue --yes | grep 'nothing to do'"), sh("choicetui doctor | grep '^ok.*Continue 1'"),
		}},
		{name: "mcp/question", home: connectContinue, run: "cn", steps: []step{
			serves(cli), says(cli, "play=asktwice"),
			answers(cli, "Would you like to continue?", "BTab"), answers(dash, "⏎ Send PostgreSQL", "j", "Enter"),
			told(`"lite"`), logged("Which store?", byPerson), logged("Which store?", `"event":"collected"`),
			answers(dash, "⏎ Send Redis", "Enter"), told(`"redis"`), lacks(cli, "Would you like to continue?"), pending(0),
		}},
		{name: "mcp/question of cn -p", home: connectContinue, run: "cn -p 'play=ask'", steps: []step{
			answers(dash, "⏎ Send PostgreSQL", "j", "Enter"), told(`"lite"`), pending(0),
		}},
		{name: "mcp/beyond its limit", home: connectContinue, run: "cn --allow provide_choice", steps: beyondContinue},
		{name: "mcp/Esc leaves it here", home: connectContinue, run: "cn --allow provide_choice", steps: []step{
			serves(cli), says(cli, "play=ask"),
			sees(dash, "⏎ Send PostgreSQL"), press(cli, "Escape"), loses(cli, "esc to interrupt"), stays(5 * time.Second),
			pending(1), press(dash, "Enter"), pending(0),
		}},
		{name: "mcp/kill -9", home: connectContinue, run: "cn --allow provide_choice", steps: []step{
			serves(cli), says(cli, "play=ask"),
			sees(dash, "⏎ Send PostgreSQL"), kills(cli), sees(dash, "continue-cli disconnected"),
		}},
		{name: "command/asked by continue alone", home: connectContinue, run: "cn", steps: []step{
			serves(cli), says(cli, "play=continueruns"),
			sees(cli, "Would you like to continue?"), stays(2 * time.Second), pending(0), press(cli, "Tab"),
			file("made-by-continue", ""),
		}},
	},
}

// beyondContinue answers a question only after the minute at which Continue would have given up.
var beyondContinue = []step{
	serves(cli), says(cli, "play=askagain"),
	sees(dash, "⏎ Send PostgreSQL"), told("No answer yet, 4m"), stays(15 * time.Second), pending(1),
	press(dash, "j", "Enter"), told(`"lite"`), logged("Which store?", byPerson), pending(0),
}
