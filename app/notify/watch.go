// Package notify tells a person who looks elsewhere that a question is pending, and again when its time is nearly up.
// It never moves the focus, and does nothing while the person is looking at the dashboard.
//
//	queue in order ─► Watch.See ─► asked, ending sessions ─► Sender.Tell ─┬─► bell: one BEL, at most one a second
//	                      │                                               └─► desktop: the terminal's own
//	                  Watch.Next: when to look again                          notification, or the person's command
//
// Watch is pure. Sender belongs to one goroutine; what takes time (tmux, the command) it does on one of its own. Alerts
// is both, as a face has it.
package notify

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// quiet is the time without typing after which a terminal that reports no focus counts as not looked at.
const quiet = 10 * time.Second

// Reasons to tell a person.
const (
	Asked  = "asked"  // a question arrived
	Ending = "ending" // its time is nearly up
)

// Alerts holds all that one face needs of this package. It implements desk.Alerts.
type Alerts struct {
	Watch
	Sender
}

// Watch remembers what was told. The zero Watch has seen nothing.
type Watch struct {
	Own  string // the session whose hand-off form this process is; others that are attached are told of elsewhere
	told map[string]*told
	turn int
	next time.Time
}

type told struct {
	warned time.Time // the deadline that was warned of; a deadline that moves is warned of again
	turn   int       // when the session was last seen in the queue
}

// See takes the queue in its order and returns the new arrivals, and the sessions whose deadline is less than warn
// away. It leaves out questions without a caller, attached elsewhere, with the team or set aside. A question that was
// set aside counts as an arrival when it is back.
func (w *Watch) See(waiting []queue.Waiting, warn time.Duration, now time.Time) (asked, ending []queue.Session) {
	if w.told == nil {
		w.told = map[string]*told{}
	}
	w.turn++
	w.next = time.Time{}
	for i := range waiting {
		s := &waiting[i]
		if s.Standing == queue.StandingLater {
			delete(w.told, s.ID)
			continue
		}
		hurries := s.Standing == queue.StandingOpen || s.ID == w.Own
		t := w.told[s.ID]
		fresh := t == nil
		if fresh {
			t = &told{}
			w.told[s.ID] = t
			if hurries {
				asked = append(asked, *s.Session)
			}
		}
		t.turn = w.turn
		if hurries && w.warns(t, s.Deadline, warn, now) && !fresh {
			ending = append(ending, *s.Session)
		}
	}
	w.forget(len(waiting))
	return asked, ending
}

// warns reports whether a deadline is to be warned of now, and else notes when it will be.
func (w *Watch) warns(t *told, deadline time.Time, warn time.Duration, now time.Time) bool {
	if warn <= 0 || deadline.IsZero() || t.warned.Equal(deadline) {
		return false
	}
	at := deadline.Add(-warn)
	if !now.Before(at) {
		t.warned = deadline
		return true
	}
	if w.next.IsZero() || at.Before(w.next) {
		w.next = at
	}
	return false
}

// forget drops the sessions that are no longer pending.
func (w *Watch) forget(waiting int) {
	if len(w.told) == waiting {
		return
	}
	for id, t := range w.told {
		if t.turn != w.turn {
			delete(w.told, id)
		}
	}
}

// Next returns when See will return something without a change of the queue; zero: never.
func (w *Watch) Next() time.Time { return w.next }

// Away reports whether the person looks elsewhere, by what the terminal says about its focus. If it says nothing, the
// person is away when nothing was typed for a while.
func (w *Watch) Away(focused, known bool, typed, now time.Time) bool {
	if known {
		return !focused
	}
	return now.Sub(typed) >= quiet
}
