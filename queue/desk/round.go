package desk

import (
	"reflect"
	"slices"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/rules"
)

// Round is a group of similar approvals (see rules.Alike) that a person looks through one by one and then sends
// together. The approvals are chosen when the round begins, and later ones do not join it. An approval is sent only if
// it was marked and shown in full, and only as it was marked then.
//
//	Begin ─► the first on view ─ Take, Step ─► the next ─► Review ─ Send ─► one command each
type Round struct {
	view      *View
	d         *Desk
	ids       []string                 // in the order in which they are shown
	asked     map[string]queue.Session // by session: its state when the round began
	taken     map[string]queue.Settle  // by session: the answer that Take counted
	aside     int                      // the number of similar approvals with warning marks, which are left out
	reviewing bool
}

// RoundMoved says that the round of a view began, reached its review, or is over.
type RoundMoved struct{ View *View }

func (RoundMoved) event() {}

// Alike returns the number of approvals in the round that could begin now, including the one on view; 0: no round can
// begin.
func (r *Round) Alike() int {
	on, pending := r.view.Pending()
	if !pending || r.On() || !r.d.Stays() || !rules.Plain(on) {
		return 0
	}
	if plain, _ := r.alikeTo(on); len(plain) > 0 {
		return len(plain) + 1
	}
	return 0
}

// alikeTo returns the other open approvals that are similar to a session, in queue order. marked is the number of
// similar ones that are left out because they have warning marks.
func (r *Round) alikeTo(on queue.Session) (plain []string, marked int) {
	for i := range r.d.live.waiting {
		w := &r.d.live.waiting[i]
		switch {
		case w.ID == on.ID || w.Standing != queue.StandingOpen || !rules.Alike(on, *w.Session),
			r.d.outbox.Of(w.ID) != nil:
		case rules.Plain(*w.Session):
			plain = append(plain, w.ID)
		default:
			marked++
		}
	}
	return plain, marked
}

// Begin begins a round with the approval on view, unless no round can begin.
func (r *Round) Begin() {
	if r.Alike() == 0 {
		return
	}
	on := r.view.Session()
	plain, marked := r.alikeTo(on)
	r.ids, r.aside = append([]string{on.ID}, plain...), marked
	r.asked, r.taken = map[string]queue.Session{}, map[string]queue.Settle{}
	for _, id := range r.ids {
		r.asked[id], _ = r.d.live.Session(id)
	}
	r.d.tell(RoundMoved{r.view})
}

// On reports whether a round is under way.
func (r *Round) On() bool { return len(r.ids) > 0 }

// Reviewing reports whether the review, the list of all approvals before they are sent, is shown.
func (r *Round) Reviewing() bool { return r.reviewing }

// Aside counts the similar approvals that are left out because they have warning marks.
func (r *Round) Aside() int { return r.aside }

// At returns the position of the approval on view, counted from 1, and the number of all; n is 0 if none of them is on
// view.
func (r *Round) At() (n, of int) { return slices.Index(r.ids, r.view.Up()) + 1, len(r.ids) }

// Later counts the similar approvals that came since the round began; they are not part of it.
func (r *Round) Later() int {
	if !r.On() {
		return 0
	}
	n := 0
	plain, _ := r.alikeTo(r.asked[r.ids[0]])
	for _, id := range plain {
		if !slices.Contains(r.ids, id) {
			n++
		}
	}
	return n
}

// Take counts the approval on view with its present marks. The frontend calls it after all of the approval was shown.
func (r *Round) Take() {
	if n, _ := r.At(); n > 0 {
		r.taken[r.view.Up()] = r.view.Form().Settle()
		r.view.Guard.dropMark()
	}
}

// Step shows the next (1) or previous (-1) pending approval; after the last one it shows the review. It reports whether
// the view changed.
func (r *Round) Step(n int) bool {
	at, of := r.At()
	for at += n; at >= 1 && at <= of; at += n {
		if id := r.ids[at-1]; r.stillPending(id) {
			r.view.Show(id)
			return true
		}
	}
	if n > 0 {
		r.showReview()
	}
	return n > 0
}

// GoTo goes from the review back to approval n, counted from 1, and reports whether that is still pending.
func (r *Round) GoTo(n int) bool {
	if n < 1 || n > len(r.ids) || !r.stillPending(r.ids[n-1]) {
		return false
	}
	r.reviewing = false
	r.view.Show(r.ids[n-1])
	r.d.tell(RoundMoved{r.view})
	return true
}

