//go:build agents

package e2e

import (
	"fmt"
	"strings"
	"time"
)

// setUpAndRemoved puts choicetui into an agent's settings, twice, and takes it out again byte for byte.
func setUpAndRemoved(agent, flags string) []step {
	set := "choicetui setup " + agent + " --yes" + flags
	return []step{
		had, sh(set), changed, sh(set + " | grep -q 'nothing to do'"),
		sh("choicetui setup --remove " + agent + " --yes"), restored,
	}
}

// setUpAndChanged puts choicetui into an agent's settings, and takes it out after the person has written to each file.
func setUpAndChanged(agent, flags string, files ...string) []step {
	steps := []step{sh("choicetui setup " + agent + " --yes" + flags)}
	for _, file := range files {
		if strings.HasSuffix(file, ".toml") {
			steps = append(steps, sh("sed -i '1i mine = 1' ~/"+file))
		} else {
			steps = append(steps, sh("sed -i '0,/{/s//{\"mine\": 1,/' ~/"+file))
		}
		steps = append(steps, sh("grep -q '[\"./ ]choicetui' ~/"+file))
	}
	steps = append(steps, sh("choicetui setup --remove "+agent+" --yes"))
	for _, file := range files {
		steps = append(steps, sh("grep -q mine ~/"+file+" && ! grep '[\"./ ]choicetui' ~/"+file))
	}
	return append(steps, sh("choicetui setup --remove "+agent+" --yes | grep 'nothing to remove'"))
}

// What the log says of an answer that was given in the agent, and of Esc there.
const (
	inCodex    = `"status":"answered_elsewhere","by":"caller","surface":"client","reason":"in codex","answer"`
	escGemini  = `"status":"answered_elsewhere","by":"caller","surface":"client","reason":"in gemini","reason_code":"interrupted"`
	escQwen    = `"status":"answered_elsewhere","by":"caller","surface":"client","reason":"in qwen","reason_code":"interrupted"`
	escCopilot = `"status":"answered_elsewhere","by":"caller","surface":"client","reason":"in copilot","reason_code":"interrupted"`
	inOpencode = `"status":"answered_elsewhere","by":"caller","surface":"client","reason":"in opencode","answer"`
)

// beyondLimit answers a question only once the agent's call has ended with "call again" and the agent has called again.
var beyondLimit = []step{
	sees(dash, "⏎ Send PostgreSQL"), told("No answer yet, 4m"), stays(2 * time.Second), pending(1),
	press(dash, "j", "Enter"), told(`"lite"`), logged("Which store?", byPerson),
	logged("Which store?", `"event":"collected"`), pending(0),
}

// writesLine writes a line to the agent, which the model must hear.
func writesLine(agent string) []step {
	return []step{sees(dash, "chat · to shop · "+agent), press(dash, "i"), types(dash, "a zebra"), press(dash, "Enter"),
		told("a zebra")}
}

// turnBefore waits for a question of an agent, and for what it was doing in that very turn beside it.
func turnBefore(asks, source string, words ...string) []step {
	return []step{sees(dash, append([]string{asks, "─ before this · " + source}, words...)...), lacks(dash, "✓ touch made-again")}
}

// showsBefore has the commands for one question tell what the agent was doing.
func showsBefore(words ...string) step {
	return step{fmt.Sprintf("showsBefore(%q)", words), func(w *world) error {
		shown := w.output("show", "--before", w.list()[0].ID)
		if !containsAll(shown, words) {
			return fmt.Errorf("it shows %q", shown)
		}
		return nil
	}}
}

// besideEachOther starts a second session in the directory of the first. Beside the question of each only its own last
// words are shown.
func besideEachOther(second, asks, runs string) []step {
	const first, other = "Payments need a store that can roll back.", "The file must be made again."
	return []step{
		sees(dash, asks, first), starts("two", "$WORK", second), sees(dash, "2 waiting"), lacks(dash, other),
		press(dash, "J"), sees(dash, runs, other), lacks(dash, first), press(dash, "K"), sees(dash, asks, first),
		lacks(dash, other),
	}
}

// -- Codex, with its daemon and without

