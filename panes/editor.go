package panes

import (
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"
)

// Editor is a text being typed: tview's TextArea, which places the terminal's real cursor (an input method needs
// it), keeps pastes whole and has undo. Its text never goes through style tags.
type Editor struct{ area *tview.TextArea }

// NewEditor starts with the text, the cursor at its end.
func NewEditor(text string) *Editor {
	a := tview.NewTextArea()
	a.SetBackgroundColor(tcell.ColorDefault)
	a.SetTextStyle(Plain).SetPlaceholderStyle(Dim).SetSelectedStyle(Plain.Reverse(true))
	a.SetText(text, true)
	a.Focus(func(tview.Primitive) {})
	return &Editor{area: a}
}

// Text is what has been typed so far.
func (e *Editor) Text() string { return e.area.GetText() }

// SetText replaces everything, as an editor or a ready reason does; undo brings the old text back.
func (e *Editor) SetText(s string) { e.area.Replace(0, e.area.GetTextLength(), s) }

// Key gives a key to the text. The caller has taken out the keys that end typing.
func (e *Editor) Key(ev *tcell.EventKey) {
	e.area.InputHandler()(ev, func(tview.Primitive) {})
}

// NewLine breaks the line at the cursor.
func (e *Editor) NewLine() { e.Key(tcell.NewEventKey(tcell.KeyEnter, 0, tcell.ModNone)) }

// Paste inserts text as it is; line endings become newlines and other controls are left out.
func (e *Editor) Paste(s string) {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	s = strings.Map(func(r rune) rune {
		if (r < ' ' && r != '\n' && r != '\t') || (r >= 0x7f && r < 0xa0) {
			return -1
		}
		return r
	}, s)
	e.area.PasteHandler()(s, func(tview.Primitive) {})
}

// Rows is how many rows the text takes in w cells, the cursor included.
func (e *Editor) Rows(w int) int {
	rows := 0
	for para := range strings.SplitSeq(e.Text(), "\n") {
		n := len(wrapLine(strings.ReplaceAll(para, "\t", "    "), w))
		if Width(para) == n*w { // the cursor stands behind a full row
			n++
		}
		rows += n
	}
	return rows
}

// Draw draws the text into r with the terminal's cursor in it.
func (e *Editor) Draw(c Canvas, r Rect) {
	e.area.SetTextStyle(c.Theme.of(Plain)).SetSelectedStyle(c.Theme.of(Plain.Reverse(true)))
	e.area.SetRect(r.X, r.Y, r.W, r.H)
	e.area.Draw(c.Screen)
}
