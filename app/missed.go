package app

import (
	"slices"
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/queue"
)

const mostMiss = 20 // questions listed as missed

// miss lists a question that ended without the person. It stays listed until it was seen over on screen, or until
// history is opened.
func (d *Dashboard) miss(s queue.Session) {
	d.unmiss(s.ID)
	d.missed = append([]queue.Session{s}, d.missed...)
	d.missed = d.missed[:min(len(d.missed), mostMiss)]
}

func (d *Dashboard) unmiss(id string) {
	d.missed = slices.DeleteFunc(d.missed, func(s queue.Session) bool { return s.ID == id })
}

// sawOver takes the question that is over on screen as seen, once a key is pressed with it there; a key pressed just
// as it ended was pressed for something else.
func (d *Dashboard) sawOver(now time.Time) {
	if d.form != nil && d.page == nil && !d.over.IsZero() && now.Sub(d.over) >= settle {
		d.unmiss(d.shown())
	}
}

// missedElsewhere is what was missed without what is on screen, which says so itself.
func (d *Dashboard) missedElsewhere() []panes.Missed {
	var rows []panes.Missed
	for _, s := range d.missed {
		if s.ID != d.shown() {
			rows = append(rows, panes.Missed{At: s.Outcome.At, Title: s.Ask.Title, Dir: s.Origin.Dir(), Withdrawn: s.Outcome.By == queue.ByCaller})
		}
	}
	return rows
}

// yields reports whether a question that is over has been on screen for long enough without a key, counted from when
// it was first shown as over, and nothing typed.
func (d *Dashboard) yields(now time.Time) bool {
	return now.Sub(latest(d.lastKey, d.over)) > yieldOver && d.form.Typing() == panes.FieldNone && d.form.Typed() == ""
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
