package cli

import (
	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
)

func extractCommand(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use:   "extract [FILE]",
		Short: "Take the question out of a model's text and print it, without asking",
		Long: `extract is for people who write prompts: it prints
{"choice": …, "choices": …, "text": "…"} with the question in normal form (a
user_choice, or a user_choices form) and the text without it. Both are null where
the text holds no question.`,
		Example: `  choicetui extract reply.md`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			input, done, err := openInput(sh.in, args)
			if err != nil {
				return err
			}
			defer done()
			raw, err := readAll(input)
			if err != nil {
				return err
			}
			return printJSON(sh.out, dialect.Extract(string(raw)), "  ")
		},
	}
}
