// Package notify tells a person who looks elsewhere that a question is pending, and again when its time is nearly up.
// It never moves the focus, and does nothing while the person is looking at the dashboard.
//
//	queue in order ─► Watch.See ─► asked, ending sessions ─► Sender.Tell ─┬─► bell: one BEL, at most one a second
//	                      │                                               └─► desktop: the terminal's own
//	                  Watch.Next: when to look again                          notification, or the person's command
//
// Watch has no side effects. A Sender belongs to one goroutine; it starts others for slow work (tmux, the command).
// Alerts combines the two for a frontend: the full screen, the lines, or the page in the browser.
package notify

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// quiet is the time without typing after which a person at a terminal that reports no focus counts as away.
const quiet = 10 * time.Second

// Reasons to tell a person.
const (
	Asked  = "asked"  // a question arrived
	Ending = "ending" // its time is nearly up
)

// Alerts has everything of this package that a frontend uses. It implements desk.Alerts.
type Alerts struct {
	Watch
	Sender
}

// Watch remembers which questions were reported. The zero Watch has seen none.
type Watch struct {
	// Own is the session that this process shows in a form of its own. Other attached sessions are reported by the
	// processes that show them.
	Own   string
	told  map[string]*told // by the id of the session
	calls int              // the number of calls of See
	next  time.Time        // when the next deadline has to be reported
}

// told records what the person was told about a session.
type told struct {
	warned time.Time // the deadline that was reported; a new deadline is reported again
	seenIn int       // the call of See that last saw the session in the queue
}

// See compares the queue with the last call. It returns the questions that arrived, and the sessions whose deadline is
// less than warn away. It leaves out questions without a caller, and those that are attached elsewhere, with the team
// or put off by the person. A question that was put off counts as an arrival once it comes back.
func (w *Watch) See(waiting []queue.Waiting, warn time.Duration, now time.Time) (asked, ending []queue.Session) {
	if w.told == nil {
		w.told = map[string]*told{}
	}
	w.calls++
	w.next = time.Time{}
	for i := range waiting {
		s := &waiting[i]
		if s.Standing == queue.StandingLater {
			delete(w.told, s.ID)
			continue
		}
		reported := s.Standing == queue.StandingOpen || s.ID == w.Own
		t := w.told[s.ID]
		fresh := t == nil
		if fresh {
			t = &told{}
			w.told[s.ID] = t
			if reported {
				asked = append(asked, *s.Session)
			}
		}
		t.seenIn = w.calls
		if reported && w.warnsNow(t, s.Deadline, warn, now) && !fresh { // one that just arrived is in asked
			ending = append(ending, *s.Session)
		}
	}
	w.dropGone(len(waiting))
	return asked, ending
}

// warnsNow reports whether a deadline has to be reported now. If it is too early, warnsNow records in next when it will
// be time.
func (w *Watch) warnsNow(t *told, deadline time.Time, warn time.Duration, now time.Time) bool {
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

// dropGone drops the sessions that are no longer pending.
func (w *Watch) dropGone(waiting int) {
	if len(w.told) == waiting {
		return
	}
	for id, t := range w.told {
		if t.seenIn != w.calls {
			delete(w.told, id)
		}
	}
}

// Next returns when See will return something even if the queue does not change; zero: never.
func (w *Watch) Next() time.Time { return w.next }

// Away reports whether the person is looking elsewhere, according to the terminal's focus. If that is not known, the
// person is away when nothing was typed for a while.
func (w *Watch) Away(focused, known bool, typed, now time.Time) bool {
	if known {
		return !focused
	}
	return now.Sub(typed) >= quiet
}
