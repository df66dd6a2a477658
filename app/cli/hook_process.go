package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
)

// noticeArg is the argument of `choicetui native` for the process that shows a notice until its agent continues.
const noticeArg = "notice"

// followNotice starts the process that shows a notice. The hook itself ends at once, because some agents show
// their prompt only after that. It reports no errors: the agent shows its prompt in any case.
func (r *hookRun) followNotice() {
	notice, ok := r.of.Hook.Notice(r.raw, cmp.Or(r.pid(), r.parent), r.sh.now())
	if ok && !r.isHeadless() {
		notice.Agent = r.of.ID
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
	if json.NewDecoder(sh.in).Decode(&notice) != nil || agents.Of(notice.Agent).Hook == nil {
		return nil
	}
	q, err := sh.openExisting()
	if errors.Is(err, errNoQueue) {
		q, err = sh.openQueue()
	}
	if err == nil {
		_ = notice.Show(ctx, q, agents.Of(notice.Agent).Hook.Following)
	}
	return nil
}

// confirmationArg is the argument of `choicetui native` for the process that checks whether an agent took an answer.
const confirmationArg = "confirmation"

// watchDialog gives a dialog more signs of its end: the agent's process, and its pane in tmux.
func (r *hookRun) watchDialog(ctx context.Context, d prompt.Dialog) {
	began, ok := call.StartedAt(os.Getpid())
	if !ok {
		began = r.began
	}
	d.Watch(r.pid(), began)
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

// startConfirmation starts the process that closes the session once the agent took the printed answer, and reports
// whether it started. It is not started if nothing could confirm the answer.
func (r *hookRun) startConfirmation(s queue.Session, d prompt.Dialog, printed prompt.Printed) bool {
	if d == nil || r.pid() == 0 {
		return false
	}
	u := d.Unconfirmed()
	u.Agent, u.Session, u.Event, u.Printed, u.PID, u.Within = r.of.ID, s.ID, r.raw, printed, r.pid(), r.waitLimit()
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

// serveConfirmation runs in the process that startConfirmation has started. It closes the session once the agent says
// whether it took the answer.
func serveConfirmation(ctx context.Context, sh *shell) error {
	var u prompt.Unconfirmed
	q, err := sh.takeGiven(&u)
	hook := agents.Of(u.Agent).Hook
	if err != nil || hook == nil {
		return nil
	}
	asked, ok := hook.Read(u.Event, queue.NewToken)
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
		prompt.Orphan{Agent: r.of.ID, Instance: instance, Source: source, Event: r.raw, Since: r.sh.now()})
}

// serveOrphan runs in the process that leaveOrphan has started. It waits for the end of the hook, and ends the hook's
// question if the hook was killed before it could.
func serveOrphan(ctx context.Context, sh *shell) error {
	var o prompt.Orphan
	q, err := sh.takeGiven(&o)
	hook := agents.Of(o.Agent).Hook
	if err != nil || hook == nil || hook.Stopped == nil {
		return nil
	}
	asked, ok := hook.Read(o.Event, queue.NewToken)
	if !ok {
		return nil
	}
	asked.Stopped = hook.Stopped(asked, o.Since)
	in, err := prompt.Open(ctx, processOrigin(), prompt.Options{Queue: q, Instance: o.Instance,
		Settings: sh.currentSettings})
	if err != nil {
		return nil
	}
	defer in.Close()
	_, _ = io.Copy(io.Discard, sh.in)
	in.EndOrphan(ctx, o, asked)
	return nil
}
