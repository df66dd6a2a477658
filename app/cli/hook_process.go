package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents/copilot"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
)

// noticeArg is the argument of `choicetui native` for the process that shows a notice until its agent continues.
const noticeArg = "notice"

// followNotice starts the process that shows a notice. The hook itself ends at once, because Gemini CLI shows its
// prompt only after that. It reports no errors: the agent shows its prompt in any case.
func (r *hookRun) followNotice(of hookAgent) {
	notice, ok := of.notice(r.raw, cmp.Or(claudePID(), r.parent), r.sh.now())
	if ok && !isHeadlessClaude(r) {
		notice.Agent = r.agent
		r.startNative(noticeArg, notice.From(processOrigin()))
	}
}

// startNative starts `choicetui native WHAT` with given, as JSON, on its standard input. It reports whether the process
// started; the process outlives the hook.
func (r *hookRun) startNative(what string, given any) bool {
	in, err := r.startNativeOpen(what, given)
	return err == nil && in.Close() == nil
}

// startNativeOpen starts `choicetui native WHAT` like startNative, and returns its input still open. Closing the input,
// or the end of the hook, tells that process that the hook has ended.
func (r *hookRun) startNativeOpen(what string, given any) (io.Closer, error) {
	text, err := json.Marshal(given)
	if err != nil {
		return nil, err
	}
	place, err := r.sh.queuePlace()
	if err != nil {
		return nil, err
	}
	child, err := nativeProcess(what, place)
	if err != nil {
		return nil, err
	}
	in, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	child.Stdin = in
	if err = child.Start(); err == nil {
		_, err = out.Write(text)
	}
	if err != nil {
		_ = out.Close()
		return nil, err
	}
	return out, nil
}

// serveNotice shows one notice in the queue until its agent continues.
func serveNotice(ctx context.Context, sh *shell) error {
	sh.muteSettings()
	debug.SetGCPercent(50) // this process mostly idles, and should keep little memory
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	var notice prompt.Notice
	if json.NewDecoder(sh.in).Decode(&notice) != nil {
		return nil
	}
	q, err := sh.openExisting()
	if errors.Is(err, errNoQueue) {
		q, err = sh.openQueue()
	}
	if err == nil {
		_ = notice.Show(ctx, q, hookAgents[notice.Agent].following)
	}
	return nil
}

// confirmationArg is the argument of `choicetui native` for the process that checks whether Claude Code took an answer.
const confirmationArg = "confirmation"

// promptTool is the flag by which a program that runs Claude Code, such as an editor, answers permission prompts
// itself.
const promptTool = "--permission-prompt-tool"

// showsDialog reports whether a person sees Claude Code's own permission prompt while the hook runs: in its terminal,
// or in the editor that has started it with promptTool. claude -p without it asks nobody.
func (r *hookRun) showsDialog() bool {
	return r.attended() || slices.ContainsFunc(call.ArgsOf(claudePID()), func(arg string) bool {
		return arg == promptTool || strings.HasPrefix(arg, promptTool+"=")
	})
}

// watchDialog gives a dialog more signs of its end: the state file of Claude Code, a child process of it, and Claude's
// pane in tmux.
func (r *hookRun) watchDialog(ctx context.Context, d prompt.Dialog) {
	began, ok := call.StartedAt(os.Getpid())
	if !ok {
		began = r.began
	}
	d.Watch(claudePID(), began)
	if !tmux.Inside() || !d.Shown() {
		return
	}
	var sight tmux.Sight
	d.WatchPane(func() (string, bool) {
		now, err := tmux.PeekOwn(ctx, sight)
		if err == nil {
			sight = now
		}
		return now.Text, err == nil
	})
}

// claudePID returns the pid of the Claude Code that runs this hook; zero: it is not known.
func claudePID() int {
	pid, err := strconv.Atoi(os.Getenv("CLAUDE_PID"))
	if err != nil || pid <= 1 {
		return 0
	}
	return pid
}

// startConfirmation starts the process that closes the session once the agent took the printed answer, and reports
// whether it started. It is not started if nothing could confirm the answer.
func (r *hookRun) startConfirmation(s queue.Session, d prompt.Dialog, printed prompt.Printed) bool {
	if d == nil || claudePID() == 0 {
		return false
	}
	u := d.Unconfirmed()
	u.Agent, u.Session, u.Event, u.Printed, u.PID, u.Within = r.agent, s.ID, r.raw, printed, claudePID(), r.waitLimit()
	return r.startNative(confirmationArg, u)
}

// takeGiven reads what startNative gave to this process into given, and opens the queue. It warns of nothing, because
// nobody reads what this process prints.
func (sh *shell) takeGiven(given any) (*queue.Queue, error) {
	sh.muteSettings()
	if err := json.NewDecoder(sh.in).Decode(given); err != nil {
		return nil, err
	}
	return sh.openExisting()
}

// serveConfirmation runs in the process that startConfirmation has started. It closes the session once Claude Code's
// transcript says whether Claude took the answer.
func serveConfirmation(ctx context.Context, sh *shell) error {
	var u prompt.Unconfirmed
	q, err := sh.takeGiven(&u)
	read := hookAgents[u.Agent].read
	if err != nil || read == nil {
		return nil
	}
	asked, ok := read(u.Event, queue.NewToken)
	if !ok || asked.Dialog == nil {
		return nil
	}
	in, err := prompt.Open(ctx, processOrigin(), prompt.Options{Queue: q, Settings: sh.currentSettings})
	if err != nil {
		return nil
	}
	defer in.Close()
	_ = in.Confirm(ctx, u, asked)
	return nil
}

// orphanArg is the argument of `choicetui native` for the process that ends a hook's question if the agent kills the
// hook.
const orphanArg = "orphan"

// leaveOrphan starts the process that ends this hook's question if the agent kills the hook. If that process cannot
// start, the question ends as the question of an agent that is gone.
func (r *hookRun) leaveOrphan(instance, source string) {
	r.held, _ = r.startNativeOpen(orphanArg,
		prompt.Orphan{Instance: instance, Source: source, Event: r.raw, Since: r.sh.now()})
}

// serveOrphan runs in the process that leaveOrphan has started. It waits for the end of the hook, and ends the hook's
// question if the hook was killed before it could.
func serveOrphan(ctx context.Context, sh *shell) error {
	var o prompt.Orphan
	q, err := sh.takeGiven(&o)
	asked, ok := copilot.Read(o.Event, queue.NewToken)
	if err != nil || !ok {
		return nil
	}
	asked.Stopped = copilot.Stopped(cmp.Or(os.Getenv("COPILOT_HOME"), filepath.Join(config.Home(), ".copilot")),
		asked.Origin.Thread, o.Since)
	in, err := prompt.Open(ctx, processOrigin(), prompt.Options{Queue: q, Instance: o.Instance, Settings: sh.currentSettings})
	if err != nil {
		return nil
	}
	defer in.Close()
	_, _ = io.Copy(io.Discard, sh.in)
	in.EndOrphan(ctx, o, asked)
	return nil
}
