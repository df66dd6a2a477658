package screen

import (
	"slices"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/peek"
	"github.com/choicetui/choicetui/panes/settings"
)

// area names a part of the ground that can have the focus.
type area int

const (
	areaQuestion area = iota
	areaList
	areaSettings
)

// ground draws the screen while no page is in front: the question, or the empty room while nothing is pending, and the
// queue below or left of it, with settings and last answers. It also words the rule over the foot, which pages share.
type ground struct {
	*tview.Box
	*shared
	area area       // what had the focus last
	at   areas      // as arrange last shared the rows
	size [2]int     // the screen's size when rows were last shared for this question; zero: not yet
	page panes.Room // in front of all this; nil: none. The frame sets it
}

// room returns the room that has the focus here.
func (v *ground) room() panes.Room {
	r := &v.rooms
	switch {
	case r.list.Typing():
		return r.list
	case v.seat.Up() == "" && (v.area != areaSettings || v.at.settings.Empty()):
		return r.empty
	case r.team.Asks():
		return r.team
	case r.question.Field() != nil, v.area == areaQuestion:
		return r.question
	case v.area == areaSettings:
		return r.settings.Area
	case v.noStrip():
		return r.question
	}
	return r.list
}

// Focus hands on to the room that had it last.
func (v *ground) Focus(delegate func(tview.Primitive)) { delegate(v.room()) }

// HasFocus reports whether one of its rooms has it.
func (v *ground) HasFocus() bool { return v.room().HasFocus() }

// shown returns the areas on screen that can have the focus.
func (v *ground) shown() []area {
	shown := []area{areaQuestion}
	empty := v.seat.Up() == "" // a queue with nothing in it takes no keys
	if !empty && v.wide() ||
		v.seat.HandOff() == "" && !v.noStrip() && (v.seat.Others() > 0 || v.at.needed > 0) {
		shown = append(shown, areaList)
	}
	if !v.at.settings.Empty() {
		shown = append(shown, areaSettings)
	}
	return shown
}

// noStrip reports whether no queue is on screen, neither beside the question nor below it.
func (v *ground) noStrip() bool {
	return !v.wide() && (v.seat.HandOff() != "" || v.rooms.question.OnlyText())
}

// otherArea gives the focus to the next area on screen, or the one before.
func (v *ground) otherArea(n int) {
	shown := v.shown()
	at := slices.Index(shown, v.area) // -1, gone from the screen: the first or the last
	v.area = shown[(max(at, 0)+n+len(shown))%len(shown)]
}

// arrange shares the rows among what is on screen, and has the question note what of it is seen.
func (v *ground) arrange() {
	_, _, w, h := v.GetRect()
	s, r := v.shared, &v.rooms
	if !s.desk.Loaded() { // what waits is not known yet
		v.at = areas{lower: ink.Rect{Y: h - 1, W: w, H: 1}}
		v.arrangeNothing(w, h)
		v.setRooms()
		return
	}
	r.list.SetWide(v.wide())
	n := needs{question: r.question, Beside: panes.Beside{Waiting: len(s.desk.Waiting()),
		Over: s.seat.Session().Outcome != nil, Alone: s.seat.HandOff() != ""}}
	if s.seat.Up() != "" && s.seat.HandOff() == "" && !r.question.OnlyText() {
		n.needed = len(s.desk.Notices())
	}
	n.focused, n.finding = v.area == areaList && !v.noStrip(), r.list.Typing()
	n.list, n.answers, n.settings = r.list.ListRows, r.answers.Rows, settings.Rows
	n.one = r.list.LeastRows()
	n.inside, n.typing = v.area == areaSettings, v.typesBelow() || s.seat.Up() == ""
	n.stays, n.came = v.size == [2]int{w, h}, v.at.came
	if v.at, v.size = share(w, h, n), [2]int{w, h}; r.question.OnlyText() {
		v.cameUp() // the peek has its rows again when the options are back
	}
	if !v.at.wide && n.finding {
		v.at.queue.H = max(v.at.queue.H-1, 0) // the line that narrows the queue takes the last row
	}
	if s.seat.Up() == "" {
		v.arrangeNothing(w, h)
	} else {
		r.question.Arrange(v.at.rule, v.at.question, v.at.fit)
	}
	v.setRooms()
}

// typesBelow reports whether a line is typed over the lowest rows of the ground.
func (v *ground) typesBelow() bool {
	return v.line.Open() || v.rooms.list.Typing() || v.rooms.question.Asks() || v.rooms.team.Asks()
}

// setRooms gives the rooms besides question and empty screen their places.
func (v *ground) setRooms() {
	r := &v.rooms
	set(r.peek, v.at.peek)
	set(r.list, v.at.queue)
	r.list.SetStrip(v.at.needed)
	set(r.answers, v.at.answers)
	set(r.settings.Area, v.at.settings)
}

