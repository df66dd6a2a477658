//go:build man

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/keys"
)

// The manual is made of what --help and the tables say, and nothing of it is in the program itself: this file and its
// library are built with the tag man alone. A page is written as Markdown, and md2man makes roff of it.

// manual is the manual in the making.
type manual struct{ version, date string }

// WriteManual writes choicetui(1) and a page for each command into a directory, which it makes. The same commands,
// version and date give the same bytes.
func WriteManual(dir, version string, date time.Time) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("failed to make the manual's directory: %w", err)
	}
	root := newRoot(&shell{in: strings.NewReader(""), out: io.Discard, err: io.Discard, now: time.Now})
	root.SetContext(context.Background())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	m := manual{version: version, date: date.UTC().Format(time.DateOnly)}
	var failed error
	for _, cmd := range pagesBelow(root) {
		file := filepath.Join(dir, pageOf(cmd)+".1")
		failed = errors.Join(failed, os.WriteFile(file, md2man.Render([]byte(m.page(cmd))), 0o644))
	}
	if failed != nil {
		return fmt.Errorf("failed to write the manual: %w", failed)
	}
	return nil
}

// pagesBelow returns a command and all below it that have a page: those that can be run.
func pagesBelow(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() {
			all = append(all, pagesBelow(child)...)
		}
	}
	return all
}

// pageOf returns the name of a command's page: choicetui-config-set.
func pageOf(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// page returns the page of one command, as Markdown.
func (m manual) page(cmd *cobra.Command) string {
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	var p page
	p.line(`%% "%s" "1" "%s" "choicetui %s" "choicetui"`+"\n", strings.ToUpper(pageOf(cmd)), m.date, m.version)
	p.line("# NAME\n\n%s - %s\n", pageOf(cmd), asMarkdown(cmd.Short))
	arguments := strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath())
	p.line("# SYNOPSIS\n\n**%s**%s\n", cmd.CommandPath(), asMarkdown(arguments))
	p.line("# DESCRIPTION\n\n%s\n", asMarkdown(described(cmd)))
	if cmd.HasAvailableSubCommands() {
		p.line("# COMMANDS\n")
		for _, child := range cmd.Commands() {
			if child.IsAvailableCommand() {
				p.define("**"+pageOf(child)+"**(1)", child.Short)
			}
		}
	}
	p.flags("OPTIONS", cmd.NonInheritedFlags())
	p.flags("OPTIONS OF EVERY COMMAND", cmd.InheritedFlags())
	if cmd.HasExample() {
		p.line("# EXAMPLES\n\n%s\n", codeBlock(cmd.Example))
	}
	if !cmd.HasParent() {
		p.tables()
	}
	p.seeAlso(cmd)
	return p.String()
}

func described(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return cmd.Long
	}
	return cmd.Short + "."
}

// tables are the sections of choicetui(1) that a person looks things up in.
func (p *page) tables() {
	p.line("# KEYS\n\nWhat `choicetui help keys` prints with your own keys in place.\n")
	for _, row := range keys.Map(keys.Table).HelpRows(keys.PlaceQuestion) {
		switch {
		case row.Heading != "":
			p.line("### %s\n", asMarkdown(row.Heading))
		case row.Also:
			p.define("also", row.Words)
		default:
			p.define("**"+asMarkdown(row.Keys)+"**", row.Words)
		}
	}
	p.line("# SETTINGS\n\nThe file holds only what was changed: **choicetui config set** *KEY* *VALUE* changes one.\n")
	standard := config.Default().Values()
	for _, row := range config.Table {
		p.define("**"+asMarkdown(row.Key)+"** = "+asMarkdown(string(standard[row.Key])), row.About())
	}
	p.line("# ENVIRONMENT\n")
	for _, v := range variables {
		p.define("**"+asMarkdown(v.name)+"**", v.means)
	}
	p.line("# FILES\n")
	for _, f := range files {
		p.define("*"+asMarkdown(f.name)+"*", f.means)
	}
	p.line("# EXIT STATUS\n")
	for _, e := range exits {
		p.define("**"+e.name+"**", e.means)
	}
}

// files are the places of choicetui, below the directories that ENVIRONMENT names.
var files = []fact{
	{"$XDG_CONFIG_HOME/choicetui/config.json", "The settings."},
	{"$XDG_STATE_HOME/choicetui/queue/",
		"The queue. What waits is below live, what is over below done, a directory a month."},
	{"$XDG_STATE_HOME/choicetui/rules.jsonl", "What is allowed without asking again, for a day at most."},
	{"$XDG_STATE_HOME/choicetui/setup/", "Copies of the files that choicetui setup changed."},
}

func (p *page) seeAlso(cmd *cobra.Command) {
	if !cmd.HasParent() {
		p.line("# SEE ALSO\n\n**tmux**(1)")
		return
	}
	p.line("# SEE ALSO\n")
	var others []string
	if parent := cmd.Parent(); parent.HasParent() {
		others = append(others, "**"+pageOf(parent)+"**(1)")
	}
	p.line("%s", strings.Join(append(others, "**choicetui**(1)"), ", "))
}

// flags are a section with the flags of a set, if there are any.
func (p *page) flags(title string, set *pflag.FlagSet) {
	if !set.HasAvailableFlags() {
		return
	}
	p.line("# %s\n", title)
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "**--" + f.Name + "**"
		if f.Shorthand != "" {
			name = "**-" + f.Shorthand + "**, " + name
		}
		switch {
		case value != "" && f.NoOptDefVal != "":
			name += "[=*" + asMarkdown(value) + "*]"
		case value != "":
			name += " *" + asMarkdown(value) + "*"
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" {
			usage += " (default " + f.DefValue + ")"
		}
		p.define(name, usage)
	})
}

// define writes one item of a list of terms. The term is Markdown, its meaning is text of ours.
func (p *page) define(term, means string) {
	p.line("%s\n:   %s\n", term, asMarkdown(strings.ReplaceAll(means, "\n", " ")))
}

var (
	// special matches the characters that Markdown would read as more than a character.
	special   = regexp.MustCompile(`[\\*_{}\[\]()#+!:|<>~&]`)
	titleMark = regexp.MustCompile(`^#+ `)
)

// asMarkdown turns a text of the help into Markdown: paragraphs, indented lines that stay as they are, and words in
// backticks.
func asMarkdown(text string) string {
	var out []string
	for _, paragraph := range strings.Split(text, "\n\n") {
		paragraph = titleMark.ReplaceAllString(paragraph, "")
		if strings.HasPrefix(paragraph, "  ") || strings.HasPrefix(paragraph, "\t") {
			out = append(out, codeBlock(paragraph))
			continue
		}
		parts := strings.Split(paragraph, "`")
		for i := 0; i < len(parts); i += 2 {
			parts[i] = special.ReplaceAllString(parts[i], `\$0`)
		}
		out = append(out, strings.Join(parts, "`"))
	}
	return strings.Join(out, "\n\n")
}

// codeBlock keeps lines as they are.
func codeBlock(text string) string {
	return "```\n" + strings.ReplaceAll(strings.Trim(text, "\n"), "\t", "  ") + "\n```"
}
