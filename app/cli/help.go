package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The groups of commands in the root's help. Commands without a group work, and have their help and a page of the
// manual, but are not listed.
const (
	groupAnswer = "answer"
	groupAgents = "agents"
	groupYours  = "yours"
)

// helpPage returns the help of a command, laid out so that it fits a terminal of 24 rows with the prompt below it.
func helpPage(cmd *cobra.Command) *page {
	var p page
	if !cmd.HasParent() {
		listCommands(&p, cmd)
		return &p
	}
	about := cmd.Long
	if about == "" {
		about = cmd.Short + "."
	}
	p.line("%s\n\nUsage: %s", about, cmd.UseLine())
	if cmd.Example != "" {
		p.line("%s", cmd.Example)
	}
	p.line("")
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() {
			p.line("  %s %s", column(child.Name(), 11), child.Short)
		}
	}
	if cmd.HasAvailableSubCommands() {
		p.line("")
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.AddFlagSet(cmd.NonInheritedFlags())
	flags.AddFlagSet(cmd.InheritedFlags())
	rows := flags.FlagUsagesWrapped(80)
	for row := range strings.Lines(rows) {
		if !strings.HasPrefix(row, "  -h, --help ") { // whoever reads the help knows this flag
			p.WriteString(row)
		}
	}
	return &p
}

// listCommands writes the help of the program itself: the commands in their groups.
func listCommands(p *page, root *cobra.Command) {
	p.line("Without a command, choicetui opens the dashboard: all agents' questions.\n")
	for _, group := range root.Groups() {
		p.line("%s", group.Title)
		for _, cmd := range root.Commands() {
			if cmd.GroupID == group.ID && cmd.IsAvailableCommand() {
				p.line("  %s %s", column(cmd.Name(), 11), cmd.Short)
			}
		}
	}
	p.line("Flags: --plain (lines, not a full screen)  --queue DIR  --version  --help\n" +
		"More: choicetui COMMAND --help, choicetui help keys (or: connect, environment)")
}
