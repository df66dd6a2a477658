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

// Words for the choices that Codex offers.
const (
	codexStop         = "Refuse, and stop this turn"
	codexStopCovers   = "Codex ends what it is doing and waits for you."
	codexSessionFiles = "Allow changes of these files for this session"
	codexUntilEnd     = "Codex does not ask again for the same until this session ends."
)

// codexNativeWords returns the words of this program's for the choices that Codex offers.
func codexNativeWords() native.CodexWords {
	return native.CodexWords{Stop: codexStop, StopCovers: codexStopCovers, Similar: codexSimilar,
		SimilarCovers: codexSimilarCovers, Host: codexHost, HostCovers: codexHostCovers,
		NotHost: codexNotHost, NotHostCovers: codexNotHostCovers, SessionFiles: codexSessionFiles,
		SessionCommand: "Allow this command for this session", UntilSessionEnds: codexUntilEnd,
		Permissions: codexPermissions, Which: "What may it have of this, and for how long?",
		Turn: "Allow for this turn", Session: "Allow for this session", Path: codexPath, Network: "Use the network"}
}

// codexSimilar returns the choice that makes a rule in Codex.
func codexSimilar(prefix string) string { return "Allow always: " + prefix }

// codexSimilarCovers says what that rule allows.
func codexSimilarCovers(prefix string) string {
	return "Codex keeps a rule and does not ask again, in any session, for a command that begins with " + prefix + "."
}

// codexHost returns the choice to allow a host from now on.
func codexHost(host string) string { return "Allow always: " + host }

// codexHostCovers says what that allows.
func codexHostCovers(host string) string {
	return "Codex keeps a rule and does not ask again, in any session, before a command reaches " + host + "."
}

// codexNotHost returns the choice to refuse a host from now on.
func codexNotHost(host string) string { return "Refuse always: " + host }

// codexNotHostCovers says what that refuses.
func codexNotHostCovers(host string) string {
	return "Codex keeps a rule, and no command reaches " + host + " any more."
}

// codexPermissions returns the title of a request for more than the sandbox gives.
func codexPermissions(n int) string {
	return "Codex wants " + say.Count(n, "more permission")
}

// codexPath returns a path that Codex asks for; a path that begins with a colon is a place that Codex names.
func codexPath(access, path string) string {
	if access == "write" {
		return "Write " + path
	}
	return "Read " + path
}

// askedBesides reports whether this process is the hook of a session whose server is on its control socket: what that
// session asks comes by the socket, or stays with Codex where the settings say so.
func askedBesides(ctx context.Context) bool {
	server, ok := tmux.ServerOf(ctx, tmux.Agent{PID: os.Getppid()})
	if !ok || server.Kind != queue.AppServer {
		return false
	}
	return codex.Listens(ctx, codex.SocketOf(server.PID), server.PID)
}
