package portal

import (
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// telling notifies the person of new questions while they use no page, with the command that they set. A browser can
// notify only a person who has a page open in it; a command can reach a phone.
type telling struct {
	desk    *desk.Desk
	post    func(func())     // makes the owner of the desk run a function
	lastKey func() time.Time // returns when the person last acted on any page
	alerts  desk.Alerts      // nil: the person is not notified

	began time.Time   // when the portal started; zero after the first look. Questions from before are not news
	due   bool        // a call of lookForNews was given to the owner, and has not run yet
	next  *time.Timer // calls lookForNews again when a deadline comes near; nil: it is not set
}

// lookSoon has the owner call lookForNews.
func (t *telling) lookSoon() {
	if t.alerts == nil || t.due {
		return
	}
	t.due = true
	t.post(t.lookForNews)
}

// lookForNews notifies the person of new questions, and of those whose time is nearly up.
func (t *telling) lookForNews() {
	t.due = false
	d := t.desk
	if !d.Loaded() {
		return
	}
	if t.next != nil {
		t.next.Stop()
		t.next = nil
	}
	now, n := d.Now(), d.Settings().Notify
	asked, ending := t.alerts.See(d.Calls(), time.Duration(n.WarnSeconds)*time.Second, now)
	asked = slices.DeleteFunc(asked, t.wasPending)
	t.began = time.Time{}
	focused, known := false, false // a browser without an open page does not say where the person looks
	if t.alerts.Away(focused, known, t.lastKey(), now) {
		t.alerts.Tell(asked, ending, d.Telling(n), d.Name, now)
	}
	if at := t.alerts.Next(); !at.IsZero() {
		t.next = time.AfterFunc(max(0, at.Sub(now)), func() { t.post(t.lookSoon) })
	}
}

// wasPending reports whether a question was pending already when the portal started.
func (t *telling) wasPending(s queue.Session) bool {
	return len(s.Events) > 0 && s.Events[0].At.Before(t.began)
}
