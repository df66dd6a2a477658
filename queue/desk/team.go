package desk

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

type (
	// TeamMoved says that a consultation is at another stage or part, or knows more.
	TeamMoved struct{ Seat *Seat }
	// TeamFailed says that a step failed; the consultation is where it was before it.
	TeamFailed struct {
		Seat *Seat
		Err  error
	}
	// TeamClosed says that a consultation ended because the question ended, or went to the team, elsewhere.
	TeamClosed struct {
		Seat    *Seat
		Session queue.Session
	}
	// TeamRegrouped says that a question with the team is waited for or parked now.
	TeamRegrouped struct {
		Seat    *Seat
		Session queue.Session
	}
	// TeamTrouble says that the team could not be told what was decided; it is tried again.
	TeamTrouble struct{ Err error }
)

func (TeamMoved) event()     {}
func (TeamFailed) event()    {}
func (TeamClosed) event()    {}
func (TeamRegrouped) event() {}
func (TeamTrouble) event()   {}

// Refusal gives the team's own reason as a sentence for a person.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// teamWithin is the longest that a call to the team may take; the Team has limits of its own, which are shorter.
const teamWithin = 5 * time.Minute

// Teamwork is a seat's part in asking the team. It has one widen.Consult for each question, whose rules are there; the
// person's keys move the one on view. Teamwork carries out what that wants: calls run beside the owner, and an answer
// or a deferral goes to the outbox.
//
//	key ─► deed ─► Do(verb) ─► Consult ─► Want ─► widen.Run beside the owner ─► Got ─► Consult ─► TeamMoved
type Teamwork struct {
	seat  *Seat
	d     *Desk
	of    map[string]*widen.Consult // by session
	calls map[string]teamCall

	wentOn   string // see wait
	wentOnAt time.Time
}

// teamCall is a call that is under way.
type teamCall struct {
	want   widen.Want
	cancel context.CancelFunc
}

// On returns the consultation about the question on view, begun if there is none.
func (t *Teamwork) On() *widen.Consult {
	id := t.seat.Up()
	if t.of[id] == nil {
		c := &widen.Consult{}
		if c.See(t.seat.Session()); id == "" {
			return c
		}
		t.of[id] = c
	}
	return t.of[id]
}

// Letter returns the team's letter about the question on view.
func (t *Teamwork) Letter() widen.Letter {
	if t.d.o.Team == nil {
		return widen.Letter{}
	}
	return t.d.o.Team.Letter(t.seat.Session(), t.On().WithPrompt)
}

// may says why nothing is done about the team for the question on view: widen.ErrNoTeam, ErrOver, ErrSending, or what
// its consultation has against it. nil: it is done.
func (t *Teamwork) may(check func(*widen.Consult) error) error {
	on, pending := t.seat.Pending()
	switch {
	case t.d.o.Team == nil:
		return widen.ErrNoTeam
	case !pending:
		return ErrOver
	case t.d.outbox.Of(on.ID) != nil:
		return ErrSending
	}
	return check(t.On())
}

// MayAsk says why the team is not asked about the question on view: an error as of MayFetch, a Refusal, or why the team
// cannot be reached. nil: it can be asked.
func (t *Teamwork) MayAsk() error {
	return t.may(func(c *widen.Consult) error {
		if err := c.MayBegin(); err != nil {
			return err
		}
		if why := t.d.o.Team.WhyNot(t.seat.Session()); why != "" {
			return Refusal(why)
		}
		return t.d.reach.why()
	})
}

// MayFetch says why there is nothing of the team to fetch: widen.ErrNoTeam, ErrOver, ErrSending, or the error of
// Consult.MayFetch.
func (t *Teamwork) MayFetch() error { return t.may((*widen.Consult).MayFetch) }

// MayRegroup says why the question on view is not waited for or parked: as MayFetch, or widen.ErrSame.
func (t *Teamwork) MayRegroup(state string) error {
	return t.may(func(c *widen.Consult) error { return c.MayRegroup(state) })
}

// MayDefer says why the question on view is not deferred, apart from a reason that is missing: ErrOver, ErrSending, or
// what queue.Session.MayDefer says. A question of an interview needs no team for that.
func (t *Teamwork) MayDefer() error {
	err := t.may(func(*widen.Consult) error { return nil })
	if err != nil && !errors.Is(err, widen.ErrNoTeam) {
		return err
	}
	return t.seat.Session().MayDefer()
}

// Begin opens the page on which the team is asked. The error is MayAsk's.
func (t *Teamwork) Begin() error {
	if err := t.MayAsk(); err != nil {
		return err
	}
	return t.Do((*widen.Consult).Begin)
}

