package cli

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/native"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

const (
	// hookSpare is subtracted from the agent's time limit, so that the hook ends before the agent gives up on it.
	hookSpare = 5 * time.Second
	// hookUsual is Claude Code's limit for a hook that names no time.
	hookUsual = 10 * time.Minute
	// aloneAfter is the time without an open dashboard after which a question goes back to its agent. A dashboard that
	// restarts sooner keeps the question.
	aloneAfter = 5 * time.Second
)

// hookRun is one run of `choicetui hook`.
type hookRun struct {
	sh      *shell
	timeout int    // seconds
	parent  int    // the agent's process
	raw     []byte // what the agent gave
	of      hookAgent
	held    io.Closer // closed with this process: see leaveOrphan
}

// hookAgents are the agents whose hooks are answered here.
var hookAgents = map[string]hookAgent{
	"claude": {read: native.Claude, notice: native.ClaudeNotice, starts: native.ClaudeStarts},
	"codex":  {read: native.CodexHook, besides: askedBesides},
	"gemini": {read: native.Gemini, notice: native.GeminiNotice},
	"qwen":   {read: native.Qwen}, "copilot": {read: native.Copilot, kills: true},
}

// hookAgent holds the ways to read and answer the hooks of one agent.
type hookAgent struct {
	read func([]byte, native.Words, func() string) (native.Asked, bool)
	// besides reports whether the agent also asks the same in another way here; nil: it has no other way.
	besides func(context.Context) bool
	// notice reads what the agent says that its person can answer only in its pane; nil: its hooks say nothing.
	notice func(raw []byte, pid int, now time.Time) (native.Notice, bool)
	// starts reports whether the agent starts, and might send its first request without our tools; nil: it does not.
	starts func(raw []byte) bool
	// kills: it ends its hook with SIGKILL when its person stops it.
	kills bool
}

func hookCommand(sh *shell) *cobra.Command {
	r := hookRun{sh: sh, parent: os.Getppid()}
	cmd := &cobra.Command{
		Use:   "hook AGENT",
		Short: "Answer in the dashboard what an agent asks by itself",
		Long: `hook is run by the agent, not by you: choicetui setup puts it into the agent's
settings. It reads what the agent asks, puts it into the queue, waits for your
answer and prints it in the agent's own form. AGENT is

  claude    Claude Code's questions, permission prompts and plans, and the forms
            of its other servers
  codex     the questions and permission prompts of a Codex without its server
  gemini    the questions of Gemini CLI
  qwen      the questions and permission prompts of Qwen Code
  copilot   each call of a tool in Copilot CLI

For all but claude, setup does so only with --native: docs/agents.md says why.
What Claude Code and Gemini CLI ask and you can answer only in their own panes is
listed in the dashboard.

It says nothing, and the agent asks in its own way, while no dashboard is open,
once the last one was closed, and whenever anything is in doubt. It never
answers by itself.`,
		Example: `  choicetui setup claude
  choicetui setup codex --native`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && hookAgents[args[0]].read != nil {
				return nil
			}
			return misused(cmd, "the agent that runs it: "+strings.Join(hookNames(), ", "))
		},
		PersistentPreRun: collectsLater,
		RunE:             func(cmd *cobra.Command, args []string) error { return r.hook(cmd.Context(), args[0]) },
	}
	cmd.ValidArgs = hookNames()
	cmd.Flags().IntVar(&r.timeout, "timeout", int(hookUsual/time.Second),
		"the agent gives the hook up after so many `SECONDS`")
	return cmd
}

func hookNames() []string { return slices.Sorted(maps.Keys(hookAgents)) }

// hook never fails: whatever an agent hears of a hook but an answer it may take for a refusal.
func (r *hookRun) hook(ctx context.Context, agent string) error {
	defer func() { _ = recover() }() // the exit code of a panic would be one
	debug.SetGCPercent(-1)           // as in gate: most of these processes have nothing to do
	debug.SetMemoryLimit(gateMemory)
	r.sh.complain.Do(func() {})
	ctx, there := context.WithCancelCause(ctx)
	defer there(nil)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // else an answer for an agent that is gone ends this
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		if s := <-signals; s == syscall.SIGHUP { // its terminal was closed
			there(native.ErrGone)
		}
		there(native.ErrInterrupted)
	}()
	var err error
	if r.raw, err = readWithin(ctx, r.sh.in); err != nil {
		return nil
	}
	of := hookAgents[agent]
	r.of = of
	asked, ok := of.read(r.raw, nativeWords(), queue.NewToken)
	switch {
	case ok:
	case of.starts != nil && of.starts(r.raw):
		r.awaitTools(ctx)
		return nil
	case of.notice != nil:
		r.followNotice(of)
		return nil
	default:
		return nil
	}
	if asked.Dialog != nil && !r.attended() {
		asked.Dialog = nil // it shows none
	}
	q, err := r.sh.look()
	if besideDialog(asked) && errors.Is(err, errNoQueue) {
		q, err = r.sh.open()
	}
	if err != nil || of.besides != nil && of.besides(ctx) {
		return nil
	}
	if !besideDialog(asked) && !native.Dashboard(ctx, q) {
		return nil
	}
	_ = r.await(ctx, q, asked)
	return nil
}

