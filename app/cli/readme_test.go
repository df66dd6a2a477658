package cli

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk/action"
)

var update = flag.Bool("update", false, "write the generated parts of README and docs again")

// newcomersKeys lists the actions whose keys README shows; docs/keys.md has all of them.
var newcomersKeys = []action.Name{action.Digit, action.Mark, action.Enter, action.Note, action.Text, action.Cancel, action.Next,
	action.History, action.Settings, action.Help, action.Quit}

// TestREADMEAndDocsHoldTheTables checks that README and the generated pages say what the program does.
func TestREADMEAndDocsHoldTheTables(t *testing.T) {
	few := slices.DeleteFunc(slices.Clone(action.Keys), func(r action.Row) bool {
		return !slices.Contains(newcomersKeys, r.Name)
	}).HelpRows()
	others := slices.IndexFunc(few[1:], func(r action.HelpRow) bool { return r.Heading != "" })
	keep(t, "README.md", map[string]string{"keys": keysMarkdown(few[:others+1])})
	keep(t, "docs/settings.md", map[string]string{"settings": settingsMarkdown()})
	keep(t, "docs/agents.md", agentsMarkdown(t))
	keep(t, "docs/keys.md", map[string]string{"keys": keysMarkdown(action.Keys.HelpRows())})
}

// keep compares the generated parts of a document with what they should be, or writes them with -update.
func keep(t *testing.T, document string, parts map[string]string) {
	t.Helper()
	file := filepath.Join("..", "..", filepath.FromSlash(document))
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	want := string(raw)
	for name, text := range parts {
		want = inPlace(t, want, name, text)
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(raw), "go test ./app/cli -run README -update writes it")
}

// inPlace replaces the text between the markers of a name.
func inPlace(t *testing.T, document, name, text string) string {
	t.Helper()
	re := regexp.MustCompile(`(?s)(<!-- ` + name + `: [^\n]*-->\n).*(<!-- /` + name + ` -->)`)
	require.Regexp(t, re, document)
	at := re.FindStringSubmatchIndex(document)
	return document[:at[3]] + text + document[at[4]:]
}

// TestTheContractHasTheJSONOfEveryCommandThatPrintsIt checks that a program which reads the JSON finds it documented.
func TestTheContractHasTheJSONOfEveryCommandThatPrintsIt(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "docs", "contract.md"))
	require.NoError(t, err)
	_, section, found := strings.Cut(string(raw), "\n## 6. From a shell\n")
	require.True(t, found)
	printing := 0
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Flags().Lookup("json") != nil {
			printing++
			path := strings.TrimPrefix(c.CommandPath(), "choicetui ")
			assert.Regexp(t, "`"+path+"( --[a-z]+)* --json`", section)
		}
		for _, child := range c.Commands() {
			walk(child)
		}
	}
	walk(newRoot(&shell{now: time.Now}))
	require.Greater(t, printing, 15)
}

func keysMarkdown(rows []action.HelpRow) string {
	var b strings.Builder
	for _, r := range rows {
		if r.Heading != "" {
			fmt.Fprintf(&b, "\n| %s | |\n|---|---|\n", r.Heading)
			continue
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", r.Keys, r.Words)
	}
	return strings.TrimPrefix(b.String(), "\n")
}

func settingsMarkdown() string {
	standard := config.Default().Values()
	var b strings.Builder
	group := " "
	for _, row := range config.Table {
		if row.Group != group {
			group = row.Group
			b.WriteString("\n### " + say.Capital(cmp.Or(group, "only in the file")) + "\n\n")
			b.WriteString("| setting | default | what it is | in the file |\n|---|---|---|---|\n")
		}
		file := row.Wanted("")
		if each := row.Wanted("a name"); each != file {
			file += "; for each name " + each
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", row.Key, standard[row.Key], row.About(), file)
	}
	return b.String()
}

func TestREADMEBeginsWithTheDemoAndTheTests(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	_, block, _ := strings.Cut(string(raw), "```\n")
	block, _, _ = strings.Cut(block, "```")
	require.Equal(t, []string{"go run . demo", "go test ./..."}, strings.Split(strings.TrimSpace(block), "\n"))
}
