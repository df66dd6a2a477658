package desk

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// active reports whether something about the team is on the way, or typed.
func (c *Consultation) active() bool { return c.Stage != TeamIdle || c.Field != TeamNoField }

// seeTeam looks at the question on view as the clock and others left it. A consultation of it ends with it, and one
// that would ask the team ends where somebody else did.
func (s *Seat) seeTeam(on queue.Session) {
	c := s.Team.of[on.ID]
	if c != nil && !on.Pending() {
		s.Team.keepWords(c)
	}
	if c == nil || !c.active() {
		return
	}
	asking := c.Stage > TeamIdle && c.Stage < TeamCalling
	if on.Pending() && (on.Widen == nil || !asking) {
		return
	}
	c.stop()
	c.Stage, c.Field = TeamIdle, TeamNoField
	if on.Pending() || !s.EndedBy(on) {
		s.d.tell(TeamClosed{s, on})
	}
}

// Refuse keeps why the team is not asked about the question on view, for a face that says it in full, until the next
// key.
func (t *Teamwork) Refuse(err error) { t.consult(t.seat.Up()).Fault = err }

// forgetFault forgets at a key what had gone wrong before it, unless a page shows it.
func (s *Seat) forgetFault() {
	if c := s.Team.On(); c != nil && c.Stage == TeamIdle {
		c.Fault = nil
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
		return ErrTeamUnknown
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
