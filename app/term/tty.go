package term

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/gdamore/tcell/v2"
)

// errHeld ends tcell's reader while the screen is suspended; tcell does not report it.
var errHeld = errors.New("reading is on hold")

// tty wraps a tty so that reading can be paused. tcell's reader passes its input to a second goroutine over a channel
// of ten. If tcell is suspended during much input, the second goroutine ends first, the reader waits for it for ever,
// and so does the suspension. A reader that was paused before, with no input to pass on, cannot get stuck.
type tty struct {
	tcell.Tty
	mu      sync.Mutex
	change  *sync.Cond
	idle    bool      // tcell's reader has no input to pass on: it waits in Read, or an error has ended it
	held    bool      // reading is paused
	drained bool      // tcell has stopped, so Read may fail now
	kept    []byte    // input that was read and not passed on yet
	after   time.Time // when kept may be read again
}

const (
	escape    = 0x1b
	escapeGap = 80 * time.Millisecond // tcell takes a lone escape for the Esc key after 60 ms
	mostKeys  = 32                    // the most bytes that come at once when a person types; more is a paste
)

// loneEscape returns how many bytes of b to pass on now. If two escapes come in one read, because Esc was pressed twice
// on a slow line, tcell waits for the rest of a sequence and loses both and the next key. So the second escape is
// passed on later.
func loneEscape(b []byte) int {
	if len(b) <= mostKeys {
		for i := range len(b) - 1 {
			if b[i] == escape && b[i+1] == escape {
				return i + 1
			}
		}
	}
	return len(b)
}

// Write sends what tcell draws, in fewer bytes.
func (t *tty) Write(b []byte) (int, error) {
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
// needs none. A long run of blanks behind a reset is erased: where the cursor's band was, that is most of a frame. A
// frame that does select a character set is left as it is.
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
	t := &tty{Tty: dev}
	t.change = sync.NewCond(&t.mu)
	return t
}

// holdReads pauses the reader. It waits until the reader has paused, for half of patience at most.
func (t *tty) holdReads() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held = true
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

// Start starts reading again, beginning with the bytes that were kept.
func (t *tty) Start() error {
	t.mu.Lock()
	t.held, t.drained, t.idle = false, false, false
	t.mu.Unlock()
	return t.Tty.Start()
}

// Drain wakes tcell's reader. tcell calls it after it has stopped.
func (t *tty) Drain() error {
	t.mu.Lock()
	t.drained = true
	t.change.Broadcast()
	t.mu.Unlock()
	return t.Tty.Drain()
}

// Read reads input, unless reading is paused.
func (t *tty) Read(b []byte) (int, error) {
	if n, err, done := t.readKept(b); done {
		return n, err
	}
	n, err := t.Tty.Read(b)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held { // since the read began
		t.kept = append(t.kept, b[:n]...)
		return 0, t.waitForDrain()
	}
	if n == 0 && err == nil {
		err = io.EOF // without an error tcell would read again at once, for ever
	}
	t.idle = err != nil
	if now := loneEscape(b[:n]); now < n && err == nil {
		t.keepBytes(b[now:n])
		n = now
	}
	return n, err
}

// keepBytes puts bytes back, to be read after escapeGap. The caller holds mu.
func (t *tty) keepBytes(b []byte) {
	t.kept = append(slices.Clone(b), t.kept...)
	t.after = time.Now().Add(escapeGap)
}

// readKept reads the bytes that were kept, as soon as they may be read. While reading is paused it waits, and returns
// errHeld. done is false if no bytes are kept, so that the caller has to read the terminal.
func (t *tty) readKept(b []byte) (n int, err error, done bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.idle = true
	t.change.Broadcast()
	if t.held {
		return 0, t.waitForDrain(), true
	}
	if len(t.kept) == 0 {
		return 0, nil, false
	}
	if left := time.Until(t.after); left > 0 {
		t.mu.Unlock() // so that holdReads need not wait
		time.Sleep(left)
		t.mu.Lock()
		if t.held { // since the sleep began
			return 0, t.waitForDrain(), true
		}
	}
	n = copy(b, t.kept)
	t.kept = t.kept[n:]
	if now := loneEscape(b[:n]); now < n {
		t.keepBytes(b[now:n])
		n = now
	}
	t.idle = false
	return n, nil, true
}

// waitForDrain blocks until tcell has stopped or reading starts again. The caller holds mu.
func (t *tty) waitForDrain() error {
	for t.held && !t.drained {
		t.change.Wait()
	}
	return errHeld
}
