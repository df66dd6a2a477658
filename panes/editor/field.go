// Package editor implements a text field: typing, pasting and undo, and its rows on screen.
package editor

import (
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
)

// Field is a text field. It uses tview's TextArea, which places the terminal's real cursor (input methods need that),
// inserts a paste as one piece and has undo, and which does not interpret style tags in the text.
type Field struct {
	area    *tview.TextArea
	oneLine bool
	text    string // that of the TextArea, which composes it each time it is asked
	stale   bool   // the TextArea has another text

	// a line was broken at the cursor of a field of one line: a blank goes before the next character
	broken            bool
	removed, removing bool // the last key deleted text that can be put back; so does the present one
	removedAt         int  // where the text was

	rows rows // of the text; every frame asks for them several times
}

// clipboard holds the text that was deleted, cut or copied last, for Ctrl-Y and Ctrl-V in any field.
var clipboard atomic.Pointer[string]

// New returns a field with a text and the cursor at its end.
func New(text string) *Field {
	e := newField(text)
	e.measure()
	return e
}

// OneLine returns a field one row high, which scrolls sideways.
func OneLine(text string) *Field {
	e := newField(text)
	e.area.SetWrap(false)
	e.oneLine = true
	e.measure()
	return e
}

// newField returns a field that was not measured yet.
func newField(text string) *Field {
	e := &Field{area: tview.NewTextArea()}
	e.area.SetBackgroundColor(tcell.ColorDefault)
	e.area.SetTextStyle(ink.Plain).SetPlaceholderStyle(ink.Dim).SetSelectedStyle(ink.Plain.Reverse(true))
	e.area.SetChangedFunc(func() { e.stale = true })
	e.area.SetText(text, true)
	e.area.SetClipboard(func(s string) { clipboard.Store(&s) }, e.lastDeleted)
	e.area.Focus(func(tview.Primitive) {})
	return e
}

// lastDeleted returns the text that was deleted, cut or copied last, as this field takes it.
func (e *Field) lastDeleted() string {
	s := clipboard.Load()
	switch {
	case s == nil:
		return ""
	case e.oneLine:
		return onOneLine(*s)
	}
	return *s
}

// measure has the TextArea find its rows. It finds them only while it draws, and without rows no key moves the cursor;
// the first keys may come before the first frame.
func (e *Field) measure() {
	e.area.SetRect(0, 0, unseenWidth, 1)
	e.area.Draw(unseen{})
}

// unseenWidth is the width of a field until it is drawn.
const unseenWidth = 80

// unseen is a screen on which nothing is shown.
type unseen struct{ tcell.Screen }

// Size returns the size of a field that was not drawn yet.
func (unseen) Size() (w, h int) { return unseenWidth, 1 }

// SetContent does nothing.
func (unseen) SetContent(int, int, rune, []rune, tcell.Style) {}

// GetContent returns a blank.
func (unseen) GetContent(int, int) (rune, []rune, tcell.Style, int) { return ' ', nil, ink.Plain, 1 }

// ShowCursor does nothing.
func (unseen) ShowCursor(int, int) {}

// HideCursor does nothing.
func (unseen) HideCursor() {}

// Text returns the text typed so far.
func (e *Field) Text() string {
	if e.stale {
		e.text, e.stale = e.area.GetText(), false
	}
	return e.text
}

// SetText replaces the whole text, for an external editor or a suggested reason. Undo brings the old text back.
func (e *Field) SetText(s string) { e.area.Replace(0, e.area.GetTextLength(), say.Typable(s)) }

// SelectAll selects the whole text, so that the first character typed replaces it. After a key that only moves the
// cursor the text stays.
func (e *Field) SelectAll() { e.area.Select(0, e.area.GetTextLength()) }

// Key applies a key to the text. The caller must handle the keys that end typing itself. Typed text is filtered as
// pasted text is.
func (e *Field) Key(ev *tcell.EventKey) {
	e.removed, e.removing = e.removing, false
	if e.oneLine && breaksLine(ev) {
		e.broken = true
		return
	}
	if ev.Key() == tcell.KeyRune && isTyped(ev) {
		e.separate(string(ev.Rune()))
	}
	e.broken = false
	if edit := edits[editName(ev)]; edit != nil {
		e.apply(noKey) // ends what Undo takes back at once, because TextArea does not know of the edit
		edit(e)
		return
	}
	if ev.Key() != tcell.KeyRune || isTyped(ev) {
		e.apply(ev)
	}
}

// breaksLine reports whether a key is one that breaks the line in a field that has lines: Ctrl-J, or Enter with any
// modifier. tcell reports Alt-Enter as a letter.
func breaksLine(ev *tcell.EventKey) bool {
	const both = tcell.ModAlt | tcell.ModCtrl
	switch ev.Key() {
	case tcell.KeyCtrlJ, tcell.KeyEnter:
		return true
	case tcell.KeyRune:
		return ev.Rune() == 'm' && ev.Modifiers()&both == both
	}
	return false
}

// separate types a blank before next if the line was broken at the cursor, and no blank is there. A field of one line
// has it in place of the line break, so that two words stay two.
func (e *Field) separate(next string) {
	if !e.broken {
		return
	}
	e.broken = false
	text, at, _ := e.selection()
	last, _ := utf8.DecodeLastRuneInString(text[:at])
	first, _ := utf8.DecodeRuneInString(next)
	if at > 0 && !unicode.IsSpace(last) && !unicode.IsSpace(first) {
		e.apply(tcell.NewEventKey(tcell.KeyRune, ' ', tcell.ModNone))
	}
}

// noKey is a key that does nothing in a TextArea.
var noKey = tcell.NewEventKey(tcell.KeyF64, 0, tcell.ModNone)

