package form

import "slices"

// OwnWords is the row of the person's own words among the rows of a question.
const OwnWords = -1

// rows are what of a question can be gone to, and where the cursor is.
type rows struct {
	shown  []int // indices of the options, OwnWords last where own words are taken
	cursor int   // into shown
	find   string
}

// Rows are the rows on screen as indices of the options: those neither folded nor narrowed away, then OwnWords where
// own words are taken. They must not be changed.
func (r *rows) Rows() []int { return r.shown }

// OptionRows is how many rows are options.
func (r *rows) OptionRows() int {
	if slices.Contains(r.shown, OwnWords) {
		return len(r.shown) - 1
	}
	return len(r.shown)
}

// Cursor is the row that the cursor is on; where there are no rows there is none.
func (r *rows) Cursor() int { return r.cursor }

// Narrowed is what narrows the options, empty while all are shown.
func (r *rows) Narrowed() string { return r.find }

// under is the option under the cursor, or OwnWords; false: there are no rows.
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

// lay lists the rows anew and keeps the cursor on what it is on; false: that is not among them any more.
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
