package cli

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/panes/empty"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// fact is one row of a reference list: a name and its meaning.
type fact struct{ name, means string }

// environmentVars returns the environment variables that choicetui reads.
func environmentVars() []fact {
	list := slices.Clone(ourVars)
	for _, v := range agents.Variables() {
		list = append(list, fact{v.Names, v.Means})
	}
	return list
}

// ourVars lists the environment variables that belong to no agent.
var ourVars = []fact{
	{"CHOICETUI_QUEUE", "Where the queue is: a directory, or nats://HOST:PORT. The flag --queue " +
		"overrides it, and it overrides the setting queue."},
	{"XDG_STATE_HOME", "The directory that contains choicetui/, with the queue (unless another is named), " +
		"the rules, the address of a running web page, and copies of files that setup changed. " +
		"Default: ~/.local/state, on macOS ~/Library/Application Support."},
	{"XDG_CONFIG_HOME", "The directory that contains choicetui/config.json, the settings. Default: ~/.config, " +
		"on macOS ~/Library/Application Support."},
	{"XDG_RUNTIME_DIR", "On Linux, where a running choicetui keeps a lock for each process that uses a queue on a " +
		"server. Default: /run/user/UID; if that is missing, other private directories."},
	{"VISUAL, EDITOR", "The editor that e and Ctrl-G open: the first that is set. Default: vi."},
	{"NO_COLOR", "If set and not empty, no colours are used."},
	{"TERM", "The type of terminal. If it is empty or unknown, --plain still works."},
	{"LC_ALL, LC_CTYPE, LANG", "The first that is set says which characters the terminal can show. " +
		"Without UTF-8, lines and marks are ASCII."},
	{"TMUX, TMUX_PANE, STY", "Set by tmux and screen. They say in which pane an agent or a dashboard runs."},
	{"TMUX_TMPDIR", "Where tmux keeps its sockets, for a host that is connected with choicetui remote. Default: /tmp."},
	{"TERM_PROGRAM, LC_TERMINAL, KITTY_WINDOW_ID, WT_SESSION",
		"Set by terminals. They say which desktop notifications the terminal can show."},
	{"DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME, SSH_CONNECTION, SSH_TTY, SSH_CLIENT",
		"They say whether a browser can be opened here."},
}

// exitCodes lists the exit codes of all commands.
var exitCodes = []fact{
	{"0", "answered, or done"},
	{"1", "any other error"},
	{"2", "gate: questions are pending"},
	{"3", "cancelled or deferred; interview: stopped early"},
	{"4", "timed out"},
	{"5", "not found, already answered, or already used"},
	{"6", "attach: closed without an answer; the question is still pending"},
}

// environmentTopic returns the help topic `choicetui help environment`.
func environmentTopic(sh *shell) *cobra.Command {
	cmd := &cobra.Command{Use: "environment", Short: "Environment variables and exit codes"}
	cmd.SetHelpFunc(func(*cobra.Command, []string) {
		if err := environmentText().send(sh.out); err != nil {
			sh.note("%s", err)
		}
	})
	return cmd
}

// environmentText returns the text of the topic.
func environmentText() *page {
	var p page
	p.line("Variables")
	for _, v := range environmentVars() {
		p.block("  ", foldText(v.name, 78))
		p.block("      ", foldText(v.means, 74))
	}
	p.line("\nExit codes")
	for _, e := range exitCodes {
		p.line("  %s%s%s", e.name, strings.Repeat(" ", max(4-ink.Width(e.name), 1)), e.means)
	}
	return &p
}

// keysTopic returns the help topic `choicetui help keys`: the rows of the dashboard's help with the person's own keys.
// The settings are read only when the topic is shown, so that no other command waits for the file.
func keysTopic(sh *shell) *cobra.Command {
	cmd := &cobra.Command{Use: "keys", Short: "All keys of the dashboard, with your own changes"}
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		file := sh.settings()
		sh.warnSettings(file.Err())
		m, _ := action.New(file.Settings().Keys, ink.Width)
		if way := file.Settings().Widen.Backend; way == "" || way == config.WidenOff {
			m = m.WithoutTeam()
		}
		_, _ = io.WriteString(cmd.OutOrStdout(), keysText(m)) // the reader may have closed the pipe
	})
	return cmd
}

// keysText returns the text of the topic, with the key names in a column of their own.
func keysText(m action.Map) string {
	const column, width = 16, 80
	var p page
	for i, row := range m.HelpRows() {
		if row.Heading != "" {
			if i > 0 {
				p.line("")
			}
			p.line("%s", row.Heading)
			continue
		}
		for n, words := range ink.Wrap(row.Words, width-column) {
			keys := row.Keys
			if n > 0 {
				keys = ""
			}
			gap := strings.Repeat(" ", max(column-2-ink.Width(keys), 1))
			p.line("  %s%s%s", keys, gap, words)
		}
	}
	p.line("\n%s", "`choicetui config set keys.ACTION KEY` changes one,\n`choicetui config keys` lists the actions.")
	return p.String()
}

// connectTopic returns the help topic `choicetui help connect`: in cobra that is a command without a run function. The
// text is made when it is read, because it depends on where this program is.
func connectTopic(sh *shell) *cobra.Command {
	cmd := &cobra.Command{Use: "connect", Short: "How to connect each agent"}
	cmd.SetHelpFunc(func(*cobra.Command, []string) {
		p := connectText(agent.Here())
		if err := p.send(sh.out); err != nil {
			sh.note("%s", err)
		}
	})
	return cmd
}

// connectText says how each client is connected. way is how a shell starts this program.
func connectText(way agent.Way) (p page) {
	p.line("Agents ask through MCP. To make an agent start `choicetui mcp`:")
	if way.First != "" {
		p.line("\n%s", foldText("This choicetui is deleted when `go run` ends. Install it first, in the directory of "+
			"its sources:", 80))
		p.line("  %s", way.First)
	} else if filepath.IsAbs(way.Program) {
		p.line("\n%s", foldText("This choicetui is not on your PATH, so the lines contain its full path.", 80))
	}
	for _, c := range agents.Clients(way.Program) {
		p.line("\n%s", c.Name)
		if c.Command != "" {
			p.line("  %s", c.Command)
		}
		p.block("  ", foldText(c.Lead(c.File), 78))
		p.block("    ", c.Config)
		p.block("  ", foldText(c.Timeout, 78))
	}
	p.line("\n%s", foldText(agent.Anyway, 80))
	p.line("\nThen tell the agent: “%s”.", agent.Ask)
	return p
}

// foldText breaks a paragraph of our own into lines of at most width cells.
func foldText(text string, width int) string { return strings.Join(ink.Wrap(text, width), "\n") }

// offeredAgents is the number of agents whose lines the empty screen offers. Each line has a key.
const offeredAgents = 4

// connectLines returns the commands that the empty screen offers to copy: to install this program if that has to come
// first, to connect each client, and to show the help on connecting.
func connectLines(way agent.Way) (lines []empty.Connect) {
	if way.First != "" {
		lines = append(lines, empty.Connect{Name: "first", Command: way.First})
	}
	for _, c := range agents.Clients(way.Program)[:offeredAgents] { // the help and setup know the others
		if c.Command != "" {
			lines = append(lines, empty.Connect{Name: c.Name, Command: c.Command})
		}
	}
	return append(lines, empty.Connect{Name: "others", Command: agent.ShellQuoted(way.Program) + " help connect"})
}
