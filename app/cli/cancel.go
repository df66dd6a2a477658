package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

func cancelCommand(sh *shell) *cobra.Command {
	var reason string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "cancel ID",
		Short: "End a question without an answer",
		Long: `cancel tells the agent that there will be no answer, and why. An approval or a plan
is cancelled at a terminal only, after the word yes.

` + wordsHelp + `

Exit codes: 0 cancelled, 5 not found or already answered or ended, 1 anything else.`,
		Example:           `  choicetui cancel k7f3m2qx --reason "ask again with fewer options"`,
		Args:              oneSession,
		ValidArgsFunction: completeSessions(sh),
		RunE: func(cmd *cobra.Command, args []string) error {
			own := ownWords{in: sh.in}
			words, err := own.read(reason)
			if err != nil {
				return &failure{say: "nothing was cancelled: --reason: " + err.Error(), cause: err}
			}
			s, err := cancelSession(cmd.Context(), sh, args[0], words)
			if err != nil {
				return err
			}
			return printSettled(sh.out, s, asJSON)
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "`TEXT` for the agent")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the question as show --json does")
	return cmd
}

func cancelSession(ctx context.Context, sh *shell, typed, reason string) (queue.Session, error) {
	q, s, err := sh.find(ctx, typed)
	if err != nil {
		return s, err
	}
	if !s.Pending() {
		return s, sh.over(s, queue.ErrSettled)
	}
	if err := refuseUnlessTyped(sh, s); err != nil {
		return s, err
	}
	if err := askForYes(sh, s, say.SendsCancel(reason)); err != nil {
		return s, err
	}
	defer tellTmux(ctx, q)
	s, err = q.Do(ctx, s.ID, byPerson(queue.Cancel{Reason: reason}))
	if refused(err) {
		return s, sh.over(s, err)
	}
	return s, err
}
