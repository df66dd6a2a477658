package cli

import (
	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/panes/say"
)

// completeSessions offers the ids that wait, each with its title, to the shell's completion.
func completeSessions(sh *shell) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		pending, err := sh.pending(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var ids []cobra.Completion
		for _, w := range pending {
			ids = append(ids, cobra.CompletionWithDesc(w.ID, say.OneLine(w.Ask.Title)))
		}
		return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}