var codexKind = kind{
	name: "codex", setup: "codex",
	env: []string{"KEY=none"},
	files: map[string]string{".codex/config.toml": `# mine
model = "m"   # odd
model_provider = "here"
check_for_update_on_startup = false
approval_policy = "on-request"
sandbox_mode = "read-only"
[features]
default_mode_request_user_input = true
request_permissions_tool = true
[model_providers.here]
name = "here"
base_url = "$MODEL/v1"
wire_api = "responses"
env_key = "KEY"
[projects."$WORK"]
trust_level = "trusted"
[projects."$OTHER"]
trust_level = "trusted"
[mcp_servers.elicits]
command = "$NODE"
args = ["$ELICITS"]
`},
	rows: codexRows,
}

// codexEdits lets Codex write in its directory, and gives it a tool for plans.
const codexEdits = `sed -i 's/"read-only"/"workspace-write"/' .codex/config.toml &&
	printf '[tools.update_plan]\nenabled = true\n' >>.codex/config.toml`

var codexRows = []row{
	{name: "setup and remove", setup: "-", late: true, steps: setUpAndRemoved("codex", " --gate --native")},
	{name: "setup, changed since and remove", setup: "-", late: true,
		steps: setUpAndChanged("codex", " --gate", ".codex/config.toml", ".codex/hooks.json")},
	{name: "setup by its own program", setup: "-", late: true, steps: []step{
		sh("choicetui setup codex --yes"), sh("grep '^tool_timeout_sec = 86400$' ~/.codex/config.toml"),
		sh("grep '^env_vars = ' ~/.codex/config.toml"), sh("grep '^model = \"m\"   # odd$' ~/.codex/config.toml"),
	}},
	{name: "setup without its program", setup: "-", late: true, steps: []step{
		had, sh("PATH=$(dirname $(command -v choicetui)):/usr/bin:/bin; choicetui setup codex --yes >~/shown"),
		sh("grep '^  tool_timeout_sec = 86400$' ~/shown"), restored,
		sh("choicetui doctor | grep 'Codex.*it does not know choicetui'"),
	}},
	{name: "mcp/question", run: "codex 'play=ask'", steps: []step{
		answers(dash, "⏎ Send PostgreSQL", "j", "Enter"), told(`"lite"`), logged("Which store?", byPerson),
		logged("Which store?", `"event":"collected"`), pending(0),
	}},
	{name: "mcp/gate", setup: "codex --gate", run: "codex exec --skip-git-repo-check 'play=ask'", steps: []step{
		sees(dash, "⏎ Send PostgreSQL"),
		// codex wants its hooks trusted by hand first; the reason is for the screen alone
		sh("codex exec --skip-git-repo-check --dangerously-bypass-hook-trust 'a zebra' </dev/null 2>&1 | " +
			"grep 'UserPromptSubmit Blocked'"),
		untold("a zebra"), press(dash, "Enter"), told(`"pg"`), pending(0),
	}},
	{name: "mcp/two in parallel", run: "codex 'play=two'", steps: []step{
		sees(dash, "2 waiting"), answers(dash, "⏎ Send", "Enter"), answers(dash, "⏎ Send", "Enter"), told(`"a"`),
		told(`"c"`), pending(0),
	}},
	{name: "mcp/beyond its limit", home: "choicetui config set soft_limits.codex 8", run: "codex 'play=askagain'",
		steps: beyondLimit},
	{name: "mcp/hitl", run: "codex 'play=hitl'", steps: []step{
		answers(dash, "Drop table orders_2019 in production?", "1", "Enter"),
		answers(dash, "y confirm", "y"), told("Drop it"), pending(0),
	}},
	{name: "mcp/bad request", run: "codex 'play=bad'", steps: []step{told("options[1].id"), unlogged("")}},
	{name: "mcp/Esc", run: "codex 'play=ask'", steps: []step{
		sees(dash, "⏎ Send PostgreSQL"), press(cli, "Escape"), logged("Which store?", withdrawn), pending(0),
	}},
	{name: "line/by its socket", run: "codex 'play=format'", steps: append([]step{
		answers(dash, "⏎ Send Markdown", "Enter"), told(`"answers":["Markdown (Recommended)"]`),
	}, writesLine("codex")...)},
	{name: "question/own words", run: "codex 'play=format'", steps: []step{
		answers(dash, "⏎ Send Markdown", "t"), types(dash, "plain text"), press(dash, "Enter"), press(dash, "Enter"),
		told("plain text"), loses(cli, "enter to submit"), logged(format, byPerson), pending(0),
	}},
	{name: "question/Esc", run: "codex 'play=format'", steps: []step{
		sees(cli, format), sees(dash, "⏎ Send Markdown"), press(cli, "Escape"), logged(format, `"reason":"in codex"`),
		pending(0),
	}},
	{name: "question/answered here", run: "codex 'play=format'", steps: []step{
		sees(cli, format), answers(dash, "⏎ Send Markdown", "j", "Enter"), told(`"answers":["HTML"]`),
		loses(cli, "enter to submit"), logged(format, `"event":"settled"`, byPerson),
		logged(format, `"event":"collected"`),
		pending(0),
	}},
	{name: "question/answered there", run: "codex 'play=format'", steps: []step{
		sees(cli, format), sees(dash, "⏎ Send Markdown"), press(cli, "2", "Enter"), told(`"answers":["HTML"]`),
		sees(dash, "Answered in codex"), logged(format, inCodex), pending(0),
	}},
	{name: "question/seen late", late: true, run: "codex 'play=format'", steps: []step{
		sees(cli, format), stays(2 * time.Second), dashboard, answers(dash, "⏎ Send Markdown", "Enter"),
		told(`"answers":["Markdown (Recommended)"]`), logged(format, byPerson),
	}},
	{name: "question/kill -9", run: "codex 'play=format'", steps: []step{
		sees(dash, "⏎ Send Markdown"), kills(cli), logged(format, withdrawn), pending(0), untold("answers"),
	}},
	{name: "before this/a question", bare: true, home: codexEdits, run: "codex 'play=codexasks'", steps: append(
		turnBefore("Which store?", "codex session", "“Payments need a store that can roll back.”", "✎ notes.txt +2 −0",
			"✗ ls missing-file (exit 2)", "▸ plan 2 of 2: Decide"),
		showsBefore("Payments need a store", "✓ 1. Look"), press(dash, "Enter"), told(`"pg"`), pending(0))},
	{name: "before this/an approval", bare: true, home: codexEdits, run: "codex 'play=codexruns'", steps: append(
		turnBefore("touch made-again", "codex session", "“The file must be made again.”", "✎ notes.txt +2 −0",
			"✗ ls missing-file (exit 2)", "▸ plan 2 of 2: Decide"),
		press(dash, "y"), answers(dash, "⏎ Allow once", "Enter"), file("made-again", ""), pending(0))},
	{name: "before this/two sessions in one directory", bare: true, home: codexEdits, run: "codex 'play=codexasks'",
		steps: besideEachOther("codex 'play=codexruns'", "Which store?", "touch made-again")},
	{name: "question/two sessions", run: "codex 'play=format'", steps: []step{
		sees(dash, format), starts("two", "$OTHER", "codex 'play=length'"), sees("two", length),
		sees(dash, "2 waiting"),
		press(dash, "J"), answers(dash, "⏎ Send Short", "j"), answers(dash, "⏎ Send Long", "Enter"),
		told(`"len":{"answers":["Long"]}`), untold(`"fmt":`), answers(dash, "⏎ Send Markdown", "Enter"),
		told(`"fmt":{"answers":["Markdown (Recommended)"]}`), logged(length, byPerson), logged(format, byPerson),
	}},
	{name: "question/daemon restarted", run: "codex 'play=format'", steps: []step{
		sees(dash, "⏎ Send Markdown"), kills(cli), starts("again", "$WORK", "codex 'play=length'"),
		sees("again", length),
		logged(format, withdrawn), answers(dash, "⏎ Send Short", "Enter"), told(`"len":{"answers":["Short"]}`),
		logged(length, byPerson),
	}},
	{name: "command/allowed here", run: "codex 'play=touch'", steps: []step{
		sees(cli, "Would you like to run the following command?"),
		sees(dash, "touch made-by-codex", "It makes a file"),
		press(dash, "y"), answers(dash, "⏎ Allow once", "Enter"), told("Process exited with code 0"),
		file("made-by-codex", ""), logged("Allow command", `"event":"settled"`, byPerson), pending(0),
	}},
	{name: "command/allowed there", run: "codex 'play=touch'", steps: []step{
		sees(dash, "touch made-by-codex"), sees(cli, "Would you like to run the following command?"), press(cli, "y"),
		told("Process exited with code 0"), logged("Allow command", inCodex), pending(0),
	}},
	{name: "command/refused here with words", run: "codex 'play=touch'", steps: []step{
		answers(dash, "touch made-by-codex", "n"), types(dash, "make none, say so"), press(dash, "Enter"),
		told("make none, say so"), absent("made-by-codex"), loses(cli, "Would you like to run"),
		logged("Allow command", `"event":"settled"`, byPerson), pending(0),
	}},
	{name: "command/without the daemon", setup: "codex --native",
		run: "codex --no-daemon --dangerously-bypass-hook-trust 'play=touch'", steps: []step{
			answers(dash, "touch made-by-codex", "y"), answers(dash, "⏎ Allow once", "Enter"),
			told("Process exited with code 0"), file("made-by-codex", ""), logged("Allow", byPerson), pending(0),
		}},
	{name: "question/without the daemon", setup: "codex --native",
		run: "codex --no-daemon --dangerously-bypass-hook-trust 'play=format'", steps: []step{
			answers(dash, "⏎ Send Markdown", "j", "Enter"), told("HTML", "person answered"),
			logged(format, byPerson), pending(0),
		}},
	{name: "files/allowed here", run: "codex 'play=patch'", steps: []step{
		sees(cli, "Would you like to make the following edits?"), sees(dash, "patched.txt", "+two"),
		press(dash, "y", "Enter"),
		told("Success. Updated the following files"), file("patched.txt", "one\ntwo\n"),
		logged("Allow edit", byPerson),
	}},
	{name: "permissions/granted in part", run: "codex 'play=more'", steps: []step{
		sees(cli, "Would you like to grant these permissions?"),
		answers(dash, "Codex wants 3 more permissions", "y", "2"),
		answers(dash, "⏎ Allow for this turn, Use the network, Write /srv/cache, then confirm", "Enter"),
		answers(dash, "y confirm", "y"),
		told(`"network":{"enabled":true},"file_system":{"write":["/srv/cache"]}`),
		logged("Codex wants 3 more permissions", `"event":"settled"`, byPerson), pending(0),
	}},
	{name: "form of another server", run: "codex 'play=deploy'", steps: fillsForm},
}

