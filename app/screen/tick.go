package screen

import (
	"slices"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// clockwork changes the screen when the clock does.
type clockwork struct{ s *Screen }

// beforeDraw shares the rows before each draw, as size or state may have changed.
func (c clockwork) beforeDraw(tcell.Screen) bool {
	if c.s.frame.page() == nil && !c.s.frame.waiting.tooSmall() { // nobody sees what a page covers
		c.s.frame.waiting.arrange()
	}
	c.arm()
	return false
}

// arm sets the alarm for the next change of anything the clock shows; with nothing pending it sets no alarm.
func (c clockwork) arm() {
	c.s.alarm.set(c.s.desk.Now, c.nextTick(), func() { c.s.desk.Do(c.tick) })
}

// nextTick returns when the clock next changes a character on screen or ends a session; zero: never. All that is shown
// changes on whole seconds of wall time, so that twenty countdowns wake the process once a second; other effects of the
// clock have an instant of their own.
func (c clockwork) nextTick() time.Time {
	now := c.s.desk.Now()
	next := c.s.desk.NextTick() // also of what is off screen
	sooner := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	w, _ := c.s.Size()
	visible := c.visible()
	for i := range visible {
		v := &visible[i]
		cells := 8
		if v.ID == c.s.seat.Up() && c.s.frame.page() == nil {
			cells = c.s.rooms.question.FuseCells()
		} else if w < panes.WideFrom {
			cells = 0
		}
		sooner(say.NextTick(v.Session, now, c.s.warn(), cells))
	}
	sooner(c.s.alerts.next())
	sooner(c.s.rooms.question.Hand().Due())
	sooner(c.s.seat.Guard.Due(now))
	sooner(c.s.rooms.peek.Due())
	sooner(c.s.rooms.team.Due(now))
	if out := c.s.seat.Undoable(); out != nil { // the rule counts its seconds
		sooner(now.Add((out.Until().Sub(now)-1)%time.Second + 1))
	}
	sooner(c.s.notice.next(now))
	sooner(c.s.aside.next(now))
	return next
}

// visible returns the questions whose time is on screen: the one shown, the soonest, and the rows of the queue.
func (c clockwork) visible() []queue.Waiting {
	w, h := c.s.Size()
	rows := h / 3
	switch {
	case w < panes.WideFrom && c.s.seat.HandOff() != "": // no queue is on screen
		rows = 1
	case c.s.frame.waiting.area == areaList:
		rows = h * 2 / 3
	case w >= panes.WideFrom:
		rows = h / 2
	}
	list, waiting := c.s.seat.Listed(), c.s.desk.Waiting()
	at := max(slices.IndexFunc(list, func(w queue.Waiting) bool { return w.ID == c.s.seat.Up() }), 0)
	to := min(at+rows, len(list))
	from := max(at-rows, 0)
	if c.s.seat.Find() != "" { // the rule counts down what is not listed too
		return slices.Concat(waiting[:min(len(waiting), 2)], list[:min(rows, from)], list[from:to])
	}
	if from > rows {
		return slices.Concat(list[:rows], list[from:to])
	}
	return list[:to]
}

// tick is the clock's turn.
func (c clockwork) tick() {
	router(c).actLate(c.s.desk.Now())
	c.s.desk.Tick()
	c.s.rooms.peek.Tick()
	c.s.memory.tidy(c.s, c.s.desk.Now())
	c.s.alerts.tell(c.s)
}