// arrangeNothing gives the empty room the place of a question, or all of w×h cells. The peek has the lower half of it
// while an agent asks in its own pane.
func (v *ground) arrangeNothing(w, h int) {
	r, all := v.rooms.empty, ink.Rect{W: w, H: h - 1}
	if v.at.wide {
		all.X, all.W = v.at.rule.X, v.at.rule.W
	}
	v.size, v.at.peek = [2]int{}, ink.Rect{}
	if rows := min(mostPeek, all.H/2); v.rooms.peek.Knows() && rows >= leastPeek {
		all.H -= rows
		v.at.peek = ink.Rect{X: all.X, Y: all.Y + all.H, W: all.W, H: rows}
	}
	r.Beside(v.at.wide)
	set(r, all)
}

func set(p tview.Primitive, r ink.Rect) { p.SetRect(r.X, r.Y, r.W, r.H) }

// Draw draws the rooms and the rules between them.
func (v *ground) Draw(screen tcell.Screen) {
	s, c := v.shared, v.Ink(screen)
	_, _, w, h := v.GetRect()
	empty := s.seat.Up() == ""
	if empty {
		s.rooms.empty.Draw(screen)
	} else {
		s.rooms.question.Draw(screen)
	}
	s.rooms.peek.Draw(screen)
	if v.at.wide {
		v.drawBeside(c, screen)
	} else {
		v.drawRule(c, v.at.lower, v.lower())
		s.rooms.list.Draw(screen)
	}
	if empty {
		return
	}
	last := ink.Rect{Y: h - 1, W: w, H: 1}
	if s.rooms.list.Typing() {
		s.rooms.list.DrawFind(c, last)
	} else {
		over := ink.Rect{W: w, H: h}
		if v.at.wide {
			over = v.at.question
		}
		s.rooms.question.DrawAsk(c, last, over)
		s.rooms.team.DrawAsk(c, last)
	}
}

// lower returns the words of the rule below everything.
func (v *ground) lower() lowerRule {
	if v.seat.Up() == "" {
		return v.emptyRule(v.at.lower.W)
	}
	return v.questionRule(v.at)
}

// drawBeside draws what is left of the question: queue, answers and settings, and the rule below all.
func (v *ground) drawBeside(c ink.Canvas, screen tcell.Screen) {
	s, a := v.shared, v.at
	ink.DrawNamedRule(c, a.listRule, s.rooms.list.Name(a.listRule.W), "")
	v.drawRule(c, a.lower, v.lower())
	s.rooms.list.Draw(screen)
	column := a.divider
	column.H-- // the lower rule is its last row
	c.Repeat(column, ink.Plain, c.Glyphs.Divider)
	c.Put(a.divider.X, a.divider.Y, 1, ink.Plain, c.Glyphs.TeeDown)
	if mark, _, _ := c.Screen.Get(a.divider.X, a.lower.Y); mark == c.Glyphs.Rule { // words go first
		c.Put(a.divider.X, a.lower.Y, 1, ink.Plain, c.Glyphs.TeeUp)
	}
	if !a.answers.Empty() {
		s.rooms.answers.Draw(screen)
		c.Put(a.divider.X, a.answers.Y, 1, ink.Plain, c.Glyphs.TeeLeft)
	}
	if a.settings.Empty() {
		return
	}
	s.rooms.settings.Area.Draw(screen)
	c.Put(a.divider.X, a.settings.Y, 1, ink.Plain, c.Glyphs.TeeLeft)
	s.rooms.settings.Area.DrawField(c, a.lower)
}

// tooSmall reports whether the terminal is too small to show a question safely.
func (v *ground) tooSmall() bool {
	_, _, w, h := v.GetRect()
	return w > 0 && (w < leastWidth || h+footRows < leastHeight)
}

// wide reports whether the queue is beside the question.
func (v *ground) wide() bool {
	_, _, w, _ := v.GetRect()
	return panes.ListWidth(w) > 0
}

// tee returns the column of the divider, for the composer's rule; 0 if there is none.
func (v *ground) tee() int {
	if v.page != nil || !v.wide() {
		return 0
	}
	return v.at.divider.X
}

// cameUp notes that another question came on view, so arrange ignores the peek's rows of the previous question.
func (v *ground) cameUp() { v.size = [2]int{} }

// peeks reports whether an agent's pane is on screen: below the question, or as a page.
func (v *ground) peeks() bool {
	shown := !v.at.peek.Empty() || v.seat.Up() == "" // it has rows there as soon as it knows something
	if v.page != nil {
		_, shown = v.page.(*peek.Page)
	}
	return shown && !v.tooSmall()
}

// onQuestion reports whether keys go to the question.
func (v *ground) onQuestion() bool { return v.room() == panes.Room(v.rooms.question) }
