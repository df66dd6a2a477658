package app

import (
	"fmt"
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/queue"
)

const yieldOver = 10 * time.Second // without a key: a question that is over gives way

// changed takes one batch of the watch.
func (d *Dashboard) changed(ch queue.Changes) {
	for _, s := range ch.Sessions {
		d.take(s)
	}
	for _, id := range ch.Gone {
		d.gone(id)
	}
	for _, draft := range ch.Drafts {
		d.takeDraft(draft)
	}
	for _, b := range ch.Broken {
		d.problem = fmt.Sprintf("set aside %s: %s", b.Name, b.Reason)
	}
	d.degraded = ch.Degraded
	d.loaded = true
	d.refresh()
}

// take keeps the newest state of a session and notes how it ended.
func (d *Dashboard) take(s queue.Session) {
	old, known := d.live[s.ID]
	if known && (old.Revision > s.Revision || old.Revision == s.Revision && old.Outcome != nil) || d.outbox.Doubts(s) {
		return
	}
	d.live[s.ID] = s
	d.stale = true
	if d.form != nil && d.shown() == s.ID {
		d.form.Session = s
	} else if f := d.forms[s.ID]; f != nil {
		f.Session = s
	}
	if known && old.At(d.now()).Pending() || known && old.Outcome == nil && s.Outcome != nil {
		d.ended(s)
	}
	d.last.follow(s)
	d.day.add(s) // settled before this dashboard looked, and not archived
	d.history.take(s)
	d.meet(s)
}

// result takes the state of a session that a command of ours has left. The watch may have been faster: a session that
// is not live any more stays gone, and how it ended is read from the archive.
func (d *Dashboard) result(s queue.Session) {
	if s.ID == "" {
		return
	}
	if _, live := d.live[s.ID]; live {
		d.take(s)
		return
	}
	d.fetchEnd(s.ID)
}

// ended notes an outcome that has just been seen: for today's count, and for the list of what was missed.
func (d *Dashboard) ended(s queue.Session) {
	if s = s.At(d.now()); s.Outcome == nil {
		return
	}
	d.history.take(s)
	if s.IsMessage() { // no question: nothing was missed, nothing answered
		return
	}
	d.day.add(s)
	if s.Outcome.By == queue.ByCaller || s.Outcome.By == queue.ByClock {
		d.lose(s)
		d.miss(s)
	}
}

// gone forgets a session that left the live ones; what the last event still needs is read from the archive.
func (d *Dashboard) gone(id string) {
	if s, ok := d.live[id]; ok && s.Outcome == nil {
		d.fetchEnd(id)
	} else if d.last.id == id && !d.last.received {
		d.fetchEnd(id)
	}
	delete(d.live, id)
	d.history.gone(id)
	d.stale = true
	delete(d.drafts, id)
	delete(d.seen, id)
	if d.shown() != id {
		delete(d.forms, id)
		d.outbox.Forget(id)
	}
}

// refresh brings the queue up to date, if anything in it changed or ended, and puts on screen what belongs there.
// Arrivals never move what is shown.
func (d *Dashboard) refresh() {
	now := d.now()
	if d.stale || !d.nextEnd.IsZero() && !now.Before(d.nextEnd) {
		d.reorder(now)
		d.alerts.stale = true
	}
	d.settleScreen(now)
	d.probeAddressed()
	d.alert(now)
}

func (d *Dashboard) reorder(now time.Time) {
	all := make([]queue.Session, 0, len(d.live))
	for id, s := range d.live {
		if d.o.Attach == "" || id == d.o.Attach {
			all = append(all, s)
		}
	}
	before := d.waiting
	d.waiting = queue.WaitingOrder(all, d.alive, now)
	d.stale, d.nextEnd = false, time.Time{}
	for i := range d.waiting {
		if end := d.waiting[i].Deadline; !end.IsZero() && (d.nextEnd.IsZero() || end.Before(d.nextEnd)) {
			d.nextEnd = end
		}
	}
	for i := range before { // what the clock ended without anybody storing it
		id := before[i].ID
		if s, ok := d.live[id]; ok && s.Outcome == nil && !s.At(now).Pending() {
			d.live[id] = s.At(now)
			d.ended(s)
		}
	}
	d.nameAgents()
	d.locate()
	d.chatGone(now)
	d.count()
}

// settleScreen decides what is on screen: the session shown stays, also when it is over, until the person leaves
// it; with nobody at the keyboard and nothing typed it gives way.
func (d *Dashboard) settleScreen(now time.Time) {
	if d.form != nil {
		s := d.form.Session.At(now)
		d.form.Session = s
		if s.Pending() {
			d.over = time.Time{}
			return
		}
		if d.over.IsZero() {
			d.over = now
		}
		d.form.EndConfirm()
		if d.o.Attach != "" {
			d.finish(s)
			return
		}
		if !d.outbox.Ended(s) && !d.yields(now) {
			return
		}
		d.leave()
	}
	if d.form == nil && len(d.waiting) > 0 {
		d.top()
	}
}

// leave takes the session off the screen and brings the top of the queue up.
func (d *Dashboard) leave() {
	if d.form == nil {
		return
	}
	if d.o.Attach != "" { // there is nothing else in a hand-off form
		d.stop()
		return
	}
	id := d.shown()
	if _, pending := d.pending(); !pending {
		delete(d.forms, id)
		d.outbox.Forget(id)
	}
	d.form = nil
	d.top()
}

// show puts a session on screen, with what was typed into it before.
func (d *Dashboard) show(id string) {
	if d.form != nil && d.shown() == id {
		return
	}
	s, ok := d.live[id]
	if !ok {
		return
	}
	d.saveDraft()
	f := d.forms[id]
	if f == nil {
		var draft *queue.Draft
		if kept, ok := d.drafts[id]; ok {
			draft = &kept
		}
		f = panes.NewForm(s, d.hidden(s), draft)
		d.forms[id] = f
	}
	f.Follow(d.rules())
	f.Thaw()
	d.form, d.over = f, time.Time{}
	d.seen[id] = true
	d.chatAbout(s)
	d.message, d.leaving = "", ""
}

// step shows the next or previous question of the queue as listed, and reports whether there was one.
func (d *Dashboard) step(n int) bool {
	list := d.listed()
	at := indexOf(list, d.shown())
	if at < 0 { // the one on screen is over: start at the top
		return d.showAt(list, 0)
	}
	return d.showAt(list, at+n)
}

// others is how many wait beside what is on screen.
func (d *Dashboard) others() int {
	if _, pending := d.pending(); pending {
		return len(d.waiting) - 1
	}
	return len(d.waiting)
}

func indexOf(list []queue.Waiting, id string) int {
	for i := range list {
		if list[i].ID == id {
			return i
		}
	}
	return -1
}

func (d *Dashboard) showAt(list []queue.Waiting, at int) bool {
	if at < 0 || at >= len(list) || list[at].ID == d.shown() {
		return false
	}
	d.show(list[at].ID)
	return true
}

// hidden is what the settings hide in this session.
func (d *Dashboard) hidden(s queue.Session) panes.Hidden {
	return panes.HiddenIn(s, d.settings.HiddenOptions)
}