// readWithin reads all of an agent's input unless it is too much, or the wait for it ends.
func readWithin(ctx context.Context, in io.Reader) ([]byte, error) {
	type input struct {
		raw []byte
		err error
	}
	read := make(chan input, 1)
	go func() {
		raw, err := io.ReadAll(io.LimitReader(in, native.MaxInput+1))
		read <- input{raw, err}
	}()
	select {
	case got := <-read:
		if got.err == nil && len(got.raw) > native.MaxInput {
			return nil, errors.New("the input is too large")
		}
		return got.raw, got.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// await asks, and tells the agent what the person said.
func (r *hookRun) await(ctx context.Context, q *queue.Queue, asked native.Asked) error {
	in, err := native.Open(ctx, native.Options{Queue: q, Settings: r.settings, Left: say.NativeLeft,
		Before: say.NativeBefore, Limit: r.limit()})
	if err != nil {
		return err
	}
	defer in.Close()
	ending := r.ending(q)
	if asked.Dialog != nil { // it is open as long as the agent's own
		asked.Within = r.limit()
		r.watch(ctx, asked.Dialog)
	}
	if besideDialog(asked) {
		ending = r.gone
	}
	looks := 0
	s, own, err := in.Await(ctx, asked, func(ctx context.Context) error {
		if looks++; looks == 1 && r.of.kills {
			r.leaveOrphan(in.Instance(), asked.Origin.Source)
		}
		if looks == 2 { // it may wait for hours, and a dashboard has shown the question by now
			debug.SetGCPercent(100)
		}
		return ending(ctx)
	})
	if err != nil {
		return err
	}
	out := asked.Render(s)
	if out != nil {
		if _, err := r.sh.out.Write(out); err != nil { // the agent is gone
			if own {
				_ = in.Untaken(s, queue.CallerGone)
			}
			return err
		}
	}
	if own && !(out != nil && r.confirms(s, asked.Dialog)) {
		return in.Collect(s)
	}
	return nil
}

// attended reports whether Claude Code shows its own dialog while the hook runs: claude -p has nobody to show it to.
// An older one does not say.
func (r *hookRun) attended() bool { return os.Getenv("CLAUDE_CODE_SESSION_ATTENDED") == "1" }

// besideDialog reports whether the agent shows its own dialog while the hook runs. For a subagent in the background
// Claude Code 2.1.330 draws it only once the hook has ended.
func besideDialog(a native.Asked) bool { return a.Dialog != nil && a.Origin.Subagent == "" }

// limit returns how long the hook may wait: the agent's limit less hookSpare, and at least a second.
func (r *hookRun) limit() time.Duration {
	return max(time.Duration(r.timeout)*time.Second-hookSpare, time.Second)
}

func (r *hookRun) settings() config.Settings { return r.sh.settings().Settings() }

// ending ends the wait when the agent is gone, or when no dashboard was open for a while.
func (r *hookRun) ending(q *queue.Queue) native.Ending {
	open := r.sh.now()
	return func(ctx context.Context) error {
		if err := r.gone(ctx); err != nil {
			return err
		}
		if native.Dashboard(ctx, q) {
			open = r.sh.now()
		}
		if r.sh.now().Sub(open) >= aloneAfter {
			return native.ErrAlone
		}
		return nil
	}
}

// gone ends the wait if the agent is gone.
func (r *hookRun) gone(context.Context) error {
	if os.Getppid() != r.parent {
		return native.ErrGone
	}
	return nil
}

// nativeWords returns this program's words for the agents' own prompts.
func nativeWords() native.Words {
	return native.Words{
		Title: say.NativeTitle, Wants: say.NativeWants, Rest: say.NativeRest,
		Once: say.NativeOnce, Refuse: say.NativeRefuse, Session: say.NativeSession, Covers: say.NativeCovers,
		Mode: say.NativeMode, Folders: say.NativeFolders, PlanTitle: say.NativePlan, PlanOnce: say.NativePlanOnce,
		PlanSession: say.NativePlanEdits, PlanRefuse: say.NativePlanRefuse, Form: say.NativeForm,
		Yes: say.NativeYes, No: say.NativeNo, LeaveOut: say.NativeLeaveOut, Takes: say.NativeTakes,
		Opened:  say.NativeOpened,
		Decline: say.NativeDecline, AddressQuestion: say.NativeAddress, Refused: say.NativeRefused,
		Declined: say.NativeDeclined, MoreDetail: say.NativeMoreDetail, Answered: say.NativeAnswered,
		Untaken: say.LineUntaken, NotConfirmed: say.NativeNotConfirmed,
		Always: say.NativeAlways, AlwaysCovers: say.NativeAlwaysCovers,
		Codex: codexNativeWords(),
	}
}
