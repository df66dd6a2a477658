package panes

import (
	"fmt"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/queue"
)

type tcellStyle = tcell.Style

// greenOn is the colour of what is chosen; in reverse video the terminal's own, which stays readable everywhere.
func greenOn(style tcell.Style) tcell.Color {
	if _, _, attrs := style.Decompose(); attrs&tcell.AttrReverse != 0 {
		return tcell.ColorDefault
	}
	return tcell.ColorGreen
}

// Draw draws the question into r, as the fit shares its rows. focus: keys go to it.
func (f *Form) Draw(c Canvas, r Rect, t Fit, focus bool) {
	y := r.Y
	blank := func() {
		if t.blanks() {
			y++
		}
	}
	noticed := false
	for _, l := range f.heading(r.W, t.stage >= stageScroll) {
		style := Bold
		if l.notice {
			style = Danger.Bold(true)
			if !noticed {
				blank()
			}
			noticed = true
		}
		c.Put(r.X, y, r.W-1, style, l.text)
		y++
	}
	blank()
	y += f.drawPrompt(c, Rect{r.X, y, r.W, t.Prompt})
	blank()
	if words := f.counts(t); words != "" && t.blanks() {
		c.Put(r.X, y, r.W-1, Plain, words)
		y += 2
	}
	f.cut = f.cutDetail(r.W, t) && !f.full
	rows := f.commentRows(r.W)
	f.drawOptions(c, Rect{r.X, y, r.W, max(r.Y+r.H-y-rows, 0)}, t, focus)
	if rows > 0 {
		used := min(len(f.optionLines(r.W, t)), r.Y+r.H-y-rows)
		if t.folded() {
			used = min(used+f.detailRows(r.W), r.Y+r.H-y-rows)
		}
		f.drawComment(c, Rect{r.X, y + used, r.W, rows})
	}
}

// drawPrompt draws the prompt's rows from where it is scrolled to and counts what was not seen yet.
func (f *Form) drawPrompt(c Canvas, r Rect) int {
	lines := f.prompt(r.W)
	if r.H <= 0 {
		return 0
	}
	f.scroll = min(f.scroll, max(len(lines)-1, 0))
	if len(lines) <= r.H {
		f.scroll = 0
	}
	fits := r.H
	below := len(lines) - f.scroll - r.H
	own := r.H >= 4 // the count has a row of its own
	if below > 0 && own {
		fits, below = r.H-1, below+1
	}
	for n := range fits {
		if f.scroll+n >= len(lines) {
			break
		}
		l := lines[f.scroll+n]
		if below > 0 && !own && n == fits-1 {
			tail := fmt.Sprintf(" %s %s", c.Glyphs.Down, count(below, "line"))
			l = Cut(l, r.W-1-Width(tail), c.Glyphs.Ellipsis)
			c.PutRight(r.X, r.Y+n, r.W-1, Plain, tail)
		}
		c.Put(r.X, r.Y+n, r.W-1, promptStyle(l), l)
	}
	if below > 0 && own {
		tail := fmt.Sprintf(" %s %s below, not seen · PgDn  ^D  z full height", c.Glyphs.Down, count(below, "line"))
		if f.scroll+fits < f.seenLines(r.W) {
			tail = fmt.Sprintf(" %s %s below · PgDn  ^D  PgUp", c.Glyphs.Down, count(below, "line"))
		}
		c.Put(r.X, r.Y+fits, r.W-1, Plain, Cut(tail, r.W-1, c.Glyphs.Ellipsis))
	}
	f.sawTo(min(f.scroll+fits, len(lines)), r.W)
	f.page = max(fits-1, 1)
	return r.H
}

// count is a number with its word, plural where it is not one.
func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// promptStyle gives added and removed lines of a diff their colours; the sign in front says the same.
func promptStyle(l string) tcell.Style {
	switch {
	case len(l) > 1 && l[0] == '+':
		return Good
	case len(l) > 1 && l[0] == '-' && l[1] != ' ':
		return Danger
	}
	return Plain
}

func (f *Form) sawTo(n, w int) {
	if f.seenAt != w { // another width wraps differently: keep the share
		f.seen, f.seenAt = f.seenLines(w), w
	}
	f.seen = max(f.seen, n)
}

// seenLines is how many prompt lines have been on screen, at w cells.
func (f *Form) seenLines(w int) int {
	if f.seenAt == w || f.seenAt == 0 {
		return f.seen
	}
	old := max(len(f.prompt(f.seenAt)), 1)
	return f.seen * len(f.prompt(w)) / old
}

// Unseen is how many lines of the prompt were never on screen.
func (f *Form) Unseen() int {
	if f.seenAt == 0 {
		return 0
	}
	return max(len(f.prompt(f.seenAt))-f.seen, 0)
}

// Scroll moves the prompt by pages or half pages; n is in half pages.
func (f *Form) Scroll(halves int) {
	last := max(len(f.prompt(max(f.seenAt, 1)))-f.page, 0)
	f.scroll = min(max(f.scroll+halves*max(f.page/2, 1), 0), last)
}

// FullHeight gives the prompt all the rows it can have, or takes them back.
func (f *Form) FullHeight() {
	f.full = !f.full
	f.Thaw()
}

// IsFull reports whether the prompt has full height.
func (f *Form) IsFull() bool { return f.full }

// commentRows is the height of the comment on the whole, 0 without one.
func (f *Form) commentRows(w int) int {
	room := max(w-indent(Unicode)-1, 8)
	switch {
	case f.field == FieldComment:
		return min(max(f.editor.Rows(room), 1), 6)
	case queue.Blank(f.comment):
		return 0
	}
	return min(len(Wrap(shown(f.comment), room)), 3)
}

func (f *Form) drawComment(c Canvas, r Rect) {
	in := indent(c.Glyphs)
	c.Put(r.X+1, r.Y, 1, Plain, "a")
	for n := range r.H {
		c.Put(r.X+3, r.Y+n, 1, Plain, c.Glyphs.Bar)
	}
	if f.field == FieldComment {
		f.editor.Draw(c, Rect{r.X + in, r.Y, r.W - in - 1, r.H})
		return
	}
	for n, l := range Wrap(shown(f.comment), max(r.W-in-1, 8)) {
		if n == r.H {
			break
		}
		c.Put(r.X+in, r.Y+n, r.W-in-1, Plain, l)
	}
}
