package app

import (
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/queue"
)

// lastEvent stands at the right end of the lower rule: what was sent last, and that the agent has it.
type lastEvent struct {
	id       string
	what     string // the answer in words
	who, dir string
	at       time.Time
	received bool
	state    string // in place of sent: a message that is kept for its agent
}

func sent(s queue.Session) lastEvent {
	what := s.Summary()
	if s.Outcome != nil && s.Outcome.Status == queue.StatusCancelled {
		what = "cancelled"
	}
	return lastEvent{id: s.ID, what: what, who: s.Origin.Name(), dir: s.Origin.Dir(), at: s.Outcome.At}
}

// follow notes that the caller collected the answer.
func (l *lastEvent) follow(s queue.Session) {
	if e, ok := s.Last(queue.EventCollected); ok && s.ID == l.id {
		l.received, l.at = true, e.At
	}
	if s.IsMessage() && s.ID == l.id && s.Outcome != nil {
		l.followMessage(*s.Outcome)
	}
}

// followMessage notes what became of a message.
func (l *lastEvent) followMessage(o queue.Outcome) {
	switch {
	case o.Status == queue.StatusDelivered && o.Surface == queue.SurfaceMCP:
		l.received, l.at = true, o.At
	case o.Status == queue.StatusCancelled:
		l.state = "taken back"
	case o.Status == queue.StatusTimeout:
		l.state = "never fetched"
	}
}

// forms are the words of the last event, longest first.
func (l lastEvent) forms(g panes.Glyphs) []string {
	if l.id == "" {
		return nil
	}
	state, when := "sent", ""
	if l.state != "" {
		state = l.state
	}
	if l.received {
		state, when = "received", " "+l.at.Local().Format("15:04")
	}
	who := l.dir
	if who == "" {
		who = l.who
	}
	done := g.Done + " " + l.what
	return []string{
		done + " " + g.Arrow + " " + l.who + ": " + state + when,
		done + " " + g.Arrow + " " + who + ": " + state + when,
		done + " " + state,
		g.Done + " " + state,
	}
}

// fit is the longest form that takes at most w cells.
func (l lastEvent) fit(g panes.Glyphs, w int) string {
	for _, s := range l.forms(g) {
		if panes.Width(s) <= w {
			return s
		}
	}
	return ""
}

// day is what today's answers add up to.
type day struct {
	date  string
	took  []time.Duration // of each answer today
	last  string
	known bool // a session has existed
	ids   map[string]bool
}

// add counts a settled session once, if it was settled today.
func (t *day) add(s queue.Session) {
	t.known = true
	o := s.Outcome
	if o == nil || !o.Answered() || t.ids[s.ID] {
		return
	}
	today := o.At.Local().Format(time.DateOnly)
	if today < t.date {
		return
	}
	if today > t.date {
		*t = day{date: today, known: true}
	}
	if t.ids == nil {
		t.ids = map[string]bool{}
	}
	t.ids[s.ID] = true
	t.took = append(t.took, s.Took())
	t.last = o.At.Local().Format("15:04") + "  " + s.Summary() + " → " + s.Origin.Name()
}

// today is what was answered on the day of now.
func (t *day) today(now time.Time) []time.Duration {
	if t.date != now.Local().Format(time.DateOnly) {
		return nil
	}
	return t.took
}
