package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/rules"
	"github.com/choicetui/choicetui/queue/rules/book"
)

// ruleBook returns the file of the person's permission rules, which allow an agent the same request again.
func ruleBook() (*book.Book, error) {
	state, err := config.StateDir()
	if err != nil {
		return nil, fmt.Errorf("failed to find the rules: %w", err)
	}
	return book.At(filepath.Join(state, "rules.jsonl")), nil
}

// deskRules returns the rules that a dashboard applies; nil: the place of their file is not known.
func deskRules() desk.Rulebook {
	b, err := ruleBook()
	if err != nil {
		return nil
	}
	return b
}

func rulesCommand(sh *shell) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List and revoke approval rules",
		Long: `rules lists what you allowed with a rule. You make a rule in the dashboard, on
an approval. It covers exactly the same agent, tool, command or change, and
directory, until the agent's session ends, but for one day at most. It applies
only while a dashboard is open. After choicetui itself was updated, a rule from
before may no longer fit what the agent asks; the agent then asks you again.

A rule allows the same command, which need not have the same effect: allowing
npm test runs whatever the agent last wrote into the tests.`,
		Example: `  choicetui rules
  choicetui rules revoke k7f3m2qx`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return &failure{say: cmd.CommandPath() + " has no " + quoted(args[0]),
				hint: cmp.Or(didYouMean(args[0], commandsOf(cmd), cmd.CommandPath()+" ", ""), hintRuleMade)}
		},
		RunE: func(*cobra.Command, []string) error {
			list, err := liveRules(sh)
			if err != nil {
				return err
			}
			return printAs(sh.out, asJSON, list, func(p *page) { rulesTable(p, list, sh.now()) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array, [] if there are no rules")
	cmd.AddCommand(revokeCommand(sh))
	return cmd
}

// liveRules returns the rules in force, oldest first, and warns of invalid lines in their file.
func liveRules(sh *shell) ([]rules.Rule, error) {
	b, err := ruleBook()
	if err != nil {
		return nil, err
	}
	list, broken, err := b.Read()
	if err != nil {
		return nil, rulesFailure(err)
	}
	for _, l := range broken {
		sh.note("warning: %s", ruleBroken(b.Path(), l.Line, l.Reason))
	}
	gone := func(r rules.Rule) bool { return !r.Live(sh.now()) }
	return append([]rules.Rule{}, slices.DeleteFunc(list, gone)...), nil
}

// rulesFailure adds a hint to an error about the file of rules.
func rulesFailure(err error) error {
	var unsafe *book.Unsafe
	switch {
	case errors.As(err, &unsafe):
		return &failure{say: rulesUnsafe(unsafe.Path, unsafe.Problem), hint: "to repair it run: " + unsafe.Repair,
			cause: err}
	case errors.Is(err, book.ErrBusy):
		return &failure{say: err.Error(), hint: "try again", cause: err}
	}
	return err
}

// rulesTable prints a row for each rule.
func rulesTable(p *page, list []rules.Rule, now time.Time) {
	if len(list) == 0 {
		p.line("There are no rules. To make one, press M on an approval in the dashboard.")
	}
	rows := make([]say.Rule, len(list))
	var who, dirs []string
	for i, r := range list {
		rows[i] = say.RuleOf(r, config.Home(), now)
		who, dirs = append(who, rows[i].Who), append(dirs, rows[i].Dir)
	}
	for i, r := range rows {
		p.line("%s  %s  %s  %s  %s", list[i].ID, r.Until, column(r.Who, widest(30, who...)),
			column(r.Dir, widest(40, dirs...)), r.What)
	}
}

func revokeCommand(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use:               "revoke ID",
		Short:             "Revoke a rule",
		Args:              oneWord("which rule?", hintRules+"; then: ", "k7f3m2qx", "one id"),
		ValidArgsFunction: completeRules(sh),
		RunE:              func(_ *cobra.Command, args []string) error { return revokeRule(sh, args[0]) },
	}
}

const (
	// noSuchRule follows the id of a rule that does not exist.
	noSuchRule = "is not a rule, or is no longer one"
	// hintRules says where to find a rule's id.
	hintRules = "choicetui rules lists them"
	// hintRuleMade says how a rule is made.
	hintRuleMade = "make a rule in the dashboard, on an approval"
)

// revokeRule removes a rule, so that its request is asked again.
func revokeRule(sh *shell, typed string) error {
	b, err := ruleBook()
	if err != nil {
		return err
	}
	id, _ := queue.TypedID(typed)
	gone, err := b.Revoke(id)
	switch {
	case errors.Is(err, book.ErrNoRule):
		return &failure{say: quoted(typed) + " " + noSuchRule, hint: hintRules, code: exitMissing, cause: err}
	case err != nil:
		return rulesFailure(err)
	}
	var p page
	p.line("%s  %s", gone.ID, "You will be asked about "+say.OneLine(gone.Text)+" again.")
	return p.send(sh.out)
}

// completeRules offers the ids of the rules, each with what it allows.
func completeRules(sh *shell) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) (ids []cobra.Completion, _ cobra.ShellCompDirective) {
		b, err := ruleBook()
		if err != nil || len(args) > 0 {
			return nil, inOrder
		}
		list, _ := b.Rules()
		for _, r := range list {
			if r.Live(sh.now()) {
				ids = append(ids, cobra.CompletionWithDesc(r.ID, say.RuleOf(r, config.Home(), sh.now()).What))
			}
		}
		return ids, inOrder
	}
}

// ruleBroken says that a line of the file of rules is invalid.
func ruleBroken(path string, line int, reason string) string {
	return fmt.Sprintf("line %d of %s is not a rule and allows nothing: %s",
		line, say.OneLine(path), say.OneLine(reason))
}

// rulesUnsafe says that no rule is applied because another user could have written the file.
func rulesUnsafe(path, problem string) string {
	return say.OneLine(path) + " " + problem + ", so no rule is applied"
}