// fillsForm fills in the form of testdata/clients/elicits.mjs.
var fillsForm = []step{
	sees(dash, "A form of elicits", "Leave it empty"), press(dash, "t"), types(dash, "3"),
	press(dash, "Enter"), press(dash, "Enter"),
	answers(dash, "Next: Name", "Enter"), answers(dash, "Type your answer", "Enter"), types(dash, "first"),
	press(dash, "Enter"),
	answers(dash, "Staging", "2", "Enter"), answers(dash, "⏎ Send 4 answers", "Enter"),
	told(`"action":"accept","content":{"copies":3,"dry":true,"name":"first","place":"production"}`),
	logged("A form of elicits", byPerson),
}

// -- opencode, with its plugin

var opencodeKind = kind{
	name: "opencode", setup: "opencode",
	env: []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1"},
	files: map[string]string{".config/opencode/opencode.json": `{ // mine
    "$schema": "https://opencode.ai/config.json",
    "model": "here/m", "share": "disabled", "permission": {"bash": "ask"},
  "provider": {"here": {"npm": "@ai-sdk/openai-compatible", "name": "here", /* loopback */
    "options": {"baseURL": "$MODEL/v1", "apiKey": "none"}, "models": {"m": {"name": "m"}}}},
}
`},
	rows: opencodeRows, fetches: ".config/opencode",
}

