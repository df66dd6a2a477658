package plain

import (
	"bufio"
	"context"
	"io"
	"strings"
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

// read sends every line of in until it ends; then it closes the channel. An unfinished last line counts.
func read(ctx context.Context, in io.Reader, now func() time.Time) <-chan line {
	lines := make(chan line, 64) // so that a line has the time it came, not the time somebody looked
	go func() {
		defer close(lines)
		sc := bufio.NewScanner(in)
		sc.Buffer(nil, maxLine)
		for sc.Scan() {
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
