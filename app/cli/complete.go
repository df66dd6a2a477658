package cli

import (
	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/queue"
)

// completeSessions offers the ids that wait, each with its title, to the shell's completion.
func (sh *shell) completeSessions(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	pending, err := sh.pending(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var ids []cobra.Completion
	for _, w := range pending {
		title, _ := queue.VisibleLine(w.Ask.Title)
		ids = append(ids, cobra.CompletionWithDesc(w.ID, title))
	}
	return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