var opencodeRows = []row{
	{name: "setup and remove", setup: "-", late: true, steps: setUpAndRemoved("opencode", " --gate")},
	{name: "setup, changed since and remove", setup: "-", late: true,
		steps: setUpAndChanged("opencode", "", ".config/opencode/opencode.json")},
	{name: "mcp/question", run: "opencode --prompt 'play=ask'", steps: []step{
		answers(dash, "⏎ Send PostgreSQL", "j", "Enter"), told(`"lite"`), logged("Which store?", byPerson),
		logged("Which store?", `"event":"collected"`), pending(0),
	}},
	{name: "mcp/two in parallel", run: "opencode --prompt 'play=two'", steps: []step{
		sees(dash, "2 waiting"), answers(dash, "⏎ Send", "Enter"), answers(dash, "⏎ Send", "Enter"),
		told(`"a"`, `"c"`), pending(0),
	}},
	{name: "mcp/long", run: "opencode --prompt 'play=ask'", steps: []step{
		sees(dash, "⏎ Send PostgreSQL"), waitsLong, press(dash, "Enter"), told(`"pg"`), pending(0),
	}},
	{name: "question/answered here", run: "opencode --prompt 'play=question'", steps: []step{
		sees(cli, format), answers(dash, "⏎ Send Markdown", "j", "Enter"), told(`="HTML"`),
		loses(cli, "enter submit"),
		logged(format, `"event":"settled"`, byPerson), logged(format, `"event":"collected"`), pending(0),
	}},
	{name: "question/answered there", run: "opencode --prompt 'play=question'", steps: []step{
		sees(cli, format), sees(dash, "⏎ Send Markdown"), press(cli, "Down", "Enter"), told(`="HTML"`),
		sees(dash, "Answered in opencode"), logged(format, inOpencode), pending(0),
	}},
	{name: "question/seen late", late: true, run: "opencode --prompt 'play=question'", steps: []step{
		sees(cli, format), stays(2 * time.Second), dashboard, answers(dash, "⏎ Send Markdown", "Enter"),
		told(`="Markdown (Recommended)"`), logged(format, byPerson),
	}},
	{name: "question/kill -9", run: "opencode --prompt 'play=question'", steps: []step{
		sees(dash, "⏎ Send Markdown"), kills(cli), logged(format, withdrawn), pending(0),
	}},
	{name: "before this/a question", bare: true, run: "opencode --prompt 'play=opencodeasks'", steps: append(
		turnBefore("Which store?", "opencode session", "“Payments need a store that can roll back.”",
			"✎ notes.txt +2 −0   ▸ plan 2 of 2: Decide"),
		showsBefore("Payments need a store", "✓ 1. Look"), press(dash, "Enter"), told("PostgreSQL"), pending(0))},
	{name: "before this/an approval", bare: true, run: "opencode --prompt 'play=opencoderuns'", steps: append(
		turnBefore("touch made-again", "opencode session", "“The file must be made again.”",
			"✎ notes.txt +2 −0   ▸ plan 2 of 2: Decide"),
		press(dash, "y"), answers(dash, "⏎ Allow once", "Enter"), file("made-again", ""), pending(0))},
	{name: "before this/two sessions in one directory", bare: true, run: "opencode --prompt 'play=opencodeasks'",
		steps: besideEachOther("opencode --prompt 'play=opencoderuns'", "Which store?", "touch made-again")},
	{name: "question/two directories", run: "opencode --prompt 'play=question'", steps: []step{
		sees(dash, format), starts("two", "$OTHER", "opencode --prompt 'play=howlong'"), sees("two", length),
		sees(dash, "2 waiting", "other · opencode"), press(dash, "J"), answers(dash, "⏎ Send Short", "j"),
		answers(dash, "⏎ Send Long", "Enter"), told(`"` + length + `"="Long"`), untold(`"` + format + `"=`),
		answers(dash, "⏎ Send Markdown", "Enter"), told(`"` + format + `"="Markdown (Recommended)"`),
		logged(length, byPerson),
		logged(format, byPerson),
	}},
	{name: "question/Esc", run: "opencode --prompt 'play=question'", steps: []step{
		sees(cli, format), sees(dash, "⏎ Send Markdown"), press(cli, "Escape"), logged(format, `"reason":"in opencode"`),
		pending(0),
	}},
	{name: "command/allowed there", run: "opencode --prompt 'play=bash'", steps: []step{
		sees(cli, "Permission required"), sees(dash, "touch made-by-opencode"), press(cli, "Enter"),
		file("made-by-opencode", ""), logged("Allow bash", inOpencode), pending(0),
	}},
	{name: "command/allowed here", run: "opencode --prompt 'play=bash'", steps: []step{
		sees(cli, "Permission required"), answers(dash, "touch made-by-opencode", "y"),
		answers(dash, "⏎ Allow once", "Enter"), file("made-by-opencode", ""),
		logged("Allow bash", `"event":"settled"`, byPerson), pending(0),
	}},
	{name: "command/refused here with words", run: "opencode --prompt 'play=bash'", steps: []step{
		answers(dash, "touch made-by-opencode", "n"), types(dash, "make none, say so"), press(dash, "Enter"),
		told("make none, say so"), absent("made-by-opencode"), loses(cli, "Permission required"),
		logged("Allow bash", `"event":"settled"`, byPerson), pending(0),
	}},
}

