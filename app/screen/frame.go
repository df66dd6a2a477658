package screen

import (
	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
)

// Names of the two pages that tview knows: the waiting screen, and whatever page lies in front of it.
const (
	pageWaiting = "waiting"
	pageFront   = "front"
)

// frame is the root: the page on screen, the composer over its lower rows, and the foot.
type frame struct {
	*tview.Box
	s       *Screen
	pages   *tview.Pages
	waiting *waiting
	front   panes.Room   // the page in front; nil: none
	under   []panes.Room // the pages that come back when those over them close, the next one last
}

func newFrame(s *Screen) *frame {
	f := &frame{Box: tview.NewBox(), s: s, pages: tview.NewPages(), waiting: newWaiting(s)}
	f.pages.SetRect(0, 0, 0, 0) // no cells of its own: it would paint them in a colour that no theme has
	f.pages.AddPage(pageWaiting, f.waiting, false, true)
	return f
}

// page is the page in front; nil: none.
func (f *frame) page() panes.Room { return f.front }

// cover puts a page in front of another one, which comes back when it closes.
func (f *frame) cover(page panes.Room) {
	if f.front != nil {
		f.under = append(f.under, f.front)
	}
	f.show(page)
}

// replace puts a page in the place of all that are open. Those that read something end with it.
func (f *frame) replace(page panes.Room) {
	for _, old := range append(f.under, f.front) {
		if reads, ok := old.(interface{ End() }); ok && old != page {
			reads.End()
		}
	}
	f.under = nil
	f.show(page)
}

// uncover brings back what lies under the page in front; false: no page does.
func (f *frame) uncover() bool {
	last := len(f.under) - 1
	if last < 0 {
		return false
	}
	page := f.under[last]
	f.under = f.under[:last]
	f.show(page)
	return true
}

// show puts a page in front.
func (f *frame) show(page panes.Room) {
	f.front = page
	f.pages.RemovePage(pageFront)
	f.pages.AddPage(pageFront, page, false, false)
	f.pages.SwitchToPage(pageFront)
	f.SetRect(f.GetRect())
	f.refocus()
}

// showWaiting takes the page away.
func (f *frame) showWaiting() {
	f.front, f.under = nil, nil
	f.pages.RemovePage(pageFront)
	f.pages.SwitchToPage(pageWaiting)
	f.refocus()
}

// room is what keys go to: the composer while it is open, else the page in front, else the area that has the focus.
func (f *frame) room() panes.Room {
	switch {
	case f.s.line.Open():
		return f.s.rooms.chat
	case f.front != nil:
		return f.front
	}
	return f.waiting.room()
}

// SetRect shares the rows: all but the foot's two are the page's.
func (f *frame) SetRect(x, y, w, h int) {
	f.Box.SetRect(x, y, w, h)
	f.waiting.SetRect(x, y, w, max(h-2, 0))
	if f.front != nil {
		f.front.SetRect(x, y, w, max(h-2, 0))
	}
	rows := f.s.rooms.chat.Rows(w, h)
	f.s.rooms.chat.SetRect(x, y+h-2-rows, w, rows)
}

// Draw draws the whole screen from the state.
func (f *frame) Draw(screen tcell.Screen) {
	screen.HideCursor()
	_, _, w, h := f.GetRect()
	c := f.s.Ink(screen)
	if c.Theme.Paints() {
		c.Fill(ink.Rect{W: w, H: h}, ink.Plain)
	}
	if f.waiting.tooSmall() {
		rules{f.s}.drawTooSmall(c, w, h)
		return
	}
	f.pages.Draw(screen)
	if f.s.line.Open() {
		f.s.rooms.chat.Draw(screen)
	}
	foot{f.s}.drawFoot(c, ink.Rect{Y: h - 2, W: w, H: 2})
}

// Focus hands the focus on to the room that keys go to.
func (f *frame) Focus(delegate func(tview.Primitive)) { delegate(f.room()) }

// HasFocus reports whether a room in it has the focus: always, as there is nothing else.
func (f *frame) HasFocus() bool { return true }

// InputHandler gives the focused room what no row of the key table takes.
func (f *frame) InputHandler() func(*tcell.EventKey, func(tview.Primitive)) {
	return func(ev *tcell.EventKey, focus func(tview.Primitive)) {
		if handle := f.room().InputHandler(); handle != nil {
			handle(ev, focus)
		}
	}
}

// PasteHandler gives pasted text to the field being typed, and nowhere else.
func (f *frame) PasteHandler() func(string, func(tview.Primitive)) {
	return func(text string, focus func(tview.Primitive)) {
		f.s.seat.Pressed(f.s.desk.Now())
		room := f.room()
		if room.Field() == nil {
			router{f.s}.refusePaste()
			return
		}
		room.PasteHandler()(text, focus)
	}
}

// refocus gives tview's focus to the room that keys go to now.
func (f *frame) refocus() {
	if room := f.room(); f.s.app.GetFocus() != tview.Primitive(room) {
		f.s.app.SetFocus(room)
	}
}
