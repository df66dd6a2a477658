package prompt

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Notes in a change about the line breaks at its end, as in diff(1). They begin with a backslash, so they differ from
// all lines of a side.
const (
	noNewline    = "\\ no newline at the end\n"   // of the side above
	bothNewlines = "\\ both end with a newline\n" // else neither side of a replacement does
	emptyFile    = "\\ an empty file\n"           // the new text
	RemovedFile  = "\\ the file is removed\n"     // and not only its lines
)

// DiffText returns a change as a diff that has all lines of both sides. What follows the last line in the file is
// joined to it if it has no line break, so notes say which sides end with one, except for a replacement where neither
// does and for a text that is added or removed with its last line break.
func DiffText(before, after string) string {
	var b strings.Builder
	ends := func(text string) bool { return strings.HasSuffix(text, "\n") }
	for _, l := range diffLines(before, after) {
		b.WriteString(l.sign + strings.TrimSuffix(l.text, "\n") + "\n")
		other := after
		if l.sign == "+" {
			other = before
		}
		if !ends(l.text) && l.sign != " " && (other == "" || ends(other)) {
			b.WriteString(noNewline)
		}
	}
	switch {
	case b.Len() == 0:
		b.WriteString(emptyFile)
	case ends(before) && ends(after):
		b.WriteString(bothNewlines)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// diffLine is a line of a diff, with its line break if it has one. The sign is that of queue.ShownChange.
type diffLine struct{ sign, text string }

// diffLines compares two texts line by line. It returns all lines, those of the old side before those of the new one
// where they differ.
func diffLines(before, after string) (all []diffLine) {
	old, changed := splitLines(before), splitLines(after)
	at, to := 0, 0 // in old and changed
	both := func(until int) {
		for ; at < until; at, to = at+1, to+1 {
			all = append(all, diffLine{" ", old[at]})
		}
	}
	const heading = 3 // lines
	n := 0
	for line := range bytes.Lines(diff.Diff("a", []byte(before), "b", []byte(after))) {
		switch n++; {
		case n <= heading:
		case bytes.HasPrefix(line, []byte("@@ ")):
			var first int
			_, _ = fmt.Sscanf(string(line), "@@ -%d,", &first) // it counts from 1, and is 0 for an empty text
			both(first - 1)
		case line[0] == ' ':
			both(at + 1)
		case line[0] == '-':
			all, at = append(all, diffLine{"-", old[at]}), at+1
		case line[0] == '+':
			all, to = append(all, diffLine{"+", changed[to]}), to+1
		}
	}
	both(len(old))
	return all
}

func splitLines(text string) (lines []string) {
	for l := range strings.Lines(text) {
		lines = append(lines, l)
	}
	return lines
}
