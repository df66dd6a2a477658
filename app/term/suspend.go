package term

import (
	"context"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"
)

// Suspend is Ctrl-Z: it gives the terminal back, stops the whole process group as the terminal driver would, and
// repaints when the shell continues it. Call it on the event loop; it returns after the continuation. ErrNoShell:
// nothing was done.
func (t *Terminal) Suspend() error { return t.suspend(0) }

// BeforePause has f run on the event loop each time before that stands still: the process is suspended, by key or by
// signal, or the terminal is lent. Call it before Run.
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

// Lend gives the terminal to f, an editor say, and takes it back afterwards. Call it on the event loop, which stands
// still meanwhile; false: it was not ours to lend. The context ends when the run is to end: start the child with
// exec.CommandContext, or the run ends without it.
func (t *Terminal) Lend(f func(context.Context)) bool {
	t.pause()
	t.lent.Store(true)
	defer t.lent.Store(false)
	return t.app.Suspend(func() { f(t.ctx) })
}
