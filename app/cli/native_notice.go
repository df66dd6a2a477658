package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/choicetui/choicetui/mcpbridge/native"
)

// noticeOf is the argument with which a hook starts the process that follows the agent of a notice.
const noticeOf = "notice"

// followNotice has a process of its own follow an agent that needs its person. The hook itself ends at once: Gemini CLI
// draws its prompt only after that. What goes wrong stays unsaid, since the agent shows its prompt itself.
func (r *hookRun) followNotice(of hookAgent, raw []byte) {
	notice, ok := of.notice(raw, r.parent, r.sh.now())
	if !ok || os.Getenv("CLAUDE_CODE_SESSION_ATTENDED") == "0" {
		return
	}
	given, err := json.Marshal(notice.From())
	if err != nil {
		return
	}
	place, err := r.sh.place()
	if err != nil {
		return
	}
	self, err := os.Executable()
	if err != nil {
		return
	}
	in, out, err := os.Pipe()
	if err != nil {
		return
	}
	defer in.Close()
	defer out.Close()
	child := exec.Command(self, "native", noticeOf, "--queue", place)
	child.Dir, child.Stdin = "/", in // it outlives the hook, and keeps no directory in use
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if child.Start() == nil {
		_, _ = out.Write(given)
	}
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
