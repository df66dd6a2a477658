package term

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"github.com/choicetui/choicetui/queue"
)

const (
	// crashCode is the exit code after a panic. The Go runtime uses the same code.
	crashCode = 2
	// patience is how long tcell may take to restore the terminal; then it is restored without tcell.
	patience = 700 * time.Millisecond
)

// leaveModes ends every mode that may be on, in any terminal: colours, hidden cursor, paste, focus, mouse, wheel, key
// protocols, wrapping, alternate screen.
const leaveModes = "\x1b[0m\x1b[?25h\x1b[?2004l\x1b[?1004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l" +
	wheelBack + "\x1b[?2026l\x1b[?9001l\x1b[<u\x1b[>4;0m\x1b[?1l\x1b>\x1b[?7h\x1b[?1049l"

// crashing is locked by the first panic and never unlocked, so that only this one is reported.
var crashing sync.Mutex

// Go runs f on a goroutine. If f panics, the terminal is restored, the reason is printed, and the process ends. Every
// goroutine of a program that draws must be started with Go.
func (s *Screen) Go(f func()) {
	go s.guarded(f)
}

// guarded runs f. If f panics, it does what Go does.
func (s *Screen) guarded(f func()) {
	defer s.catch()
	f()
}

// catch handles a panic. A goroutine defers it first.
func (s *Screen) catch() {
	if p := recover(); p != nil {
		s.crash(p, debug.Stack())
	}
}

// crash restores the terminal, prints the reason of a panic, and ends the process.
func (s *Screen) crash(p any, stack []byte) {
	crashing.Lock()
	s.Fini()
	said, _ := queue.Visible(fmt.Sprint(p)) // a panic may quote an agent
	fmt.Fprintf(os.Stderr, "choicetui: stopped by a bug: %s\n"+
		"Nothing that was asked or answered is lost.\n\n%s", said, stack)
	os.Exit(crashCode)
}

// device is the terminal with its saved state, to restore it when tcell is stuck.
type device struct {
	path  string
	saved *term.State
}

// restore restores the terminal without tcell and without any lock. It is not needed after a suspension, because Fini
// is quick then.
func (d device) restore() {
	if d.path == "" || d.saved == nil {
		return
	}
	fd, err := unix.Open(d.path, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer unix.Close(fd)
	_, _ = unix.Write(fd, []byte(leaveModes))
	_ = term.Restore(fd, d.saved)
}
