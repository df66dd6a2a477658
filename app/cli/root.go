// Package cli is the command line and the composition root: the only place that opens stores, bridges and screens
// and wires them together. One file per command.
//
//	main ─► Main ─► cobra ─► a command's run ─► queue.Queue on the store of place.go
//	                                │ error
//	exit code ◄── report ◄── explain (failure.go): one sentence and a hint on stderr, and only there
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/choicetui/choicetui/panes/say"
)

// Main runs the command line of this process and returns its exit code. It calls collect, which turns garbage
// collection on, before commands that may run for long. The commands that agents run all the time mostly end too soon
// for that, and call it on their own if they need it.
func Main(collect func()) int {
	sh := &shell{in: os.Stdin, out: os.Stdout, err: os.Stderr, now: time.Now, collect: collect}
	cmd, err := newRoot(sh).ExecuteContextC(context.Background())
	return sh.report(oneFlagOnly(cmd, err))
}

// newRoot returns the command line with all commands.
func newRoot(sh *shell) *cobra.Command {
	var asLines bool
	root := &cobra.Command{
		Use:   "choicetui",
		Short: "Answer questions from all your coding agents in one terminal",
		Long: `choicetui shows the questions from all coding agents on this machine and sends
them your answers. Without a command it opens the dashboard.
` + "`choicetui setup`" + ` connects the agents on this machine.`,
		Example: `  choicetui                                the dashboard; best in a tmux split
  choicetui --plain                        the same as lines, for screen readers and simple terminals
  choicetui list                           the pending questions
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
	cobra.AddTemplateFunc("build", func() string { // only where it is asked for, because it may run git
		program, _ := os.Executable() // without a path it was not started by go run
		return thisBuild().withSourceCommit(context.Background(), program).words()
	})
	root.SetVersionTemplate("{{build}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		hint := cmd.CommandPath() + " --help lists the flags"
		var unknown *pflag.NotExistError
		if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
			hint = cmp.Or(didYouMean("--"+unknown.GetSpecifiedName(), flagsOf(cmd), "", ""), hint)
		}
		return &failure{say: flagTrouble(err), hint: hint, cause: err}
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if err := helpPage(cmd).send(cmd.OutOrStdout()); err != nil {
			sh.note("%s", err)
		}
	})
	root.Flags().BoolVar(&asLines, "plain", false, plainFlag)
	addCommands(root, sh)
	return root
}

// flagTrouble says in words of ours what is wrong with a flag.
func flagTrouble(err error) string {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var wrong *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		name := unknown.GetSpecifiedName()
		if name >= "0" && name <= "9" { // more likely a negative number
			return "put -- before a value that begins with -, such as -" + unknown.GetSpecifiedShortnames()
		}
		return "there is no flag -" + name
	case errors.As(err, &unknown):
		return "there is no flag --" + unknown.GetSpecifiedName()
	case errors.As(err, &missing):
		return "--" + missing.GetFlag().Name + " needs a value"
	case errors.As(err, &wrong):
		kinds := map[string]string{"int": "a whole number", "bool": "true or false"}
		if kind := kinds[wrong.GetFlag().Value.Type()]; kind != "" {
			return "--" + wrong.GetFlag().Name + " must be " + kind + ", not " + quoted(wrong.GetValue())
		}
		return fmt.Sprintf("--%s: %v", wrong.GetFlag().Name, wrong.Unwrap())
	}
	return err.Error()
}

// exclusiveFlags matches what cobra says of flags that exclude each other.
var exclusiveFlags = regexp.MustCompile(`^if any flags in the group .* can be; \[(.*)\] were all set$`)

// oneFlagOnly words cobra's error for flags that exclude each other, and returns any other error unchanged.
func oneFlagOnly(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	m := exclusiveFlags.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	flags := strings.Fields(m[1])
	for i := range flags {
		flags[i] = "--" + flags[i]
	}
	return &failure{say: say.AllOf(flags) + " cannot be given together",
		hint: cmd.CommandPath() + " --help lists the flags", cause: err}
}

// addCommands adds all commands, and the flag --queue that they share.
func addCommands(root *cobra.Command, sh *shell) {
	root.PersistentFlags().StringVar(&sh.queue, "queue", "",
		"use the queue in `DIR`, or at nats://HOST:PORT")
	completeFlag(root, "queue", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	root.AddGroup(&cobra.Group{ID: groupAnswer, Title: "Answer"}, &cobra.Group{ID: groupAgents, Title: "Agents"},
		&cobra.Group{ID: groupYours, Title: "You"})
	inGroup(root, groupAnswer, listCommand(sh), showCommand(sh), answerCommand(sh), cancelCommand(sh),
		attachCommand(sh), logCommand(sh), webCommand(sh))
	inGroup(root, groupAgents, setupCommand(sh), doctorCommand(sh), mcpCommand(sh), askCommand(sh),
		forAgentsCommand(sh))
	inGroup(root, groupYours, configCommand(sh), rulesCommand(sh), remoteCommand(sh), demoCommand(sh))
	root.AddCommand(interviewCommand(sh), queueCommand(sh), gateCommand(sh), hookCommand(sh),
		nativeCommand(sh), relayCommand(sh), popupCommand(sh), connectTopic(sh), keysTopic(sh), environmentTopic(sh))
	root.InitDefaultCompletionCmd()
	describeCompletion(root)
	refuseUnknownHelp(root)
}

// refuseUnknownHelp makes choicetui help fail for a command that does not exist. Cobra's own shows the root's help.
func refuseUnknownHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		return
	}
	help.Args = func(_ *cobra.Command, args []string) error {
		if about, _, err := root.Find(args); err == nil && about != root {
			return nil
		}
		return noSuchCommand(root, args)
	}
}

// inGroup adds commands that the root's help lists in a group.
func inGroup(root *cobra.Command, group string, all ...*cobra.Command) {
	for _, cmd := range all {
		cmd.GroupID = group
		root.AddCommand(cmd)
	}
}

// describeCompletion replaces cobra's long help of the command completion.
func describeCompletion(root *cobra.Command) {
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil {
		return
	}
	cmd.Short = "Print the completion script for your shell"
	cmd.Long = "completion prints a completion script for your shell. It completes commands,\n" +
		"settings and question ids. docs/install.md says how to install it permanently."
	cmd.Args = nothingBut("bash, fish, powershell or zsh, not ")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	for _, shell := range cmd.Commands() {
		shell.Short, shell.Long = "Print the completion script for "+shell.Name(), ""
	}
	cmd.Example = "  source <(choicetui completion bash)    in this shell only\n" +
		"  choicetui completion fish | source"
}

// noSuchCommand refuses an unknown command and suggests similar ones.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := cmp.Or(didYouMean(args[0], commandsOf(cmd), "choicetui ", ""), "choicetui --help lists the commands")
	if flag := "--" + args[0]; slices.Contains(flagsOf(cmd), flag) {
		hint = "did you mean choicetui " + flag + "?"
	}
	return &failure{say: "there is no command " + quoted(args[0]), hint: hint}
}

// nothingElse checks the arguments of a command that takes none.
var nothingElse = nothingBut("no arguments, but got ")

// nothingBut checks the arguments of a command that takes none, but may have commands of its own. takes is the middle
// of the error, between the command and the argument that was given, such as "status or copy, not ".
func nothingBut(takes string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		wrong := misused(cmd, takes+quoted(args[0]))
		wrong.hint = cmp.Or(didYouMean(args[0], commandsOf(cmd), cmd.CommandPath()+" ", ""), wrong.hint)
		return wrong
	}
}

// oneSession checks the arguments of a command about one session.
var oneSession = oneWord("which question?", "choicetui list shows the ids; then: ", "k7f3m2qx", "one id")

// oneWord checks the arguments of a command that takes one. which asks for a missing one, with an example behind the
// words of lead, and takes says that there can be only one.
func oneWord(which, lead, example, takes string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return &failure{say: which, hint: lead + cmd.CommandPath() + " " + example}
		case 1:
			return nil
		}
		return misused(cmd, takes+", not also "+quoted(args[1]))
	}
}

// misused says what a command takes instead of what it was given.
func misused(cmd *cobra.Command, takes string) *failure {
	return &failure{say: cmd.CommandPath() + " takes " + takes,
		hint: cmd.CommandPath() + " --help shows how it is used"}
}

// The groups of commands in the root's help. Commands without a group work, and have their help and a page of the
// manual, but are not listed.
const (
	groupAnswer = "answer"
	groupAgents = "agents"
	groupYours  = "yours"
)

// optionalValue matches what pflag writes for a flag with an optional value: ` own[="own"]`.
var optionalValue = regexp.MustCompile(` (\w+)\[="\w+"\]`)

// helpPage returns the help of a command, laid out so that it fits a terminal of 24 rows with the prompt below it.
func helpPage(cmd *cobra.Command) *page {
	var p page
	if !cmd.HasParent() {
		listCommands(&p, cmd)
		return &p
	}
	about := cmd.Long
	if about == "" {
		about = cmd.Short + "."
	}
	p.line("%s\n\nUsage: %s", about, cmd.UseLine())
	if cmd.Example != "" {
		p.line("%s", cmd.Example)
	}
	p.line("")
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() {
			p.line("  %s %s", column(child.Name(), 11), child.Short)
		}
	}
	if cmd.HasAvailableSubCommands() {
		p.line("")
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.AddFlagSet(cmd.NonInheritedFlags())
	flags.AddFlagSet(cmd.InheritedFlags())
	rows := optionalValue.ReplaceAllStringFunc(flags.FlagUsagesWrapped(80), func(flag string) string {
		m := optionalValue.FindStringSubmatch(flag)
		return column("[="+m[1]+"]", len(flag)) // as wide as before, so that the column behind it stays straight
	})
	for row := range strings.Lines(rows) {
		if !strings.HasPrefix(row, "  -h, --help ") { // whoever reads the help knows this flag
			p.WriteString(row)
		}
	}
	return &p
}

// listCommands writes the help of the program itself: the commands in their groups.
func listCommands(p *page, root *cobra.Command) {
	p.line("Without a command, choicetui opens the dashboard with all agents' questions.\n")
	for _, group := range root.Groups() {
		p.line("%s", group.Title)
		for _, cmd := range root.Commands() {
			if cmd.GroupID == group.ID && cmd.IsAvailableCommand() {
				p.line("  %s %s", column(cmd.Name(), 11), cmd.Short)
			}
		}
	}
	p.line("Flags: --plain (the dashboard as lines)  --queue DIR  --version  --help\n" +
		"More: choicetui COMMAND --help, choicetui help keys (or: connect, environment)")
}
