package desk

import (
	"context"
	"errors"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// teamWithin is the longest that a call to the team may take; the Team has limits of its own, which are shorter.
const teamWithin = 5 * time.Minute

// Teamwork is a seat's part in asking the team. It has one consultation for each question; the person's keys move the
// one on view. Work that waits for a network runs beside the owner and comes back as an event.
//
//	Begin ─► names ─ Proceed ─► letter ─ Send ─► asked ─ Choose ─► with the team
//	Fetch ─► discussion ─► summary ─► review ─ Accept ─► the outbox, or the form where an option must be picked
//	                                         └ Defer ──► the outbox
type Teamwork struct {
	seat *Seat
	d    *Desk
	of   map[string]*Consultation // by session

	wentOn   string // see wait
	wentOnAt time.Time
}

// On returns the consultation about the question on view; nil: there is none.
func (t *Teamwork) On() *Consultation { return t.of[t.seat.Up()] }

// consult returns the consultation about a session, begun if there is none.
func (t *Teamwork) consult(id string) *Consultation {
	if t.of[id] == nil {
		t.of[id] = &Consultation{}
	}
	return t.of[id]
}

// Asking reports whether the team is being asked about the question on view while the person looks at that again.
func (t *Teamwork) Asking() bool {
	c := t.On()
	return c != nil && c.Stage == TeamCalling && c.away
}

// MayAsk says why the team is not asked about the question on view: ErrNoTeam, ErrOver, ErrSending, ErrAsking,
// ErrTeamUnknown, a Refusal, or why the team cannot be reached. nil: it can be asked.
func (t *Teamwork) MayAsk() error {
	on, pending := t.seat.Pending()
	switch {
	case t.d.o.Team == nil:
		return ErrNoTeam
	case !pending:
		return ErrOver
	case t.d.outbox.Of(on.ID) != nil:
		return ErrSending
	case t.Asking():
		return ErrAsking
	}
	if why := t.d.o.Team.WhyNot(on); why != "" {
		return Refusal(why)
	}
	return t.d.reach.why()
}

// Begin opens the line for names, and finds out who would be asked. The error is MayAsk's.
func (t *Teamwork) Begin() error {
	if err := t.MayAsk(); err != nil {
		return err
	}
	on := t.seat.Session()
	c := t.consult(on.ID)
	ctx, run := c.begin(TeamLooking)
	c.Field, c.Marked, c.Known = TeamNames, false, false
	t.d.Beside(func() {
		all, err := t.d.o.Team.Audience(ctx, on)
		t.d.Do(func() {
			t.took(on.ID, run, err, TeamIdle, func(c *Consultation) { c.know(all, t.d.o.Team.TakesNames()) })
		})
	})
	return nil
}

// took takes over what came of a call, unless another one was begun or it was left. back is the stage where an error
// leads to.
func (t *Teamwork) took(id string, run int, err error, back TeamStage, then func(*Consultation)) {
	c := t.of[id]
	if c == nil || c.run != run {
		return
	}
	c.cancel = nil
	switch { // what somebody else did closes it, with words of its own
	case errors.Is(err, queue.ErrSettled), errors.Is(err, queue.ErrFinal):
		return
	case errors.Is(err, queue.ErrWidened):
		c.Stage = TeamLetter
		t.d.Refresh()
		return
	}
	if err != nil {
		if c.away { // it is said under the title
			back = TeamIdle
		}
		if c.Stage, c.Fault = back, err; back == TeamIdle {
			c.Field = TeamNoField
		}
		t.d.tell(TeamFailed{t.seat, err})
		return
	}
	then(c)
	c.name()
	if c.Stage > TeamNaming && !c.away {
		t.seat.CameUp()
	}
	t.d.tell(TeamMoved{t.seat})
}

// Type takes over the line being typed.
func (t *Teamwork) Type(text string) {
	if c := t.On(); c != nil && c.Field != TeamNoField {
		if c.texts[c.Field] = text; c.Field == TeamNames {
			c.name()
		}
	}
}

// MayProceed says why the names do not lead to the letter: ErrTeamUnknown while it is not known who would be asked,
// ErrNobodyNamed. nil: they do, or they say that nobody is to be asked.
func (t *Teamwork) MayProceed() error {
	switch c := t.On(); {
	case c == nil:
		return ErrNoTeam
	case widen.IsCancel(c.texts[TeamNames]):
		return nil
	case !c.Known:
		return ErrTeamUnknown
	case len(c.Invited) == 0:
		return ErrNobodyNamed
	}
	return nil
}

// Proceed goes from the names to the letter, or leaves the team alone where the line says so. The error is
// MayProceed's.
func (t *Teamwork) Proceed() error {
	if err := t.MayProceed(); err != nil {
		return err
	}
	c := t.On()
	if c.Field = TeamNoField; widen.IsCancel(c.texts[TeamNames]) {
		c.stop()
		c.texts[TeamNames], c.Stage = "", TeamIdle
		return nil
	}
	c.Stage, c.Marked, c.away = TeamLetter, false, false
	t.moved()
	return nil
}

// moved tells that the consultation about the question on view has changed its stage. Keys that act wait a moment
// there.
func (t *Teamwork) moved() {
	t.seat.CameUp()
	t.d.tell(TeamMoved{t.seat})
}

// Letter returns the team's letter about the question on view.
func (t *Teamwork) Letter() Letter {
	c := t.On()
	if c == nil || t.d.o.Team == nil {
		return Letter{}
	}
	return t.d.o.Team.Letter(t.seat.Session(), c.WithPrompt)
}

// TogglePrompt has the agent's prompt go along, or not. What is sent is another one then, so the mark leaves it.
func (t *Teamwork) TogglePrompt() {
	if c := t.On(); c != nil && c.Stage == TeamLetter {
		c.WithPrompt, c.Marked = !c.WithPrompt, false
	}
}

// Mark puts the mark on sending the letter; Enter then sends.
func (t *Teamwork) Mark() {
	if c := t.On(); c != nil && c.Stage == TeamLetter {
		c.Marked = true
		t.seat.Guard.MoveMark(t.d.Now())
	}
}

// Send asks the team. It does nothing without the mark.
func (t *Teamwork) Send() {
	c, on := t.On(), t.seat.Session()
	if c == nil || c.Stage != TeamLetter || !c.Marked {
		return
	}
	call := TeamCall{Session: on.ID, Invited: c.Invited, WithPrompt: c.WithPrompt, By: t.actor(on.ID)}
	ctx, run := c.begin(TeamCalling)
	t.moved()
	t.d.Beside(func() {
		s, err := t.d.o.Team.Ask(ctx, call)
		t.d.Do(func() { t.asked(run, call.Session, s, err) })
	})
}

// asked takes over how asking went. Where nobody looks at it any more, the question stays with the team as it is.
func (t *Teamwork) asked(run int, id string, s queue.Session, err error) {
	if err == nil {
		t.d.takeResult(s)
	}
	t.took(id, run, err, TeamLetter, func(c *Consultation) {
		c.Stage, c.Marked, c.Parks = TeamChoice, false, false
		if c.away {
			c.Stage = TeamIdle
		}
	})
	t.d.Refresh()
}

// Park puts the mark at TeamChoice on going on meanwhile, or on waiting; Enter then takes it.
func (t *Teamwork) Park(on bool) {
	if c := t.On(); c != nil && c.Stage == TeamChoice {
		c.Parks = on
		t.seat.Guard.MoveMark(t.d.Now())
	}
}

// Choose does at TeamChoice what is marked.
func (t *Teamwork) Choose() {
	c := t.On()
	if c == nil || c.Stage != TeamChoice {
		return
	}
	c.Stage = TeamIdle
	t.moved()
	if c.Parks {
		_ = t.Regroup(queue.WidenParked) // it was just asked
	}
}

// MayRegroup says why the question on view is not waited for or parked: ErrNotWithTeam, or the error of MayFetch.
func (t *Teamwork) MayRegroup(state string) error {
	if err := t.MayFetch(); err != nil {
		return err
	}
	if t.seat.Session().Widen.State == state {
		return ErrNotWithTeam
	}
	return nil
}

// Regroup waits for the team about the question on view, or parks it. A parked question makes room for the next open
// one.
func (t *Teamwork) Regroup(state string) error {
	if err := t.MayRegroup(state); err != nil {
		return err
	}
	id := t.seat.Up()
	by := t.actor(id)
	t.seat.CameUp() // Enter answers here again, and a second one was meant for the first
	t.d.Beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), teamWithin)
		defer cancel()
		s, err := t.d.o.Team.Regroup(ctx, id, state, by)
		t.d.Do(func() { t.regrouped(id, state, s, err) })
	})
	return nil
}

func (t *Teamwork) regrouped(id, state string, s queue.Session, err error) {
	switch {
	case errors.Is(err, queue.ErrSettled), errors.Is(err, queue.ErrFinal): // its view says so
	case err != nil:
		t.d.tell(TeamFailed{t.seat, err})
	default:
		t.d.takeResult(s)
		t.d.tell(TeamRegrouped{t.seat, s})
	}
	t.d.Refresh()
	if err == nil && state == queue.WidenParked && t.seat.Up() == id {
		t.seat.CameUp()
		t.wait()
		t.goOn()
	}
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

func (t *Teamwork) actor(id string) TeamActor {
	return TeamActor{Surface: t.seat.surfaceOf(id), Given: t.seat.given}
}
