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

// codexEvery is how often a dashboard checks whether a Codex server runs that no process watches.
const codexEvery = 5 * time.Second

// watchingCodex brings the prompts of Codex to a dashboard while it is open. A process of its own watches Codex for all
// dashboards and ends with the last of them; the dashboard only starts that process when it is needed. The caller calls
// stop at the end.
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

// runWatcher starts a watcher, and returns when it ends or the dashboard closes.
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

// Labels and descriptions of the choices that Codex offers.
const (
	codexStop         = "Refuse, and stop this turn"
	codexStopCovers   = "Codex ends what it is doing and waits for you."
	codexSessionFiles = "Allow changes of these files for this session"
	codexUntilEnd     = "Codex does not ask again for the same until this session ends."
)

// codexNativeWords returns our words for the choices that Codex offers.
func codexNativeWords() native.CodexWords {
	return native.CodexWords{Stop: codexStop, StopCovers: codexStopCovers, Similar: codexSimilar,
		SimilarCovers: codexSimilarCovers, Host: codexHost, HostCovers: codexHostCovers,
		NotHost: codexNotHost, NotHostCovers: codexNotHostCovers, SessionFiles: codexSessionFiles,
		SessionCommand: "Allow this command for this session", UntilSessionEnds: codexUntilEnd,
		Permissions: codexPermissions, Which: "What may it have of this, and for how long?",
		Turn: "Allow for this turn", Session: "Allow for this session", Path: codexPath, Network: "Use the network"}
}

// codexSimilar returns the label of the choice that makes a rule in Codex.
func codexSimilar(prefix string) string { return "Allow always: " + prefix }

// codexSimilarCovers says what the rule in Codex allows.
func codexSimilarCovers(prefix string) string {
	return "Codex keeps a rule and does not ask again, in any session, for a command that begins with " + prefix + "."
}

// codexHost returns the label of the choice that allows a host from now on.
func codexHost(host string) string { return "Allow always: " + host }

// codexHostCovers says what allowing a host means.
func codexHostCovers(host string) string {
	return "Codex keeps a rule and does not ask again, in any session, before a command reaches " + host + "."
}

// codexNotHost returns the label of the choice that refuses a host from now on.
func codexNotHost(host string) string { return "Refuse always: " + host }

// codexNotHostCovers says what refusing a host means.
func codexNotHostCovers(host string) string {
	return "Codex keeps a rule, and no command reaches " + host + " any more."
}

// codexPermissions returns the title of a request for more than Codex's sandbox allows.
func codexPermissions(n int) string {
	return "Codex wants " + say.Count(n, "more permission")
}

// codexPath returns the label of a path that Codex wants to read or write. A path that begins with a colon is a name of
// Codex's for a place.
func codexPath(access, path string) string {
	if access == "write" {
		return "Write " + path
	}
	return "Read " + path
}

// codexAsksBySocket reports whether this hook belongs to a Codex session whose server has a control socket. The prompts
// of such a session come by the socket, or stay with Codex if the settings say so, so the hook must not ask too.
func codexAsksBySocket(ctx context.Context) bool {
	server, ok := tmux.ServerOf(ctx, tmux.Agent{PID: os.Getppid()})
	if !ok || server.Kind != queue.AppServer {
		return false
	}
	socket, err := codex.SocketOf(server.PID)
	return err != nil || codex.Listens(ctx, socket, server.PID)
}
