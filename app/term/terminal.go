package term

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"
	"golang.org/x/sys/unix"
)

const (
	// stopWait is how long the event loop may take to end after a signal; then the process exits.
	stopWait = 2 * time.Second
	// contWait is how long after SIGTSTP stopAndWait waits for a stop; after that the process was not stopped.
	contWait = 100 * time.Millisecond
)

// ErrGone says that the terminal went away: its pane was closed or the connection was lost.
var ErrGone = errors.New("the terminal went away")

// ErrNoShell says that Ctrl-Z would stop the process for ever, because no shell could continue it, as in a tmux pane
// that runs choicetui itself.
var ErrNoShell = errors.New("no shell to go back to")

// Signal is the error of a run that a signal ended.
type Signal struct{ Sig unix.Signal }

func (s Signal) Error() string { return fmt.Sprintf("stopped by %s", unix.SignalName(s.Sig)) }

// ExitCode returns the exit code that a shell would report for a process killed by the signal.
func (s Signal) ExitCode() int { return 128 + int(s.Sig) }

// Terminal runs a tview application on a Screen, and restores the terminal in every case.
type Terminal struct {
	app    *tview.Application
	screen *Screen
	ctx    context.Context // ends with the run
	cancel context.CancelFunc

	signals chan os.Signal
	cont    chan struct{} // receives SIGCONT while stopAndWait waits for it
	raising atomic.Bool   // stopAndWait is stopping the process
	pausing func()        // called before each pause; see BeforePause
	back    func()        // called after each pause; see AfterPause
	lent    atomic.Bool   // the terminal is lent to a child

	mu    sync.Mutex
	sig   unix.Signal // the signal that ended the run
	force *time.Timer // ends the process if the event loop does not
}

// New connects the application and the screen in the only order that works. The application must be new.
func New(app *tview.Application, screen *Screen) *Terminal {
	app.SetScreen(screen) // calls Init, for the second time
	app.EnablePaste(true) // before SetScreen this would do nothing
	t := &Terminal{app: app, screen: screen, signals: make(chan os.Signal, 16), cont: make(chan struct{}, 1)}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	screen.redraw = func() { t.Update(func() {}) }
	return t
}

// Screen returns the screen that the terminal runs on.
func (t *Terminal) Screen() *Screen { return t.screen }

// Context returns a context that ends with the run: by a signal, by Stop, or with the context of Run.
func (t *Terminal) Context() context.Context { return t.ctx }

// Go starts f like Screen.Go: every goroutine of the program must be started with it.
func (t *Terminal) Go(f func()) { t.screen.Go(f) }

// Run shows the application until it stops or ctx ends (it returns nil), or until SIGTERM, SIGHUP or SIGINT comes (it
// returns a Signal). Signals that the parent process ignores stay ignored. ErrGone says that the terminal went away.
// Run may be called once. A panic on the event loop is handled as in Go.
func (t *Terminal) Run(ctx context.Context) error {
	defer t.screen.catch()
	defer t.finish()
	for _, sig := range []os.Signal{unix.SIGTERM, unix.SIGHUP, unix.SIGINT, unix.SIGTSTP} {
		if !signal.Ignored(sig) {
			signal.Notify(t.signals, sig)
		}
	}
	signal.Notify(t.signals, unix.SIGCONT)
	t.Go(t.listenForSignals)
	t.countKeys()
	defer context.AfterFunc(ctx, t.Stop)()
	err := t.app.Run()
	return t.runError(err)
}

// countKeys tells the screen of each key that the application takes, so that frames can be left out while others wait.
func (t *Terminal) countKeys() {
	capture := t.app.GetInputCapture()
	t.app.SetInputCapture(func(key *tcell.EventKey) *tcell.EventKey {
		if t.screen.keyTaken(); capture == nil {
			return key
		}
		return capture(key)
	})
}

// finish restores the terminal at the end of the run.
func (t *Terminal) finish() {
	t.cancel()
	t.screen.Fini()
	signal.Stop(t.signals)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.force != nil {
		t.force.Stop()
	}
}

// runError returns the error of the run. err is the error of tview.
func (t *Terminal) runError(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lost *tcell.EventError
	switch {
	case t.sig != 0:
		return Signal{t.sig}
	case errors.As(err, &lost):
		return fmt.Errorf("%w: %w", ErrGone, lost)
	}
	return err
}

// Update runs f on the event loop, then draws, and returns true when that is done. It returns false if the run is over;
// f may not have run then. Unlike tview's QueueUpdateDraw it never blocks for ever. It must not be called on the event
// loop.
func (t *Terminal) Update(f func()) bool {
	done := make(chan struct{})
	t.Go(func() {
		t.app.QueueUpdateDraw(f)
		close(done)
	})
	select {
	case <-done:
		return true
	case <-t.ctx.Done():
		return false
	}
}