// -- Gemini CLI

var geminiKind = kind{
	name: "gemini", setup: "gemini",
	env: []string{"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=$MODEL"},
	files: map[string]string{".gemini/settings.json": `{"general":{"enableAutoUpdate":false},
	"privacy": {"usageStatisticsEnabled": false},
 "security":{"auth":{"selectedType":"gemini-api-key"},"folderTrust":{"enabled":false}},
 "mcpServers":{"elicits":{"command":"$NODE","args":["$ELICITS"],"trust":true}}}`},
	rows: geminiRows,
}

// geminiEdits starts Gemini CLI so that it may write in its directory.
const geminiEdits = "gemini -m gemini-2.5-flash --allowed-tools write_todos --approval-mode auto_edit "

var geminiRows = []row{
	{name: "setup and remove", setup: "-", late: true, steps: setUpAndRemoved("gemini", " --gate --native")},
	{name: "setup, changed since and remove", setup: "-", late: true,
		steps: setUpAndChanged("gemini", " --gate --native", ".gemini/settings.json")},
	{name: "mcp/question", run: "gemini -i 'play=ask'", steps: []step{
		answers(dash, "⏎ Send PostgreSQL", "j", "Enter"), told(`"lite"`), logged("Which store?", byPerson),
		logged("Which store?", `"event":"collected"`), pending(0),
	}},
	{name: "mcp/gate", setup: "gemini --gate", run: "gemini -p 'play=ask'", steps: []step{
		sees(dash, "⏎ Send PostgreSQL"),
		sh("gemini -p 'a zebra' </dev/null 2>&1 | grep 'chat is closed until 1 question is answered'"),
		untold("a zebra"), press(dash, "Enter"), told(`"pg"`), pending(0),
	}},
	{name: "mcp/several", run: "gemini -i 'play=multi'", steps: []step{
		answers(dash, "Which checks?", "1", "2", "Enter"), told(`"unit","race"`), pending(0),
	}},
	{name: "mcp/form", run: "gemini -i 'play=form'", steps: []step{
		answers(dash, format, "j", "Enter"), answers(dash, length, "j", "Enter"), answers(dash, "⏎ Send 2 answers", "Enter"),
		told(`"`+format+`":"HTML"`, `"`+length+`":"Long"`), logged("Format, Length", byPerson), pending(0),
	}},
	{name: "mcp/beyond its limit", home: "choicetui config set soft_limits.gemini 8", run: "gemini -i 'play=askagain'",
		steps: beyondLimit},
	{name: "mcp/kill -9", run: "gemini -i 'play=ask'", steps: []step{
		sees(dash, "⏎ Send PostgreSQL"), kills(cli), seesWithin(promptly, dash, "gone"),
	}},
	{name: "question/kill -9", setup: "gemini --native", run: "gemini -i 'play=ask_user'", steps: []step{
		sees(dash, "⏎ Send Markdown"), kills(cli), logged(format, withdrawn), pending(0),
	}},
	{name: "mcp/cancelled with words", run: "gemini -i 'play=ask'", steps: []step{
		answers(dash, "⏎ Send PostgreSQL", "x"), types(dash, "not today"), press(dash, "Enter", "Enter"),
		told("not today"),
		pending(0),
	}},
	{name: "mcp/Esc, then the same question", run: "gemini -i 'play=ask'",
		steps: []step{
			sees(dash, "⏎ Send PostgreSQL"), press(cli, "Escape"), sees(cli, "Request cancelled"),
			says(cli, "play=ask"),
			stays(4 * time.Second), pending(1), answers(dash, "⏎ Send PostgreSQL", "Enter"), told(`"pg"`), pending(0),
		}},
	{name: "before this/a question", bare: true, setup: "gemini --native", run: geminiEdits + "-i 'play=geminiasks'",
		steps: append(turnBefore("Which store?", "gemini session", "“Payments need a store that can roll back.”",
			"✎ notes.txt +2 −0   ▸ plan 2 of 2: Decide"),
			showsBefore("Payments need a store", "✓ 1. Look"), press(dash, "Enter"), told("PostgreSQL"), pending(0))},
	{name: "before this/an approval", bare: true, setup: "gemini --native", run: geminiEdits + "-i 'play=geminiruns'",
		steps: append(turnBefore("Confirm Shell Command", "gemini session", "“The file must be made again.”",
			"✎ notes.txt +2 −0   ▸ plan 2 of 2: Decide"), press(cli, "Enter"), file("made-again", ""))},
	{name: "before this/two sessions in one directory", bare: true, setup: "gemini --native",
		run: geminiEdits + "-i 'play=geminiasks'", steps: []step{
			sees(dash, "Which store?", "“Payments need a store that can roll back.”"),
			starts("two", "$WORK", geminiEdits+"-i 'play=geminiagain'"), sees(dash, "2 waiting"), press(dash, "J"),
			sees(dash, "Which cache?", "“The file must be made again.”"), lacks(dash, "Payments need"), press(dash, "K"),
			sees(dash, "Payments need"), lacks(dash, "must be made again"),
		}},
	{name: "question/by an error text", setup: "gemini --native", run: "gemini -i 'play=ask_user'", steps: []step{
		answers(dash, "⏎ Send Markdown", "j", "Enter"), told("HTML", "person answered"), logged(format, byPerson),
		pending(0),
	}},
	{name: "question/Esc", setup: "gemini --native", run: "gemini -i 'play=ask_user'", steps: []step{
		sees(dash, "⏎ Send Markdown"), press(cli, "Escape"), sees(cli, "Request cancelled"),
		logged(format, escGemini), pending(0), untold("person answered"),
	}},
	{name: "notice/command", run: "gemini -i 'play=shell'", steps: []step{
		sees(cli, "Allow execution"), sees(dash, "Confirm Shell Command"), pending(0), press(cli, "Enter"),
		file("made-by-qwen", ""), loses(dash, "Confirm Shell Command"),
	}},
	{name: "question/left to gemini", run: "gemini -i 'play=ask_user'", steps: []step{
		sees(cli, format), stays(2 * time.Second), pending(0), lacks(dash, "⏎ Send"), press(cli, "Down", "Enter"),
		told("HTML"), unlogged(""),
	}},
}

