package app

import (
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
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
	kept     bool   // the answer, since its caller is gone
	lost     string // a question that ended without the person, in place of all else
	told     bool   // the rule says what went to whom, as it was drawn last
}

const (
	saidFor   = 3 * time.Second // how long the Enter line says what was just sent, or until the next key
	fullForms = 2               // of the forms, those that leave nothing out
)

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

// form is one way to say the last event: what was answered stands between head and tail, in at least so many cells.
type form struct {
	head, tail string
	least      int
}

// forms are the words of the last event, longest first.
func (l *lastEvent) forms(g ink.Glyphs) []form {
	state, when := "sent", ""
	switch {
	case l.received:
		state, when = "received", " "+l.at.Local().Format("15:04")
	case l.state != "":
		state = l.state
	case l.kept:
		state = "kept"
	}
	who := l.dir
	if who == "" {
		who = l.who
	}
	to := g.Done + " "
	return []form{
		{to, " " + g.Arrow + " " + l.who + ": " + state + when, 16},
		{to, " " + g.Arrow + " " + who + ": " + state + when, 10},
		{to, " " + g.Arrow + " " + who + ": " + state, 10},
		{to, " " + state, 8},
	}
}

// fit is the longest form that takes at most w cells. Words of the answer are cut before it is said to whom it went,
// and both before nothing is said.
func (l *lastEvent) fit(g ink.Glyphs, w int) string {
	l.told = false
	if l.lost != "" {
		if room := w - ink.Width("! "); room >= 12 {
			return "! " + ink.Cut(l.lost, room, g.Ellipsis)
		}
		return ""
	}
	if l.id == "" {
		return ""
	}
	forms := l.forms(g)
	for _, whole := range []bool{true, false} {
		for i, f := range forms {
			room, what := w-ink.Width(f.head+f.tail), ink.Width(l.what)
			if what > room && (whole || room < f.least) || whole && i >= fullForms {
				continue
			}
			l.told = what <= room && i < len(forms)-1
			return f.head + ink.Cut(l.what, room, g.Ellipsis) + f.tail
		}
	}
	if s := g.Done + forms[len(forms)-1].tail; ink.Width(s) <= w {
		return s
	}
	return ""
}

// brief is `✓ PostgreSQL → shop · claude` in w cells, for a rule that had no room for it; else empty.
func (l *lastEvent) brief(g ink.Glyphs, w int) string {
	if l.id == "" || l.told {
		return ""
	}
	const least = 12
	to := " " + g.Arrow + " " + l.who
	if l.dir != "" && ink.Width(g.Done+" "+l.what+to) > w {
		to = " " + g.Arrow + " " + l.dir
	}
	room := w - ink.Width(g.Done+" "+to)
	return ink.Cut(g.Done+" "+ink.Cut(l.what, max(room, least), g.Ellipsis)+to, w, g.Ellipsis)
}

// say shows for a moment what was just sent: the next key may come before anybody has looked at the rule, and the
// rule of a small pane has no room for it.
func (d *Dashboard) say(e lastEvent) {
	d.last = e
	d.said = d.now().Add(saidFor)
}

// lose makes a question that ended without the person the last event, unless it is on screen, which says so itself.
func (d *Dashboard) lose(s queue.Session) {
	if d.page == nil && d.shown() == s.ID || !s.Outcome.At.After(d.last.at) {
		return
	}
	word := "timed out"
	if s.Outcome.By == queue.ByCaller {
		word = "withdrawn"
	}
	d.last = lastEvent{lost: word + ": " + say.OneLine(s.Ask.Title), at: s.Outcome.At}
}

// keptFor notes whether the caller of what was answered last is there to receive it.
func (d *Dashboard) keptFor() {
	if s, ok := d.live[d.last.id]; ok {
		d.last.kept = !s.IsMessage() && !s.Bound() && s.Gone(d.alive)
	}
}

// day is what today's answers add up to.
type day struct {
	date   string
	took   []time.Duration // of each answer to what was asked today
	last   string          // the newest answer
	lastAt time.Time
	known  bool // a session has existed
	ids    map[string]bool
}

// add counts a settled session once, under the day it was asked, as statistics do.
func (t *day) add(s queue.Session) {
	if s.IsMessage() || s.Outcome == nil {
		return
	}
	t.known = true
	o := s.Outcome
	if !o.Answered() || t.ids[s.ID] {
		return
	}
	if o.At.After(t.lastAt) {
		t.last, t.lastAt = s.Summary()+" → "+s.Origin.Name(), o.At
	}
	asked := s.AskedAt.Local().Format(time.DateOnly)
	if asked < t.date {
		return
	}
	if asked > t.date {
		t.date, t.took, t.ids = asked, nil, map[string]bool{}
	}
	t.ids[s.ID] = true
	t.took = append(t.took, s.Took())
}

// lastWords are the newest answer and when that was: `14:02  PostgreSQL → shop · claude`.
func (t *day) lastWords(now time.Time) string {
	if t.last == "" {
		return ""
	}
	at, layout := t.lastAt.Local(), "15:04"
	if at.Format(time.DateOnly) != now.Local().Format(time.DateOnly) {
		layout = "Mon 2 Jan 15:04"
	}
	return at.Format(layout) + "  " + t.last
}

// today is how long each answer took to what was asked on the day of now.
func (t *day) today(now time.Time) []time.Duration {
	if t.date != now.Local().Format(time.DateOnly) {
		return nil
	}
	return t.took
}
