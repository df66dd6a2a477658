// Package history is the page of all settled sessions: a list with a preview of the session under the cursor, or the
// whole text of one session.
//
//	Store.History ─► worker ─► piece ─► feed ─┐
//	desk's events: settled, left ─► shelf ────┴─► listing ─► arrange: what is on screen ─► Draw
//	keys ─► Table ─► listing, the session that is read, the text being typed
//
// The archive is read only as far as somebody looks. Reading continues behind another page that covers this one, until
// End.
package history

import (
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// Options hold what the page needs beside its host.
type Options struct {
	Home string     // shown as ~
	Chat *desk.Chat // opens for the agent of a session
}

// Room shows the page.
type Room struct {
	*tview.Box
	host         panes.Host
	o            Options
	list         *listing
	table        panes.Table
	stop         func()        // ends the subscription to the desk's events
	shown        int           // the number of entries on screen
	spared       spared        // the rows that previews needed so far
	pressedEarly []action.Name // the keys that were pressed before the first entries were read
	finding      *editor.Field // the field of the words that narrow the list; nil if it is closed
	open         open
	laidLast     laidText
}

// open holds the session whose whole text is on screen.
type open struct {
	on     bool
	top    int // the first line on screen
	below  int // the number of lines below the screen
	drafts []queue.Draft
}

// spared records how many rows previews have needed on a page of this size. The preview keeps as many, so that the line
// above it moves up at most, and not with every step of the cursor.
type spared struct {
	rows int
	on   ink.Rect
}

// New returns the page and begins to read. The person is not reminded of missed questions any more, because the page
// lists them.
func New(host panes.Host, o Options) *Room {
	r := &Room{Box: tview.NewBox(), host: host, o: o}
	host.View().ForgetMissed()
	d := host.View().Desk()
	reach := func() int { _, h := host.Size(); return 2 * h }
	r.list = newListing(d, reach, r.listChanged)
	r.table = r.bind()
	w, h := host.Size()
	r.Box.SetRect(0, 0, w, max(h-2, 1)) // until the screen sets the size
	r.stop = d.Subscribe(r.hear)
	r.list.startReading()
	return r
}

// End stops all reading for the page. The screen calls it when another page replaces this one, but not when a page such
// as the help covers it.
func (r *Room) End() {
	r.stop()
	r.list.stopReading()
}

// Ended reports whether the page was closed. Such a page is not used again.
func (r *Room) Ended() bool { return r.list.ended }

// hear handles the events of the desk.
func (r *Room) hear(e desk.Event) {
	switch e := e.(type) {
	case desk.Changed:
		r.list.keepNewest(e.Now)
	case desk.Ended:
		r.list.keepNewest(e.Session)
	case desk.Left:
		r.list.shelf.noteLeft(e.ID)
	default:
		return
	}
	r.arrange()
}

// listChanged shows new results of the worker, and then carries out the keys that were pressed before the first entries
// were there.
func (r *Room) listChanged() {
	r.arrange()
	if r.list.blank() {
		return
	}
	pressed := r.pressedEarly
	r.pressedEarly = nil
	for _, a := range pressed {
		r.pressLater(a)
	}
}

// pressLater carries out a key that was pressed before the entries were read.
func (r *Room) pressLater(a action.Name) {
	row, _ := r.table.Row(a)
	if why := row.Run(action.Arg{}); why != "" {
		r.host.Say(why)
	}
}

// SetRect places the page. Another size shows other entries.
func (r *Room) SetRect(x, y, w, h int) {
	was := r.page()
	if r.Box.SetRect(x, y, w, h); r.page() != was {
		r.arrange()
	}
}

// page returns the rectangle of the page without its last row.
func (r *Room) page() ink.Rect {
	x, y, w, h := r.GetRect()
	return ink.Rect{X: x, Y: y, W: w, H: h - 1}
}

// arrange computes what is on screen, after each change. Keys depend on it, and Draw draws it.
func (r *Room) arrange() {
	r.list.showCurrent()
	at := r.page()
	s, known := r.list.current()
	if r.open.on && known {
		r.open.top, _, r.open.below = r.sessionView(s, at).span(at.H)
		return
	}
	if r.spared.on != at {
		r.spared = spared{on: at}
	}
	if known {
		r.spared.rows = max(r.spared.rows, len(r.lay(s, at.W-1)))
	}
	r.list.top, r.shown, _ = r.listView(at).list(at.H)
}

// Place returns the place of the list, or of the text being typed.
func (r *Room) Place() action.Place {
	if r.Field() != nil {
		return action.PlaceFind
	}
	return action.PlaceHistory
}

// Field returns the field for the words that narrow the list, while it is open.
func (r *Room) Field() *editor.Field { return r.finding }

// Typed narrows the list with every letter.
func (r *Room) Typed() {
	if r.finding != nil {
		r.list.narrow(r.finding.Text())
		r.arrange()
	}
}
