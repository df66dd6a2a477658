package screen

import (
	"strconv"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
)

// frame is the root: the page on screen, the composer over its lower rows, and the foot.
type frame struct {
	*tview.Box
	s       *Screen
	pages   *tview.Pages // the waiting screen, and over it the pages that are open; the last one is visible
	waiting *waiting
	w, h    int // as last set; 0: not yet
}

func newFrame(s *Screen) *frame {
	f := &frame{Box: tview.NewBox(), s: s, pages: tview.NewPages(), waiting: newWaiting(s)}
	f.pages.SetRect(0, 0, 0, 0) // no cells of its own: it would paint them in a colour that no theme has
	f.pages.AddPage(level(0), f.waiting, false, true)
	return f
}

// level names the page that lies over n others.
func level(n int) string { return strconv.Itoa(n) }

// top is over how many others the visible page lies; 0: it is the waiting screen.
func (f *frame) top() int { return f.pages.GetPageCount() - 1 }

// page returns the page in front; nil: none.
func (f *frame) page() panes.Room {
	page, _ := f.pages.GetPage(level(f.top())).(panes.Room)
	return page
}

// cover puts a page in front of another one, which comes back when it closes.
func (f *frame) cover(page panes.Room) {
	f.pages.AddPage(level(f.top()+1), page, false, false)
	f.showTop()
}

// replace puts a page in the place of all that are open. Those that read something end with it.
func (f *frame) replace(page panes.Room) {
	for n := f.top(); n > 0; n-- {
		old := f.pages.GetPage(level(n))
		if reads, ok := old.(interface{ End() }); ok && old != tview.Primitive(page) {
			reads.End()
		}
		f.pages.RemovePage(level(n))
	}
	f.cover(page)
}

// uncover brings back what lies under the page in front; false: no page does.
func (f *frame) uncover() bool {
	if f.top() < 2 {
		return false
	}
	f.pages.RemovePage(level(f.top()))
	f.showTop()
	return true
}

// showWaiting takes all pages away.
func (f *frame) showWaiting() {
	for f.top() > 0 {
		f.pages.RemovePage(level(f.top()))
	}
	f.showTop()
}

// showTop has the page on top be the visible one.
func (f *frame) showTop() {
	f.pages.SwitchToPage(level(f.top()))
	f.SetRect(f.GetRect())
	f.refocus()
}

// room returns the receiver of the keys: the composer while it is open, else the page in front, else the area that has
// the focus. It follows from the state, which other processes change as well: a question that comes, goes or is taken
// over opens and closes fields and areas. So refocus sets tview's focus after it, and tview's focus decides nothing.
func (f *frame) room() panes.Room {
	if f.s.line.Open() {
		return f.s.rooms.chat
	}
	if page := f.page(); page != nil {
		return page
	}
	return f.waiting.room()
}

// SetRect shares the rows: all but the foot's two are the page's.
func (f *frame) SetRect(x, y, w, h int) {
	if f.w > 0 && (f.w != w || f.h != h) { // what is where has changed
		f.s.seat.CameUp()
	}
	f.w, f.h = w, h
	f.Box.SetRect(x, y, w, h)
	f.waiting.SetRect(x, y, w, max(h-2, 0))
	if page := f.page(); page != nil {
		page.SetRect(x, y, w, max(h-2, 0))
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
		now := f.s.desk.Now()
		f.s.seat.Pressed(now)
		router{f.s}.overtake("", now)
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
