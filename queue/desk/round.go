package desk

import (
	"errors"
	"reflect"
	"slices"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/rules"
)

// Why no round begins.
var (
	ErrNoneAlike   = errors.New("none alike")
	ErrMarkedAlone = errors.New("marked alone")
)

// Round holds the approvals of one kind that a person looks through one by one and sends together, see rules.Alike.
// They are chosen when the round begins; later ones do not join it. An approval counts once it was marked and shown in
// full, and only as it was marked then.
//
//	Begin ─► the first on view ─ Take, Step ─► the next ─► Review ─ Send ─► one command each
type Round struct {
	seat      *Seat
	d         *Desk
	ids       []string // in the order in which they come on view
	asked     map[string]queue.Session
	taken     map[string]queue.Settle
	aside     int // alike too, but marked
	reviewing bool
}

// RoundMoved says that a seat's round began, came to its end, or is over.
type RoundMoved struct{ Seat *Seat }

func (RoundMoved) event() {}

// MayBegin says why the approval on view is not looked through with others; nil: it can be. The error is ErrOver,
// ErrMarkedAlone or ErrNoneAlike.
func (r *Round) MayBegin() error {
	on, pending := r.seat.Pending()
	switch {
	case !pending:
		return ErrOver
	case on.Ask.Kind == queue.KindApproval && on.Ask.Confirm: // every mark wants that
		return ErrMarkedAlone
	case r.Alike() == 0:
		return ErrNoneAlike
	}
	return nil
}

// Alike returns how many approvals could be looked through with the one on view, itself included; 0: no round can
// begin.
func (r *Round) Alike() int {
	on, pending := r.seat.Pending()
	if !pending || r.On() || !r.d.Stays() || !rules.Plain(on) {
		return 0
	}
	if plain, _ := r.alike(on); len(plain) > 0 {
		return len(plain) + 1
	}
	return 0
}

