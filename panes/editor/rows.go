package editor

import (
	"strings"

	"github.com/rivo/tview"
	"github.com/rivo/uniseg"

	"github.com/choicetui/choicetui/panes/ink"
)

// rows counts the rows of a text as TextArea breaks it: between words, and within a word only if the word is longer
// than a row. Spaces at the end of a row count. After a change it breaks only the rows around the change again, because
// every frame asks, and a text may be long.
type rows struct {
	text    string
	w       int
	starts  []rowStart // where each row begins
	last    int        // the cells of the last row
	stepped int        // how many characters were looked at so far
}

// rowStart is where a row begins.
type rowStart struct {
	at    int // the offset
	state int // of uniseg there; -1 at the beginning of a line
	over  int // the end of the character that was too much for the row before, or at
}

// plus returns the same start in a text in which it is n bytes further on.
func (s rowStart) plus(n int) rowStart { return rowStart{s.at + n, s.state, s.over + n} }

// count returns how many rows a text takes in w cells. full: the last row is full, so the cursor is in a further row,
// which is counted.
func (r *rows) count(text string, w int) (n int, full bool) {
	if r.starts == nil || r.w != w || r.text != text {
		r.follow(text, w)
	}
	if full = r.last >= w; full {
		return len(r.starts) + 1, full
	}
	return len(r.starts), full
}

// follow finds the rows of a text. Rows that end before the last change are kept, but for the last two, in which the
// change may move a break. Behind the change the old rows are taken over from the first one that begins as before.
func (r *rows) follow(text string, w int) {
	was := *r
	r.text, r.w = text, w
	if was.starts == nil || was.w != w {
		r.starts = append(r.starts[:0], rowStart{state: -1})
		r.breakRows(func(rowStart) bool { return false })
		return
	}
	same := samePrefix(was.text, text)
	behind := len(text) - sameSuffix(was.text[same:], text[same:]) // where the unchanged end begins
	kept := 1
	for kept < len(was.starts) && was.starts[kept].at <= same {
		kept++
	}
	kept = max(kept-2, 1)
	old, moved := append([]rowStart(nil), was.starts[kept:]...), len(text)-len(was.text)
	r.starts = was.starts[:kept]
	met := false
	r.breakRows(func(s rowStart) bool {
		if s.at < behind {
			return false
		}
		s = s.plus(-moved)
		for len(old) > 0 && old[0].at < s.at {
			old = old[1:]
		}
		met = len(old) > 0 && old[0] == s
		return met
	})
	if !met {
		return
	}
	for _, s := range old[1:] {
		r.starts = append(r.starts, s.plus(moved))
	}
}

// breakRows finds the rows from the last start on. It ends early where known reports that the rest of the rows is
// known, and leaves last as it is then.
func (r *rows) breakRows(known func(rowStart) bool) {
	for {
		row := r.starts[len(r.starts)-1]
		end := len(r.text)
		if n := strings.IndexByte(r.text[row.at:], '\n'); n >= 0 {
			end = row.at + n
		}
		next, width, more := r.breakRow(r.text[:end], row)
		switch {
		case more:
		case end == len(r.text):
			r.last = width
			return
		default:
			next = rowStart{end + 1, -1, end + 1}
		}
		if r.starts = append(r.starts, next); known(next) {
			return
		}
	}
}

// breakRow returns where the row behind one ends, in a text without line breaks from there on, and the cells of the
// row. more is false if the text ends in this row.
func (r *rows) breakRow(text string, row rowStart) (next rowStart, width int, more bool) {
	rest := text[row.at:]
	if len(rest) <= r.w && row.state == -1 && ink.IsASCII(rest) && !strings.Contains(rest, "\t") {
		return next, len(rest), false
	}
	canBreak, at := false, row
	for at.at < len(text) {
		r.stepped++
		cluster, rest, bounds, state := uniseg.StepString(text[at.at:], at.state)
		cells := bounds >> uniseg.ShiftWidth
		if cluster == "\t" {
			cells = tview.TabSize
		}
		behind := rowStart{at.at + len(cluster), state, at.at + len(cluster)}
		switch width += cells; {
		case behind.at <= row.over: // TextArea puts it here, whether it fits or not
		case width <= r.w && bounds&uniseg.MaskLine == uniseg.LineMustBreak && rest != "":
			return behind, width, true // uniseg reports this after 👍🏽
		case width > r.w && canBreak:
			next.over = behind.at
			return next, width, true
		case width > r.w && at.at > row.at:
			at.over = behind.at
			return at, width, true
		}
		if bounds&uniseg.MaskLine == uniseg.LineCanBreak {
			next, canBreak = behind, true
		}
		at = behind
	}
	return next, width, false
}

// samePrefix returns how many bytes two texts have in common at their beginnings.
func samePrefix(a, b string) (n int) {
	const step = 256
	for most := min(len(a), len(b)); n < most; {
		if end := min(n+step, most); a[n:end] == b[n:end] {
			n = end
			continue
		}
		for a[n] == b[n] {
			n++
		}
		return n
	}
	return n
}

// sameSuffix returns how many bytes two texts have in common at their ends.
func sameSuffix(a, b string) (n int) {
	const step = 256
	for most := min(len(a), len(b)); n < most; {
		if end := min(n+step, most); a[len(a)-end:len(a)-n] == b[len(b)-end:len(b)-n] {
			n = end
			continue
		}
		for a[len(a)-n-1] == b[len(b)-n-1] {
			n++
		}
		return n
	}
	return n
}
