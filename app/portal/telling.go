package portal

import (
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// telling informs the person of news while nobody uses a page. A browser tells only somebody who has a page open in it;
// the person's own command reaches a phone.
type telling struct {
	all    *Pages
	alerts desk.Alerts // nil: nobody is told
	began  time.Time   // what waited then is known to the person; zero: that was seen
	due    bool        // a look was asked for and has not come yet
	next   *time.Timer // when there is something to tell without any change; nil: never
}

// lookSoon has the queue looked at, after what the owner is at.
func (t *telling) lookSoon() {
	if t.alerts == nil || t.due {
		return
	}
	t.due = true
	t.all.post(t.look)
}

// look tells what is new in the queue, and what is about to end.
func (t *telling) look() {
	t.due = false
	d := t.all.d
	if !d.Loaded() {
		return
	}
	if t.next != nil {
		t.next.Stop()
		t.next = nil
	}
	now, n := d.Now(), d.Settings().Notify
	asked, ending := t.alerts.See(d.Calls(), time.Duration(n.WarnSeconds)*time.Second, now)
	asked = slices.DeleteFunc(asked, t.waited)
	t.began = time.Time{}
	if t.alerts.Away(false, false, t.lastKey(), now) {
		t.alerts.Tell(asked, ending, d.Telling(n), d.Name, now)
	}
	if at := t.alerts.Next(); !at.IsZero() {
		t.next = time.AfterFunc(max(0, at.Sub(now)), func() { t.all.post(t.lookSoon) })
	}
}

// waited reports whether a question waited already when the portal began.
func (t *telling) waited(s queue.Session) bool {
	return len(s.Events) > 0 && s.Events[0].At.Before(t.began)
}

// lastKey returns when the person last did something on a page.
func (t *telling) lastKey() (last time.Time) {
	for _, g := range t.all.open {
		if at := g.seat.LastKey(); at.After(last) {
			last = at
		}
	}
	return last
}
