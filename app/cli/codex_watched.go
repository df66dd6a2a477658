package cli

import (
	"context"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/native/codex"
	"github.com/choicetui/choicetui/queue"
)

// codexEvery is the time between two checks of a dashboard whether a Codex server runs that no process watches.
const codexEvery = 5 * time.Second

// watchingCodex brings the prompts of Codex to a dashboard as long as the dashboard is open. A process of its own
// watches Codex for all dashboards and ends with the last of them; the dashboard only starts that process when it is
// needed. The caller calls stop at the end.
func watchingCodex(ctx context.Context, sh *shell) (stop func()) {
	ctx, stop = context.WithCancel(ctx)
	dir, err := sh.queuePlace()
	if err != nil {
		return stop
	}
	settings := sh.settings() // not shared: one reader's Refresh would hide a change from the other
	go func() {
		for {
			settings.Refresh()
			if wantsWatcher(dir, settings) {
				runWatcher(ctx, dir)
			}
			select {
			case <-time.After(codexEvery):
			case <-ctx.Done():
				return
			}
		}
	}()
	return stop
}

// wantsWatcher reports whether a Codex server runs and no process watches it.
func wantsWatcher(dir string, settings *config.File) bool {
	for _, home := range codexHomes(settings.Settings()) {
		if info, err := os.Lstat(codex.SocketIn(home)); err == nil && info.Mode()&os.ModeSocket != 0 {
			release, err := lockCodex(dir, unix.LOCK_SH)
			if err == nil {
				release()
			}
			return err == nil
		}
	}
	return false
}

// runWatcher starts the process that watches Codex, and returns when that process ends or the dashboard closes.
func runWatcher(ctx context.Context, dir string) {
	child, err := nativeProcess("codex", dir)
	if err != nil || child.Start() != nil {
		return
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = child.Wait() }()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// codexAsksBySocket reports whether this hook belongs to a Codex session whose server has a control socket. The prompts
// of such a session come by the socket, or stay with Codex if the settings say so, so the hook must not ask too.
func codexAsksBySocket(ctx context.Context) bool {
	server, ok := tmux.ServerOf(ctx, tmux.Agent{PID: os.Getppid()})
	if !ok || server.Kind != queue.AppServer {
		return false
	}
	return codex.Listens(ctx, codex.SocketOf(server.PID), server.PID)
}
