package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/queue"
)

const (
	// hookSpare is subtracted from the agent's time limit, so that the hook ends before the agent kills it.
	hookSpare = 5 * time.Second
	// hookUsual is the time limit of an agent for a hook whose settings name none.
	hookUsual = 10 * time.Minute
	// aloneAfter is the time without an open dashboard after which a question goes back to its agent. A dashboard that
	// restarts sooner keeps the question.
	aloneAfter = 5 * time.Second
)

// hookRun is one run of `choicetui hook`.
type hookRun struct {
	sh      *shell
	timeout int    // the agent's time limit for the hook, in seconds
	tells   bool   // whether the agent shows a dialog of its own once it is told that the hook asks
	parent  int    // the pid of the agent
	raw     []byte // the agent's input to the hook
	of      agent.Agent
	began   time.Time // when this process began
	held    io.Closer // stays open until this process ends: see leaveOrphan
}

func hookCommand(sh *shell) *cobra.Command {
	r := hookRun{sh: sh, parent: os.Getppid(), began: time.Now()}
	cmd := &cobra.Command{
		Use:    "hook AGENT",
		Hidden: true,
		Short:  "Internal: used by agent hooks",
		Long: `hook is run by agents; choicetui setup adds it to their settings. It reads the
agent's question from standard input, puts it into the queue, and prints your
answer in the agent's own format. AGENT is

` + hookLines() + `
For some, setup needs --native; docs/agents.md says why. If no dashboard is
open, or when in doubt, it prints nothing and the agent uses its own prompt.
It never answers for you.`,
		Example: hookExamples(),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && agents.Of(args[0]).Hook != nil {
				return nil
			}
			return misused(cmd, "the agent that runs it: "+strings.Join(hookNames(), ", "))
		},
		PersistentPreRun: startsWithoutGC,
		RunE:             func(cmd *cobra.Command, args []string) error { return r.hook(cmd.Context(), args[0]) },
	}
	cmd.ValidArgs = hookNames()
	cmd.Flags().IntVar(&r.timeout, "timeout", int(hookUsual/time.Second),
		"the agent stops the hook after `SECONDS`")
	cmd.Flags().BoolVar(&r.tells, "tell", false, "say on stderr that the person is asked")
	_ = cmd.Flags().MarkHidden("tell") // the flag is there
	return cmd
}

// hookNames returns the arguments that the command accepts.
func hookNames() []string { return agents.IDs(func(a agent.Agent) bool { return a.Hook != nil }) }

// hookLines says what each agent's hooks bring.
func hookLines() string {
	var b strings.Builder
	for _, id := range hookNames() {
		fmt.Fprintf(&b, "  %-9s %s\n", id, agents.Of(id).Hook.Brings)
	}
	return b.String()
}

// hookExamples shows how to set up an agent that has its hooks at once, and one that needs --native.
func hookExamples() string {
	asked := func(a agent.Agent) bool { return a.Native.File != "" }
	at := agents.IDs(func(a agent.Agent) bool { return a.Hook != nil && !asked(a) })
	needs := agents.IDs(func(a agent.Agent) bool { return a.Hook != nil && asked(a) })
	return "  choicetui setup " + at[0] + "\n  choicetui setup " + needs[0] + " --native"
}

// hook answers one hook of an agent. It never fails, because an agent may take any error of a hook for a refusal.
func (r *hookRun) hook(ctx context.Context, id string) error {
	defer func() { _ = recover() }() // a panic would end with an exit code that counts as an error
	debug.SetGCPercent(-1)           // as in gate: most hooks end within milliseconds
	debug.SetMemoryLimit(gateMemory)
	r.sh.muteSettings()
	ctx, end := untilHookSignal(ctx)
	defer end()
	var err error
	if r.raw, err = readHookInput(ctx, r.sh.in); err != nil {
		if context.Cause(ctx) == nil {
			r.noteUnread(id, err)
		}
		return nil
	}
	r.raw = whole.WithoutMark(r.raw)
	r.of = agents.Of(id)
	asked, asks := r.of.Hook.Read(r.raw, queue.NewToken)
	switch {
	case asks && asked.Unfit != "":
		r.followUnfit(ctx, asked)
	case asks:
		r.answerPrompt(ctx, asked)
	case r.of.Hook.Starts != nil && r.of.Hook.Starts(r.raw):
		r.awaitTools(ctx)
	case r.of.Hook.Notice != nil:
		r.followNotice()
	}
	r.noteIfUnread(id, asks)
	return nil
}

