package desk

import (
	"errors"
	"reflect"
	"slices"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/rules"
)

// Batch is the list of the pending approvals that are alike (see rules.Alike), from which a person marks those to
// allow and sends them together. Its requests are chosen when it opens, and later ones do not join it. A request can be
// marked only once all of it was on screen, and is sent only if it is still the one that was shown.
//
//	Open ─► Saw: all of a request was on screen ─► Mark, MarkAll ─► Send ─► one command each
//	  └──── ShowWhole: a long one alone ─► Saw ─► ShowList
type Batch struct {
	view  *View
	d     *Desk
	list  []BatchRow // empty: the list is not open
	at    int        // the index of the request under the cursor
	whole bool       // that request is shown alone, in full
}

// BatchRow is a request in the list.
type BatchRow struct {
	Session queue.Session // as it was when the list opened
	Marked  bool          // it will be sent
	WhyNot  error         // why it cannot be marked; nil: it can
	alone   bool          // it is decided on its own
	seen    bool          // all of it was on screen
}

// BatchMoved says that the list of a view opened or closed, or shows one request in full, or all of them again.
type BatchMoved struct{ View *View }

func (BatchMoved) event() {}

// Reasons why a request of a batch cannot be marked.
var (
	ErrEnded   = errors.New("that request is no longer pending")
	ErrChanged = errors.New("that request has changed")
	ErrAlone   = errors.New("that one is decided on its own") // it has a red mark or hidden characters
	ErrUnseen  = errors.New("not all of that request was on screen yet")
)

// Alike returns the number of requests of the list that could be opened now, with the one on view; 0: none can be.
func (b *Batch) Alike() int { return len(b.alike()) }

// alike returns the ids of the requests of the list that could be opened now, in queue order. At least one of them can
// be marked.
func (b *Batch) alike() (ids []string) {
	on, pending := b.view.Pending()
	attached := b.d.o.Attach != "" && !b.d.o.Stay // the view ends with its one session
	if !pending || attached || b.On() || b.view.OfTeam() {
		return nil
	}
	plain := false
	for i := range b.d.live.waiting {
		if w := &b.d.live.waiting[i]; w.ID == on.ID || b.joins(on, w) {
			ids, plain = append(ids, w.ID), plain || rules.Plain(*w.Session)
		}
	}
	if len(ids) < 2 || !plain {
		return nil
	}
	return ids
}

// joins reports whether a pending question is an open approval that is like another session.
func (b *Batch) joins(on queue.Session, w *queue.Waiting) bool {
	return w.Standing == queue.StandingOpen && rules.Alike(on, *w.Session) && b.d.outbox.Of(w.ID) == nil
}

// Open opens the list, if there is one, with the cursor on the request on view.
func (b *Batch) Open() {
	for i, id := range b.alike() {
		if id == b.view.Up() {
			b.at = i
		}
		s, _ := b.d.live.Session(id)
		b.list = append(b.list, BatchRow{Session: s, alone: !rules.Plain(s) || s.Ask.Approval.Odd()})
	}
	b.moved()
}

// moved tells that something else of the list is shown. That was the person's doing.
func (b *Batch) moved() {
	b.view.BroughtUp()
	b.d.tell(BatchMoved{b.view})
}

// On reports whether the list is open.
func (b *Batch) On() bool { return len(b.list) > 0 }

// Cursor returns the index of the request under the cursor. whole: it is shown alone.
func (b *Batch) Cursor() (at int, whole bool) { return b.at, b.whole }

// Later counts the requests that came since the list opened, and are not in it.
func (b *Batch) Later() (n int) {
	for i := range b.d.live.waiting {
		w := &b.d.live.waiting[i]
		if b.On() && b.find(w.ID) == nil && b.joins(b.list[0].Session, w) {
			n++
		}
	}
	return n
}

// find returns a request of the list; nil: the list does not have it.
func (b *Batch) find(id string) *BatchRow {
	if at := slices.IndexFunc(b.list, func(r BatchRow) bool { return r.Session.ID == id }); at >= 0 {
		return &b.list[at]
	}
	return nil
}

// Closed reports whether a request cannot be marked, however much of it is on screen.
func (r BatchRow) Closed() bool { return r.WhyNot != nil && !errors.Is(r.WhyNot, ErrUnseen) }

