package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app/setup"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/panes/say"
)

// setupRun is one run of `choicetui setup` with its flags.
type setupRun struct {
	sh                       *shell
	all, dryRun, remove, yes bool
	diff                     bool   // shows the files and each changed line
	key                      string // the tmux key; only for tmux
	hookChoice
}

func setupCommand(sh *shell) *cobra.Command {
	r := setupRun{sh: sh}
	cmd := &cobra.Command{
		Use:       "setup [AGENT...]",
		Short:     "Connect the agents on this machine",
		Long:      setupHelp(),
		Example:   "  choicetui setup " + setup.Names()[0] + " --diff --dry-run    show which lines would change",
		ValidArgs: append(setup.Names(), setup.TmuxAgent),
		RunE:      func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), args) },
	}
	cmd.Flags().BoolVar(&r.all, "all", false, "all agents found")
	cmd.Flags().BoolVar(&r.dryRun, "dry-run", false, "show the changes without making them")
	cmd.Flags().BoolVar(&r.diff, "diff", false, "show the files and each changed line")
	cmd.Flags().BoolVar(&r.remove, "remove", false, "remove what starts choicetui")
	cmd.Flags().StringVar(&r.key, "key", "a", "the `KEY` after the prefix, for tmux")
	r.addTo(cmd)
	cmd.Flags().BoolVar(&r.yes, "yes", false, "do not ask first; needs agents, or --all")
	return cmd
}

func setupHelp() string {
	return `setup connects the agents that you name, or all that it finds here. It says
what changes for you, shows each line of your settings with --diff (it never
writes a project's), and makes the changes only if you type yes. setup tmux
binds a key that opens the oldest question in a popup. docs/setup.md has more.

--remove takes out whatever starts choicetui. A second run changes nothing.

` + foldText("Agents: "+strings.Join(setup.Names(), ", ")+".", 79) + `
Exit codes: 0 done, or only lines for you to add are left; 1 any other error.`
}

// run checks the flags, and sets up or removes the named agents or the tmux key.
func (r *setupRun) run(ctx context.Context, names []string) error {
	names = takeFlagValue(&r.gate, gateOwn, gates, names)
	names = takeFlagValue(&r.native, nativeOn, nativeChoices, names)
	if err := r.checkChoices(r.remove); err != nil {
		return err
	}
	switch {
	case r.all && len(names) > 0:
		return &failure{say: "--all means every agent, so name none",
			hint: "choicetui setup --help shows how it is used"}
	case r.yes && !r.all && len(names) == 0:
		return &failure{say: "--yes skips the question, so name the agents",
			hint: "choicetui setup " + setup.Names()[0] + " --yes, or choicetui setup --all --yes"}
	}
	way := agent.Here()
	if way.First != "" {
		return &failure{say: "this choicetui is gone when `go run` ends, so agents could not start it",
			hint: "install it first, in the directory of its sources: " + way.First}
	}
	host, err := thisHost(way.Program)
	if err != nil {
		return err
	}
	if slices.Contains(names, setup.TmuxAgent) {
		if len(names) > 1 {
			return &failure{say: "tmux is set up separately", hint: "choicetui setup tmux"}
		}
		return r.setUpTmux(ctx, host)
	}
	host.Gate, host.Native = gates[r.gate], nativeChoices[r.native]
	if r.remove {
		err := r.removeAgents(ctx, host, names)
		// Without names, the key of tmux is removed too.
		if plan, unread := host.PlanTmux(r.key); len(names) == 0 && unread == nil && plan.BoundKey() != "" {
			err = errors.Join(err, r.removeTmux(ctx, host, plan))
		}
		return err
	}
	return r.setUpAgents(ctx, host, names)
}

