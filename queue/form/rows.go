package form

import "slices"

// OwnWords is the row of the person's own words among the rows of a question.
const OwnWords = -1

// rows holds the rows of a question that the cursor can reach, and the cursor.
type rows struct {
	shown  []int // indices of the options, OwnWords last where own words are taken
	cursor int   // into shown
	find   string
}

// Rows returns the rows on screen as indices of the options: those neither folded nor narrowed away, then OwnWords
// where own words are taken. They must not be changed.
func (r *rows) Rows() []int { return r.shown }

// OptionRows returns the number of rows that are options.
func (r *rows) OptionRows() int {
	if slices.Contains(r.shown, OwnWords) {
		return len(r.shown) - 1
	}
	return len(r.shown)
}

// Cursor returns the row under the cursor; it means nothing while there are no rows.
func (r *rows) Cursor() int { return r.cursor }

// Narrowed returns the text that narrows the options, empty while all are shown.
func (r *rows) Narrowed() string { return r.find }

// under returns the option under the cursor, or OwnWords; false: there are no rows.
func (r *rows) under() (i int, ok bool) {
	if r.cursor >= len(r.shown) {
		return 0, false
	}
	return r.shown[r.cursor], true
}

// put puts the cursor on a row, or the nearest, and reports whether it moved.
func (r *rows) put(row int) bool {
	was := r.cursor
	r.cursor = min(max(row, 0), max(len(r.shown)-1, 0))
	return r.cursor != was
}

// lay replaces the rows and keeps the cursor on its row. It reports false if that row is not among them any more.
func (r *rows) lay(shown []int) (kept bool) {
	was, on := r.under()
	r.shown = shown
	at := slices.Index(shown, was)
	if kept = on && at >= 0; !kept {
		at = r.cursor
	}
	r.put(at)
	return kept
}