// -- Qwen Code

var qwenKind = kind{
	name: "qwen", setup: "qwen",
	env: []string{"OPENAI_API_KEY=x", "OPENAI_BASE_URL=$MODEL/v1", "OPENAI_MODEL=m"},
	files: map[string]string{".qwen/settings.json": `{"$version":3,"security":{"auth":{"selectedType":"openai"}},
	"general":{"enableAutoUpdate":false} ,"model":{"name":"m"}}`},
	rows: qwenRows,
}

var qwenRows = []row{
	{name: "setup and remove", setup: "-", late: true,
		steps: append([]step{sh("qwen mcp list")}, setUpAndRemoved("qwen", " --native")...)},
	{name: "setup, changed since and remove", setup: "-", late: true,
		steps: setUpAndChanged("qwen", " --native", ".qwen/settings.json")},
	{name: "mcp/question", run: "qwen --approval-mode default -i 'play=ask'", steps: []step{
		answers(dash, "⏎ Send PostgreSQL", "j", "Enter"), told(`"lite"`), logged("Which store?", byPerson),
		pending(0),
	}},
	{name: "mcp/Esc", run: "qwen --approval-mode default -i 'play=ask'", steps: []step{
		sees(dash, "⏎ Send PostgreSQL"), press(cli, "Escape"), logged("Which store?", withdrawn), pending(0),
	}},
	{name: "command/allowed here", setup: "qwen --native", run: "qwen --approval-mode default -i 'play=shell'",
		steps: []step{
			answers(dash, "touch made-by-qwen", "y"), answers(dash, "⏎ Allow once", "Enter"),
			file("made-by-qwen", ""),
			logged("Allow", byPerson), pending(0),
		}},
	{name: "command/refused here with words", setup: "qwen --native",
		run: "qwen --approval-mode default -i 'play=shell'", steps: []step{
			answers(dash, "touch made-by-qwen", "n"), types(dash, "make none, say so"), press(dash, "Enter"),
			told("make none, say so"), absent("made-by-qwen"), logged("Allow", byPerson), pending(0),
		}},
	{name: "command/Esc", setup: "qwen --native", run: "qwen --approval-mode default -i 'play=shell'", steps: []step{
		sees(dash, "touch made-by-qwen"), press(cli, "Escape"), logged("Allow", escQwen), pending(0),
		absent("made-by-qwen"),
	}},
	{name: "command/left to qwen", setup: "qwen --native", run: "qwen --approval-mode default -i 'play=shell'",
		steps: []step{
			answers(dash, "touch made-by-qwen", "x"), stays(time.Second), press(dash, "Enter"),
			sees(cli, "Allow execution"), press(cli, "Enter"), file("made-by-qwen", ""), pending(0),
		}},
	{name: "command/kill -9", setup: "qwen --native", run: "qwen --approval-mode default -i 'play=shell'",
		steps: []step{sees(dash, "touch made-by-qwen"), kills(cli), logged("Allow", withdrawn), pending(0)}},
	{name: "question/answered here", setup: "qwen --native", run: "qwen --approval-mode default -i 'play=pickqwen'",
		steps: []step{
			answers(dash, "⏎ Send Markdown", "j", "Enter"), told("HTML", "person answered"), logged(format, byPerson),
			pending(0),
		}},
}

