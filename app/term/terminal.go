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
	// stopWait limits the time that the event loop takes to end after a signal; then the process ends without it.
	stopWait = 2 * time.Second
	// contWait is the pause after raising SIGTSTP from which on we believe that we were not stopped after all.
	contWait = 100 * time.Millisecond
)

// ErrGone says that the terminal went away: the pane was closed, the connection lost.
var ErrGone = errors.New("the terminal went away")

// ErrNoShell says that Ctrl-Z would stop us for ever: there is no shell that could continue us, as in a tmux pane that
// runs choicetui itself.
var ErrNoShell = errors.New("no shell to go back to")

// Signal is the error of a run that a signal ended.
type Signal struct{ Sig unix.Signal }

func (s Signal) Error() string { return fmt.Sprintf("stopped by %s", unix.SignalName(s.Sig)) }

// ExitCode returns the exit code that a shell would report for a process killed by the signal.
func (s Signal) ExitCode() int { return 128 + int(s.Sig) }

// Terminal runs a tview application on a Screen and sees to it that the terminal is left as found.
type Terminal struct {
	app    *tview.Application
	screen *Screen
	ctx    context.Context // ends with the run
	cancel context.CancelFunc

	signals chan os.Signal
	cont    chan struct{} // SIGCONT while raise waits for it
	raising atomic.Bool
	pausing func()      // see BeforePause; nil: nothing
	lent    atomic.Bool // a child has the terminal

	mu    sync.Mutex
	sig   unix.Signal // the first that ended the run
	force *time.Timer // ends the process when the event loop does not
}

// New puts the application on the screen, in the one order that works. The application must be new.
func New(app *tview.Application, screen *Screen) *Terminal {
	app.SetScreen(screen) // calls Init, for the second time
	app.EnablePaste(true) // before SetScreen this would do nothing
	t := &Terminal{app: app, screen: screen, signals: make(chan os.Signal, 16), cont: make(chan struct{}, 1)}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t
}

// Screen returns the screen that the terminal runs on.
func (t *Terminal) Screen() *Screen { return t.screen }

// Context ends when the run does: by a signal, by Stop, by ctx of Run.
func (t *Terminal) Context() context.Context { return t.ctx }

// Go starts f as Screen.Go does: every goroutine of ours is started through it.
func (t *Terminal) Go(f func()) { t.screen.Go(f) }

// Run shows the application until it stops, ctx ends or a signal comes (SIGTERM, SIGHUP, SIGINT; those the parent
// ignores stay ignored), and returns nil, nil, or a Signal. ErrGone says that there is no terminal any more. It may be
// called once. A panic on the event loop ends the process as one in Go does.
func (t *Terminal) Run(ctx context.Context) error {
	defer t.screen.catch()
	defer t.finish()
	for _, sig := range []os.Signal{unix.SIGTERM, unix.SIGHUP, unix.SIGINT, unix.SIGTSTP} {
		if !signal.Ignored(sig) {
			signal.Notify(t.signals, sig)
		}
	}
	signal.Notify(t.signals, unix.SIGCONT)
	t.Go(t.listen)
	defer context.AfterFunc(ctx, t.stop)()
	err := t.app.Run()
	return t.reason(err)
}

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

// reason turns what tview returned into what ended the run.
func (t *Terminal) reason(err error) error {
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

// Update runs f on the event loop, then draws, and returns when that is done; false: the run is over and f may not
// have run. Unlike tview's QueueUpdateDraw it never blocks for ever. Never call it on the event loop.
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

// Stop ends the run, from any goroutine, without waiting.
func (t *Terminal) Stop() { t.stop() }

// stop goes through the event loop: tview's Stop before its Run makes it open a screen of its own.
func (t *Terminal) stop() {
	t.cancel()
	t.Go(func() { t.app.QueueUpdate(func() { t.app.Stop() }) })
}

// listen serves the signals until the run is over.
func (t *Terminal) listen() {
	for {
		select {
		case <-t.ctx.Done():
			return
		case sig := <-t.signals:
			t.handle(sig.(unix.Signal))
		}
	}
}

func (t *Terminal) handle(sig unix.Signal) {
	switch sig {
	case unix.SIGCONT:
		t.continued()
	case unix.SIGTSTP:
		if t.lent.Load() {
			t.raise(unix.Getpid()) // the child's Ctrl-Z stops all of us; the screen is not ours to care for
			return
		}
		t.Go(func() { t.app.QueueUpdateDraw(func() { _ = t.suspend(unix.Getpid()) }) })
	case unix.SIGINT:
		if !t.lent.Load() { // else it was meant for the child
			t.end(sig)
		}
	default:
		t.end(sig)
	}
}

// end stops the run for a signal, with force when the event loop does not answer.
func (t *Terminal) end(sig unix.Signal) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sig == 0 {
		t.sig = sig
		t.force = time.AfterFunc(stopWait, func() {
			t.screen.Fini()
			os.Exit(Signal{sig}.ExitCode())
		})
	}
	t.stop()
}

// Suspend does what Ctrl-Z does: it gives the terminal back, stops the whole process group as the terminal driver
// would, and repaints when the shell continues it. Call it on the event loop; it returns after the continuation.
// ErrNoShell: nothing was done.
func (t *Terminal) Suspend() error { return t.suspend(0) }

// BeforePause has f run on the event loop each time before the loop pauses: because the process is suspended, by key or
// by signal, or because the terminal is lent. Call it before Run.
func (t *Terminal) BeforePause(f func()) { t.pausing = f }

func (t *Terminal) pause() {
	if t.pausing != nil {
		t.pausing()
	}
}

// suspend stops pid (0: the process group).
func (t *Terminal) suspend(pid int) error {
	if signal.Ignored(unix.SIGTSTP) || orphaned() {
		return ErrNoShell
	}
	t.pause()
	if !t.app.Suspend(func() { t.raise(pid) }) {
		return errNotRunning
	}
	return nil
}

// orphaned reports whether our process group is the session leader's. Nobody in the session could continue it then,
// and the kernel drops SIGTSTP.
func orphaned() bool {
	session, err := unix.Getsid(0)
	return err != nil || session == unix.Getpgrp()
}

// raise stops pid with SIGTSTP's default action and returns once we run again.
func (t *Terminal) raise(pid int) {
	t.raising.Store(true)
	defer t.raising.Store(false)
	select {
	case <-t.cont:
	default:
	}
	defer raiseStop(pid, t.signals)()
	// The clock runs on while we are stopped, so that both may be ready afterwards; either means that we run.
	select {
	case <-t.cont:
	case <-time.After(contWait):
	}
}

// continued handles SIGCONT: ours is waited for by raise; after a stop we had no say in (SIGSTOP) a shell has used the
// terminal meanwhile, so it is taken again from the start.
func (t *Terminal) continued() {
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
	t.Go(func() { t.app.QueueUpdateDraw(func() { t.app.Suspend(func() {}) }) })
}

// Lend gives the terminal to f, an editor say, and takes it back afterwards. Call it on the event loop, which waits
// meanwhile; false: the terminal was not ours to lend. The context ends when the run is to end: start the child with
// exec.CommandContext, or the run ends without it.
func (t *Terminal) Lend(f func(context.Context)) bool {
	t.pause()
	t.lent.Store(true)
	defer t.lent.Store(false)
	return t.app.Suspend(func() { f(t.ctx) })
}
