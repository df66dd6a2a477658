package cli

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app/connect"
	"github.com/choicetui/choicetui/panes/empty"
	"github.com/choicetui/choicetui/panes/ink"
)

// connectTopic is `choicetui help connect`. A command that runs nothing is cobra's way of a help topic. Its text is
// made when it is read, since it depends on where this program is.
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

// connectText says how each client is connected to the program that is reached this way.
func connectText(way connect.Way) (p page) {
	p.line("Agents ask through MCP. Each starts `choicetui mcp` itself, once told to:")
	if way.First != "" {
		p.line("\n%s", folded("This choicetui is gone when `go run` ends. Install it first, in the directory of its "+
			"sources:", 80))
		p.line("  %s", way.First)
	} else if filepath.IsAbs(way.Program) {
		p.line("\n%s", folded("A shell does not find this choicetui under its name, so the lines name its file.", 80))
	}
	for _, c := range connect.Clients(way.Program) {
		p.line("\n%s", c.Name)
		if c.Command != "" {
			p.line("  %s", c.Command)
		}
		p.block("  ", folded(c.Lead(c.File), 78))
		p.block("    ", c.Config)
		p.block("  ", folded(c.Timeout, 78))
	}
	p.line("\n%s", folded(connect.Anyway, 80))
	p.line("\nThen tell the agent: “%s”.", connect.Ask)
	return p
}

// folded breaks a paragraph of ours into lines of at most width cells.
func folded(text string, width int) string { return strings.Join(ink.Wrap(text, width), "\n") }

// copied is the number of agents whose lines the empty screen offers; each has a key.
const copied = 4

// offered returns the lines that the empty screen hands out: to install this program where that has to come first,
// those that connect a client, and the one that shows all of this.
func offered(way connect.Way) (lines []empty.Connect) {
	if way.First != "" {
		lines = append(lines, empty.Connect{Name: "first", Command: way.First})
	}
	for _, c := range connect.Clients(way.Program)[:copied] { // setup knows the others
		if c.Command != "" {
			lines = append(lines, empty.Connect{Name: c.Name, Command: c.Command})
		}
	}
	return append(lines, empty.Connect{Name: "others", Command: connect.ShellQuoted(way.Program) + " help connect"})
}
