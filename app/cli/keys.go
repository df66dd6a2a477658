package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
)

// keysTopic is `choicetui help keys`: the rows of `?`, with the person's own keys. They are read when it is asked for,
// so that no other command waits for the settings file.
func keysTopic(sh *shell) *cobra.Command {
	cmd := &cobra.Command{Use: "keys", Short: "Every key of the dashboard, your own in place"}
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		file := sh.settings()
		sh.warnSettings(file.Err())
		m, _ := keys.New(file.Settings().Keys, ink.Width)
		_, _ = io.WriteString(cmd.OutOrStdout(), keysText(m)) // a closed pipe wants no more
	})
	return cmd
}

func keysText(m keys.Map) string {
	const column, width = 16, 80
	var p page
	for i, row := range m.HelpRows(keys.PlaceQuestion) {
		if row.Heading != "" {
			if i > 0 {
				p.line("")
			}
			p.line("%s", row.Heading)
			continue
		}
		lines := ink.Wrap(row.Words, width-column)
		if row.Also {
			lines = ink.WrapKeys(row.Words, width-column)
		}
		for n, words := range lines {
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
