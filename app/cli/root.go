// Package cli is the command line and the composition root: the only place that opens stores, bridges and screens
// and wires them together. One file per command.
//
//	main ─► Main ─► cobra ─► a command's run ─► queue.Queue on the store of place.go
//	                                │ error
//	exit code ◄── report ◄── explain (failure.go): one sentence and a hint on stderr, and only there
package cli

import (
	"context"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// Main runs the command line of this process and returns its exit code. It calls collect, which turns garbage
// collection on, before commands that may run for long. The commands that agents run all the time mostly end too soon
// for that, and call it on their own if they need it.
func Main(collect func()) int {
	sh := &shell{in: os.Stdin, out: os.Stdout, err: os.Stderr, now: time.Now, collect: collect}
	return sh.report(newRoot(sh).ExecuteContext(context.Background()))
}

func newRoot(sh *shell) *cobra.Command {
	var asLines bool
	root := &cobra.Command{
		Use:   "choicetui",
		Short: "Answer what coding agents ask, from one terminal pane",
		Long: `choicetui shows every question that coding agents on this machine ask, and
sends your answers back. Without a command it opens the dashboard.
` + "`choicetui setup`" + ` connects the agents on this machine.`,
		Example: `  choicetui                                the dashboard; best in a tmux split
  choicetui --plain                        the same as lines, for screen readers and dumb terminals
  choicetui list                           what waits
  choicetui answer k7f3m2qx --select pg    answer from a script`,
		Version:       thisBuild().words(),
		Args:          noSuchCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asLines {
				return runPlainDashboard(cmd.Context(), sh)
			}
			return runDashboard(cmd.Context(), sh)
		},
	}
	root.PersistentPreRun = func(*cobra.Command, []string) { sh.collectGarbage() }
	root.SetIn(sh.in)
	root.SetOut(sh.out)
	root.SetErr(sh.err)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &failure{say: err.Error(), hint: cmd.CommandPath() + " --help lists the flags", cause: err}
	})
	root.Flags().BoolVar(&asLines, "plain", false, plainFlag)
	addCommands(root, sh)
	return root
}

// addCommands adds all commands, and the flag --queue that they share.
func addCommands(root *cobra.Command, sh *shell) {
	root.PersistentFlags().StringVar(&sh.queue, "queue", "",
		"the queue is in `DIR`, or at nats://HOST:PORT (else $CHOICETUI_QUEUE, settings, XDG state)")
	completeFlag(root, "queue", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	root.AddCommand(attachCommand(sh), popupCommand(sh))
	root.AddCommand(demoCommand(sh), interviewCommand(sh), listCommand(sh), showCommand(sh),
		answerCommand(sh), cancelCommand(sh), logCommand(sh), gateCommand(sh), mcpCommand(sh), askCommand(sh),
		extractCommand(sh), promptCommand(sh), configCommand(sh), schemaCommand(sh), setupCommand(sh),
		doctorCommand(sh), hookCommand(sh), nativeCommand(sh), rulesCommand(sh), queueCommand(sh), versionCommand(sh),
		webCommand(sh), connectTopic(sh), keysTopic(sh), environmentTopic(sh))
}

// noSuchCommand refuses an unknown command and suggests similar ones.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "choicetui --help lists the commands"
	cmd.SuggestionsMinimumDistance = 2
	if utf8.RuneCountInString(args[0]) < 4 { // with two other letters nothing of so short a word would be left
		cmd.SuggestionsMinimumDistance = 1
	}
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean choicetui " + strings.Join(near, ", or choicetui ") + "?"
	}
	return &failure{say: "there is no command " + quoted(args[0]), hint: hint}
}

// nothingElse checks the arguments of a command that takes none.
func nothingElse(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return misused(cmd, "no "+quoted(args[0]))
}

// oneSession checks the arguments of a command about one session.
func oneSession(cmd *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return &failure{say: "which question?",
			hint: "choicetui list shows the ids: " + cmd.CommandPath() + " k7f3m2qx"}
	case 1:
		return nil
	}
	return misused(cmd, "one id, not also "+quoted(args[1]))
}

// misused says what a command takes instead of what it was given.
func misused(cmd *cobra.Command, takes string) error {
	return &failure{say: cmd.CommandPath() + " takes " + takes,
		hint: cmd.CommandPath() + " --help shows how it is used"}
}
