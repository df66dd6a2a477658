package list

import (
	"fmt"
	"slices"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// SetStrip sets how many rows of the strip are for agents that need the person in their own panes.
func (r *Room) SetStrip(needed int) { r.strip = needed }

// SetWide sets whether the queue is left of the question, as a list, or below it, as a strip.
func (r *Room) SetWide(wide bool) { r.wide = wide }

// ListRows returns how many of the given rows the list takes: two for each question if they fit, else one.
func (r *Room) ListRows(rows int) int { return r.display().listRows(rows) }

// LeastRows returns the rows of the list with one row for each question.
func (r *Room) LeastRows() int { return r.display().leastRows() }

// Shows reports whether a session has a row in an area of this height: in the list, or in the strip.
func (r *Room) Shows(id string, rows int, list bool) bool {
	return r.display().shows(indexOf(r.view().Listed(), id), rows, list)
}

// Name returns the words in the line over the list, which has the given width: how many questions are pending, or the
// words that narrow the queue.
func (r *Room) Name(cells int) string {
	if r.view().Up() == "" {
		return say.NothingPending(r.desk().Needed())
	}
	if r.view().Find() != "" {
		return r.Found(cells)[0]
	}
	return say.Waiting(len(r.desk().Waiting()), r.desk().Gone(), r.view().Up(), r.desk().Needed())
}

// Found returns what the line of the queue says while the queue is narrowed: the text that narrows it and how many
// questions match. The first form is the full one, the second a short one. cells is the width of the line.
func (r *Room) Found(cells int) [2]string {
	g := r.host.Ink(nil).Glyphs
	find := ink.Cut("/"+say.OneLine(r.view().Find()), max(cells-18, 8), g.Ellipsis)
	return found(find, len(r.view().Listed()), len(r.desk().Waiting()), g.Dot)
}

// found joins the parts of Found. find is the text as typed, such as /which; dot is the sign between the parts.
func found(find string, listed, waiting int, dot string) [2]string {
	count := fmt.Sprintf("%d of %d", listed, waiting)
	return [2]string{find + " " + dot + " " + count + " waiting", find + " " + count}
}

// Draw draws the list or the strip.
func (r *Room) Draw(screen tcell.Screen) {
	x, y, w, h := r.GetRect()
	if area := (ink.Rect{X: x, Y: y, W: w, H: h}); r.wide {
		r.display().drawList(r.host.Ink(screen), area)
	} else {
		r.display().drawStrip(r.host.Ink(screen), area, r.strip)
	}
}

// display returns the present state of the queue.
func (r *Room) display() display {
	view, d := r.view(), r.desk()
	list := view.Listed()
	v := display{n: len(list), entry: func(i int) entry { return r.entry(list[i]) }, cursor: indexOf(list, view.Up()),
		now: d.Now(), warn: time.Duration(d.Settings().Notify.WarnSeconds) * time.Second, focus: r.o.Focused(),
		missed: r.missed(), needed: r.needed(), name: d.Name}
	if v.n == 0 {
		v.none = say.NothingFound(view.Find())
	}
	if v.focus && len(v.needed) > 0 {
		v.onNotice = r.noticeUnderCursor().Instance
	}
	return v
}

// missed returns the questions that ended without the person, except the one on view, whose heading says so. While
// nothing is pending the empty room shows them.
func (r *Room) missed() (list []queue.Session) {
	if r.view().Up() == "" {
		return nil
	}
	for _, s := range r.view().Missed() {
		if s.ID != r.view().Up() {
			list = append(list, s)
		}
	}
	return list
}

// needed returns the agents that need the person in their own panes. It returns none while nothing is pending, because
// the empty room shows them then, nor on a screen that was opened on one question.
func (r *Room) needed() []queue.Presence {
	if r.view().Up() == "" || r.view().HandOff() != "" {
		return nil
	}
	return r.desk().Notices()
}

// noticeUnderCursor returns the agent whose row has the cursor, or the zero Presence if the row of a question has it.
// If no question has a row, the first agent has the cursor.
func (r *Room) noticeUnderCursor() queue.Presence {
	if !r.o.Focused() {
		return queue.Presence{}
	}
	list := r.needed()
	at := slices.IndexFunc(list, func(n queue.Presence) bool { return n.Instance == r.notice })
	switch {
	case at >= 0:
		return list[at]
	case !r.wide && len(list) > 0 && r.strip > 0 && r.view().Others() == 0:
		return list[0]
	}
	return queue.Presence{}
}

// stepNeeded moves the cursor by n rows among the agents that need the person, and between them and the questions. It
// returns false if the cursor stays among the questions and was not moved.
func (r *Room) stepNeeded(n int) bool {
	list, was := r.needed(), r.noticeUnderCursor().Instance
	shown := r.strip
	if _, _, _, rows := r.GetRect(); r.wide {
		shown = r.display().listNeeded(rows)
	}
	list = list[:min(len(list), shown)]
	at := slices.IndexFunc(list, func(p queue.Presence) bool { return p.Instance == was })
	switch {
	case len(list) == 0, was == "" && n < 0, was == "" && r.view().MayStepWithin(n):
		return false
	case at+n < 0:
		r.notice = ""
	default:
		r.notice = list[min(at+n, len(list)-1)].Instance
	}
	return true
}

// entry returns one row of the queue.
func (r *Room) entry(w queue.Waiting) entry {
	e := entry{Waiting: w, name: r.desk().Name(w.Origin), unseen: !r.view().Seen(w.ID), draft: r.view().Drafted(w.ID),
		others: r.desk().Answering(w.ID)}
	if f := r.view().FormOf(w.ID); f != nil && f.Several() && f.Changed() {
		taken, of := f.Progress()
		e.done = fmt.Sprintf("%d of %d answered", taken, of)
	}
	if w.Attached != nil {
		e.where = r.o.Where(w.Attached.Pane)
	}
	return e
}
