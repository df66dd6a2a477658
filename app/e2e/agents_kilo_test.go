//go:build agents

package e2e

// inKilo and escKilo are what the log says of a prompt that ended in Kilo Code.
const (
	inKilo  = `"status":"answered_elsewhere","by":"caller","surface":"client","reason":"in kilo","answer"`
	escKilo = `"reason":"in kilo"`
)

// kilo starts Kilo Code, which is built on opencode 1.
const kilo = "kilo --prompt "

var kiloKind = kind{
	name: "kilo", setup: "kilo",
	env: []string{"KILO_DISABLE_AUTOUPDATE=1", "KILO_DISABLE_MODELS_FETCH=1"},
	files: map[string]string{".config/kilo/kilo.json": `{ // mine
    "model": "here/m", "permission": {"bash": "ask", "edit": "ask"},
  "provider": {"here": {"npm": "@ai-sdk/openai-compatible", "name": "here", /* loopback */
    "options": {"baseURL": "$MODEL/v1", "apiKey": "none"}, "models": {"m": {"name": "m"}}}},
}
`},
	rows: []row{
		{name: "setup and remove", setup: "-", late: true, steps: setUpAndRemoved("kilo", "")},
		{name: "setup, changed since and remove", setup: "-", late: true,
			steps: setUpAndChanged("kilo", "", ".config/kilo/kilo.json")},
		{name: "mcp/question", run: kilo + "'play=ask'", steps: []step{
			answers(dash, "⏎ Send PostgreSQL", "j", "Enter"), told(`"lite"`), logged("Which store?", byPerson),
			logged("Which store?", `"event":"collected"`), pending(0),
		}},
		{name: "mcp/Esc", run: kilo + "'play=ask'", steps: []step{
			sees(dash, "⏎ Send PostgreSQL"), quickly(cli, "Escape", "Escape"), logged("Which store?", withdrawn), pending(0),
		}},
		{name: "question/answered here", run: kilo + "'play=question'", steps: []step{
			sees(cli, format), answers(dash, "⏎ Send Markdown", "j", "Enter"), told(`="HTML"`),
			logged(format, byPerson), logged(format, `"event":"collected"`), pending(0),
		}},
		{name: "question/Esc", run: kilo + "'play=question'", steps: []step{
			sees(cli, format), sees(dash, "⏎ Send Markdown"), press(cli, "Escape"), logged(format, escKilo), pending(0),
		}},
		{name: "command/allowed here", run: kilo + "'play=bash'", steps: []step{
			sees(cli, "Permission required"), answers(dash, "touch made-by-opencode", "y"),
			answers(dash, "⏎ Allow once", "Enter"), file("made-by-opencode", ""), logged("Allow bash", byPerson), pending(0),
		}},
		{name: "file/allowed there", run: kilo + "'play=kiloedit'", steps: []step{
			sees(cli, "Permission required"), sees(dash, "made-by-kilo"), press(cli, "Enter"),
			file("made-by-kilo", "one\ntwo\n"), logged("Allow", inKilo), pending(0),
		}},
	},
}