// apply gives a key to the TextArea.
func (e *Field) apply(ev *tcell.EventKey) { e.area.InputHandler()(ev, func(tview.Primitive) {}) }

// NewLine breaks the line at the cursor.
func (e *Field) NewLine() { e.press(tcell.KeyEnter) }

// Undo takes the last change back.
func (e *Field) Undo() { e.press(tcell.KeyCtrlZ) }

// Redo repeats the change that Undo took back.
func (e *Field) Redo() { e.press(tcell.KeyCtrlY) }

// press applies a key that TextArea has for an action, such as Ctrl-Z for undo.
func (e *Field) press(k tcell.Key) {
	e.removing, e.broken = false, false
	e.apply(tcell.NewEventKey(k, 0, tcell.ModNone))
}

// Paste inserts what can be typed of a text, see say.Typable. A field one row high gets the text on one line; a line
// break at its beginning or its end separates it from the words before and behind.
func (e *Field) Paste(s string) {
	s = say.Typable(s)
	breaks := false // at its end
	if e.oneLine {
		before, behind, _ := strings.Cut(s, strings.TrimSpace(s))
		e.broken = e.broken || strings.Contains(before, "\n")
		breaks = strings.Contains(behind, "\n")
		s = onOneLine(s)
	}
	if s != "" {
		e.separate(s)
	}
	e.removed, e.removing, e.broken = false, false, breaks
	e.area.PasteHandler()(s, func(tview.Primitive) {})
}

// onOneLine returns a text with a space in place of each line break and the blanks around it. Line breaks at its
// beginning and its end are left out.
func onOneLine(s string) string {
	if !strings.ContainsAny(s, "\n\t") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// Rows returns how many rows the text takes in w cells, the cursor at its end included.
func (e *Field) Rows(w int) int {
	n, _ := e.rows.count(e.Text(), w)
	return n
}

// Draw draws the text and the cursor into r. It scrolls only as far as needed to show the cursor, and leaves no row
// empty that text could fill.
func (e *Field) Draw(c ink.Canvas, r ink.Rect) {
	if r.Empty() {
		return
	}
	e.area.SetTextStyle(c.Theme.Of(ink.Plain)).SetSelectedStyle(c.Theme.Of(ink.Plain.Reverse(true)))
	e.area.SetRect(r.X, r.Y, r.W, r.H)
	if e.oneLine {
		e.drawLine(c, r)
		return
	}
	top, _ := e.area.GetOffset()
	top = min(top, max(e.Rows(r.W)-r.H, 0))
	e.area.SetOffset(top, 0)
	e.area.Draw(c.Screen)
	_, _, row, _ := e.area.GetCursor() // TextArea knows it only after a draw
	top = min(max(top, row-r.H+1), row)
	n, full := e.rows.count(e.Text(), r.W)
	behind := r.H == 1 && full && row == n-1
	if behind { // a field of one row shows the words, and not the empty row with the cursor
		top = row - 1
	}
	nowTop, nowLeft := e.area.GetOffset() // the first draw has scrolled in its own way
	if (nowTop != top || nowLeft != 0) && !e.area.HasSelection() {
		e.area.SetOffset(top, 0)
		e.area.Draw(c.Screen)
	}
	if behind {
		c.Screen.ShowCursor(r.X+r.W, r.Y)
	}
}

// drawLine draws a field of one row. It scrolls sideways only as far as needed to show the cursor, and leaves no cell
// empty that text could fill. An ellipsis marks text that continues to the left or right; the cursor is never on it.
func (e *Field) drawLine(c ink.Canvas, r ink.Rect) {
	e.area.Draw(c.Screen) // TextArea knows the position of the cursor only after a draw
	_, _, _, column := e.area.GetCursor()
	_, left := e.area.GetOffset()
	dots := ink.Width(c.Glyphs.Ellipsis)
	if r.W < 4*dots {
		dots = 0
	}
	cells := ink.Width(e.Text()) + 1    // one cell for the cursor at the end
	left = min(left, max(cells-r.W, 0)) // leave no cell empty
	if column-left < dots {             // the cursor would be on the left ellipsis
		left = max(column-dots, 0)
	}
	if rest := cells - column; rest > dots { // keep the cursor left of the right ellipsis
		left = max(left, column+dots-r.W+1)
	} else { // the text ends here, so there is no right ellipsis
		left = max(left, cells-r.W)
	}
	if !e.area.HasSelection() {
		e.area.SetOffset(0, left)
		e.area.Draw(c.Screen)
	}
	if dots == 0 {
		return
	}
	if left > 0 {
		c.Put(r.X, r.Y, dots, ink.Plain, c.Glyphs.Ellipsis)
	}
	if cells-1 > left+r.W {
		at := r.X + r.W - dots
		if _, _, width := c.Screen.Get(at-1, r.Y); width > 1 { // a wide character would cover the ellipsis
			at--
		}
		c.Put(at, r.Y, r.X+r.W-at, ink.Plain, c.Glyphs.Ellipsis+" ")
	}
}

// Hidden counts the rows of the text above and below r, the rectangle of the last draw.
func (e *Field) Hidden(r ink.Rect) (above, below int) {
	above, _ = e.area.GetOffset()
	return above, max(e.Rows(r.W)-above-r.H, 0)
}

// DrawBehind draws a field of one line behind its label, over the row's old content.
func (e *Field) DrawBehind(c ink.Canvas, r ink.Rect, label string) {
	c.Fill(r, ink.Plain)
	used := c.Put(r.X, r.Y, r.W, ink.Bold, label)
	e.Draw(c, ink.Rect{X: r.X + used, Y: r.Y, W: max(r.W-used, 1), H: 1})
}
