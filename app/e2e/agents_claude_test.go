//go:build agents

package e2e

import "time"

// What the log says of an answer.
const (
	byPerson  = `"by":"human","surface":"dashboard"`
	withdrawn = `"outcome":{"status":"cancelled","by":"caller"`
	inClaude  = `"status":"answered_elsewhere","by":"caller","surface":"client","reason":"in claude","answer"`
	escClaude = `"status":"answered_elsewhere","by":"caller","surface":"client","reason":"in claude","reason_code":"interrupted"`

	format = "Which output format shall the report have?"
	length = "How long shall the report be?"
)

// How Claude Code is started.
const (
	claude      = "claude --permission-mode default "
	claudePlan  = "claude --permission-mode plan "
	claudeAuto  = "claude " // in auto mode, which is its default
	claudeEdits = "env CLAUDE_CODE_ENABLE_TODO_TOOLS=1 claude --permission-mode acceptEdits "
)

// editor starts Claude Code in an editor, through claude-agent-acp: see testdata/clients/acp.mjs.
const editor = `env CLAUDE_CODE_EXECUTABLE="$(command -v claude)" $NODE $EDITOR 'play=run' claude-agent-acp`

// byOther is what the log says of a prompt that another hook decided.
const byOther = `"status":"answered_elsewhere","by":"caller","surface":"client","reason":"by another hook","reason_code":"decided"`

// denies is a hook of the person's own that denies each permission after two seconds.
const denies = `cat >deny.sh <<'END'
sleep 2
echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"policy says no"}}}'
END
sed -i 's#"PermissionRequest": \[#&{"hooks": [{"type": "command", "command": "sh ~/deny.sh"}]}, #' .claude/settings.json
grep -q deny.sh .claude/settings.json`

// claudeRun is the title of what plays.run asks for.
const claudeRun = "Allow Bash"

var claudeKind = kind{
	name: "claude", setup: "claude",
	env: []string{"ANTHROPIC_BASE_URL=$MODEL", "ANTHROPIC_AUTH_TOKEN=fake", "DISABLE_AUTOUPDATER=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"},
	files: map[string]string{".claude.json": `{"hasCompletedOnboarding":true,"theme":"dark","projects":{
		"$WORK":{"hasTrustDialogAccepted":true,"hasCompletedProjectOnboarding":true},
		"$OTHER":{"hasTrustDialogAccepted":true,"hasCompletedProjectOnboarding":true}}}`,
		".claude/settings.json": "{\"env\": {\"MINE\":\"1\"},\n\t\"model\" : \"opus\" }"},
	rows: claudeRows,
}

