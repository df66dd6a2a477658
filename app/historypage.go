package app

import (
	"context"
	"strings"

	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
)

// historyPage is every settled session: a list with the one under the cursor below it, or all of that one.
type historyPage struct {
	d     *Dashboard
	feed  *historyFeed // on screen
	soon  *historyFeed // what was typed since asks for this one; it takes over with its first piece
	shelf sessionShelf
	on    queue.Session            // the one the cursor was on last, which the shelf may have dropped since
	kept  map[string]queue.Session // settled and not archived when the page was opened, or since
	old   map[string]bool          // of these, left the live ones: the archive knows more by now
	asked string                   // the session being fetched for the preview
	total int                      // archived and not kept; -1: not known
	exact bool                     // it was counted by reading all of it

	cursor, top int
	shown       int           // rows on screen at the last draw
	spared      int           // rows that previews have needed
	sparedOn    ink.Rect      // the page they needed them on
	ahead       []keys.Action // pressed before the first rows were there
	toEnd       bool          // reading on to the oldest one
	find        string        // what narrows the list
	finding     *editor.Field // it is being typed
	naming      *editor.Field // the file's name is being typed
	writing     bool          // the file is being written

	reading bool // all of the session is on screen
	scroll  int
	below   int // lines below the last one shown
	drafts  []queue.Draft
	laid    laidText
	closed  bool
}

// openHistory brings the page up, where it was if it is under another page. It clears what was missed.
func (d *Dashboard) openHistory() {
	d.missed = nil
	if p := d.history; p != nil {
		if d.page != p {
			d.open(p)
		}
		return
	}
	p := &historyPage{d: d, total: -1, kept: map[string]queue.Session{}, old: map[string]bool{}}
	d.history = p
	now := d.now()
	for _, s := range d.live {
		if s = s.At(now); listed(s) {
			p.kept[s.ID] = s
		}
	}
	p.feed = newHistoryFeed(nil)
	p.start(p.feed)
	p.want()
	d.open(p)
	d.later(p.count)
	d.later(p.alone)
}

// alone reads what is settled and not archived for a hand-off form, which watches its own session only; on the worker.
func (p *historyPage) alone() {
	if p.d.o.Attach == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), settleTmux)
	defer cancel()
	w, err := p.d.o.Queue.Store.Watch(ctx)
	if err != nil {
		return
	}
	defer w.Close()
	live, err := w.Next(ctx) // the first batch is everything live
	if err != nil {
		return
	}
	p.d.post(func() {
		for _, s := range live.Sessions {
			p.take(s.At(p.d.now()))
		}
	})
}

// start gives a feed what is not archived.
func (p *historyPage) start(f *historyFeed) {
	for _, s := range p.kept {
		f.add(s)
	}
}

// count asks for the size of the archive; on the worker, after the first rows.
func (p *historyPage) count() {
	ctx, cancel := context.WithTimeout(context.Background(), settleTmux)
	defer cancel()
	n, err := p.d.o.Queue.Store.CountHistory(ctx)
	if err != nil {
		return
	}
	newest, _, _ := p.d.o.Queue.Store.History(ctx, "", historyPart)
	p.d.post(func() {
		if p.exact {
			return
		}
		p.total = n
		for _, s := range newest { // archived a moment ago: these are kept, and would count twice
			if _, kept := p.kept[s.ID]; kept {
				p.total--
			}
		}
	})
}

// end forgets the page: nothing reads on for it.
func (p *historyPage) end() {
	p.closed = true
	p.feed.cancel()
	if p.soon != nil {
		p.soon.cancel()
	}
	p.d.history = nil
	p.d.close()
}

// leaveHistory forgets the page when another one takes its place; help and statistics only cover it.
func (d *Dashboard) leaveHistory(to page) {
	switch to.(type) {
	case *historyPage, *helpPage, *statsPage:
		return
	}
	if p := d.history; p != nil {
		p.end()
	}
}

// current is the feed that is being filled: what was typed last.
func (p *historyPage) current() *historyFeed {
	if p.soon != nil {
		return p.soon
	}
	return p.feed
}

// want has the worker read on, if the list or the way to its end needs it.
func (p *historyPage) want() {
	f := p.current()
	if p.closed || f.busy || f.done || f.fault != "" {
		return
	}
	wanted := p.cursor + 2*p.d.size.h + historyAhead
	if !p.toEnd && len(f.rows) >= wanted {
		return
	}
	f.busy = true
	n := historyParts
	if f.read == 0 {
		n = 1 // the first screen comes soonest
	}
	store, words, next, first, ctx := p.d.o.Queue.Store, f.words, f.next, len(f.parts), f.ctx
	p.d.later(func() {
		piece := readHistory(ctx, store, words, next, first, n)
		p.d.post(func() { p.took(f, piece) })
	})
}