// thisHost describes the machine that this process runs on. program is how agents start choicetui.
func thisHost(program string) (setup.Host, error) {
	state, err := config.StateDir()
	if err != nil {
		return setup.Host{}, &failure{say: err.Error() + ", so neither are the agents' settings",
			hint: "set HOME", cause: err}
	}
	dir, _ := os.Getwd() // without a directory no project's settings count
	return setup.Host{
		Dir:     dir,
		Program: program, Home: config.Home(), Config: filepath.Dir(filepath.Dir(config.Path())), State: state,
		Env: os.Getenv, Environ: os.Environ, Find: exec.LookPath, Run: runQuietly, Ask: askByPipe,
	}, nil
}

// runQuietly runs an agent's own command without a terminal, and returns its output.
func runQuietly(ctx context.Context, dir string, command []string) (string, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	said, err := cmd.CombinedOutput()
	return string(said), err
}

// askByPipe starts an agent's command that speaks JSON-RPC, one message a line, sends it a request, and returns the
// message of an error reply.
func askByPipe(ctx context.Context, dir string, command []string, method string, params any) (string, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	const id = 7101 // an id that no request of the agent has
	to, from := json.NewEncoder(in), json.NewDecoder(out)
	for _, message := range []map[string]any{
		{"id": 1, "method": "initialize", "params": map[string]any{
			"clientInfo": map[string]string{"name": "choicetui", "version": version()}}},
		{"method": "initialized"},
		{"id": id, "method": method, "params": params},
	} {
		if err == nil {
			err = to.Encode(message)
		}
	}
	var reply struct {
		ID    any
		Error struct{ Message string }
	}
	for err == nil && reply.ID != float64(id) {
		reply.ID = nil
		err = from.Decode(&reply)
	}
	_ = in.Close() // the agent's command ends with its input
	if ended := cmd.Wait(); err != nil {
		err = errors.Join(err, ended)
	}
	return reply.Error.Message, err
}

// setUpAgents shows what would change for the named agents, asks, and makes the changes.
func (r *setupRun) setUpAgents(ctx context.Context, host setup.Host, names []string) error {
	chosen, err := host.Choose(ctx, names)
	if err != nil {
		hint := "choicetui help connect shows how agents are connected by hand"
		for _, name := range names {
			if !slices.Contains(setup.Names(), name) {
				hint = cmp.Or(didYouMean(name, setup.Names(), "choicetui setup ", ""),
					"choicetui setup --help lists the agents")
			}
		}
		return &failure{say: err.Error(), hint: hint, cause: err}
	}
	if len(chosen) == 0 {
		return &failure{say: "no agent was found on this machine",
			hint: "choicetui help connect shows how agents are connected by hand"}
	}
	var v preview
	var all, plans []setup.Plan
	var left []setup.Left
	for _, c := range chosen {
		plan := host.Survey(c)
		all, left = append(all, plan), append(left, plan.Left...)
		showLines(&v.lines, host.Home, plan)
		if len(plan.Edits) > 0 {
			plans = append(plans, plan)
		}
	}
	r.showShort(&v.short, host.Home, all, r.undo(plans))
	if len(plans) == 0 || r.dryRun {
		return errors.Join(r.showPreview(v), r.leftAlone(left))
	}
	if agreed, err := r.askAgreement(v, "make these changes"); !agreed {
		return err
	}
	return r.apply(ctx, host, plans, left)
}

// undo returns the command that undoes plans: what a flag adds to agents that were connected before is taken out alone.
func (r *setupRun) undo(plans []setup.Plan) string {
	flag, off := " --remove", ""
	before := !slices.ContainsFunc(plans, setup.Plan.Connects)
	gate, native := r.gate == gateOwn || r.gate == gateAll, r.native == nativeOn
	switch {
	case before && gate && !native:
		flag, off = "", " --gate off"
	case before && native && !gate:
		flag, off = "", " --native off"
	}
	undo := "choicetui setup" + flag
	for _, plan := range plans {
		undo += " " + plan.Client.ID
	}
	return undo + off
}