var claudeRows = []row{
	{name: "setup and remove", setup: "-", late: true,
		steps: append([]step{sh("claude mcp list")}, setUpAndRemoved("claude", " --gate")...)},
	{name: "setup, changed since and remove", setup: "-", late: true,
		steps: setUpAndChanged("claude", " --gate", ".claude.json", ".claude/settings.json")},
	{name: "mcp/listed", late: true, steps: []step{sh("claude mcp list | grep 'choicetui.*Connected'")}},
	{name: "mcp/question", run: claude, steps: []step{
		serves(cli), says(cli, "play=ask"), offers("mcp__choicetui__provide_choice"),
		answers(dash, "⏎ Send PostgreSQL", "j", "Enter"), told(`"lite"`), unlogged("Allow"),
		logged("Which store?", byPerson), logged("Which store?", `"event":"collected"`), pending(0),
	}},
	{name: "mcp/question in the prompt of the command line", run: claude + "'play=ask'", steps: []step{
		offers("mcp__choicetui__provide_choice"), answers(dash, "⏎ Send PostgreSQL", "Enter"), told(`"pg"`), pending(0),
	}},
	{name: "mcp/gate in the middle of a turn", setup: "claude --gate", run: claude, steps: []step{
		serves(cli), says(cli, "play=ask"),
		sees(dash, "⏎ Send PostgreSQL"), says(cli, "a zebra"), stays(2 * time.Second),
		press(dash, "Enter"), told(`"pg"`), untold("a zebra"), pending(0),
	}},
	{name: "mcp/Esc", run: claude, steps: []step{
		serves(cli), says(cli, "play=ask"),
		sees(dash, "⏎ Send PostgreSQL"), press(cli, "Escape"), seesWithin(3*time.Second, dash, "Interrupted in claude"),
		logged("Which store?", withdrawn), pending(0),
	}},
	{name: "mcp/kill -9", run: claude, steps: []step{
		serves(cli), says(cli, "play=ask"),
		sees(dash, "⏎ Send PostgreSQL"), kills(cli), seesWithin(promptly, dash, "gone"),
	}},
	{name: "mcp/resume", run: claude, steps: []step{
		serves(cli), says(cli, "play=ask"),
		answers(dash, "⏎ Send PostgreSQL", "Enter"), told(`"pg"`), sees(cli, "GOT"), says(cli, "/exit"),
		stays(time.Second),
		starts("again", "$WORK", claude+"--continue 'play=run'"),
		sees("again", "Do you want to proceed?"), sees(dash, "touch made-by-claude"), press("again", "1"),
		file("made-by-claude", ""), logged(claudeRun, inClaude), pending(0),
	}},
	{name: "mcp/resume in another transcript", run: claude, steps: []step{
		serves(cli), says(cli, "play=ask"),
		answers(dash, "⏎ Send PostgreSQL", "Enter"), told(`"pg"`), sees(cli, "GOT"), says(cli, "/exit"),
		stays(time.Second),
		starts("again", "$WORK",
			claude+`--resume "$(basename ~/.claude/projects/*/*.jsonl .jsonl)" --fork-session 'play=run'`),
		sees("again", "Do you want to proceed?"), sees(dash, "touch made-by-claude"), press("again", "1"),
		file("made-by-claude", ""), logged(claudeRun, inClaude), pending(0),
	}},
	{name: "line/into its pane", run: claude, steps: append([]step{
		serves(cli), says(cli, "play=ask"), answers(dash, "⏎ Send PostgreSQL", "Enter"), told(`"pg"`), sees(cli, "GOT"),
	}, writesLine("claude")...)},
	{name: "notice/idle", run: claude + "'play=say'", steps: []step{
		seesWithin(2*agentPatience, dash, "Claude is waiting for your input"), pending(0), says(cli, "play=say"),
		loses(dash, "Claude is waiting for your input"),
	}},
	{name: "notice/picker", late: true, run: claude + "'play=pick'", steps: []step{
		sees(cli, "❯ 1. Markdown"), stays(8 * time.Second), dashboard, sees(dash, "in its own pane"), pending(0),
		press(cli, "2"), told(format + `"="HTML"`), loses(dash, "in its own pane"), unlogged(""),
	}},
	{name: "plan/agreed here", run: claudePlan + "'play=planwrite'", steps: []step{
		sees(cli, "Ready to code?"), answers(dash, "Plan: ", "1", "Enter"),
		loses(cli, "Ready to code?"), sees(cli, "Do you want to create made-by-claude?"),
		logged("Plan: ", `"event":"collected"`), told("User has approved your plan"),
	}},
	{name: "plan/agreed here, edits without asking", run: claudePlan + "'play=planwrite'", steps: []step{
		answers(dash, "Plan: ", "2", "Enter"), file("made-by-claude", "one\ntwo\n"), sees(cli, "accept edits on"),
		pending(0),
	}},
	{name: "plan/refused here with words", run: claudePlan + "'play=plan'", steps: []step{
		answers(dash, "Plan: ", "3"), press(dash, "n"), types(dash, "a smaller step first"),
		press(dash, "Enter", "Enter"),
		told("a smaller step first"), pending(0), sees(cli, "plan mode on"),
	}},
	{name: "plan/agreed there", run: claudePlan + "'play=plan'", steps: []step{
		sees(dash, "Plan: "), sees(cli, "Ready to code?"), press(cli, "2"),
		told("User has approved your plan"), logged("Plan: ", inClaude), pending(0),
	}},
	{name: "command/allowed here", run: claude + "'play=run'", steps: []step{
		sees(cli, "Do you want to proceed?"), answers(dash, "touch made-by-claude", "y"),
		answers(dash, "⏎ Allow once", "Enter"), file("made-by-claude", ""),
		loses(cli, "Do you want to proceed?"),
		logged(claudeRun, byPerson), logged(claudeRun, `"event":"collected"`), pending(0),
	}},
	{name: "before this/a question", bare: true, run: claudeEdits + "'play=claudeasks'", steps: append(
		turnBefore("Which store?", "claude transcript", "“Payments need a store that can roll back.”",
			"✎ notes.txt +2 −0   ✗ ls missing-file (exit 2)   ▸ plan 2 of 2: Decide"),
		showsBefore("Payments need a store", "✓ 1. Look"), press(dash, "Enter"), told(`"pg"`), pending(0))},
	{name: "before this/an approval", bare: true, run: claudeEdits + "'play=clauderuns'", steps: append(
		turnBefore("touch made-again", "claude transcript", "“The file must be made again.”",
			"✎ notes.txt +2 −0   ✗ ls missing-file (exit 2)   ▸ plan 2 of 2: Decide"),
		press(dash, "y"), answers(dash, "⏎ Allow once", "Enter"), file("made-again", ""), pending(0))},
	{name: "before this/an edit", bare: true, home: "seq -f 'line %g' 25 >$WORK/lines.txt", run: "env CLAUDE_CODE_ENABLE_TODO_TOOLS=1 " + claude + "'play=claudeedits'",
		steps: []step{
			answers(dash, "+two", "y"), answers(dash, "⏎ Allow once", "Enter"),
			sees(dash, "+line ten", "“The tenth line is wrong.”"), press(dash, "P"),
			sees(dash, "with the lines around it", "│  line 1\n", "│ -line 10", "│ +line ten", "│  line 20\n"),
			lacks(dash, "line 21"), press(dash, "P"), press(dash, "y"), answers(dash, "⏎ Allow once", "Enter"), told("updated"),
			pending(0),
		}},
	{name: "before this/two sessions in one directory", bare: true, run: claudeEdits + "'play=claudeasks'",
		steps: besideEachOther(claudeEdits+"'play=clauderuns'", "Which store?", "touch made-again")},
	{name: "command/allowed there", run: claude + "'play=run'", steps: []step{
		sees(dash, "touch made-by-claude"), sees(cli, "Do you want to proceed?"), press(cli, "1"),
		file("made-by-claude", ""), seesWithin(3*time.Second, dash, "Answered in claude"),
		logged(claudeRun, inClaude), pending(0),
	}},
	{name: "command/allowed there, the next one here", run: claude + "'play=runs'", steps: []step{
		sees(dash, "touch made-by-claude"), sees(cli, "Do you want to proceed?"), press(cli, "1"),
		sees(dash, "touch made-again"), pending(1), answers(dash, "touch made-again", "y"),
		answers(dash, "⏎ Allow once", "Enter"), file("made-again", ""), logged(claudeRun, inClaude),
		logged(claudeRun, byPerson), pending(0),
	}},
	{name: "command/allowed there, it runs long", run: claude + "'play=runlong'", steps: []step{
		sees(dash, "touch made-by-claude"), sees(cli, "Do you want to proceed?"), press(cli, "1"),
		file("made-by-claude", ""), seesWithin(5*time.Second, dash, "Answered in claude"), pending(0),
		untold("completed"),
	}},
	{name: "command/refused here with words", run: claude + "'play=run'", steps: []step{
		answers(dash, "touch made-by-claude", "n"), types(dash, "make none, say so"), press(dash, "Enter"),
		told("make none, say so"), absent("made-by-claude"), loses(cli, "Do you want to proceed?"),
		logged(claudeRun, byPerson), pending(0),
	}},
	{name: "command/refused there", run: claude + "'play=run'", steps: []step{
		sees(dash, "touch made-by-claude"), sees(cli, "Do you want to proceed?"), press(cli, "4"),
		logged(claudeRun, escClaude), pending(0), absent("made-by-claude"),
	}},
	{name: "command/Esc", run: claude + "'play=run'", steps: []step{
		sees(dash, "touch made-by-claude"), sees(cli, "Do you want to proceed?"), press(cli, "Escape"),
		logged(claudeRun, escClaude), pending(0), absent("made-by-claude"),
	}},
	{name: "command/kill -9", run: claude + "'play=run'", steps: []step{
		sees(dash, "touch made-by-claude"), kills(cli), logged(claudeRun, withdrawn), pending(0),
	}},
	{name: "command/three alike, the second refused there", run: claude + "'play=runthree'", steps: []step{
		sees(dash, "made-by-claude"), sees(cli, "Do you want to proceed?"), press(cli, "1"),
		file("made-by-claude", "x\n"), sees(cli, "Do you want to proceed?"), press(cli, "4"),
		logged(claudeRun, inClaude), logged(claudeRun, escClaude), pending(0), file("made-by-claude", "x\n"),
	}},
	{name: "command/three alike, the second refused here", run: claude + "'play=runthree'", steps: []step{
		sees(dash, "made-by-claude"), sees(cli, "Do you want to proceed?"), press(cli, "1"),
		file("made-by-claude", "x\n"),
		logged(claudeRun, inClaude), pending(1), answers(dash, "1 waiting", "n"), types(dash, "not that one"),
		press(dash, "Enter"), logged(claudeRun, byPerson), pending(1), answers(dash, "1 waiting", "y"),
		answers(dash, "⏎ Allow once", "Enter"), told("not that one"), file("made-by-claude", "x\nx\n"),
		pending(0),
	}},
	{name: "command/no clock", run: claude + "'play=run'", steps: []step{
		sees(dash, "touch made-by-claude"), sees(dash, "▸     –  Bash: touch"), lacks(dash, "5:0"),
	}},
	{name: "command/seen late", late: true, run: claude + "'play=run'", steps: []step{
		sees(cli, "Do you want to proceed?"), stays(2 * time.Second), dashboard,
		answers(dash, "touch made-by-claude", "y"), answers(dash, "⏎ Allow once", "Enter"),
		file("made-by-claude", ""), logged(claudeRun, byPerson), pending(0),
	}},
	{name: "command/by a rule", run: claude + "'play=runtwice'", steps: []step{
		answers(dash, "touch made-by-claude", "M"), answers(dash, "⏎ Allow touch", "Enter"),
		sees(dash, "touch made-again"), logged(claudeRun+": touch made-by-claude", `"by":"rule"`), pending(1),
	}},
	{name: "command/forty alike, by a rule", run: claude + "'play=runsame'", steps: []step{
		answers(dash, "touch same", "M"), answers(dash, "⏎ Allow touch", "Enter"), countedWhileOpen(4 * time.Minute),
		pending(0), recordsAgree("touch same", 40, 2),
	}},
	{name: "command/alike, answered in claude and here in turn", run: claude + "'play=runturns'", steps: []step{
		inTurn(10), told("completed"), pending(0), recordsAgree("touch same", 10, 0),
	}},
	{name: "command/allowed here and Esc there at the same moment", run: claude, steps: []step{
		serves(cli), races(10), recordsAgree("touch made-by-claude", 10, 0),
	}},
	{name: "command/denied by another hook", home: denies, run: claude + "'play=run'", steps: []step{
		sees(dash, "touch made-by-claude"), told("policy says no"), seesWithin(3*time.Second, dash, "Decided by another hook"),
		logged(claudeRun, byOther), pending(0), absent("made-by-claude"),
	}},
	{name: "address/two alike at once", run: claude + "'play=fetchtwo'", steps: []step{
		sees(dash, "2 waiting"), sees(cli, "1 of 2"), press(cli, "1"), counts(1), stays(2 * time.Second), counts(1),
		sees(cli, "Do you want to allow"), press(cli, "1"), pending(0), logged("Allow WebFetch", inClaude),
		unlogged("Allow WebFetch", `"perhaps"`),
	}},
	{name: "command/reported by two hooks",
		home: "mkdir -p $WORK/.claude && sed 's/hook claude/hook  claude/' .claude/settings.json >$WORK/.claude/settings.json",
		run:  claude + "'play=run'", steps: []step{
			sees(dash, "touch made-by-claude"), stays(3 * time.Second), pending(1), press(dash, "y"),
			answers(dash, "⏎ Allow once", "Enter"), file("made-by-claude", ""), logged(claudeRun, `"event":"collected"`),
			pending(0),
		}},
	{name: "command/of claude -p, without a dashboard", late: true, steps: []step{
		sh("time timeout 60 " + claude + "-p 'play=run' </dev/null >~/said 2>&1; grep 'needs approval' ~/said"),
		absent("made-by-claude"), unlogged(""),
	}},
	{name: "command/of claude -p, denied by another hook", home: denies, run: claude + "-p 'play=run'", steps: []step{
		sees(dash, "touch made-by-claude"), told("policy says no"), logged(claudeRun, byOther), pending(0),
	}},
	{name: "editor/answered there", run: editor, steps: []step{
		sees(dash, "touch made-by-claude"), sees(cli, "Allow touch made-by-claude?"), press(cli, "2"),
		file("made-by-claude", ""), seesWithin(3*time.Second, dash, "Answered in claude"), logged(claudeRun, inClaude),
		pending(0), sees(cli, "the turn ended"),
	}},
	{name: "editor/refused there", run: editor, steps: []step{
		sees(dash, "touch made-by-claude"), sees(cli, "Allow touch made-by-claude?"), press(cli, "3"),
		told("User refused"), seesWithin(3*time.Second, dash, "Interrupted in claude"), logged(claudeRun, escClaude),
		pending(0), absent("made-by-claude"),
	}},
	{name: "editor/stopped there", run: editor, steps: []step{
		sees(dash, "touch made-by-claude"), sees(cli, "Allow touch made-by-claude?"), press(cli, "c"),
		logged(claudeRun, escClaude), pending(0), absent("made-by-claude"),
	}},
	{name: "editor/answered here", run: editor, steps: []step{
		sees(cli, "Allow touch made-by-claude?"), answers(dash, "touch made-by-claude", "y"),
		answers(dash, "⏎ Allow once", "Enter"), file("made-by-claude", ""), sees(cli, "the turn ended"),
		logged(claudeRun, byPerson), logged(claudeRun, `"event":"collected"`), pending(0),
	}},
	{name: "editor/refused here too late", run: editor, steps: []step{
		sees(cli, "Allow touch made-by-claude?"), answers(dash, "touch made-by-claude", "n"), types(dash, "not that one"),
		press(cli, "2"), file("made-by-claude", ""), seesWithin(3*time.Second, dash, "Answered in claude"),
		press(dash, "Enter"), stays(time.Second), logged(claudeRun, inClaude), unlogged(claudeRun, byPerson),
		untold("not that one"), pending(0),
	}},
	{name: "auto mode/question by a tool", run: claudeAuto, steps: []step{
		serves(cli), says(cli, "play=ask"), answers(dash, "⏎ Send PostgreSQL", "Enter"), told(`"pg"`), sees(cli, "auto mode on"),
		pending(0),
	}},
	{name: "auto mode/its own question", run: claudeAuto + "'play=pick'", steps: []step{
		answers(dash, "⏎ Send Markdown", "j", "Enter"), told(format + `"="HTML"`), pending(0),
	}},
	{name: "auto mode/Esc in its own question", run: claudeAuto + "'play=pick'", steps: []step{
		sees(dash, "⏎ Send Markdown"), press(cli, "Escape"), logged(format, escClaude), pending(0),
	}},
	{name: "auto mode/a command that it allows", run: claudeAuto + "'play=run'", steps: []step{
		file("made-by-claude", ""), told("completed"), pending(0), unlogged(""),
	}},
	{name: "auto mode/form of another server", home: "claude mcp add -s user elicits -- $NODE $ELICITS",
		run: claudeAuto + "--allowedTools mcp__elicits__deploy -- 'play=deployclaude'", steps: []step{
			sees(dash, "A form of elicits"), press(cli, "Escape"), logged("A form of elicits", escClaude), pending(0),
		}},
	{name: "auto mode/a command that it cannot check", run: claudeAuto + "'play=runoutside'", steps: []step{
		sees(dash, "in its own pane"), pending(0), sees(cli, "Enter to stay in auto mode"), press(cli, "Enter"),
		sees(cli, "Do you want to proceed?"), sees(dash, "Claude needs your permission"), pending(0),
		press(cli, "Escape"), loses(dash, "in its own pane"),
	}},
	{name: "command/behind a long line of the transcript", run: claude + "'play=runlater'", steps: []step{
		sees(dash, "touch made-by-claude"), sees(cli, "Do you want to proceed?"), press(cli, "1"),
		file("made-by-claude", ""), logged(claudeRun, inClaude), pending(0),
	}},
	{name: "command/of a subagent", run: claude + "'play=subagent'", steps: []step{
		sees(dash, "touch made-by-claude", "shop · claude › general-purpose"), press(dash, "y"),
		answers(dash, "⏎ Allow once", "Enter"), file("made-by-claude", ""), logged(claudeRun, byPerson),
		pending(0),
	}},
	// While a hook waits, Claude does not draw the dialog of a subagent in the background: it waits only for a dashboard.
	{name: "command/of a subagent, seen late", late: true, run: claude + "'play=subagent'", steps: []step{
		seesWithin(15*time.Second, cli, "Do you want to proceed?"), stays(8 * time.Second), dashboard,
		sees(dash, "in its own pane", "claude › general-"), pending(0), press(cli, "1"), file("made-by-claude", ""),
		loses(dash, "in its own pane"),
	}},
	{name: "command/of a subagent, left to it with the last dashboard", run: claude + "'play=subagent'", steps: []step{
		sees(dash, "touch made-by-claude"), kills(dash), seesWithin(30*time.Second, cli, "Do you want to proceed?"),
		press(cli, "1"), file("made-by-claude", ""), pending(0),
	}},
	{name: "command/of claude -p", run: claude + "-p 'play=run'", steps: []step{
		answers(dash, "touch made-by-claude", "y"), answers(dash, "⏎ Allow once", "Enter"),
		file("made-by-claude", ""), logged(claudeRun, byPerson), pending(0),
	}},
	{name: "file/allowed here", run: claude + "'play=write'", steps: []step{
		sees(cli, "Do you want to create made-by-claude?"), answers(dash, "+two", "y"),
		answers(dash, "⏎ Allow once", "Enter"), file("made-by-claude", "one\ntwo\n"),
		loses(cli, "Do you want to create"), logged("Allow", byPerson), pending(0),
	}},
	{name: "fit/a long command and its rule", run: claude + "'play=runlongrule'", steps: []step{
		sees(cli, "Do you want to proceed?"), answers(dash, "python3 -c", "y"), answers(dash, "⏎ Allow once", "Enter"),
		file("made-by-claude", ""), pending(0), logged("Allow Bash: python3 -c", byPerson),
	}},
	{name: "fit/a long label with a long preview", run: claude + "'play=picklong'", steps: []step{
		answers(dash, "Which output format", "1"), answers(dash, "⏎ Send", "Enter"), told("in every detail, in every detail"), pending(0),
	}},
	{name: "fit/a plan without text", run: claudePlan + "'play=plannone'", steps: []step{
		answers(dash, "Leave plan mode?", "1"), answers(dash, "⏎ Go ahead", "Enter"), pending(0),
	}},
	{name: "question/answered here", run: claude + "'play=pick'", steps: []step{
		answers(dash, "⏎ Send Markdown", "j", "Enter"), told(format + `"="HTML"`),
		logged(format, byPerson), logged(format, `"event":"collected"`), pending(0),
	}},
	{name: "question/several answered here", run: claude + "'play=picks'", steps: []step{
		answers(dash, "Which parts shall it have?", "1", "2", "Enter"), told(`="Intro, Body"`), pending(0),
	}},
	{name: "question/own words", run: claude + "'play=pick'", steps: []step{
		answers(dash, "⏎ Send Markdown", "t"), types(dash, "plain text"), press(dash, "Enter"), press(dash, "Enter"),
		told(`="plain text"`), pending(0),
	}},
	{name: "question/left to claude", run: claude + "'play=pick'", steps: []step{
		answers(dash, "⏎ Send Markdown", "x"), stays(time.Second), press(dash, "Enter"), sees(cli, "❯ 1. Markdown"),
		press(cli, "2"), told(format + `"="HTML"`), pending(0),
	}},
	{name: "question/Esc", run: claude + "'play=pick'", steps: []step{
		sees(dash, "⏎ Send Markdown"), press(cli, "Escape"), logged(format, escClaude), pending(0),
	}},
	{name: "form of another server", home: "claude mcp add -s user elicits -- $NODE $ELICITS",
		run: claude + "--allowedTools mcp__elicits__deploy -- 'play=deployclaude'", steps: []step{
			sees(dash, "A form of elicits"), answers(dash, "Type your answer", "Enter"), types(dash, "first"),
			press(dash, "Enter"), press(dash, "Enter"),
			answers(dash, "Next: Place", "Enter"), answers(dash, "Staging", "2", "Enter"),
			answers(dash, "Leave it empty", "t"), types(dash, "3"), press(dash, "Enter"),
			answers(dash, "⏎ Send 4 answers", "Enter"),
			told(`"action":"accept","content":{"name":"first","dry":true,"place":"production","copies":3}`),
			logged("A form of elicits", byPerson), pending(0),
		}},
	{name: "form of another server, Esc", home: "claude mcp add -s user elicits -- $NODE $ELICITS",
		run: claude + "--allowedTools mcp__elicits__deploy -- 'play=deployclaude'", steps: []step{
			sees(dash, "A form of elicits"), press(cli, "Escape"), seesWithin(3*time.Second, dash, "Interrupted in claude"),
			logged("A form of elicits", escClaude), pending(0), press(dash, "x", "Enter"), stays(time.Second),
			unlogged("A form of elicits", byPerson),
		}},
	{name: "two sessions in one directory", run: claude + "'play=run'", steps: []step{
		sees(dash, "touch made-by-claude"), starts("two", "$WORK", claude+"'play=pick'"),
		sees(dash, "2 waiting"), press(cli, "1"), file("made-by-claude", ""), logged(claudeRun, inClaude),
		answers(dash, "⏎ Send Markdown", "Enter"), sees("two", "Markdown"), told(format + `"="Markdown`), pending(0),
	}},
}
