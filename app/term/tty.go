package term

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/gdamore/tcell/v2"
	"golang.org/x/sys/unix"
)

// errHeld ends tcell's reader while the screen is suspended; tcell does not report it.
var errHeld = errors.New("reading is on hold")

// tty wraps a tty so that what is read is filtered, and reading can be paused:
//
//	dev ─► pump ─► filter ─► ready ─► Read ─► tcell
//
// tcell's reader passes its input to a second goroutine over a channel of ten. If tcell is suspended during much input,
// the second goroutine ends first, the reader waits for it for ever, and so does the suspension. A reader that was
// paused before, with no input to pass on, cannot get stuck.
type tty struct {
	tcell.Tty
	mu      sync.Mutex
	change  *sync.Cond
	idle    bool // tcell's reader has no input to pass on: it waits in Read, or an error has ended it
	held    bool // reading is paused
	drained bool // tcell has stopped, so Read may fail now
	filter  filter
	timer   *time.Timer   // settles the filter
	ready   []byte        // filtered input that tcell has not read yet
	err     error         // what ended the pump
	pumped  chan struct{} // closed: the pump has ended
	slow    *time.Timer   // notes that a paste takes long; nil: no paste is open

	// Set these before Start.
	guard   func(f func())       // runs f, and restores the terminal if f panics
	unasked func() bool          // reports whether nobody has asked for what tcell writes now, which is left out then
	pastes  func(takesLong bool) // is called when a paste takes long, and when that one ends; it must not wait
	stopped func(at time.Time)   // is called when Ctrl-C was read; it must not wait
	waits   func() bool          // reports whether the device has input that was not read yet; nil: nobody knows
}

// longPaste is how long a paste is open before the person is told.
const longPaste = 200 * time.Millisecond

// mostRead is the most bytes that are read at once. A terminal's buffer holds 4 KiB.
const mostRead = 4096

