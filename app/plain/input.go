package plain

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"
)

// The longest line, in bytes. A terminal passes on only the beginning of a longer one, and drops the rest without a
// word, so a line of that length is not taken for whole.
const (
	maxLine  = 1 << 20 // far more than an answer may have
	maxTyped = 4095    // what the terminals of Linux pass on; on macOS they take no further key
)

// line is one line of input and the time at which it arrived.
type line struct {
	text string
	at   time.Time
}

// isCut reports whether the rest of the line may be missing. typed: it came from a terminal.
func (l line) isCut(typed bool) bool {
	return len(l.text) >= maxLine || typed && len(l.text) >= maxTyped
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
		from := bufio.NewReader(in)
		for {
			g.awaitTurn()
			text, err := readLine(from)
			if err != nil && text == "" {
				return
			}
			select {
			case lines <- line{strings.TrimSuffix(text, "\r"), now()}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// readLine reads a line without its line break, and drops what is beyond maxLine. With an error the text is what came
// before it.
func readLine(in *bufio.Reader) (string, error) {
	var b strings.Builder
	for {
		part, err := in.ReadSlice('\n')
		b.Write(part[:min(len(part), maxLine-b.Len())])
		if !errors.Is(err, bufio.ErrBufferFull) {
			return strings.TrimSuffix(b.String(), "\n"), err
		}
	}
}
