package screen

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// footerRows is the number of rows of the footer: the Enter line and the line of the keys, at the bottom of the screen.
const footerRows = 2

// frame draws the whole screen: the page in front, the composer (in which a line to an agent is written) over its lower
// rows, and the footer.
type frame struct {
	*tview.Box
	*shared
	app    *tview.Application
	pastes func() bool  // reports whether a field takes the pasted text
	pages  *tview.Pages // the ground, and in front of it the open pages; only the last one is drawn
	ground *ground
	w, h   int // the size that was set last; 0: none was set yet
}

// newFrame returns a frame whose only page is the ground.
func newFrame(s *shared, app *tview.Application) *frame {
	f := &frame{Box: tview.NewBox(), shared: s, app: app, pages: tview.NewPages(),
		ground: &ground{Box: tview.NewBox(), shared: s}}
	f.pages.SetRect(0, 0, 0, 0) // without a size it paints no background; no theme has that colour
	f.pages.AddPage(level(0), f.ground, false, true)
	return f
}

// level names the page that is in front of n others.
func level(n int) string { return strconv.Itoa(n) }

// topLevel returns how many pages the visible one is in front of; 0: the ground is visible.
func (f *frame) topLevel() int { return f.pages.GetPageCount() - 1 }

// page returns the page in front; nil: no page is open, and the ground is visible.
func (f *frame) page() panes.Room { return f.ground.page }

// coverWith opens a page in front of the others, which come back when it closes.
func (f *frame) coverWith(page panes.Room) {
	f.pages.AddPage(level(f.topLevel()+1), page, false, false)
	f.showTop()
}

// replacePages closes all open pages and shows page in their place. A closed page that reads in the background stops
// reading.
func (f *frame) replacePages(page panes.Room) {
	for n := f.topLevel(); n > 0; n-- {
		old := f.pages.GetPage(level(n))
		if reads, ok := old.(interface{ End() }); ok && old != tview.Primitive(page) {
			reads.End()
		}
		f.pages.RemovePage(level(n))
	}
	f.coverWith(page)
}

// uncoverPage closes the page in front if another page is behind it; false: no page is behind it, and it stays open.
func (f *frame) uncoverPage() bool {
	if f.topLevel() < 2 {
		return false
	}
	f.pages.RemovePage(level(f.topLevel()))
	f.showTop()
	return true
}

// showWaiting closes all pages, so that the question and the queue are on screen.
func (f *frame) showWaiting() {
	for f.topLevel() > 0 {
		f.pages.RemovePage(level(f.topLevel()))
	}
	f.showTop()
}

// showTop makes the page in front the visible one and gives it the focus.
func (f *frame) showTop() {
	f.pages.SwitchToPage(level(f.topLevel()))
	f.ground.page, _ = f.pages.GetPage(level(f.topLevel())).(panes.Room)
	f.SetRect(f.GetRect())
	f.refocus()
}

// room returns the room that gets the keys: the composer while it is open, else the page in front, else the room with
// the focus in the ground. It is computed from the state, because other processes change that too: a question that
// arrives or ends opens and closes fields. tview's own focus only follows it, see refocus.
func (f *frame) room() panes.Room {
	if f.writing {
		return f.rooms.chat
	}
	if page := f.ground.page; page != nil {
		return page
	}
	return f.ground.room()
}

// SetRect shares out the screen: the footer gets the last two rows, the ground (see ground) or the page in front gets
// the rows above, and the composer lies over them.
func (f *frame) SetRect(x, y, w, h int) {
	if f.w > 0 && (f.w != w || f.h != h) { // everything moves, so the guard refuses keys for a moment
		f.view.CameUp()
	}
	f.w, f.h = w, h
	f.Box.SetRect(x, y, w, h)
	f.ground.SetRect(x, y, w, max(h-footerRows, 0))
	if page := f.page(); page != nil {
		page.SetRect(x, y, w, max(h-footerRows, 0))
	}
	if f.writing {
		rows := f.rooms.chat.Rows(w, h)
		f.rooms.chat.SetRect(x, y+h-footerRows-rows, w, rows)
	}
}

// Draw draws the whole screen from the state.
func (f *frame) Draw(screen tcell.Screen) {
	screen.HideCursor()
	f.cursorRow = f.pointer(screen)
	_, _, w, h := f.GetRect()
	c := f.Ink(screen)
	if c.Theme.Paints() {
		c.Fill(ink.Rect{W: w, H: h}, ink.Plain)
	}
	if f.ground.tooSmall() {
		f.ground.drawTooSmall(c, w, h)
		return
	}
	f.pages.Draw(screen)
	if f.writing {
		f.rooms.chat.Draw(screen)
	}
	f.drawFooter(c, ink.Rect{Y: h - footerRows, W: w, H: footerRows})
}

// pointer returns a function for ink.Canvas that puts the terminal's cursor on the first cursor row (the highlighted
// row of the cursor) in the room that keys go to. Screen readers and magnifiers follow the terminal's cursor. While
// text is typed, the field has put it there.
func (f *frame) pointer(screen tcell.Screen) func(ink.Rect) {
	room := f.room()
	done := room.Field() != nil
	return func(r ink.Rect) {
		x, y, w, h := room.GetRect()
		if !done && r.X >= x && r.X < x+w && r.Y >= y && r.Y < y+h {
			done = true
			screen.ShowCursor(r.X, r.Y)
		}
	}
}

// Focus hands the focus on to the room that keys go to.
func (f *frame) Focus(delegate func(tview.Primitive)) { delegate(f.room()) }

// HasFocus returns true, because everything on screen is in the frame.
func (f *frame) HasFocus() bool { return true }

