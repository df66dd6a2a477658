package term

import (
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/gdamore/tcell/v2"
)

// errHeld ends tcell's reader while the screen is suspended; tcell does not report it then.
var errHeld = errors.New("reading is on hold")

// tty wraps any tty so that its reading can be put on hold. tcell's reader hands its chunks to a second goroutine over
// a channel of ten. If tcell is suspended in the middle of much input, the second goroutine ends first, the reader
// waits for it for ever, and so does the suspension. A reader that is held first, with nothing in its hands, cannot be
// caught there.
type tty struct {
	tcell.Tty
	mu      sync.Mutex
	change  *sync.Cond
	reading bool // tcell's reader is in Read: it has nothing in its hands
	held    bool
	drained bool // tcell has stopped: Read may fail now
	kept    []byte
	after   time.Time // when kept may be read
}

const (
	escape    = 0x1b
	escapeGap = 80 * time.Millisecond // tcell takes an escape for the key after 60
	mostKeys  = 32                    // bytes that fingers send at once; more is a paste
)

// loneEscape returns how many bytes to hand over at once. Two escapes in one read, of a key pressed twice on a slow
// line, leave tcell waiting for what they begin: both are lost, and the next key too. So the second one comes later.
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

func newTty(dev tcell.Tty) *tty {
	t := &tty{Tty: dev}
	t.change = sync.NewCond(&t.mu)
	return t
}

// hold stops the reader. It waits until the reader has stopped, but no longer than patience.
func (t *tty) hold() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held = true
	late := false
	timer := time.AfterFunc(patience/2, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		late = true
		t.change.Broadcast()
	})
	defer timer.Stop()
	for !t.reading && !late {
		t.change.Wait()
	}
}

// Start begins again: the bytes that the hold kept back are read next.
func (t *tty) Start() error {
	t.mu.Lock()
	t.held, t.drained, t.reading = false, false, false
	t.mu.Unlock()
	return t.Tty.Start()
}

// Drain wakes tcell's reader. tcell calls it once it has stopped.
func (t *tty) Drain() error {
	t.mu.Lock()
	t.drained = true
	t.change.Broadcast()
	t.mu.Unlock()
	return t.Tty.Drain()
}

// Read reads, unless there is a hold.
func (t *tty) Read(b []byte) (int, error) {
	if n, err, done := t.enter(b); done {
		return n, err
	}
	n, err := t.Tty.Read(b)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held {
		t.kept = append(t.kept, b[:n]...)
		return 0, t.wait()
	}
	if n == 0 && err == nil {
		err = io.EOF // tcell would read again at once, for ever
	}
	t.reading = err != nil // tcell's reader ends with an error, and holds nothing
	if now := loneEscape(b[:n]); now < n && err == nil {
		t.keep(b[now:n])
		n = now
	}
	return n, err
}

// keep puts bytes back, to be read a little later.
func (t *tty) keep(b []byte) {
	t.kept = append(slices.Clone(b), t.kept...)
	t.after = time.Now().Add(escapeGap)
}

// enter serves a read from what was kept, or from a hold.
func (t *tty) enter(b []byte) (n int, err error, done bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reading = true
	t.change.Broadcast()
	if t.held {
		return 0, t.wait(), true
	}
	if len(t.kept) == 0 {
		return 0, nil, false
	}
	if left := time.Until(t.after); left > 0 {
		t.mu.Unlock()
		time.Sleep(left)
		t.mu.Lock()
		if t.held {
			return 0, t.wait(), true
		}
	}
	n = copy(b, t.kept)
	t.kept = t.kept[n:]
	if now := loneEscape(b[:n]); now < n {
		t.keep(b[now:n])
		n = now
	}
	t.reading = false
	return n, nil, true
}

// wait blocks until tcell has stopped.
func (t *tty) wait() error {
	for t.held && !t.drained {
		t.change.Wait()
	}
	return errHeld
}