// Write sends what tcell draws, in fewer bytes.
func (t *tty) Write(b []byte) (int, error) {
	if t.unasked() {
		return len(b), nil
	}
	if _, err := t.Tty.Write(shortened(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

const (
	plainInXterm = "\x1b(B\x1b[m" // how tcell resets all attributes in the terminals that are like xterm
	plain        = "\x1b[m"
	leastErased  = 9 // spaces that take more bytes than the two sequences that erase them
)

// shortened returns a frame of tcell's in fewer bytes. A reset of the attributes selects no character set, since UTF-8
// needs none. A long run of blanks behind a reset is erased: where the cursor row was, that is most of a
// frame. A frame that does select a character set is left as it is.
func shortened(frame []byte) []byte {
	if !bytes.Contains(frame, []byte(plainInXterm)) || bytes.Contains(frame, []byte("\x1b(0")) {
		return frame
	}
	short := make([]byte, 0, len(frame))
	for rest := frame; len(rest) > 0; {
		before, behind, reset := bytes.Cut(rest, []byte(plainInXterm))
		short = append(short, before...)
		if !reset {
			break
		}
		short = append(short, plain...)
		blanks := len(behind) - len(bytes.TrimLeft(behind, " "))
		if blanks >= leastErased {
			short = fmt.Appendf(short, "\x1b[%dX\x1b[%dC", blanks, blanks)
			behind = behind[blanks:]
		}
		rest = behind
	}
	return short
}

func newTty(dev tcell.Tty) *tty {
	t := &tty{Tty: dev, guard: func(f func()) { f() }, unasked: func() bool { return false }, pastes: func(bool) {},
		stopped: func(time.Time) {}}
	t.change = sync.NewCond(&t.mu)
	return t
}

// holdReads pauses the reader. It waits until the reader has paused, for half of patience at most.
func (t *tty) holdReads() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held = true
	t.change.Broadcast()
	timedOut := false
	timer := time.AfterFunc(patience/2, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		timedOut = true
		t.change.Broadcast()
	})
	defer timer.Stop()
	for !t.idle && !timedOut {
		t.change.Wait()
	}
}

// Start starts reading again, beginning with the bytes that tcell has not read yet. A sequence that was not finished
// before the pause is forgotten.
func (t *tty) Start() error {
	if err := t.Tty.Start(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held, t.drained, t.idle = false, false, false
	t.ready = append(t.ready, t.filter.reset()...)
	t.watchPaste()
	t.err, t.pumped = nil, make(chan struct{})
	pumped := t.pumped
	go t.guard(func() { t.pump(pumped) })
	return nil
}

// Drain wakes the pump and tcell's reader. tcell calls it after it has stopped.
func (t *tty) Drain() error {
	t.mu.Lock()
	t.drained = true
	t.change.Broadcast()
	t.mu.Unlock()
	return t.Tty.Drain()
}

// Stop stops the device, once the pump no longer reads it.
func (t *tty) Stop() error {
	t.mu.Lock()
	pumped := t.pumped
	t.mu.Unlock()
	if pumped != nil {
		select {
		case <-pumped:
		case <-time.After(patience / 2): // stopping the device wakes it too
		}
	}
	return t.Tty.Stop()
}

// pump reads the device until it fails, or until tcell has stopped.
func (t *tty) pump(pumped chan struct{}) {
	defer close(pumped)
	b := make([]byte, mostRead)
	for {
		n, err := t.Tty.Read(b)
		if n == 0 && err == nil {
			err = io.EOF // without an error it would be read again at once, for ever
		}
		t.mu.Lock()
		t.pass(t.filter.feed(b[:n], time.Now()))
		over := err != nil || t.drained
		if over {
			t.err = cmp.Or(err, errHeld)
			t.change.Broadcast()
		}
		t.mu.Unlock()
		if over {
			return
		}
	}
}

// pass gives tcell what the filter wrote, and sets the timer for what the filter holds back. The caller holds mu.
func (t *tty) pass(b []byte) {
	for range t.filter.stopsTaken() {
		t.stopped(time.Now())
	}
	if len(b) > 0 {
		t.ready = append(t.ready, b...)
		t.change.Broadcast()
	}
	t.watchPaste()
	due := t.filter.due()
	switch {
	case due.IsZero():
		if t.timer != nil {
			t.timer.Stop()
		}
	case t.timer == nil:
		t.timer = time.AfterFunc(time.Until(due), func() { t.guard(t.settle) })
	default:
		t.timer.Reset(time.Until(due))
	}
}

// watchPaste tells of a paste that takes long, and of its end. The caller holds mu.
func (t *tty) watchPaste() {
	switch open := t.filter.pasting; {
	case open && t.slow == nil:
		var slow *time.Timer
		slow = time.AfterFunc(longPaste, func() {
			t.guard(func() {
				t.mu.Lock()
				defer t.mu.Unlock()
				if t.slow == slow {
					t.pastes(true)
				}
			})
		})
		t.slow = slow
	case !open && t.slow != nil:
		if !t.slow.Stop() {
			t.pastes(false)
		}
		t.slow = nil
	}
}

// askDevice has settle look whether a terminal device has input that was not read yet. Without that it works too, but a
// key may be torn on a machine that is very busy.
func (t *tty) askDevice(path string) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waits = func() bool {
		n, err := unix.IoctlGetInt(int(f.Fd()), inputSize)
		return err == nil && n > 0
	}
}

// soonRead is how long settle waits for input that the device has already. On a busy machine it may be read later than
// the filter waits.
const soonRead = 5 * time.Millisecond

// settle gives tcell what the filter no longer holds back.
func (t *tty) settle() {
	runtime.Gosched() // so that what was read already comes before
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waits != nil && !t.held && !t.drained && t.waits() {
		t.timer.Reset(soonRead)
		return
	}
	t.pass(t.filter.settle(time.Now()))
}

// untorn returns how many of the bytes tcell may get at once: up to the next escape, so that each is the first of what
// tcell gets. tcell 2.13 looks at about eight bytes at a time (scanInput), and takes an escape that is the last of them
// for the Esc key where it is itself late for what follows.
func untorn(b []byte) int {
	if len(b) > 2 {
		if next := bytes.IndexByte(b[2:], escape); next >= 0 {
			return next + 2
		}
	}
	return len(b)
}

// Read reads filtered input, unless reading is paused. It does not end between an escape and what follows.
func (t *tty) Read(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.idle = true
	t.change.Broadcast()
	for !t.held && len(t.ready) == 0 && t.err == nil {
		t.change.Wait()
	}
	if t.held {
		for t.held && !t.drained {
			t.change.Wait()
		}
		return 0, errHeld
	}
	if len(t.ready) == 0 {
		return 0, t.err
	}
	n := copy(b, t.ready)
	n = untorn(b[:n])
	if n > 1 && n < len(t.ready) && t.ready[n-1] == escape {
		n--
	}
	if t.ready = t.ready[n:]; len(t.ready) == 0 {
		t.ready = nil // frees the array after much input
	}
	t.idle = false
	return n, nil
}
