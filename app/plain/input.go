package plain

import (
	"bufio"
	"context"
	"io"
	"strings"
	"sync"
	"time"
	"unicode"
)

// maxLine is the length of the longest line that is read, in bytes. An answer's own limit is far below.
const maxLine = 1 << 20

// line is one line of input and the time at which it arrived.
type line struct {
	text string
	at   time.Time
}

// gate decides when the next line may be read: all lines at once, or one by one while another program, such as an
// editor, may need the terminal. It counts the lines that are let in and the lines that are taken, so the reader may be
// anywhere when the gate becomes narrow: before a line, in the middle of one, or some lines ahead.
type gate struct {
	mu     sync.Mutex
	cond   *sync.Cond
	byOne  bool
	ahead  int // how many lines were let in and not taken yet
	wanted int // how many lines may be ahead while the gate is narrow
}

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

// lineTaken notes that a line was taken.
func (g *gate) lineTaken() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ahead--
	g.wanted = max(g.wanted-1, 0)
}

// narrow lets lines in one by one from now on. Lines that were let in before count as the first ones.
func (g *gate) narrow() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.byOne, g.wanted = true, 0
}

// oneMore lets one line in.
func (g *gate) oneMore() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wanted++
	g.cond.Signal()
}

// widen lets all lines in again.
func (g *gate) widen() {
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

// holdsKeys reports whether a line holds keys that no line of text can contain, such as the arrows or Esc.
func holdsKeys(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r != '\t' && unicode.IsControl(r) })
}
