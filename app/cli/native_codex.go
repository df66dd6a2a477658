package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/mcpbridge/agents/codex"
	"github.com/choicetui/choicetui/mcpbridge/agents/codex/socket"
	"github.com/choicetui/choicetui/mcpbridge/agents/codex/watch"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/queue"
)

const (
	// codexCheckEvery is the time between two checks of a watcher whether a dashboard is open and what the settings
	// say.
	codexCheckEvery = 2 * time.Second
	// freeMemoryFirst is the time from a watcher's start until it first returns unused memory. By then it has connected
	// and has read the open prompts.
	freeMemoryFirst = 3 * time.Second
	// freeMemoryEvery is the time between two returns of unused memory. A watcher runs all day, and mostly idles.
	freeMemoryEvery = time.Minute
)

// codexRun is one run of `choicetui native codex`. It watches every home directory of Codex for the dashboards of one
// queue.
type codexRun struct {
	sh       *shell
	queue    *queue.Queue
	settings *config.File
	homes    map[string]context.CancelCauseFunc // the watched homes, each with the function that ends its watch
	running  sync.WaitGroup

	mu     sync.Mutex
	intake *prompt.Intake
}

// serveCodex watches Codex until the last dashboard is closed. It reports no errors, because Codex shows its own
// prompts too.
func serveCodex(ctx context.Context, sh *shell) error {
	sh.muteSettings()
	debug.SetGCPercent(50) // this process mostly idles, and should keep little memory
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	dir, err := sh.queuePlace()
	if err != nil {
		return nil
	}
	release, err := lockCodex(dir, unix.LOCK_EX)
	if err != nil {
		return nil // another process watches already
	}
	defer release()
	q, err := sh.openExisting()
	if err != nil {
		return nil
	}
	r := codexRun{sh: sh, queue: q, settings: sh.settings(), homes: map[string]context.CancelCauseFunc{}}
	r.watchUntilClosed(ctx)
	return nil
}

// watchUntilClosed watches the homes that the settings name until no dashboard is open or the settings turn it off.
func (r *codexRun) watchUntilClosed(ctx context.Context) {
	open, why := r.sh.now(), prompt.ErrAlone
	freeAt := r.sh.now().Add(freeMemoryFirst)
	for {
		if r.sh.now().After(freeAt) {
			debug.FreeOSMemory()
			freeAt = r.sh.now().Add(freeMemoryEvery)
		}
		r.settings.Refresh()
		homes := watchedCodexHomes(r.settings.Settings())
		if prompt.Dashboard(ctx, r.queue) {
			open = r.sh.now()
		}
		if len(homes) == 0 {
			why = prompt.ErrOff
			break
		}
		if r.sh.now().Sub(open) >= aloneAfter {
			break
		}
		r.watchHomes(ctx, homes)
		select {
		case <-time.After(codexCheckEvery):
			continue
		case <-ctx.Done():
			why = prompt.ErrGone
		}
		break
	}
	for _, end := range r.homes {
		end(why)
	}
	r.running.Wait()
	if r.intake != nil {
		_ = r.intake.Close()
	}
}

// watchHomes begins to watch the homes that are new, and stops watching homes that are no longer named.
func (r *codexRun) watchHomes(ctx context.Context, homes []string) {
	named := map[string]bool{}
	for _, home := range homes {
		named[home] = true
		if r.homes[home] != nil {
			continue
		}
		w := watch.Watcher{Home: home, Intake: r.openIntake}
		var one context.Context
		one, r.homes[home] = context.WithCancelCause(context.WithoutCancel(ctx))
		r.running.Go(func() { w.Run(one) })
	}
	for home, end := range r.homes {
		if !named[home] {
			end(prompt.ErrOff)
			delete(r.homes, home)
		}
	}
}

// openIntake announces this process in the queue at the first prompt, and returns the same intake from then on.
func (r *codexRun) openIntake(ctx context.Context) (*prompt.Intake, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.intake != nil {
		return r.intake, nil
	}
	in, err := prompt.Open(context.WithoutCancel(ctx), processOrigin(), prompt.Options{Queue: r.queue,
		Settings: func() config.Settings { return r.settings.Settings() }})
	if err == nil {
		r.intake = in
	}
	return in, err
}

// watchedCodexHomes returns the home directories of Codex to be watched: all, or none if the settings turn that off.
func watchedCodexHomes(s config.Settings) []string {
	if s.Native.Codex == config.NativeOff {
		return nil
	}
	return allCodexHomes(s)
}

// allCodexHomes returns the home directories of Codex, each once: the usual one, and those of the settings.
func allCodexHomes(s config.Settings) (homes []string) {
	usual := os.Getenv("CODEX_HOME")
	if usual == "" && config.Home() != "" {
		usual = filepath.Join(config.Home(), ".codex")
	}
	there := map[string]bool{}
	for _, home := range append([]string{usual}, strings.Split(s.Native.CodexHomes, ":")...) {
		home, _ = config.BelowHome(home, config.Home())
		if !filepath.IsAbs(home) { // for example if the person's home directory is not known
			continue
		}
		real, err := filepath.EvalSymlinks(home)
		if err != nil {
			real = filepath.Clean(home) // it does not exist yet
		}
		if !there[real] {
			there[real] = true
			homes = append(homes, real)
		}
	}
	return homes
}

// lockCodex takes the lock of the process that watches Codex for a queue. LOCK_SH only checks whether the lock is free.
func lockCodex(queue string, how int) (release func(), err error) {
	state, err := config.StateDir()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(queue))
	path := filepath.Join(state, "codex-"+hex.EncodeToString(sum[:8])+".lock")
	for try := 0; ; try++ { // a process that only checks holds the lock for a moment
		file, err := whole.LockFile(path, how)
		switch {
		case err == nil:
			return func() { _ = file.Close() }, nil
		case !errors.Is(err, whole.ErrLocked) || try == 10 || how == unix.LOCK_SH:
			return nil, fmt.Errorf("failed to lock the watcher: %w", err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

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
	for _, home := range watchedCodexHomes(settings.Settings()) {
		if info, err := os.Lstat(socket.In(home)); err == nil && info.Mode()&os.ModeSocket != 0 {
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
	server, ok := tmux.ServerOf(ctx, agentOf(queue.Origin{PID: os.Getppid()}))
	if !ok || server.Kind != codex.Server.Kind {
		return false
	}
	return socket.Listens(ctx, socket.Of(server.PID), server.PID)
}
