package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/mcpbridge/native"
	"github.com/choicetui/choicetui/queue"
)

// confirmFlag has a second process look whether the agent took what the hook printed.
const confirmFlag = "confirm"

// watch gives a dialog more places to look for its end: the processes that Claude starts, and Claude's pane.
func (r *hookRun) watch(ctx context.Context, d *native.Dialog) {
	d.WatchChildren(claudePID())
	if !tmux.Inside() {
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

// claudePID returns the process of the Claude Code that runs this hook; zero: it does not say.
func claudePID() int {
	pid, err := strconv.Atoi(os.Getenv("CLAUDE_PID"))
	if err != nil || pid <= 1 {
		return 0
	}
	return pid
}

// confirms starts the process that closes the session once the agent took what was printed, and reports whether it did.
// Where the transcript does not hold the call, nothing could be confirmed.
func (r *hookRun) confirms(s queue.Session, d *native.Dialog) bool {
	if d == nil || len(d.Calls()) == 0 || claudePID() == 0 {
		return false
	}
	self, err := os.Executable()
	if err != nil {
		return false
	}
	place, err := r.sh.place()
	if err != nil {
		return false
	}
	given, err := json.Marshal(native.Unconfirmed{Session: s.ID, Event: r.raw, Calls: d.Calls(), PID: claudePID()})
	if err != nil {
		return false
	}
	in, out, err := os.Pipe()
	if err != nil {
		return false
	}
	defer in.Close()
	child := exec.Command(self, "hook", "claude", "--"+confirmFlag, "--timeout", strconv.Itoa(r.timeout),
		"--queue", place)
	child.Dir, child.Stdin = "/", in
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Claude ends what a hook leaves in its own group
	if child.Start() != nil {
		_ = out.Close()
		return false
	}
	_, err = out.Write(given)
	return out.Close() == nil && err == nil
}

// confirmLater is that process.
func (r *hookRun) confirmLater(ctx context.Context, of hookAgent) error {
	r.sh.complain.Do(func() {})
	var u native.Unconfirmed
	if json.NewDecoder(r.sh.in).Decode(&u) != nil {
		return nil
	}
	asked, ok := of.read(bytes.TrimSpace(u.Event), nativeWords(), queue.NewToken)
	if !ok || asked.Dialog == nil {
		return nil
	}
	q, err := r.sh.look()
	if err != nil {
		return nil
	}
	in, err := native.Open(ctx, native.Options{Queue: q, Settings: r.settings})
	if err != nil {
		return nil
	}
	defer in.Close()
	ctx, cancel := context.WithTimeout(ctx, r.limit())
	defer cancel()
	_ = in.Confirm(ctx, u, asked.Dialog, nativeWords(), func() bool { return syscall.Kill(u.PID, 0) == nil })
	return nil
}
