package cli

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	xterm "golang.org/x/term"

	"github.com/choicetui/choicetui/app/screen"
	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/queue"
)

// popupCommand makes the command that the key of `choicetui setup tmux` runs in a tmux popup. It opens the
// pending questions, one after the other, and ends with the last. It does not attach, so a question that was left can
// be opened again.
func popupCommand(sh *shell) *cobra.Command {
	var window string
	cmd := &cobra.Command{
		Use:    "popup",
		Hidden: true,
		Short:  "Show the oldest question in a tmux popup",
		Long: `popup shows the oldest question, this tmux window's agent first, then the
others, and closes when none is open. choicetui setup tmux binds a key to it.`,
		Example: `  choicetui popup`,
		Args:    nothingElse,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runPopup(cmd.Context(), sh, window) },
	}
	cmd.Flags().StringVar(&window, "window", "", "put the agents of the tmux window `ID` first, such as @3")
	return cmd
}

// runPopup opens the question that comes first, and the others, until none is open or the person leaves.
func runPopup(ctx context.Context, sh *shell, window string) error {
	q, err := sh.openQueue()
	if err != nil {
		return err
	}
	pending, _, err := sh.pendingQuestions(ctx, q)
	if err != nil {
		return err
	}
	first := popupQuestion(ctx, pending, window)
	if first == "" {
		return sayNothingOpen(sh, len(pending))
	}
	defer tellTmux(ctx, q)
	o := screenOptions(sh.services(q, sh.settings()))
	o.Visit = first
	_, err = screen.Run(ctx, o)
	return screenEnd(err)
}

// popupQuestion returns the id of the oldest question that is open (queue.StandingOpen) and whose agent runs in a tmux
// window, else of the oldest open question of all; empty: no question is open.
func popupQuestion(ctx context.Context, pending []queue.Waiting, window string) string {
	open := slices.DeleteFunc(slices.Clone(pending), func(w queue.Waiting) bool {
		return w.Standing != queue.StandingOpen
	})
	slices.SortStableFunc(open, func(a, b queue.Waiting) int { return a.AskedAt.Compare(b.AskedAt) })
	panes := tmux.PanesIn(ctx, window)
	for _, w := range open {
		if len(panes) == 0 || checkHere(w.Origin) != nil {
			continue
		}
		if pane, err := tmux.PaneOf(ctx, agentOf(w.Origin)); err == nil && slices.Contains(panes, pane) {
			return w.ID
		}
	}
	if len(open) == 0 {
		return ""
	}
	return open[0].ID
}

// sayNothingOpen says that there is nothing to answer, and waits for a key. pending counts the questions that are not
// open.
func sayNothingOpen(sh *shell, pending int) error {
	says := "No agent is waiting for you."
	if pending > 0 {
		says = "No question is open: the rest is set aside, with your team, or open elsewhere."
	}
	fmt.Fprintf(sh.out, "\n  %s\n", says)
	in, ok := sh.in.(*os.File)
	if !ok || !isTerminal(in) || !isTerminal(sh.out) {
		return nil
	}
	fmt.Fprint(sh.out, "\n  Any key closes this.")
	was, err := xterm.MakeRaw(int(in.Fd()))
	if err != nil {
		return err
	}
	defer func() { _ = xterm.Restore(int(in.Fd()), was) }()
	_, err = in.Read(make([]byte, 64))
	return err
}
