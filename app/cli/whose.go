package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/queue"
)

// whose narrows the pending questions to some agents or one project. The zero whose selects all of them.
type whose struct{ agent, project string }

// flags are the two flags of a command that narrows.
func (w *whose) flags(cmd *cobra.Command, sh *shell) {
	cmd.Flags().StringVar(&w.agent, "agent", "", "only questions of agents whose client or directory contains `NAME`")
	cmd.Flags().StringVar(&w.project, "project", "", "only questions of agents whose directory contains `NAME`")
	completeFlag(cmd, "agent", completeAgents(sh))
}

// of reports whether an agent is one of them.
func (w whose) of(o queue.Origin) bool {
	return isOf(o, w.agent) && strings.Contains(strings.ToLower(o.Cwd), strings.ToLower(w.project))
}
