package app

import (
	"slices"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

const tidyAfter = 3 * time.Second

// arm sets the alarm for the next change of anything the clock shows; with nothing pending there is none.
func (d *Dashboard) arm() {
	d.alarm.set(d.now, d.nextTick(), func() { d.post(d.tick) })
}

// nextTick is when the clock next changes a character on screen or ends a session; zero: never. All that is shown
// changes on whole seconds of wall time, so that twenty countdowns wake the process once a second; what the clock does
// has an instant of its own.
func (d *Dashboard) nextTick() time.Time {
	now := d.now()
	var next time.Time
	sooner := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	visible := d.visible()
	for i := range visible {
		w := &visible[i]
		cells := 8
		if w.ID == d.shown() {
			cells = d.fuse
		} else if d.size.w < 100 {
			cells = 0
		}
		sooner(say.NextTick(w.Session, now, d.warn(), cells))
	}
	sooner(d.nextEnd) // also of what is off screen
	if s, pending := d.pending(); d.form != nil && !pending && s.ID != "" {
		sooner(now.Add(yieldOver)) // a question that is over gives way
	}
	sooner(d.alerts.nextAlert())
	sooner(d.nextOpening(now))
	if d.said.After(now) {
		sooner(d.said)
	}
	return next
}

// visible are the questions whose time is on screen: the one shown, the soonest, and the rows of the queue.
func (d *Dashboard) visible() []queue.Waiting {
	rows := d.size.h / 3
	switch {
	case d.focus == areaQueue:
		rows = d.size.h * 2 / 3
	case d.size.w >= 100:
		rows = d.size.h / 2
	}
	list := d.listed()
	at := max(indexOf(list, d.shown()), 0)
	to := min(at+rows, len(list))
	from := max(at-rows, 0)
	if d.find != "" { // the rule counts down what is not listed too
		return slices.Concat(d.waiting[:min(len(d.waiting), 2)], list[:min(rows, from)], list[from:to])
	}
	if from > rows {
		return slices.Concat(list[:rows], list[from:to])
	}
	return list[:to]
}

// tick is the clock's turn: what is overdue is stored, and the screen follows.
func (d *Dashboard) tick() {
	now := d.now()
	if !d.nextEnd.IsZero() && !now.Before(d.nextEnd) {
		for i := range d.waiting {
			if s, ok := d.live[d.waiting[i].ID]; ok && s.Outcome == nil && !s.At(now).Pending() {
				d.expire(s.ID)
			}
		}
	}
	d.tidy(now)
	d.refresh()
}

// tidy gives back what work took, once after the person has stopped: a pane that waits for days holds little.
func (d *Dashboard) tidy(now time.Time) {
	if d.processors == 0 || d.page != nil || !d.tidied.Before(d.lastKey) || now.Sub(d.lastKey) < tidyAfter {
		return
	}
	d.tidied = now
	d.term.Go(giveBack)
}

// expire stores a timeout that nobody else has stored yet; whoever notices first does.
func (d *Dashboard) expire(id string) {
	d.do(id, queue.Command{Do: queue.Expire{}}, nil)
}