// untilHookSignal returns a context that a signal to the hook ends. Its cause says what the signal means.
func untilHookSignal(ctx context.Context) (until context.Context, end func()) {
	until, cancel := context.WithCancelCause(ctx)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // without it, writing to a dead agent ends us
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1)
	go func() {
		cause := prompt.ErrInterrupted
		switch <-signals {
		case syscall.SIGHUP: // the agent's terminal was closed
			cause = prompt.ErrGone
		case syscall.SIGUSR1: // an extension of ours says that the person answered at the agent
			cause = prompt.ErrThere
		}
		cancel(cause)
	}()
	return until, func() { cancel(nil) }
}

// answerPrompt puts a prompt of the agent into the queue and prints its answer. It does nothing if no dashboard is open
// (unless the agent's own dialog is open too), if the agent asks the same in another way, or if the queue fails.
func (r *hookRun) answerPrompt(ctx context.Context, asked prompt.Asked) {
	if asked.ShowsDialog() && r.of.Hook.Shows != nil && !r.of.Hook.Shows() {
		asked.Dialog.Headless()
	}
	q, err := r.sh.openExisting()
	if besideDialog(asked) && errors.Is(err, errNoQueue) {
		q, err = r.sh.openQueue()
	}
	if err != nil || r.asksElsewhere(ctx) {
		return
	}
	if besideDialog(asked) || prompt.Dashboard(ctx, q) {
		if err := r.askAndPrint(ctx, q, asked); errors.Is(err, prompt.ErrTooLarge) {
			asked.Unfit = queue.UnfitLarge
			r.followUnfit(ctx, asked)
		}
	}
}

// askAndPrint asks the person, and prints the answer for the agent. The wait ends without an answer when the agent is
// gone, and unless the agent's own dialog is open, when no dashboard is open.
func (r *hookRun) askAndPrint(ctx context.Context, q *queue.Queue, asked prompt.Asked) error {
	in, err := prompt.Open(ctx, processOrigin(), prompt.Options{Queue: q, Settings: r.sh.currentSettings,
		Limit: r.waitLimit()})
	if err != nil {
		return err
	}
	defer in.Close()
	ending := r.endWithoutDashboard(q)
	if asked.ShowsDialog() || r.tells { // the approval stays open as long as the agent's own dialog
		asked.Within = r.waitLimit()
	}
	if asked.Dialog != nil {
		r.watchDialog(ctx, asked.Dialog)
		asked.Once = prompt.OnceName(r.raw, cmp.Or(r.pid(), r.parent))
	}
	if besideDialog(asked) {
		ending = r.agentGone
	}
	looks := 0 // how often Await has asked whether to end the wait
	s, own, err := in.Await(ctx, asked, func(ctx context.Context) error {
		if looks++; looks == 1 {
			r.asks(in.Instance(), asked)
		}
		if looks == 2 { // the dashboard has shown the question by now, and the wait may last for hours
			debug.SetGCPercent(100)
		}
		return ending(ctx)
	})
	if err != nil {
		return err
	}
	return r.printAnswer(in, asked, s, own)
}

// asks does what an agent needs once its question is in the queue.
func (r *hookRun) asks(instance string, asked prompt.Asked) {
	if r.of.Hook.Stopped != nil {
		r.leaveOrphan(instance, asked.Origin.Source)
	}
	if r.tells {
		r.tell()
	}
}

// tell tells an agent that its person is asked.
func (r *hookRun) tell() { _, _ = io.WriteString(r.sh.err, "asking\n") }

