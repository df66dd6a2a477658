package cli

import (
	"context"
	"encoding/json"
	"os"
	"strconv"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/native"
	"github.com/choicetui/choicetui/queue"
)

// confirmation is the argument with which a hook starts the process that sees whether its agent took an answer.
const confirmation = "confirmation"

// watch gives a dialog more places to look for its end: the processes that Claude starts, and Claude's pane.
func (r *hookRun) watch(ctx context.Context, d *native.Dialog) {
	d.Watch(claudePID())
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
	return d != nil && len(d.Calls()) > 0 && claudePID() != 0 && r.outlived(confirmation,
		native.Unconfirmed{Session: s.ID, Event: r.raw, Calls: d.Calls(), PID: claudePID(), Within: r.limit()})
}

// serveConfirmation runs in that process.
func serveConfirmation(ctx context.Context, sh *shell) error {
	sh.complain.Do(func() {})
	var u native.Unconfirmed
	if json.NewDecoder(sh.in).Decode(&u) != nil {
		return nil
	}
	asked, ok := native.Claude(u.Event, nativeWords(), queue.NewToken)
	if !ok || asked.Dialog == nil {
		return nil
	}
	q, err := sh.look()
	if err != nil {
		return nil
	}
	in, err := native.Open(ctx, native.Options{Queue: q, Before: nativeBefore,
		Settings: func() config.Settings { return sh.settings().Settings() }})
	if err != nil {
		return nil
	}
	defer in.Close()
	_ = in.Confirm(ctx, u, asked.Dialog, nativeWords())
	return nil
}
