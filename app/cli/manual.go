//go:build man

package cli

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// The manual is generated from the texts of --help and from the tables. Only programs built with the tag man contain
// this file and cobra's generator of manual pages.

// WriteManual writes choicetui(1) and a page for each command into a directory, and makes the directory if it is
// missing. The same commands, version and date give the same bytes.
func WriteManual(dir, version string, date time.Time) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("failed to make the manual's directory: %w", err)
	}
	root := newRoot(&shell{in: strings.NewReader(""), out: io.Discard, err: io.Discard, now: time.Now})
	root.InitDefaultCompletionCmd()
	root.InitDefaultVersionFlag()
	inMarkdown(root, map[*pflag.Flag]bool{})
	root.Long += "\n\n" + tables()
	root.DisableAutoGenTag = true
	about := doc.GenManHeader{Date: &date, Source: "choicetui " + version, Manual: "choicetui"}
	if err := doc.GenManTree(root, &about, dir); err != nil {
		return fmt.Errorf("failed to write the manual: %w", err)
	}
	return nil
}

// inMarkdown turns the texts of a command and of all its subcommands into Markdown, which cobra's generator expects.
// done holds the flags that were turned already, because commands share flags.
func inMarkdown(cmd *cobra.Command, done map[*pflag.Flag]bool) {
	cmd.InitDefaultHelpFlag()
	cmd.Short, cmd.Long = asMarkdown(cmd.Short), asMarkdown(cmd.Long)
	cmd.Example = strings.ReplaceAll(cmd.Example, "\t", "  ")
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !done[f] {
			f.Usage, done[f] = asMarkdown(f.Usage), true
		}
	})
	for _, child := range cmd.Commands() {
		inMarkdown(child, done)
	}
}

// tables returns the reference sections of choicetui(1).
func tables() string {
	var p page
	p.line("# KEYS\n\nWhat `choicetui help keys` prints with your own keys in place.\n")
	for _, row := range action.Keys.HelpRows() {
		switch {
		case row.Heading != "":
			p.line("### %s\n", asMarkdown(row.Heading))
		default:
			p.define("**"+asMarkdown(row.Keys)+"**", row.Words)
		}
	}
	p.line("# SETTINGS\n\nThe file has only what was changed: **choicetui config set** *KEY* *VALUE* changes one.\n")
	standard := config.Default().Values()
	for _, row := range config.Table {
		p.define("**"+asMarkdown(row.Key)+"** = "+asMarkdown(string(standard[row.Key])), row.About())
	}
	p.line("# ENVIRONMENT\n")
	for _, v := range environmentVars() {
		p.define("**"+asMarkdown(v.name)+"**", v.means)
	}
	p.line("# FILES\n")
	for _, f := range files {
		p.define("*"+asMarkdown(f.name)+"*", f.means)
	}
	p.line("# EXIT STATUS\n")
	for _, e := range exitCodes {
		p.define("**"+e.name+"**", e.means)
	}
	return p.String()
}

// files lists the files and directories of choicetui, below the directories that ENVIRONMENT names.
var files = []fact{
	{"$XDG_CONFIG_HOME/choicetui/config.json", "The settings."},
	{"$XDG_STATE_HOME/choicetui/queue/",
		"The queue: pending questions in live, answered ones in done, with a directory for each month."},
	{"$XDG_STATE_HOME/choicetui/rules.jsonl", "Your rules: what is allowed without asking you again, for one day at most."},
	{"$XDG_STATE_HOME/choicetui/setup/", "Copies of the files that choicetui setup changed."},
}

// define writes one item of a definition list. term is Markdown, means is a text of our own.
func (p *page) define(term, means string) {
	p.line("%s\n:   %s\n", term, asMarkdown(strings.ReplaceAll(means, "\n", " ")))
}

var (
	// special matches the characters that have a meaning in Markdown.
	special   = regexp.MustCompile(`[\\*_{}\[\]()#+!:|<>~&]`)
	titleMark = regexp.MustCompile(`^#+ `)
)

// asMarkdown turns a text of the help into Markdown. Indented lines stay as they are, and words in backticks remain
// code.
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

// codeBlock returns a block in which Markdown changes nothing.
func codeBlock(text string) string {
	return "```\n" + strings.ReplaceAll(strings.Trim(text, "\n"), "\t", "  ") + "\n```"
}
