package cli

import (
	"context"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/native"
	"github.com/choicetui/choicetui/mcpbridge/native/codex"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// codexEvery is the interval at which a dashboard looks for a server of Codex that nobody watches.
const codexEvery = 5 * time.Second

// watchingCodex has what Codex asks come to a dashboard while that is open. The watcher is a process of its own: it
// serves all dashboards and ends with the last. The dashboard only looks whether one is wanted.
func watchingCodex(ctx context.Context, sh *shell) (stop func()) {
	ctx, stop = context.WithCancel(ctx)
	dir, err := sh.place()
	if err != nil {
		return stop
	}
	settings := sh.settings() // of its own: whoever refreshes one keeps its changes from others
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

// wantsWatcher reports whether there is a server of Codex and nobody who watches it.
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

// runWatcher runs a watcher, and waits for its end as long as the dashboard is open.
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

// codexNativeWords returns the words of this program's for the choices that Codex offers.
func codexNativeWords() native.CodexWords {
	return native.CodexWords{Stop: say.CodexStop, StopCovers: say.CodexStopCovers, Similar: say.CodexSimilar,
		SimilarCovers: say.CodexSimilarCovers, Host: say.CodexHost, HostCovers: say.CodexHostCovers,
		NotHost: say.CodexNotHost, NotHostCovers: say.CodexNotHostCovers, SessionFiles: say.CodexSessionFiles,
		SessionCommand: say.CodexSessionCommand, UntilSessionEnds: say.CodexUntilEnd,
		Permissions: say.CodexPermissions, Which: say.CodexWhich, Turn: say.CodexTurn,
		Session: say.CodexSession, Path: say.CodexPath, Network: say.CodexNetwork}
}

// askedBesides reports whether this process is the hook of a session whose server is on its control socket: what that
// session asks comes by the socket, or stays with Codex where the settings say so.
func askedBesides(ctx context.Context) bool {
	server, ok := tmux.ServerOf(ctx, tmux.Agent{PID: os.Getppid()})
	if !ok || server.Kind != queue.AppServer {
		return false
	}
	socket, err := codex.SocketOf(server.PID)
	return err != nil || codex.Listens(ctx, socket, server.PID)
}
