package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
)

func promptCommand(sh *shell) *cobra.Command {
	names := slices.Sorted(maps.Keys(dialect.Prompts))
	return &cobra.Command{
		Use:   "prompt [FORMAT]",
		Short: "Print the text that teaches a model without MCP to ask",
		Long: `prompt prints text for an agent's prompt or skill file: what to ask, when, the
format and one example. Formats: ` + strings.Join(names, ", ") + `
(default ` + dialect.ModelText + `). Pipe the model's reply into choicetui ask.`,
		Example:   `  choicetui prompt >> AGENTS.md`,
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: names,
		RunE: func(_ *cobra.Command, args []string) error {
			name := dialect.ModelText
			if len(args) > 0 {
				name = args[0]
			}
			text, ok := dialect.Prompts[name]
			if !ok {
				return &failure{say: "there is no format " + quoted(name), hint: "one of " + strings.Join(names, ", ")}
			}
			_, err := fmt.Fprint(sh.out, text)
			return err
		},
	}
}
