package screen

import (
	"slices"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// clockwork is what the clock does to the screen.
type clockwork struct{ *Screen }

// beforeDraw shares the rows before each draw, as size or state may have changed.
func (s clockwork) beforeDraw(tcell.Screen) bool {
	if s.frame.page() == nil && !s.frame.waiting.tooSmall() { // nobody sees what a page covers
		s.frame.waiting.arrange()
	}
	s.arm()
	return false
}

// arm sets the alarm for the next change of anything the clock shows; with nothing pending there is none.
func (s clockwork) arm() {
	s.alarm.set(s.desk.Now, s.nextTick(), func() { s.desk.Do(s.tick) })
}

// nextTick is when the clock next changes a character on screen or ends a session; zero: never. All that is shown
// changes on whole seconds of wall time, so that twenty countdowns wake the process once a second; what the clock does
// has an instant of its own.
func (s clockwork) nextTick() time.Time {
	now := s.desk.Now()
	next := s.desk.NextTick() // also of what is off screen
	sooner := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	w, _ := s.Size()
	visible := s.visible()
	for i := range visible {
		v := &visible[i]
		cells := 8
		if v.ID == s.seat.Up() && s.frame.page() == nil {
			cells = s.rooms.question.FuseCells()
		} else if w < wideFrom {
			cells = 0
		}
		sooner(say.NextTick(v.Session, now, s.warn(), cells))
	}
	sooner(s.alerts.next())
	if s.notice.said.After(now) {
		sooner(s.notice.said)
	}
	return next
}

// visible are the questions whose time is on screen: the one shown, the soonest, and the rows of the queue.
func (s clockwork) visible() []queue.Waiting {
	w, h := s.Size()
	rows := h / 3
	switch {
	case s.frame.waiting.area == areaList:
		rows = h * 2 / 3
	case w >= wideFrom:
		rows = h / 2
	}
	list, waiting := s.seat.Listed(), s.desk.Waiting()
	at := max(slices.IndexFunc(list, func(w queue.Waiting) bool { return w.ID == s.seat.Up() }), 0)
	to := min(at+rows, len(list))
	from := max(at-rows, 0)
	if s.seat.Find() != "" { // the rule counts down what is not listed too
		return slices.Concat(waiting[:min(len(waiting), 2)], list[:min(rows, from)], list[from:to])
	}
	if from > rows {
		return slices.Concat(list[:rows], list[from:to])
	}
	return list[:to]
}

// tick is the clock's turn.
func (s clockwork) tick() {
	s.desk.Tick()
	s.memory.tidy(s.Screen, s.desk.Now())
	s.alerts.tell(s.Screen)
}