// GoOn shows the next pending approval that Take did not count yet, else the review.
func (r *Round) GoOn() {
	n := r.undecided(len(r.ids))
	if n == 0 {
		r.showReview()
		return
	}
	r.view.Show(r.ids[n-1])
	r.view.CameUp()
}

// Next returns the number of the approval that GoOn would show after Take counted the one on view. Numbers count from
// 1; 0 means the review.
func (r *Round) Next() int { return r.undecided(len(r.ids) - 1) }

// undecided returns the number of the first pending approval that Take did not count yet, counted from 1, or 0. It
// looks at that many approvals (among) after the one on view, and continues with the first after the last.
func (r *Round) undecided(among int) int {
	at, of := r.At()
	for i := range among {
		n := (max(at, 1) + i) % of
		if _, counts := r.countedAnswer(r.ids[n]); !counts && r.stillPending(r.ids[n]) {
			return n + 1
		}
	}
	return 0
}

// continueRound continues the round after the approval on view has ended, and reports whether the round chose what
// comes on view.
func (r *Round) continueRound() bool {
	if n, _ := r.At(); n == 0 || r.reviewing {
		return false
	}
	if !slices.ContainsFunc(r.ids, r.stillPending) {
		r.Leave()
		return false
	}
	r.GoOn()
	return true
}

// showReview shows the review of the round.
func (r *Round) showReview() {
	r.reviewing = true
	r.view.CameUp()
	r.d.tell(RoundMoved{r.view})
}

// Leave ends the round; what was marked stays in the forms, and nothing is sent.
func (r *Round) Leave() {
	if r.On() {
		*r = Round{view: r.view, d: r.d}
		r.d.tell(RoundMoved{r.view})
	}
}

// leaveFor ends the round if the session that comes on view is not part of it.
func (r *Round) leaveFor(id string) {
	if !r.reviewing && !slices.Contains(r.ids, id) {
		r.Leave()
	}
}

// stillPending reports whether an approval is pending and no answer to it is being sent.
func (r *Round) stillPending(id string) bool {
	s, live := r.d.live.Session(id)
	return live && s.At(r.d.Now()).Pending() && r.d.outbox.Of(id) == nil
}

// RoundEntry describes one approval of a round.
type RoundEntry struct {
	Session queue.Session // the approval's session when the round began
	Ended   bool          // the approval ended meanwhile, and not by this round
	Counts  bool          // the approval was marked and shown in full, so it will be sent
	Answer  queue.Answer  // set if Counts is
}

// RoundCounts are the numbers of approvals in a round that are allowed, refused and left out.
type RoundCounts struct{ Allowed, Refused, LeftOut int }

// Sends returns the number of approvals that are sent.
func (c RoundCounts) Sends() int { return c.Allowed + c.Refused }

// CountRound counts the approvals of a round.
func CountRound(list []RoundEntry) (c RoundCounts) {
	for _, e := range list {
		switch {
		case !e.Counts:
			c.LeftOut++
		case e.Session.Ask.Refuses(e.Answer):
			c.Refused++
		default:
			c.Allowed++
		}
	}
	return c
}

// Entries returns all approvals of the round, in order.
func (r *Round) Entries() (list []RoundEntry) {
	for _, id := range r.ids {
		e := RoundEntry{Session: r.asked[id], Ended: !r.stillPending(id)}
		if settle, ok := r.countedAnswer(id); ok && !e.Ended {
			e.Counts, e.Answer = true, settle.Answer
		}
		list = append(list, e)
	}
	return list
}

// countedAnswer returns the answer that Take counted for an approval, and reports whether its form still has these
// marks.
func (r *Round) countedAnswer(id string) (queue.Settle, bool) {
	settle, taken := r.taken[id]
	f := r.view.FormOf(id)
	return settle, taken && f != nil && reflect.DeepEqual(settle, f.Settle())
}

// Send sends all approvals that count, with one command each, and ends the round. It returns those that were sent.
func (r *Round) Send() (sent []RoundEntry) {
	if !r.reviewing {
		return nil
	}
	for _, e := range r.Entries() {
		id := e.Session.ID
		if !e.Counts || !rules.Plain(e.Session) {
			continue
		}
		f := r.view.FormOf(id)
		now, _ := r.d.live.Session(id)
		if r.d.settleSession(r.view, now, f.Settle(), f.Draft()) == nil {
			sent = append(sent, e)
		}
	}
	r.Leave()
	return sent
}