// InputHandler gives the focused room the keys that no row of the key table takes.
func (f *frame) InputHandler() func(*tcell.EventKey, func(tview.Primitive)) {
	return func(ev *tcell.EventKey, _ func(tview.Primitive)) { panes.Type(f.room(), ev) }
}

// PasteHandler gives pasted text to the field being typed, and nowhere else.
func (f *frame) PasteHandler() func(string, func(tview.Primitive)) {
	return func(text string, _ func(tview.Primitive)) {
		if f.pastes() {
			panes.Paste(f.room(), text)
		}
	}
}

// refocus gives tview's focus to the room that gets the keys now.
func (f *frame) refocus() {
	if room := f.room(); f.app.GetFocus() != tview.Primitive(room) {
		f.app.SetFocus(room)
	}
}

// drawFooter draws the Enter line, which says what Enter would do and is never covered, and the line of the keys.
func (f *frame) drawFooter(c ink.Canvas, r ink.Rect) {
	footer := f.room().Footer()
	if f.board.Offers() {
		footer = f.offeredFooter()
	}
	hints := slices.DeleteFunc(footer.Hints, func(h action.Hint) bool { return h.Keys == "" }) // unbound
	at := r.Row(0)
	if below := f.buttonRect(); !below.Empty() {
		at = below
	}
	button := ink.EnterLine(footer.Line, at.W, c.Glyphs)
	c.PutLine(at.X, at.Y, at.W, button)
	if at != r.Row(0) {
		x := button.Width() + besideButtonGap
		beside, rest := besideButton(hints, at.W-x)
		c.PutLine(at.X+x, at.Y, at.W-x, ink.JoinHints(inkHints(beside)))
		hints = rest
	}
	f.drawKeys(c, r.Row(1), inkHints(hints))
}

// buttonRect returns the place of the Enter line below the options. It is empty if the line is in the footer.
func (f *frame) buttonRect() ink.Rect {
	if f.page() != nil || f.writing {
		return ink.Rect{}
	}
	return f.ground.at.button
}

// besideButtonGap is the number of cells between the button and the keys beside it.
const besideButtonGap = 3

// besideKeys lists the actions whose keys are beside the button, in order.
var besideKeys = []action.Name{action.Allow, action.Rule, action.Refuse, action.Detail, action.Later, action.Cancel}

// besideButton divides the keys into those beside the button, which end the question in another way than Enter, and the
// others. The keys beside the button fit w cells.
func besideButton(hints []action.Hint, w int) (beside, others []action.Hint) {
	for _, a := range besideKeys {
		if at := slices.IndexFunc(hints, func(h action.Hint) bool { return h.Action == a }); at >= 0 {
			beside = append(beside, hints[at])
		}
	}
	for len(beside) > 0 && ink.JoinHints(inkHints(beside)).Width() > w {
		least := slices.MaxFunc(beside, func(a, b action.Hint) int { return cmp.Compare(a.Rank(), b.Rank()) })
		beside = slices.DeleteFunc(beside, func(h action.Hint) bool { return h.Action == least.Action })
	}
	for _, h := range hints {
		if !slices.ContainsFunc(beside, func(b action.Hint) bool { return b.Action == h.Action }) {
			others = append(others, h)
		}
	}
	return beside, others
}

// offeredFooter returns the footer while something is offered: what the next Enter does, and the key that cancels it.
func (f *frame) offeredFooter() panes.Footer {
	back := f.look.keys.KeyOf(action.PlaceQuestion, action.Back)
	leave := action.Hint{Action: action.Back, Keys: back, Word: "back"}
	return panes.Footer{Line: f.offered, Hints: []action.Hint{leave}}
}

// inkHints returns hints of the key table as package ink draws them.
func inkHints(hints []action.Hint) []ink.Hint {
	out := make([]ink.Hint, len(hints))
	for i, h := range hints {
		out[i] = ink.Hint{Text: h.Text(), Short: h.Shorter().Text(), Key: h.Keys, Rank: h.Rank()}
	}
	return out
}

// drawKeys draws the line of the keys: the keys that must always be shown, as many others as fit, and a message at the
// right end.
func (f *frame) drawKeys(c ink.Canvas, r ink.Rect, hints []ink.Hint) {
	words := f.ground.splitMessage(r.W).keys
	if words == "" {
		c.PutLine(r.X, r.Y, r.W, ink.HintLine(hints, r.W))
		return
	}
	stay := slices.DeleteFunc(slices.Clone(hints), func(h ink.Hint) bool { return h.Rank > 0 })
	least := 0
	if least = ink.JoinHints(stay).Width(); least > 0 {
		least += 2
	}
	words = ink.Cut(words, max(r.W-least, r.W/2), c.Glyphs.Ellipsis)
	if room := r.W - ink.Width(words) - 2; room > 0 {
		c.PutLine(r.X, r.Y, room, ink.HintLine(hints, room).Cut(room, c.Glyphs.Ellipsis))
	}
	c.PutLineRight(r.X, r.Y, r.W, ink.Line{{Text: words, Style: ink.Bold}})
}

// traits say how the screen treats a room in its present place.
type traits struct {
	covers     bool // the room opens in front of the open page, which comes back when this one closes
	hasDivider bool // the screen draws its lowest divider, and shows notices and the last event in it
	backs      bool // the key that quits goes one level back first
}

// traitsOf lists the places that are treated in a special way. While a line is typed over the lowest divider of a page,
// the place is that of the line, so the screen shows no message there. On every page the key that quits goes back
// first, even if the page is not listed here.
var traitsOf = map[action.Place]traits{
	action.PlaceHelp:     {covers: true},
	action.PlacePeek:     {covers: true},
	action.PlaceHistory:  {hasDivider: true},
	action.PlaceSettings: {backs: true},
	action.PlaceOver:     {backs: true},
	action.PlaceBatch:    {backs: true},
}
