//go:build agents

package e2e

import "time"

// inPi is what the log says of a prompt that was answered in Pi.
const inPi = `"status":"answered_elsewhere","by":"caller","surface":"client","reason":"in pi","answer"`

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
		{name: "setup --native and remove", setup: "-", late: true, steps: setUpAndRemoved("pi", " --native")},
		{name: "setup --native, off and remove", setup: "-", late: true, steps: []step{
			had, sh("choicetui setup pi --native --yes"), sh("choicetui doctor | grep 'Pi 1.*may do harm appear here too'"),
			sh("choicetui setup pi --native=off --yes"), sh("choicetui doctor | grep 'Pi 1.*--native also shows'"),
			sh("choicetui setup pi --yes | grep 'nothing to do'"), sh("choicetui setup --remove pi --yes"), restored,
		}},
		{name: "command/allowed here", setup: "pi --native", run: "pi 'play=piremoves'", steps: []step{
			sees(cli, "Allow bash?", "rm -f nothing"), answers(dash, "rm -f nothing", "y"), answers(dash, "⏎ Allow once", "Enter"),
			answers(dash, "y confirm", "y"), file("made-by-pi", ""), loses(cli, "Allow bash?"), logged("Allow bash", byPerson),
			pending(0),
		}},
		{name: "command/refused here with words", setup: "pi --native", run: "pi 'play=piremoves'", steps: []step{
			answers(dash, "rm -f nothing", "n"), types(dash, "make none, say so"), press(dash, "Enter"),
			told("make none, say so"), absent("made-by-pi"), loses(cli, "Allow bash?"), pending(0),
		}},
		{name: "command/allowed there", setup: "pi --native", run: "pi 'play=piremoves'", steps: []step{
			sees(dash, "rm -f nothing"), sees(cli, "Allow bash?"), press(cli, "Enter"), file("made-by-pi", ""),
			logged("Allow bash", inPi), pending(0),
		}},
		{name: "command/refused there", setup: "pi --native", run: "pi 'play=piremoves'", steps: []step{
			sees(dash, "rm -f nothing"), sees(cli, "Allow bash?"), press(cli, "Escape"),
			told("The person refused this in Pi."), absent("made-by-pi"), logged("Allow bash", inPi), pending(0),
		}},
		{name: "command/kill -9", setup: "pi --native", run: "pi 'play=piremoves'", steps: []step{
			sees(dash, "rm -f nothing"), kills(cli), logged("Allow bash", withdrawn), pending(0), absent("made-by-pi"),
		}},
		{name: "command/the dashboard closes", setup: "pi --native", run: "pi 'play=piremoves'", steps: []step{
			sees(dash, "rm -f nothing"), press(dash, "q"), stays(8 * time.Second), sees(cli, "Allow bash?"), absent("made-by-pi"),
			press(cli, "Enter"), file("made-by-pi", ""),
		}},
		{name: "command/of pi -p", setup: "pi --native", run: "pi -p 'play=piremoves'", steps: []step{
			answers(dash, "rm -f nothing", "n"), types(dash, "make none"), press(dash, "Enter"), told("make none"),
			absent("made-by-pi"), pending(0),
		}},
		{name: "command/without a dashboard", setup: "pi --native", late: true, run: "pi 'play=piremoves'", steps: []step{
			file("made-by-pi", ""), unlogged("Allow"),
		}},
		{name: "command/harmless", setup: "pi --native", run: "pi 'play=piruns'", steps: []step{
			file("made-by-pi", ""), unlogged("Allow"),
		}},
		{name: "file/outside the project", setup: "pi --native", run: "pi 'play=piwrites'", steps: []step{
			sees(cli, "Allow write?"), answers(dash, "../made-by-pi", "y"), answers(dash, "⏎ Allow once", "Enter"),
			answers(dash, "y confirm", "y"), file("../made-by-pi", "one\n"), logged("Allow write", byPerson), pending(0),
		}},
	},
}