// Rows returns the requests of the list, in order. A mark of one that cannot be marked any more is void.
func (b *Batch) Rows() []BatchRow {
	for i := range b.list {
		r := &b.list[i]
		switch now, _ := b.d.live.Session(r.Session.ID); {
		case !b.pends(*r):
			r.WhyNot = ErrEnded
		case !reflect.DeepEqual(now.Ask, r.Session.Ask):
			r.WhyNot = ErrChanged
		case r.alone:
			r.WhyNot = ErrAlone
		case !r.seen:
			r.WhyNot = ErrUnseen
		default:
			r.WhyNot = nil
		}
		r.Marked = r.Marked && r.WhyNot == nil
	}
	return b.list
}

// pends reports whether a request is pending and no answer to it is being sent.
func (b *Batch) pends(r BatchRow) bool {
	s, live := b.d.live.Session(r.Session.ID)
	return live && s.At(b.d.Now()).Pending() && b.d.outbox.Of(s.ID) == nil
}

// Marked returns the ids of the requests that Send would send.
func (b *Batch) Marked() (ids []string) {
	for _, r := range b.Rows() {
		if r.Marked {
			ids = append(ids, r.Session.ID)
		}
	}
	return ids
}

// unmark takes all marks away.
func (b *Batch) unmark() {
	for i := range b.list {
		b.list[i].Marked = false
	}
}

// Saw notes that all of a request was on screen.
func (b *Batch) Saw(id string) {
	if r := b.find(id); r != nil {
		r.seen = true
	}
}

// Move moves the cursor.
func (b *Batch) Move(n int) { b.at = min(max(b.at+n, 0), len(b.list)-1) }

// Point moves the cursor to the n-th request, counted from 1, if there is one.
func (b *Batch) Point(n int) {
	if n >= 1 && n <= len(b.list) {
		b.at = n - 1
	}
}

// Mark marks the request under the cursor, or takes its mark away.
func (b *Batch) Mark() error {
	r := &b.Rows()[b.at]
	r.Marked = !r.Marked && r.WhyNot == nil
	return r.WhyNot
}

// Choose marks exactly the requests with these numbers, counted from 1, or none if one of them cannot be marked.
func (b *Batch) Choose(numbers ...int) error {
	b.unmark()
	rows := b.Rows()
	for _, n := range numbers {
		if n < 1 || n > len(rows) {
			b.unmark()
			return ErrEnded
		}
		if why := rows[n-1].WhyNot; why != nil {
			b.unmark()
			return why
		}
		rows[n-1].Marked = true
	}
	return nil
}

// MarkAll marks all requests that can be marked, and reports whether there are any.
func (b *Batch) MarkAll() (some bool) {
	for i, r := range b.Rows() {
		b.list[i].Marked = r.WhyNot == nil
		some = some || r.WhyNot == nil
	}
	return some
}

// ShowWhole shows the request under the cursor alone, as the question on view, unless it has ended.
func (b *Batch) ShowWhole() {
	if !b.pends(b.list[b.at]) {
		return
	}
	b.whole = true
	b.view.Show(b.list[b.at].Session.ID)
	b.moved()
}

// ShowList shows the list again.
func (b *Batch) ShowList() {
	b.whole = false
	b.moved()
}

// Send allows the marked requests, with one command each, and closes the list. It returns how many were sent.
func (b *Batch) Send() (sent int) {
	for _, id := range b.Marked() {
		now, _ := b.d.live.Session(id)
		draft := queue.Draft{}
		if f := b.view.FormOf(id); f != nil {
			draft = f.Draft()
		} else if kept := b.d.views.draftOf(id); kept != nil {
			draft = *kept
		}
		if b.d.settleSession(b.view, now, queue.Settle{Answer: rules.Once(now.Ask)}, draft) == nil {
			sent++
		}
	}
	b.Leave()
	return sent
}

// Leave closes the list, and sends nothing.
func (b *Batch) Leave() {
	if b.On() {
		*b = Batch{view: b.view, d: b.d}
		b.moved()
	}
}

// keeps reports whether the list stays open although the question on view has ended: another request of it is pending.
// If none is, it closes.
func (b *Batch) keeps() bool {
	if slices.ContainsFunc(b.list, b.pends) {
		return true
	}
	b.Leave()
	return false
}

// follows reports whether the list stays open while a session comes on view: it is shown alone.
func (b *Batch) follows(id string) bool { return b.whole && b.list[b.at].Session.ID == id }
