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
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/queue"
)

const (
	// watchCheckEvery is the time between two checks of a watcher whether a dashboard is open and what the settings
	// say.
	watchCheckEvery = 2 * time.Second
	// freeMemoryFirst is the time from a watcher's start until it first returns unused memory. By then it has connected
	// and has read the open prompts.
	freeMemoryFirst = 3 * time.Second
	// freeMemoryEvery is the time between two returns of unused memory. A watcher runs all day, and mostly idles.
	freeMemoryEvery = time.Minute
)

// watchRun is one run of `choicetui native` for an agent whose server is watched. It watches one home of the agent for
// the dashboards of one queue.
type watchRun struct {
	sh       *shell
	of       agent.Agent
	queue    *queue.Queue
	settings *config.File
	home     string

	mu     sync.Mutex
	intake *prompt.Intake
}

// serveWatch watches an agent until the last dashboard is closed. It reports no errors, because the agent shows its own
// prompts too.
func serveWatch(ctx context.Context, sh *shell, a agent.Agent) error {
	sh.muteSettings()
	debug.SetGCPercent(50) // this process mostly idles, and should keep little memory
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	dir, err := sh.queuePlace()
	if err != nil {
		return nil
	}
	settings := sh.settings()
	home := watchedHome(a, settings.Settings())
	if home == "" {
		return nil
	}
	release, err := lockWatch(a.ID, dir, home, unix.LOCK_EX)
	if err != nil {
		return nil // another process watches already
	}
	defer release()
	q, err := sh.openExisting()
	if err != nil {
		return nil
	}
	r := watchRun{sh: sh, of: a, queue: q, settings: settings, home: home}
	r.watchUntilClosed(ctx)
	return nil
}

// watchUntilClosed watches the home until no dashboard is open or the settings turn it off.
func (r *watchRun) watchUntilClosed(ctx context.Context) {
	watch, end := context.WithCancelCause(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() { r.of.Watch.Run(watch, r.home, r.openIntake) })
	open, why := r.sh.now(), prompt.ErrAlone
	freeAt := r.sh.now().Add(freeMemoryFirst)
	for {
		if r.sh.now().After(freeAt) {
			debug.FreeOSMemory()
			freeAt = r.sh.now().Add(freeMemoryEvery)
		}
		r.settings.Refresh()
		if prompt.Dashboard(ctx, r.queue) {
			open = r.sh.now()
		}
		if watchedHome(r.of, r.settings.Settings()) == "" {
			why = prompt.ErrOff
			break
		}
		if r.sh.now().Sub(open) >= aloneAfter {
			break
		}
		select {
		case <-time.After(watchCheckEvery):
			continue
		case <-ctx.Done():
			why = prompt.ErrGone
		}
		break
	}
	end(why)
	running.Wait()
	if r.intake != nil {
		_ = r.intake.Close()
	}
}

// openIntake announces this process in the queue at the first prompt, and returns the same intake from then on.
func (r *watchRun) openIntake(ctx context.Context) (*prompt.Intake, error) {
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

// watchedHome returns the home of an agent to be watched: the one that the environment of this process names, else the
// usual one. It is empty if the settings turn that off, or if no home is known.
func watchedHome(a agent.Agent, s config.Settings) string {
	home := a.Watch.Home()
	if s.Native.Watch == config.NativeOff || !filepath.IsAbs(home) {
		return ""
	}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		return real
	}
	return filepath.Clean(home) // it does not exist yet
}

// lockWatch takes the lock of the process that watches a home of an agent for a queue. LOCK_SH only checks whether the
// lock is free.
func lockWatch(id, queue, home string, how int) (release func(), err error) {
	state, err := config.StateDir()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(queue + "\x00" + home))
	path := filepath.Join(state, id+"-"+hex.EncodeToString(sum[:8])+".lock")
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

// watchEvery is the time between two checks of a dashboard whether an agent's server runs that no process watches.
const watchEvery = 5 * time.Second

// watchingAgents brings the prompts of agents with a server to a dashboard as long as the dashboard is open. A process
// of its own watches each of these agents for all dashboards and ends with the last of them; the dashboard only starts
// that process when it is needed. The caller calls stop at the end.
func watchingAgents(ctx context.Context, sh *shell) (stop func()) {
	ctx, stop = context.WithCancel(ctx)
	dir, err := sh.queuePlace()
	if err != nil {
		return stop
	}
	for _, a := range agents.All() {
		if a.Watch == nil {
			continue
		}
		settings := sh.settings() // not shared: one reader's Refresh would hide a change from the other
		go func() {
			for {
				settings.Refresh()
				if wantsWatcher(a, dir, settings) {
					runWatcher(ctx, a, dir)
				}
				select {
				case <-time.After(watchEvery):
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	return stop
}

// wantsWatcher reports whether an agent's server runs and no process watches it.
func wantsWatcher(a agent.Agent, dir string, settings *config.File) bool {
	home := watchedHome(a, settings.Settings())
	if home == "" || !a.Watch.Listens(home) {
		return false
	}
	release, err := lockWatch(a.ID, dir, home, unix.LOCK_SH)
	if err == nil {
		release()
	}
	return err == nil
}

// runWatcher starts the process that watches an agent, and returns when that process ends or the dashboard closes.
func runWatcher(ctx context.Context, a agent.Agent, dir string) {
	child, err := nativeProcess(a.ID, dir)
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