// -- Copilot CLI

var copilotKind = kind{
	name: "copilot", setup: "copilot",
	env: []string{"COPILOT_PROVIDER_BASE_URL=$MODEL/v1", "COPILOT_PROVIDER_API_KEY=x", "COPILOT_MODEL=m",
		"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false"},
	files: map[string]string{".copilot/config.json": `{"trusted_folders": ["$WORK", "$OTHER"]}`},
	rows:  copilotRows,
}

var copilotRows = []row{
	{name: "setup and remove", setup: "-", late: true, steps: setUpAndRemoved("copilot", " --native")},
	{name: "setup, changed since and remove", setup: "-", late: true,
		steps: setUpAndChanged("copilot", " --native", ".copilot/mcp-config.json", ".copilot/hooks/choicetui.json")},
	{name: "mcp/question", run: "copilot -i 'play=ask'", steps: []step{
		answers(dash, "⏎ Send PostgreSQL", "j", "Enter"), told(`"lite"`), logged("Which store?", byPerson),
		pending(0),
	}},
	{name: "mcp/hitl", run: "copilot -i 'play=hitl'", steps: []step{
		answers(dash, "Drop table orders_2019 in production?", "1", "Enter"),
		answers(dash, "y confirm", "y"), told("Drop it"), pending(0),
	}},
	{name: "command/allowed here", setup: "copilot --native", run: "copilot -i 'play=run_bash'", steps: []step{
		answers(dash, "touch made-by-copilot", "y"), answers(dash, "⏎ Allow once", "Enter"),
		file("made-by-copilot", ""),
		logged("Allow", byPerson), pending(0),
	}},
	{name: "command/refused here with words", setup: "copilot --native", run: "copilot -i 'play=run_bash'",
		steps: []step{
			answers(dash, "touch made-by-copilot", "n"), types(dash, "make none, say so"), press(dash, "Enter"),
			told("make none, say so"), absent("made-by-copilot"), pending(0),
		}},
	{name: "command/left to copilot", setup: "copilot --native", run: "copilot -i 'play=run_bash'", steps: []step{
		answers(dash, "touch made-by-copilot", "x"), stays(time.Second), press(dash, "Enter"),
		sees(cli, "Do you want to"), press(cli, "Enter"), file("made-by-copilot", ""), pending(0),
	}},
	{name: "command/Esc", setup: "copilot --native", run: "copilot -i 'play=run_bash'", steps: []step{
		sees(dash, "touch made-by-copilot"), quickly(cli, "Escape", "Escape"), logged("Allow", escCopilot), pending(0),
		absent("made-by-copilot"),
	}},
	{name: "command/kill -9", setup: "copilot --native", run: "copilot -i 'play=run_bash'", steps: []step{
		sees(dash, "touch made-by-copilot"), kills(cli), logged("Allow", withdrawn), pending(0),
	}},
}
