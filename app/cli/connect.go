package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app/connect"
	"github.com/choicetui/choicetui/panes/ink"
)

// connectTopic is `choicetui help connect`. A command that runs nothing is cobra's way of a help topic.
func connectTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "connect",
		Short: "How to connect Claude Code, Codex, Gemini CLI and others",
		Long:  connectText(),
	}
}

func connectText() string {
	var p page
	p.line("Agents ask through MCP. Each starts `choicetui mcp` itself, once told to:")
	for _, c := range connect.Clients() {
		p.line("\n%s", c.Name)
		if c.Command != "" {
			p.line("  %s", c.Command)
			p.line("  for long waits, in %s:", c.File)
		} else {
			p.line("  in %s:", c.File)
		}
		p.block("    ", c.Config)
		p.block("  ", folded(c.Timeout, 78))
	}
	p.line("\n%s", folded(connect.Anyway, 80))
	p.line("\nThen tell the agent: “%s”.", connect.Ask)
	return strings.TrimRight(p.String(), "\n")
}

// folded breaks a paragraph of ours into lines of at most width cells.
func folded(text string, width int) string { return strings.Join(ink.Wrap(text, width), "\n") }