// printAnswer prints an outcome for the agent. If this hook has the session's claim (own), it then closes the session,
// or leaves that to the process that checks whether the agent took the answer.
func (r *hookRun) printAnswer(in *prompt.Intake, asked prompt.Asked, s queue.Session, own bool) error {
	out := asked.Render(s)
	printed := prompt.Printed{At: r.sh.now(), Output: out}
	if out != nil {
		if _, err := r.sh.out.Write(out); err != nil { // the agent is gone
			if own {
				_ = in.Untaken(s, queue.CallerGone)
			}
			return err
		}
	}
	if !own || out != nil && r.startConfirmation(s, asked.Dialog, printed) {
		return nil
	}
	return in.Collect(s)
}

// pid returns the pid of the agent that runs this hook, as the agent gives it; zero: it does not.
func (r *hookRun) pid() int {
	if r.of.Hook.PID == nil {
		return 0
	}
	return r.of.Hook.PID()
}

// isHeadless reports whether the agent runs without a person.
func (r *hookRun) isHeadless() bool { return r.of.Hook.Headless != nil && r.of.Hook.Headless() }

// asksElsewhere reports whether the same prompt also arrives in another way.
func (r *hookRun) asksElsewhere(ctx context.Context) bool {
	if r.of.Hook.Elsewhere == nil {
		return false
	}
	server, _ := tmux.ServerOf(ctx, agentOf(queue.Origin{PID: os.Getppid()}))
	return r.of.Hook.Elsewhere(ctx, agent.Server(server))
}

// besideDialog reports whether the agent shows its own dialog while the hook runs. For a subagent in the background the
// dialog may be shown only after the hook has ended.
func besideDialog(a prompt.Asked) bool { return a.ShowsDialog() && a.Origin.Subagent == "" }

// waitLimit returns how long the hook may wait: the agent's limit less hookSpare, and at least a second.
func (r *hookRun) waitLimit() time.Duration {
	return max(time.Duration(r.timeout)*time.Second-hookSpare, time.Second)
}

// endWithoutDashboard ends the wait when the agent is gone, or when no dashboard was open for aloneAfter.
func (r *hookRun) endWithoutDashboard(q *queue.Queue) prompt.Ending {
	open := r.sh.now()
	return func(ctx context.Context) error {
		if err := r.agentGone(ctx); err != nil {
			return err
		}
		if prompt.Dashboard(ctx, q) {
			open = r.sh.now()
		}
		if r.sh.now().Sub(open) >= aloneAfter {
			return prompt.ErrAlone
		}
		return nil
	}
}

// agentGone ends the wait when the agent is gone.
func (r *hookRun) agentGone(context.Context) error {
	if os.Getppid() != r.parent {
		return prompt.ErrGone
	}
	return nil
}

// An agent may send the prompt of its command line without waiting for its MCP servers, so its first request may lack
// our tools. If it does wait for its start hook, that hook waits for our server.
const (
	toolsWithin = 2 * time.Second // our server may be switched off in this session
	toolsEvery  = 25 * time.Millisecond
	// toolsTaken is the least time that an agent needs from our server's list of tools to a request that has them. On a
	// busy machine it needs longer: awaitTools waits at least as long again as it has waited for the list.
	toolsTaken = 300 * time.Millisecond
)

// awaitTools returns once the agent has our tools.
func (r *hookRun) awaitTools(ctx context.Context) {
	q, err := r.sh.openExistingDir()
	if err != nil {
		return
	}
	within, cancel := context.WithTimeout(ctx, toolsWithin)
	defer cancel()
	pid := cmp.Or(r.pid(), r.parent)
	serves := func(p queue.Presence) bool { return p.Origin != nil && p.Origin.PID == pid }
	began, waited := time.Now(), false
	for ; ; waited = true {
		present, err := q.Store.Present(within, queue.RoleServer)
		if err != nil {
			return
		}
		if slices.ContainsFunc(present, serves) {
			break
		}
		queue.Sleep(within, toolsEvery)
	}
	if waited { // without a wait the agent has probably had the tools for long
		queue.Sleep(ctx, max(toolsTaken, time.Since(began)))
	}
}