// took takes a piece over on the event loop.
func (p *historyPage) took(f *historyFeed, piece historyPiece) {
	if p.closed || f.ctx.Err() != nil {
		return
	}
	f.take(piece)
	for _, s := range piece.sessions {
		p.keep(s)
	}
	if f.done && len(f.words) == 0 {
		p.total, p.exact = len(f.rows)-len(p.kept), true
	}
	if f == p.soon {
		p.feed.cancel()
		p.feed, p.soon = f, nil
		p.cursor, p.top = 0, 0
	}
	if p.toEnd && (f.done || f.fault != "") {
		p.toEnd = false
		p.cursor = max(len(f.rows)-1, 0)
	}
	p.want()
	ahead := p.ahead
	p.ahead = nil
	for _, a := range ahead {
		p.act(a, "")
	}
}

// listed reports whether history lists a session: it is settled, or a message that its agent has not fetched.
func listed(s queue.Session) bool { return s.Outcome != nil || s.IsMessage() }

// take keeps a listed session's newest state; with nil for a page nobody opened.
func (p *historyPage) take(s queue.Session) {
	if p == nil || !listed(s) {
		return
	}
	was, known := p.kept[s.ID]
	if known && (was.Revision > s.Revision || was.Revision == s.Revision && was.Outcome != nil) {
		return
	}
	p.kept[s.ID] = s
	delete(p.old, s.ID)
	for _, f := range []*historyFeed{p.feed, p.soon} {
		if f != nil {
			p.list(f, s, known && was.Outcome == nil && s.Outcome != nil)
		}
	}
}

// list puts a session into a feed; anew says that it waited until now, and stands elsewhere from now on. The cursor
// stays on its session.
func (p *historyPage) list(f *historyFeed, s queue.Session, anew bool) {
	on := anew && f == p.feed && p.cursor < len(f.rows) && f.rows[p.cursor].ID == s.ID
	if anew {
		if at := f.drop(s.ID); f == p.feed && at >= 0 && at < p.cursor {
			p.cursor--
		}
	}
	at := f.add(s)
	switch {
	case f != p.feed:
	case on:
		p.cursor = max(min(max(at, 0), len(f.rows)-1), 0)
	case at >= 0 && at <= p.cursor && p.cursor+1 < len(f.rows):
		p.cursor++
		if p.top > 0 {
			p.top++
		}
	}
}

// waiting counts the messages listed that nobody has fetched: they are not settled.
func (p *historyPage) waiting() (n int) {
	for _, s := range p.kept {
		if s.Outcome == nil {
			n++
		}
	}
	return n
}

// gone notes that a session left the live ones; what happened since is read when somebody looks at it.
func (p *historyPage) gone(id string) {
	if p == nil {
		return
	}
	if s, known := p.kept[id]; known && !s.Final {
		p.old[id] = true
	}
}

// session is the one under the cursor, in full; false while it is being read, which this starts.
func (p *historyPage) session() (queue.Session, bool) {
	if p.cursor >= len(p.feed.rows) {
		return queue.Session{}, false
	}
	row := p.feed.rows[p.cursor]
	if s, ok := p.kept[row.ID]; ok {
		if p.old[row.ID] {
			p.fetch(row)
		}
		return s, true
	}
	if p.on.ID == row.ID {
		return p.on, true
	}
	s, ok := p.shelf.all[row.ID]
	if ok {
		p.on = s
	} else {
		p.fetch(row)
	}
	return s, ok
}

// fetch reads the part of the archive that a row came from once more; a session that is not there any more by its id.
func (p *historyPage) fetch(row historyRow) {
	if p.asked == row.ID {
		return
	}
	p.asked = row.ID
	store, cursor := p.d.o.Queue.Store, ""
	if row.part >= 0 {
		cursor = p.feed.parts[row.part]
	}
	p.d.later(func() {
		ctx, cancel := context.WithTimeout(context.Background(), settleTmux)
		defer cancel()
		var found []queue.Session
		if row.part >= 0 {
			found, _, _ = store.History(ctx, cursor, historyPart)
		}
		if !containsSession(found, row.ID) {
			if s, err := store.Get(ctx, row.ID); err == nil && s.Outcome != nil {
				found = append(found, s)
			}
		}
		p.d.post(func() { p.fetched(row, found) })
	})
}

func (p *historyPage) fetched(row historyRow, found []queue.Session) {
	if p.asked == row.ID && containsSession(found, row.ID) {
		p.asked = "" // else it is not asked for again until the cursor was elsewhere
	}
	for _, s := range found {
		if s.Outcome != nil {
			p.keep(s)
		}
	}
}

// keep keeps what the archive says of a session, which is all there is to say of it.
func (p *historyPage) keep(s queue.Session) {
	if was, ours := p.kept[s.ID]; !ours {
		p.shelf.put(s)
	} else if was.Revision <= s.Revision {
		p.kept[s.ID] = s
		delete(p.old, s.ID)
	}
}

func containsSession(list []queue.Session, id string) bool {
	for i := range list {
		if list[i].ID == id {
			return true
		}
	}
	return false
}

func findWords(find string) []string { return strings.Fields(strings.ToLower(find)) }