// apply makes the changes that the person agreed to.
func (r *setupRun) apply(ctx context.Context, host setup.Host, plans []setup.Plan, left []setup.Left) error {
	backups, err := openBackups(host)
	if err != nil {
		return err
	}
	defer backups.Close()
	ready := 0
	for _, plan := range plans {
		failed, whole, err := r.applyPlan(ctx, host, backups, plan)
		if err != nil {
			return err
		}
		if left = append(left, failed...); whole {
			ready++
		}
	}
	var p page
	if ready > 0 && !r.takesOut() {
		p.line("Then tell the agent: “%s”.", agent.Ask)
	}
	return errors.Join(p.send(r.sh.out), r.leftAlone(left))
}

// openBackups opens the copies of earlier set-ups, and says what to do if their list cannot be read.
func openBackups(host setup.Host) (*setup.Backups, error) {
	backups, err := setup.OpenBackups(host.State)
	var broken *setup.BrokenList
	switch {
	case errors.As(err, &broken):
		return nil, &failure{say: broken.Error(), cause: err,
			hint: "nothing was changed; move the file away, and set-up works again: mv " +
				agent.ShellQuoted(broken.Path) + " " + agent.ShellQuoted(broken.Path+".broken") +
				". Copies from before are in the same directory"}
	case err != nil:
		return nil, &failure{say: err.Error(), hint: "nothing was changed", cause: err}
	}
	return backups, nil
}

// applyPlan sets up one agent and reports it at once, because some agents' commands take seconds. failed lists the
// changes that could not be made; whole reports that nothing is missing.
func (r *setupRun) applyPlan(ctx context.Context, host setup.Host, backups *setup.Backups, plan setup.Plan) (
	failed []setup.Left, whole bool, err error) {
	if len(plan.Command) > 0 {
		r.sh.note("running %s …", say.OneLine(shellLine(plan.Command)))
	}
	said, left := host.Apply(ctx, backups, plan)
	var p page
	for _, line := range said {
		p.line("%s: %s", plan.Client.Name, say.OneLine(line))
	}
	failed = left[len(plan.Left):]
	switch lacks := lacksWords(host, plan, left); {
	case lacks != "" && len(failed) < len(plan.Edits):
		p.line("%s is set up only in part. Missing: %s.", plan.Client.Name, lacks)
	case len(failed) > 0:
	case r.gate == gateOff:
		p.line("The prompts of %s no longer wait.", plan.Client.Name)
	case r.native == nativeOff:
		p.line("%s shows its own prompts again.", plan.Client.Name)
	case plan.ByHand():
		p.line("%s is set up except for the lines that you add.%s", plan.Client.Name, r.stepsByHand(plan))
	default:
		p.line("%s is set up.%s", plan.Client.Name, r.stepsByHand(plan))
		whole = true
	}
	return failed, whole, p.send(r.sh.out)
}

// leftAlone prints the lines that the person has to add by hand. If the run left files alone for another reason, it
// ends with a failure that names them.
func (r *setupRun) leftAlone(left []setup.Left) error {
	var words []string
	var cause error
	var p page
	hint := "add the lines above"
	for _, l := range left {
		var hand *setup.ByHand
		if errors.As(l.Err, &hand) && hand.Lines != "" {
			p.line("\n%s", hand.Lead)
			p.block("  ", hand.Lines)
			if errors.Unwrap(l.Err) == nil { // setup did not try to have the agent write them
				continue
			}
		} else {
			hint = "the file was not changed; put that right, then run the same command again"
		}
		words, cause = append(words, say.OneLine(l.Words())), cmp.Or(cause, l.Err)
	}
	if p.Len() > 0 {
		p.line("\nsetup cannot write these files, so please add the lines yourself. choicetui doctor\n" +
			"then says whether they are there.")
	}
	if err := p.send(r.sh.out); err != nil || len(words) == 0 {
		return err
	}
	return &failure{say: strings.Join(words, "\n"), cause: cause, hint: hint}
}
