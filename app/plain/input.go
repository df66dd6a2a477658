package plain

import (
	"bufio"
	"context"
	"io"
	"strings"
	"sync"
	"time"
)

// maxLine is the length of the longest line that is read, in bytes. An answer's own limit is far below.
const maxLine = 1 << 20

// line is one line of input and the time at which it arrived.
type line struct {
	text string
	at   time.Time
}

// gate decides when the next line may be read: all lines at once, or one by one while another program, such as an
// editor, may need the terminal. It counts the lines that may be read and the lines that were handled, so it does not
// matter where the reader is when readOneByOne is called: before a line, in the middle of one, or some lines ahead.
type gate struct {
	mu     sync.Mutex
	cond   *sync.Cond
	byOne  bool
	ahead  int // how many lines may be read or were read, and were not handled yet
	wanted int // how many lines may be ahead while lines are read one by one
}

// newGate returns a gate that lets all lines in at once.
func newGate() *gate {
	g := &gate{}
	g.cond = sync.NewCond(&g.mu)
	return g
}

// awaitTurn waits until the next line may be read.
func (g *gate) awaitTurn() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.byOne && g.ahead >= g.wanted {
		g.cond.Wait()
	}
	g.ahead++
}

// lineTaken notes that a line was taken from the channel of readLines.
func (g *gate) lineTaken() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ahead--
	g.wanted = max(g.wanted-1, 0)
}

// readOneByOne has each further line wait for a call of letLineIn. Lines that were read already count as the first
// ones.
func (g *gate) readOneByOne() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.byOne, g.wanted = true, 0
}

// letLineIn lets the reader read one more line.
func (g *gate) letLineIn() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wanted++
	g.cond.Signal()
}

// readAll lets the reader read all lines again.
func (g *gate) readAll() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.byOne = false
	g.cond.Signal()
}

// readLines sends each line of in, and closes the channel when in ends. A last line without a line break counts as a
// line.
func readLines(ctx context.Context, in io.Reader, g *gate, now func() time.Time) <-chan line {
	lines := make(chan line, 64) // buffered, so that each line gets the time at which it arrived
	go func() {
		defer close(lines)
		sc := bufio.NewScanner(in)
		sc.Buffer(nil, maxLine)
		for g.awaitTurn(); sc.Scan(); g.awaitTurn() {
			select {
			case lines <- line{strings.TrimSuffix(sc.Text(), "\r"), now()}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}