// Do has the consultation about the question on view do something, and carries out what it wants. The error is the
// verb's, ErrOver or ErrSending.
func (t *Teamwork) Do(verb func(*widen.Consult) (widen.Want, error)) error {
	c, id := t.On(), t.seat.Up()
	t.see(c, t.seat.Session())
	was := at(c)
	w, err := verb(c)
	if err == nil {
		err = t.carryOut(c, w)
	}
	t.drop(id)
	if err != nil {
		return err
	}
	switch now := at(c); {
	case w.Kind == widen.WantRegroup: // Enter answers here again, and a second one was meant for the first
		t.seat.CameUp()
	case now == was && w.Kind != widen.WantEnd:
		t.seat.Guard.MoveMark(t.d.Now())
	case now.stage == widen.Asking:
		t.seat.BroughtUp()
		t.d.tell(TeamMoved{t.seat})
	default:
		t.seat.CameUp()
		t.d.tell(TeamMoved{t.seat})
	}
	return nil
}

// Just makes a verb of one that wants nothing.
func Just(verb func(*widen.Consult) error) func(*widen.Consult) (widen.Want, error) {
	return func(c *widen.Consult) (widen.Want, error) { return widen.Want{}, verb(c) }
}

// place says what of a consultation is on view.
type place struct {
	stage widen.Stage
	part  widen.Part
	page  bool
}

func at(c *widen.Consult) place { return place{c.Stage, c.Part, c.OnPage()} }

// carryOut does what a consultation wants: an answer or a deferral goes out from here, everything else runs beside the
// owner.
func (t *Teamwork) carryOut(c *widen.Consult, w widen.Want) error {
	switch w.Kind {
	case widen.WantNothing:
		return nil
	case widen.WantEnd:
		err := t.seat.endSession(w.Do)
		c.Take(widen.Got{Want: w, Err: err})
		c.Refuse(nil) // the key says so
		return err
	default:
	}
	id, by := w.Session.ID, widen.Actor{Surface: t.seat.surfaceOf(w.Session.ID), Given: t.seat.given}
	t.drop(id)
	ctx, cancel := context.WithTimeout(context.Background(), teamWithin)
	t.calls[id] = teamCall{w, cancel}
	t.d.Beside(func() {
		g := widen.Run(ctx, t.d.o.Team, w, by)
		t.d.Do(func() { t.took(id, g) })
	})
	return nil
}

// drop ends a call whose result is not awaited any more, as far as it can be.
func (t *Teamwork) drop(id string) {
	if call, under := t.calls[id]; under && (t.of[id] == nil || !t.of[id].Awaits(call.want)) {
		call.cancel()
		delete(t.calls, id)
	}
}

// took takes over what came of a call.
func (t *Teamwork) took(id string, g widen.Got) {
	if g.Err == nil && g.Session.ID != "" {
		t.d.takeResult(g.Session)
	}
	c := t.of[id]
	if c == nil {
		return
	}
	behind := c.Calls()
	next, news := c.Take(g)
	t.drop(id)
	_ = t.carryOut(c, next) // it is no end
	up := t.seat.Up() == id
	switch news {
	case widen.Failed:
		t.d.tell(TeamFailed{t.seat, g.Err})
	case widen.Moved, widen.Asked:
		if up && !behind && g.Want.Kind != widen.WantAudience {
			t.seat.CameUp()
		}
		t.d.tell(TeamMoved{t.seat})
	case widen.Regrouped:
		t.d.tell(TeamRegrouped{t.seat, g.Session})
	case widen.Ignored, widen.Ended:
	}
	t.d.Refresh()
	if news == widen.Regrouped && g.Session.Parked() && t.seat.Up() == id {
		t.seat.CameUp()
		t.wait()
		t.goOn()
	}
}

// Edited takes over what the person wrote in place of the candidate's answer. Words that come once the question is over
// are kept with it.
func (t *Teamwork) Edited(text string) {
	c := t.On()
	c.Edited(text)
	if _, pending := t.seat.Pending(); !pending {
		t.keepWords(c)
	}
	t.seat.CameUp()
}

// Accept resolves the question on view with the answer of its review, or brings its form up where the person picks the
// option there. In the line for why, it sends what was picked there. The error is Consult.Accept's, ErrSending or
// ErrOver.
func (t *Teamwork) Accept() (widen.Acceptance, error) {
	if t.AsksWhy() {
		return widen.AcceptSends, t.seat.Send()
	}
	answer, how := t.On().Accepts()
	err := t.Do((*widen.Consult).Accept)
	if f := t.seat.Form(); err == nil && how == widen.AcceptPicks && f != nil {
		for i, r := range answer.Replies[:min(len(answer.Replies), f.Len())] {
			if f.Question(i).Select(r.Selected...); r.Text != "" {
				f.Question(i).Write(r.Text)
			}
		}
	}
	return how, err
}

// Enter does what Enter is for on the page or the line that is open. The error is Consult.Enter's, or Accept's.
func (t *Teamwork) Enter() error {
	if c := t.On(); c.Line() == widen.LineRationale || c.Line() == widen.NoLine && c.Stage == widen.Reviewing {
		_, err := t.Accept()
		return err
	}
	return t.Do((*widen.Consult).Enter)
}

