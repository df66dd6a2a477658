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
	list  []batched // in the order in which they are listed; empty: the list is not open
	at    int       // the index of the request under the cursor
	whole bool      // that request is shown alone, in full
}

// batched is a request of a batch.
type batched struct {
	session queue.Session // as it was when the list opened
	alone   bool          // it is decided on its own
	seen    bool          // all of it was on screen
	marked  bool
}

// BatchMoved says that the list of a view opened or closed, or shows one request in full, or all of them again.
type BatchMoved struct{ View *View }

func (BatchMoved) event() {}

// Reasons why a request of a batch cannot be marked. Another reason is ErrOver.
var (
	ErrAlone   = errors.New("decided alone") // it has a red mark or another warning, or more than one answer
	ErrChanged = errors.New("changed")       // it is not the request that was listed
	ErrUnseen  = errors.New("unseen")        // not all of it was on screen
)

// Alike returns the number of requests of the list that could be opened now, with the one on view; 0: none can be.
func (b *Batch) Alike() int { return len(b.alike()) }

// alike returns the ids of the requests of the list that could be opened now, in queue order. At least one of them can
// be marked.
func (b *Batch) alike() (ids []string) {
	on, pending := b.view.Pending()
	if !pending || b.On() || b.view.OfTeam() || !b.d.Stays() {
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
		b.list = append(b.list, batched{session: s, alone: !rules.Plain(s) || s.Ask.Approval.Odd()})
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
		if b.On() && b.find(w.ID) == nil && b.joins(b.list[0].session, w) {
			n++
		}
	}
	return n
}

// find returns a request of the list; nil: the list does not have it.
func (b *Batch) find(id string) *batched {
	if at := slices.IndexFunc(b.list, func(r batched) bool { return r.session.ID == id }); at >= 0 {
		return &b.list[at]
	}
	return nil
}

// BatchRow is a request in the list.
type BatchRow struct {
	Session queue.Session // as it was when the list opened
	Marked  bool          // it will be sent
	WhyNot  error         // why it cannot be marked; nil: it can
}

// Closed reports whether a request can no more be marked, or never could be, however much of it is on screen.
func (r BatchRow) Closed() bool { return r.WhyNot != nil && !errors.Is(r.WhyNot, ErrUnseen) }

// Ended reports whether a request has ended.
func (r BatchRow) Ended() bool { return errors.Is(r.WhyNot, ErrOver) }

// Rows returns the requests of the list, in order.
func (b *Batch) Rows() (list []BatchRow) {
	for _, r := range b.list {
		why := b.whyNot(r)
		list = append(list, BatchRow{Session: r.session, Marked: r.marked && why == nil, WhyNot: why})
	}
	return list
}

// whyNot returns why a request cannot be marked.
func (b *Batch) whyNot(r batched) error {
	switch now, _ := b.d.live.Session(r.session.ID); {
	case !b.pends(r):
		return ErrOver
	case !reflect.DeepEqual(now.Ask, r.session.Ask):
		return ErrChanged
	case r.alone:
		return ErrAlone
	case !r.seen:
		return ErrUnseen
	}
	return nil
}

// pends reports whether a request is pending and no answer to it is being sent.
func (b *Batch) pends(r batched) bool {
	s, live := b.d.live.Session(r.session.ID)
	return live && s.At(b.d.Now()).Pending() && b.d.outbox.Of(s.ID) == nil
}

// Marked counts the requests that Send would send.
func (b *Batch) Marked() (n int) {
	for _, r := range b.Rows() {
		if r.Marked {
			n++
		}
	}
	return n
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
	r := &b.list[b.at]
	why := b.whyNot(*r)
	r.marked = why == nil && !r.marked
	return why
}

// Choose marks exactly the requests with these numbers, counted from 1, or none if one of them cannot be marked.
func (b *Batch) Choose(numbers ...int) (why error) {
	b.restore(nil)
	for _, n := range numbers {
		if n < 1 || n > len(b.list) {
			why = ErrOver
		} else if why = b.whyNot(b.list[n-1]); why == nil {
			b.list[n-1].marked = true
		}
		if why != nil {
			b.restore(nil)
			return why
		}
	}
	return nil
}

// MarkAll marks all requests that can be marked, and returns how many these are.
func (b *Batch) MarkAll() (n int) {
	for i := range b.list {
		if r := &b.list[i]; b.whyNot(*r) == nil {
			r.marked = true
			n++
		}
	}
	return n
}

// marks returns the ids of the requests with a mark, and restore gives exactly these a mark again.
func (b *Batch) marks() (ids []string) {
	for _, r := range b.list {
		if r.marked {
			ids = append(ids, r.session.ID)
		}
	}
	return ids
}

func (b *Batch) restore(ids []string) {
	for i := range b.list {
		b.list[i].marked = slices.Contains(ids, b.list[i].session.ID)
	}
}

// ShowWhole shows the request under the cursor alone, as the question on view, unless it has ended.
func (b *Batch) ShowWhole() {
	if !b.pends(b.list[b.at]) {
		return
	}
	b.whole = true
	b.view.Show(b.list[b.at].session.ID)
	b.moved()
}

// ShowList shows the list again.
func (b *Batch) ShowList() {
	b.whole = false
	b.moved()
}

// Send allows the marked requests, with one command each, and closes the list. It returns how many were sent.
func (b *Batch) Send() (sent int) {
	for _, r := range b.Rows() {
		if !r.Marked {
			continue
		}
		draft := queue.Draft{}
		if kept := b.d.views.draftOf(r.Session.ID); kept != nil {
			draft = *kept
		}
		if f := b.view.FormOf(r.Session.ID); f != nil {
			draft = f.Draft()
		}
		now, _ := b.d.live.Session(r.Session.ID)
		if b.d.settleSession(b.view, now, queue.Settle{Answer: rules.Once(r.Session.Ask)}, draft) == nil {
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
func (b *Batch) follows(id string) bool { return b.whole && b.list[b.at].session.ID == id }
