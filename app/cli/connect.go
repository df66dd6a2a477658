package cli

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app/connect"
	"github.com/choicetui/choicetui/panes/empty"
	"github.com/choicetui/choicetui/panes/ink"
)

// connectTopic returns the help topic `choicetui help connect`: in cobra that is a command without a run function. The
// text is made when it is read, because it depends on where this program is.
func connectTopic(sh *shell) *cobra.Command {
	cmd := &cobra.Command{Use: "connect", Short: "How to connect Claude Code, Codex, Gemini CLI and others"}
	cmd.SetHelpFunc(func(*cobra.Command, []string) {
		p := connectText(connect.Here())
		if err := p.send(sh.out); err != nil {
			sh.note("%s", err)
		}
	})
	return cmd
}

// connectText says how each client is connected. way is how a shell starts this program.
func connectText(way connect.Way) (p page) {
	p.line("Agents ask through MCP. To make an agent start `choicetui mcp`:")
	if way.First != "" {
		p.line("\n%s", foldText("This choicetui is deleted when `go run` ends. Install it first, in the directory of "+
			"its sources:", 80))
		p.line("  %s", way.First)
	} else if filepath.IsAbs(way.Program) {
		p.line("\n%s", foldText("This choicetui is not on your PATH, so the lines contain its full path.", 80))
	}
	for _, c := range connect.Clients(way.Program) {
		p.line("\n%s", c.Name)
		if c.Command != "" {
			p.line("  %s", c.Command)
		}
		p.block("  ", foldText(c.Lead(c.File), 78))
		p.block("    ", c.Config)
		p.block("  ", foldText(c.Timeout, 78))
	}
	p.line("\n%s", foldText(connect.Anyway, 80))
	p.line("\nThen tell the agent: “%s”.", connect.Ask)
	return p
}

// foldText breaks a paragraph of our own into lines of at most width cells.
func foldText(text string, width int) string { return strings.Join(ink.Wrap(text, width), "\n") }

// offeredAgents is the number of agents whose lines the empty screen offers. Each line has a key.
const offeredAgents = 4

// connectLines returns the commands that the empty screen offers to copy: to install this program if that has to come
// first, to connect each client, and to show the help on connecting.
func connectLines(way connect.Way) (lines []empty.Connect) {
	if way.First != "" {
		lines = append(lines, empty.Connect{Name: "first", Command: way.First})
	}
	for _, c := range connect.Clients(way.Program)[:offeredAgents] { // the help and setup know the others
		if c.Command != "" {
			lines = append(lines, empty.Connect{Name: c.Name, Command: c.Command})
		}
	}
	return append(lines, empty.Connect{Name: "others", Command: connect.ShellQuoted(way.Program) + " help connect"})
}