// AsksWhy reports whether the answer in the form on view goes along with the team's summary and is another than the
// team's: the person may say why before it is sent.
func (t *Teamwork) AsksWhy() bool {
	f := t.seat.Form()
	return f != nil && t.On().AsksWhy(f.Answer())
}

// SummaryLeft returns the agent's time left for its summary of the question on view; given is false if it was not given
// the discussion yet.
func (t *Teamwork) SummaryLeft() (left time.Duration, given bool) {
	due, given := t.seat.Session().SummaryDue()
	return due.Sub(t.d.Now()), given
}

// seeTeam looks at the question on view as the clock and others left it.
func (s *Seat) seeTeam(on queue.Session) {
	c := s.Team.of[on.ID]
	if c == nil {
		return
	}
	if !on.Pending() {
		s.Team.keepWords(c)
	}
	s.Team.see(c, on)
	s.Team.drop(on.ID)
}

// see tells a consultation how its question is. It ends with that, and says so unless the person ended it here.
func (t *Teamwork) see(c *widen.Consult, on queue.Session) {
	if c.See(on) && (on.Pending() || !t.seat.EndedBy(on)) {
		t.d.tell(TeamClosed{t.seat, on})
	}
}

// keepWords puts what was written about the team into the form of the question on view, which ended otherwise: there it
// can be copied, and its draft keeps it for the history.
func (t *Teamwork) keepWords(c *widen.Consult) {
	f := t.seat.Form()
	if f == nil || t.seat.EndedBy(t.seat.Session()) {
		return
	}
	words := c.TakeWords()
	if len(words) == 0 {
		return
	}
	if comment := f.CommentText(); !queue.Blank(comment) {
		words = append([]string{comment}, words...)
	}
	f.Comment(strings.Join(words, "\n\n"))
	t.seat.DraftSoon()
}

// wait notes that a parked question is on view only as no other one hurries.
func (t *Teamwork) wait() { t.wentOn, t.wentOnAt = t.seat.Up(), t.d.Now() }

// goOn turns from a parked question to the next open one, which may come later: the person said to continue. After the
// first key it stays, because the person turned to it. A key just behind was refused and turns to nothing, unless a
// line is typed now.
func (t *Teamwork) goOn() {
	turned := t.seat.lastKey.After(t.wentOnAt.Add(Settle)) || t.seat.lastKey.After(t.wentOnAt) && t.seat.types()
	if t.wentOn == "" || t.wentOn != t.seat.Up() || turned {
		t.wentOn = ""
		return
	}
	if next := t.seat.nextOpen(); next != "" {
		t.wentOn = ""
		t.seat.Show(next)
		t.seat.CameUp()
	}
}

// remindEvery is the time without a key after which the person is reminded that the team is still waited for, and the
// interval of further reminders.
const remindEvery = time.Hour

// Reminded is for how many whole hours nobody has touched a key while the question on view waits for the team, and when
// that is one more. 0 and a zero time: it does not wait for it.
func (t *Teamwork) Reminded() (hours int, next time.Time) {
	on, pending := t.seat.Pending()
	if !pending || on.Widen == nil || on.Parked() {
		return 0, time.Time{}
	}
	since := on.Widen.At
	if t.seat.lastKey.After(since) {
		since = t.seat.lastKey
	}
	hours = int(max(t.d.Now().Sub(since), 0) / remindEvery)
	return hours, since.Add(time.Duration(hours+1) * remindEvery)
}

// lookEvery is the least time between two looks whether the team can be reached, and readyWithin what one may take.
const (
	lookEvery   = time.Minute
	readyWithin = time.Second // the Team gives it half of that
)

// reach records whether the team could be reached when it was last tried. Only the owner of the desk touches it.
type reach struct {
	asked   time.Time // when it was asked last; zero: never
	looking bool
	err     error
}

// why returns why the team cannot be reached; nil: the last try reached it.
func (r *reach) why() error {
	if r.asked.IsZero() || r.looking && r.err != nil {
		return widen.ErrUnknown
	}
	return r.err
}

// lookForTeam finds out whether the team can be reached, at most once a minute, beside the owner, and only while a
// person is there with a question before them that could go to it.
func (s *Seat) lookForTeam(now time.Time) {
	d := s.d
	on, pending := s.Pending()
	if d.o.Team == nil || !pending || s.covered || on.MayWiden() != nil || d.o.Team.WhyNot(on) != "" {
		return
	}
	r := &d.reach
	if r.looking || !r.asked.IsZero() && (now.Sub(r.asked) < lookEvery || !s.lastKey.After(r.asked)) {
		return
	}
	first := r.asked.IsZero()
	r.looking = true
	d.Beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), readyWithin)
		defer cancel()
		err := d.o.Team.Ready(ctx)
		d.Do(func() {
			changed := first || (err == nil) != (r.err == nil)
			r.asked, r.looking, r.err = d.Now(), false, err
			if changed {
				d.tell(Troubled{})
			}
		})
	})
}