// alike returns the others that hurry somebody and are like a session, in queue order, and how many of them are marked.
func (r *Round) alike(on queue.Session) (plain []string, marked int) {
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

// Begin begins with the approval on view, one that MayBegin has nothing against.
func (r *Round) Begin() {
	on := r.seat.Session()
	plain, marked := r.alike(on)
	r.ids, r.aside = append([]string{on.ID}, plain...), marked
	r.asked, r.taken = map[string]queue.Session{}, map[string]queue.Settle{}
	for _, id := range r.ids {
		r.asked[id], _ = r.d.live.Session(id)
	}
	r.d.tell(RoundMoved{r.seat})
}

// On reports whether a round is under way.
func (r *Round) On() bool { return len(r.ids) > 0 }

// Reviewing reports whether what is sent together is being looked at.
func (r *Round) Reviewing() bool { return r.reviewing }

// Aside counts the similar approvals that are left out because they have warning marks.
func (r *Round) Aside() int { return r.aside }

// At returns the position of the approval on view, counted from 1, and the number of all; n is 0 if none of them is on
// view.
func (r *Round) At() (n, of int) { return slices.Index(r.ids, r.seat.Up()) + 1, len(r.ids) }

// Later counts the similar approvals that came since the round began; they are not part of it.
func (r *Round) Later() int {
	if !r.On() {
		return 0
	}
	n := 0
	plain, _ := r.alike(r.asked[r.ids[0]])
	for _, id := range plain {
		if !slices.Contains(r.ids, id) {
			n++
		}
	}
	return n
}

// Take counts the one on view as it is marked now. The face calls it where all of it was shown.
func (r *Round) Take() {
	if n, _ := r.At(); n > 0 {
		r.taken[r.seat.Up()] = r.seat.Form().Settle()
	}
}

// Step shows the next pending approval or the one before; after the last one it shows the review. It reports whether it
// moved.
func (r *Round) Step(n int) bool {
	at, of := r.At()
	for at += n; at >= 1 && at <= of; at += n {
		if id := r.ids[at-1]; r.pending(id) {
			r.seat.Show(id)
			return true
		}
	}
	if n > 0 {
		r.review()
	}
	return n > 0
}

// GoTo goes from the review back to one of them, counted from 1, and reports whether it still waits.
func (r *Round) GoTo(n int) bool {
	if n < 1 || n > len(r.ids) || !r.pending(r.ids[n-1]) {
		return false
	}
	r.reviewing = false
	r.seat.Show(r.ids[n-1])
	r.d.tell(RoundMoved{r.seat})
	return true
}

// GoOn shows the next pending approval that does not count yet; if there is none it shows the review.
func (r *Round) GoOn() {
	n := r.undecided(len(r.ids))
	if n == 0 {
		r.review()
		return
	}
	r.seat.Show(r.ids[n-1])
	r.seat.CameUp()
}

// Next returns the number of the approval that GoOn would show, counted from 1; 0: the review. The one on view is taken
// to count.
func (r *Round) Next() int { return r.undecided(len(r.ids) - 1) }

// undecided returns the number of the first pending approval that does not count yet, among so many after the one on
// view, counted from 1; after the last comes the first. 0: there is none.
func (r *Round) undecided(among int) int {
	at, of := r.At()
	for i := range among {
		n := (max(at, 1) + i) % of
		if _, counts := r.counted(r.ids[n]); !counts && r.pending(r.ids[n]) {
			return n + 1
		}
	}
	return 0
}

// goOn continues the round after the approval on view has ended, and reports whether the round chose what comes on
// view.
func (r *Round) goOn() bool {
	if n, _ := r.At(); n == 0 || r.reviewing {
		return false
	}
	if !slices.ContainsFunc(r.ids, r.pending) {
		r.Leave()
		return false
	}
	r.GoOn()
	return true
}

func (r *Round) review() {
	r.reviewing = true
	r.seat.CameUp()
	r.d.tell(RoundMoved{r.seat})
}

// Leave ends the round; what was marked stays in the forms, and nothing is sent.
func (r *Round) Leave() {
	if r.On() {
		*r = Round{seat: r.seat, d: r.d}
		r.d.tell(RoundMoved{r.seat})
	}
}

// leaveFor ends the round where something else than one of it comes on view.
func (r *Round) leaveFor(id string) {
	if !r.reviewing && !slices.Contains(r.ids, id) {
		r.Leave()
	}
}

func (r *Round) pending(id string) bool {
	s, live := r.d.live.Session(id)
	return live && s.At(r.d.Now()).Pending() && r.d.outbox.Of(id) == nil
}

// RoundEntry describes one approval of a round.
type RoundEntry struct {
	Session queue.Session // as it was asked
	Ended   bool          // meanwhile, otherwise than from this round
	Counts  bool          // it was marked and shown in full, and is sent
	Answer  queue.Answer  // of one that counts
}

// RoundCounts say how many approvals of a round are allowed, refused and left out.
type RoundCounts struct{ Allowed, Refused, LeftOut int }

// Sends returns how many are sent.
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
		e := RoundEntry{Session: r.asked[id], Ended: !r.pending(id)}
		if settle, ok := r.counted(id); ok && !e.Ended {
			e.Counts, e.Answer = true, settle.Answer
		}
		list = append(list, e)
	}
	return list
}

// counted returns the marks of an approval, and reports whether it was shown in full and has not changed since.
func (r *Round) counted(id string) (queue.Settle, bool) {
	settle, taken := r.taken[id]
	f := r.seat.FormOf(id)
	return settle, taken && f != nil && reflect.DeepEqual(settle, f.Settle())
}

// Send sends all that count, one command each, and ends the round. It returns what was sent.
func (r *Round) Send() (sent []RoundEntry) {
	if !r.reviewing {
		return nil
	}
	for _, e := range r.Entries() {
		id := e.Session.ID
		if !e.Counts || !rules.Plain(e.Session) {
			continue
		}
		f := r.seat.FormOf(id)
		now, _ := r.d.live.Session(id)
		if r.d.sending.settleSession(r.seat, now, f.Settle(), f.Draft()) == nil {
			sent = append(sent, e)
		}
	}
	r.Leave()
	return sent
}
