package cli

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/connect"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/keys"
)

var update = flag.Bool("update", false, "write the generated parts of README anew")

// TestREADMEHoldsTheTablesAndTheConnectLines keeps README in step with what the program does.
func TestREADMEHoldsTheTablesAndTheConnectLines(t *testing.T) {
	const file = "../../README.md"
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	want := inPlace(t, string(raw), "connect", connectMarkdown())
	want = inPlace(t, want, "keys", keysMarkdown())
	want = inPlace(t, want, "settings", settingsMarkdown())
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(raw), "go test ./app/cli -run README -update writes it")
}

// inPlace puts text between the markers of a name.
func inPlace(t *testing.T, readme, name, text string) string {
	t.Helper()
	re := regexp.MustCompile(`(?s)(<!-- ` + name + `: [^\n]*-->\n).*(<!-- /` + name + ` -->)`)
	require.Regexp(t, re, readme)
	at := re.FindStringSubmatchIndex(readme)
	return readme[:at[3]] + text + readme[at[4]:]
}

func connectMarkdown() string {
	var b strings.Builder
	for _, c := range connect.Clients() {
		fmt.Fprintf(&b, "**%s**\n\n", c.Name)
		if c.Command != "" {
			fmt.Fprintf(&b, "```\n%s\n```\n\nFor long waits, in `%s`:\n\n", c.Command, c.File)
		} else {
			fmt.Fprintf(&b, "In `%s`:\n\n", c.File)
		}
		fmt.Fprintf(&b, "```\n%s\n```\n\n%s\n\n", c.Config, c.Timeout)
	}
	return b.String() + connect.Anyway + "\n"
}

func keysMarkdown() string {
	var b strings.Builder
	for _, r := range keys.Map(keys.Table).HelpRows(keys.PlaceQuestion) {
		if r.Heading != "" {
			fmt.Fprintf(&b, "\n| %s | |\n|---|---|\n", r.Heading)
			continue
		}
		if r.Also {
			fmt.Fprintf(&b, "| also | `%s` |\n", strings.ReplaceAll(r.Words, "  ", "` `"))
			continue
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", r.Keys, r.Words)
	}
	return strings.TrimPrefix(b.String(), "\n")
}

func settingsMarkdown() string {
	standard := config.Default().Values()
	var b strings.Builder
	b.WriteString("| setting | default | what it is | in the file |\n|---|---|---|---|\n")
	for _, row := range config.Table {
		file := row.Wanted("")
		if each := row.Wanted("a name"); each != file {
			file += "; for each name " + each
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", row.Key, standard[row.Key], row.About(), file)
	}
	return b.String()
}
