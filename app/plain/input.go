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

// maxLine is the longest line that is read, in bytes; an answer's own limit is far below.
const maxLine = 1 << 20

// line is one line of the person, and when it came.
type line struct {
	text string
	at   time.Time
}

// gate lets lines be read: all of them, or one by one while something else may need the terminal meanwhile, as an
// editor does. It counts on both sides, so that it makes no difference where the reader is when it becomes narrow:
// before the next line, in the middle of it, or some lines ahead.
type gate struct {
	mu     sync.Mutex
	cond   *sync.Cond
	byOne  bool
	ahead  int // lines that were let in and that nobody has taken yet
	wanted int // of them, how many may be there while the gate is narrow
}

func newGate() *gate {
	g := &gate{}
	g.cond = sync.NewCond(&g.mu)
	return g
}

// pass waits until the next line may be read.
func (g *gate) pass() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.byOne && g.ahead >= g.wanted {
		g.cond.Wait()
	}
	g.ahead++
}

// took notes that a line was taken.
func (g *gate) took() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ahead--
	g.wanted = max(g.wanted-1, 0)
}

// narrow lets lines in one by one from now on. Those that were let in before count as the first.
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

// read sends every line of in until it ends; then it closes the channel. An unfinished last line counts.
func read(ctx context.Context, in io.Reader, g *gate, now func() time.Time) <-chan line {
	lines := make(chan line, 64) // so that a line has the time it came, not the time somebody looked
	go func() {
		defer close(lines)
		sc := bufio.NewScanner(in)
		sc.Buffer(nil, maxLine)
		for g.pass(); sc.Scan(); g.pass() {
			select {
			case lines <- line{strings.TrimSuffix(sc.Text(), "\r"), now()}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// keyed reports whether a line holds keys that a line of text cannot take: arrows, Esc.
func keyed(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r != '\t' && unicode.IsControl(r) })
}
