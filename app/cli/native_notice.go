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

	"github.com/choicetui/choicetui/mcpbridge/native"
)

// noticeOf is the argument with which a hook starts the process that follows the agent of a notice.
const noticeOf = "notice"

// followNotice has a process of its own follow an agent that needs its person. The hook itself ends at once: Gemini CLI
// draws its prompt only after that. What goes wrong stays unsaid, since the agent shows its prompt itself.
func (r *hookRun) followNotice(of hookAgent) {
	notice, ok := of.notice(r.raw, cmp.Or(claudePID(), r.parent), r.sh.now())
	if ok && os.Getenv("CLAUDE_CODE_SESSION_ATTENDED") != "0" {
		r.outlived(noticeOf, notice.From())
	}
}

// outlived starts `choicetui native WHAT`, which continues when the hook has ended, and reports whether that worked.
// Its input is given, as JSON.
func (r *hookRun) outlived(what string, given any) bool {
	in, err := r.outliving(what, given)
	return err == nil && in.Close() == nil
}

// outliving does the same and leaves the input open: its end is the end of the hook.
func (r *hookRun) outliving(what string, given any) (io.Closer, error) {
	text, err := json.Marshal(given)
	if err != nil {
		return nil, err
	}
	place, err := r.sh.place()
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

// serveNotice shows one notice until its agent continues.
func serveNotice(ctx context.Context, sh *shell) error {
	sh.complain.Do(func() {})
	debug.SetGCPercent(50) // it lies idle most of the time
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	raw, err := readWithin(ctx, sh.in)
	if err != nil {
		return nil
	}
	var notice native.Notice
	if json.Unmarshal(raw, &notice) != nil {
		return nil
	}
	q, err := sh.look()
	if errors.Is(err, errNoQueue) {
		q, err = sh.open()
	}
	if err == nil {
		_ = notice.Show(ctx, q)
	}
	return nil
}