// Stop ends the run. Any goroutine may call it, and it does not wait. It calls tview's Stop on the event loop, because
// tview would open a screen of its own if its Stop came before its Run.
func (t *Terminal) Stop() {
	t.cancel()
	t.Go(func() { t.app.QueueUpdate(func() { t.app.Stop() }) })
}

// listenForSignals handles the signals until the run is over.
func (t *Terminal) listenForSignals() {
	for {
		select {
		case <-t.ctx.Done():
			return
		case sig := <-t.signals:
			t.handleSignal(sig.(unix.Signal))
		}
	}
}

// handleSignal handles one signal.
func (t *Terminal) handleSignal(sig unix.Signal) {
	switch sig {
	case unix.SIGCONT:
		t.handleContinue()
	case unix.SIGTSTP:
		if t.lent.Load() {
			t.stopAndWait(unix.Getpid()) // Ctrl-Z in the child stops the whole group; the child has the screen
			return
		}
		t.Go(func() { t.app.QueueUpdateDraw(func() { _ = t.suspend(unix.Getpid()) }) })
	case unix.SIGINT:
		if !t.lent.Load() { // while the terminal is lent, the signal is for the child
			t.endBySignal(sig)
		}
	default:
		t.endBySignal(sig)
	}
}

// endBySignal stops the run because of a signal, and exits if the event loop does not react.
func (t *Terminal) endBySignal(sig unix.Signal) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sig == 0 {
		t.sig = sig
		t.force = time.AfterFunc(stopWait, func() {
			t.screen.Fini()
			os.Exit(Signal{sig}.ExitCode())
		})
	}
	t.Stop()
}

// Suspend performs Ctrl-Z: it restores the terminal, stops the whole process group as the terminal driver would, and
// repaints when the shell continues it. Call it on the event loop; it returns after the continuation. With ErrNoShell
// nothing was done.
func (t *Terminal) Suspend() error { return t.suspend(0) }

// BeforePause makes f run on the event loop each time before the loop pauses: when the process is suspended, by key or
// by signal, or when the terminal is lent. Call it before Run.
func (t *Terminal) BeforePause(f func()) { t.pausing = f }

// pause calls the function of BeforePause.
func (t *Terminal) pause() {
	if t.pausing != nil {
		t.pausing()
	}
}

// AfterPause makes f run on the event loop each time after the terminal was taken back from another program. Call it
// before Run.
func (t *Terminal) AfterPause(f func()) { t.back = f }

// resume calls the function of AfterPause.
func (t *Terminal) resume() {
	if t.back != nil {
		t.back()
	}
}

// suspend restores the terminal and stops pid; 0 means the process group.
func (t *Terminal) suspend(pid int) error {
	if signal.Ignored(unix.SIGTSTP) || orphaned() {
		return ErrNoShell
	}
	t.pause()
	if !t.app.Suspend(func() { t.stopAndWait(pid) }) {
		return errNotRunning
	}
	t.resume()
	return nil
}

// orphaned reports whether the process group is that of the session leader. Nobody in the session could continue it
// then, and the kernel drops SIGTSTP.
func orphaned() bool {
	session, err := unix.Getsid(0)
	return err != nil || session == unix.Getpgrp()
}

// stopAndWait stops pid with SIGTSTP and returns when the process runs again.
func (t *Terminal) stopAndWait(pid int) {
	t.raising.Store(true)
	defer t.raising.Store(false)
	select {
	case <-t.cont:
	default:
	}
	defer raiseStop(pid, t.signals)()
	// Time passes while the process is stopped, so both cases may be ready afterwards. Either means that it runs.
	select {
	case <-t.cont:
	case <-time.After(contWait):
	}
}

// handleContinue handles SIGCONT. If stopAndWait waits for the signal, it passes the signal on. Otherwise another
// program has stopped this process (SIGSTOP) and a shell has used the terminal, so the terminal is set up again.
func (t *Terminal) handleContinue() {
	if t.raising.Load() {
		select {
		case t.cont <- struct{}{}:
		default:
		}
		return
	}
	if t.lent.Load() {
		return
	}
	t.Go(func() {
		t.app.QueueUpdateDraw(func() {
			t.app.Suspend(func() {})
			t.resume()
		})
	})
}

// Lend restores the terminal, runs f, such as an editor, and takes the terminal back. Call it on the event loop, which
// waits meanwhile. It returns false if the screen was not running, or the run is over. The context ends with the run:
// start the child with exec.CommandContext, so that it ends too.
func (t *Terminal) Lend(f func(context.Context)) bool {
	if t.ctx.Err() != nil {
		return false
	}
	t.pause()
	t.lent.Store(true)
	defer t.lent.Store(false)
	defer t.resume()
	quit := make(chan os.Signal, 1) // from Ctrl-\, which is for the child
	signal.Notify(quit, unix.SIGQUIT)
	defer signal.Stop(quit)
	return t.app.Suspend(func() { f(t.ctx) })
}
