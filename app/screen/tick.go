package screen

import (
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/list"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// beforeDraw computes the place of everything on screen before each draw, because size or state may have changed. It
// reports whether this draw is left out, because a key waits that draws again.
func (s *Screen) beforeDraw(screen tcell.Screen) bool {
	s.keyboard.noteFocus()
	if skipping, ok := screen.(interface{ Skips() bool }); ok && skipping.Skips() {
		return true
	}
	if s.frame.page() == nil && !s.frame.ground.tooSmall() { // what a page covers is not drawn
		s.frame.ground.arrange()
	}
	s.armAlarm()
	return false
}

// armAlarm sets the alarm for the next moment at which time changes something on screen. If nothing is pending it sets
// no alarm.
func (s *Screen) armAlarm() {
	s.alarm.set(s.desk.Now, s.nextTick(), func() { s.desk.Do(s.tick) })
}

// nextTick returns when the clock next changes a character on screen or ends a session; zero: never. All times on
// screen change on whole seconds of wall time, so that twenty countdowns wake the process once a second. Other effects
// of the clock happen at any instant.
func (s *Screen) nextTick() time.Time {
	now := s.desk.Now()
	next := s.desk.NextTick() // also for questions that are not on screen
	sooner := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	w, _ := s.Size()
	visible := s.visible()
	for i := range visible {
		v := &visible[i]
		countdown := list.CountdownCells
		if v.ID == s.view.Up() && s.frame.page() == nil {
			countdown = s.rooms.question.CountdownCells()
		} else if w < panes.WideFrom { // the list has no fuses
			countdown = 0
		}
		sooner(say.NextTick(*v.Session, now, s.warnTime(), countdown))
	}
	if s.alerts.teller != nil {
		sooner(s.alerts.teller.Next())
	}
	sooner(s.keyboard.lateDue())
	sooner(s.view.Guard.Due(now))
	if s.o.Peek != nil {
		sooner(s.rooms.peek.Due())
	}
	if _, due := s.view.Team.Reminded(); s.desk.HasTeam() {
		sooner(due)
	}
	if out := s.view.Undoable(); out != nil { // the lower divider counts its seconds
		sooner(now.Add((out.Until().Sub(now)-1)%time.Second + 1))
	}
	sooner(s.message.nextChange(now))
	if !s.aside.since.IsZero() {
		sooner(s.aside.nextChange(now))
	}
	return next
}

// visible returns the questions whose time may be on screen: the one on view, the one that ends first, and those with a
// row in the queue. Which rows those are is up to the room of the queue, so as many are taken as there can be: at the
// top of the queue, and before and behind the question on view.
func (s *Screen) visible() []queue.Waiting {
	w, h := s.Size()
	rows := h / 3 // the most rows of the queue
	switch {
	case w < panes.WideFrom && s.view.HandOff() != "": // no queue is on screen
		rows = 1
	case s.frame.ground.area == areaList:
		rows = h * 2 / 3
	case w >= panes.WideFrom:
		rows = h / 2
	}
	list, waiting := s.view.Listed(), s.desk.Waiting()
	at := max(slices.IndexFunc(list, func(w queue.Waiting) bool { return w.ID == s.view.Up() }), 0)
	to := min(at+rows, len(list))
	from := max(at-rows, 0)
	if s.view.Find() != "" { // the lower divider also counts down a question that the filter leaves out
		return slices.Concat(waiting[:min(len(waiting), 2)], list[:min(rows, from)], list[from:to])
	}
	if from > rows {
		return slices.Concat(list[:rows], list[from:to])
	}
	return list[:to]
}

// tick does what is due by the clock.
func (s *Screen) tick() {
	s.keyboard.actLate(s.desk.Now())
	s.desk.Tick()
	s.rooms.peek.Tick()
	s.memory.tidy(s, s.desk.Now())
	s.alerts.tellNews(s)
}

// alarm calls a function at an instant of wall time. Any goroutine may set it. The zero alarm is not set.
type alarm struct {
	mu    sync.Mutex
	timer *time.Timer
	sets  int // the number of calls of set: a timer that was started before the last one does nothing
}

// set replaces an earlier alarm. It calls ring once, on a goroutine of its own, when the clock (now) has come to the
// instant. If the clock is set back, ring is called at most desk.LookAgain later. A zero instant only stops the alarm.
func (a *alarm) set(now func() time.Time, at time.Time, ring func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sets++
	if a.timer != nil {
		a.timer.Stop()
		a.timer = nil
	}
	if !at.IsZero() {
		a.sleep(a.sets, now, at, ring)
	}
}

// sleep starts the timer, which does nothing once sets has changed. The caller holds the lock.
func (a *alarm) sleep(sets int, now func() time.Time, at time.Time, ring func()) {
	since := now().Round(0) // wall time: without this the comparison is by the monotonic clock
	a.timer = time.AfterFunc(min(at.Sub(since), desk.LookAgain), func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.sets != sets {
			return
		}
		if t := now().Round(0); t.Before(at) && !t.Before(since) {
			a.sleep(sets, now, at, ring)
			return
		}
		ring()
	})
}

const (
	startMemory = 48 << 20 // the bytes after which garbage is collected before the first frame too
	gcPercent   = 25       // a pane that is open all day holds little memory; frames are too rare to feel it
	tidyAfter   = 3 * time.Second
)

// memory keeps the process small, and on one processor, while it runs for days with little to do. One processor is
// enough for that. With several, most of the cost of a tick would be passing work from thread to thread.
type memory struct {
	processors int       // the number that the program may use; 0 in tests, which share their process
	tidied     time.Time // when memory was last returned to the system
}

// spread sets how many processors the program uses: all of them if wide, which pages need that read much, else one.
func (m *memory) spread(wide bool) {
	n := 1
	if wide {
		n = m.processors
	}
	if m.processors > 1 && runtime.GOMAXPROCS(0) != n {
		runtime.GOMAXPROCS(n)
	}
}

// tidy returns free memory to the system, once after the person has stopped pressing keys.
func (m *memory) tidy(s *Screen, now time.Time) {
	last := s.view.LastKey()
	if m.processors == 0 || s.frame.page() != nil || !m.tidied.Before(last) || now.Sub(last) < tidyAfter {
		return
	}
	m.tidied = now
	s.start(debug.FreeOSMemory)
}
