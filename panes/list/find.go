package list

import (
	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
)

// Typing reports whether the line that narrows the queue is open.
func (r *Room) Typing() bool { return r.finding != nil }

// Field returns the field for the text that narrows the queue, while it is being typed.
func (r *Room) Field() *editor.Field { return r.finding }

// InputHandler takes a key of the text being typed.
func (r *Room) InputHandler() func(*tcell.EventKey, func(tview.Primitive)) {
	return r.WrapInputHandler(func(ev *tcell.EventKey, _ func(tview.Primitive)) {
		if r.finding != nil {
			r.finding.Key(ev)
			r.Typed()
		}
	})
}

// PasteHandler takes pasted text, as one line.
func (r *Room) PasteHandler() func(string, func(tview.Primitive)) {
	return r.WrapPasteHandler(func(text string, _ func(tview.Primitive)) {
		if r.finding != nil {
			r.finding.Paste(say.OneLine(text))
			r.Typed()
		}
	})
}

// Typed narrows the queue to the questions that match the line.
func (r *Room) Typed() {
	if r.finding != nil {
		r.seat().Narrow(r.finding.Text(), r.from)
	}
}

// startFind opens the line that narrows the queue.
func (r *Room) startFind() { r.finding, r.from = editor.OneLine(r.seat().Find()), r.seat().Up() }

// endFind closes the line. The queue stays narrowed, unless all is set or nothing matches.
func (r *Room) endFind(all bool) {
	if all || len(r.seat().Listed()) == 0 {
		r.seat().Narrow("", r.from)
	}
	r.finding = nil
}

// followView adapts the filter when another question comes on view. If nothing matches any more, all questions are
// listed again, unless the words are being typed. While no question is on view there is no queue to narrow.
func (r *Room) followView(id string) {
	switch {
	case id == "":
		r.finding = nil
	case !r.Typing() && len(r.seat().Listed()) == 0:
		r.seat().ShowAll()
	}
}

// DrawFind draws the line that narrows the queue over a row of the screen.
func (r *Room) DrawFind(c ink.Canvas, row ink.Rect) {
	r.finding.DrawBehind(c, row, "/ filter the queue: ")
}
