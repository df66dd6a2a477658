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

// area names a part of the screen that can have the focus while no page is in front.
type area int

const (
	areaQuestion area = iota
	areaList
	areaSettings
)

// ground draws the screen while no page is in front: the question, or the empty room while nothing is pending, and the
// queue below or left of it, with settings and last answers. It also finds the words for the lower divider, also of a
// page.
type ground struct {
	*tview.Box
	*shared
	area area       // the area that had the focus last
	at   areas      // the rectangles that arrange computed last
	size [2]int     // the screen's size at the last arrange for this question; zero: there was none yet
	page panes.Room // the page in front; nil: no page is open. The frame sets it
}

// room returns the room that has the focus here.
func (v *ground) room() panes.Room {
	r := &v.rooms
	switch {
	case r.list.Typing():
		return r.list
	case v.view.Up() == "" && (v.area != areaSettings || v.at.settings.Empty()):
		return r.empty
	case r.question.Field() != nil, v.area == areaQuestion:
		return r.question
	case v.area == areaSettings:
		return r.settings.Area
	case v.hidesQueue():
		return r.question
	}
	return r.list
}

// Focus gives the focus to the room that had it last.
func (v *ground) Focus(delegate func(tview.Primitive)) { delegate(v.room()) }

// HasFocus reports whether one of its rooms has the focus.
func (v *ground) HasFocus() bool { return v.room().HasFocus() }

// shownAreas returns the areas on screen that can have the focus.
func (v *ground) shownAreas() []area {
	shown := []area{areaQuestion}
	empty := v.view.Up() == "" // an empty queue takes no keys
	if !empty && v.wide() ||
		v.view.HandOff() == "" && !v.hidesQueue() && (v.view.Others() > 0 || v.at.needed > 0) {
		shown = append(shown, areaList)
	}
	if !v.at.settings.Empty() {
		shown = append(shown, areaSettings)
	}
	return shown
}

// hidesQueue reports whether the queue is not on screen, neither left of the question nor below it.
func (v *ground) hidesQueue() bool {
	return !v.wide() && (v.view.HandOff() != "" || v.rooms.question.OnlyText())
}

// focusNextArea gives the focus to the next area on screen; with n = -1 to the previous one.
func (v *ground) focusNextArea(n int) {
	shown := v.shownAreas()
	at := slices.Index(shown, v.area) // -1 if it is not on screen any more: then the first or the last
	v.area = shown[(max(at, 0)+n+len(shown))%len(shown)]
}

// arrange computes the place of each room on screen, and has the question's room note which of its text the person
// sees.
func (v *ground) arrange() {
	_, _, w, h := v.GetRect()
	r := &v.rooms
	if !v.desk.Loaded() { // the pending questions are not known yet
		v.at = areas{lower: ink.Rect{Y: h - 1, W: w, H: 1}}
		v.arrangeNothing(w, h)
		v.setRooms()
		return
	}
	r.list.SetWide(v.wide())
	v.at = shareScreen(w, h, v.needs(w, h))
	v.size = [2]int{w, h}
	if r.question.OnlyText() {
		v.cameUp() // so that the peek gets its rows again when the options are back
	}
	if !v.at.wide && r.list.Typing() {
		v.at.queue.H = max(v.at.queue.H-1, 0) // the line that narrows the queue takes the last row
	}
	if v.view.Up() == "" {
		v.arrangeNothing(w, h)
	} else {
		r.question.Arrange(v.at.divider, v.at.question, v.at.fit)
	}
	v.setRooms()
}

// needs returns what each part needs of w×h cells.
func (v *ground) needs(w, h int) needs {
	r := &v.rooms
	n := needs{
		Beside: panes.Beside{Waiting: len(v.desk.Waiting()), Over: v.view.Session().Outcome != nil,
			Alone: v.view.HandOff() != ""},
		question:        r.question,
		focused:         v.area == areaList && !v.hidesQueue(),
		finding:         r.list.Typing(),
		settingsFocused: v.area == areaSettings,
		settings:        settings.Rows,
		typing:          v.typesBelow() || v.view.Up() == "",
		sameQuestion:    v.size == [2]int{w, h},
		firstPeek:       v.at.firstPeek,
		oneRowEach:      r.list.LeastRows(),
		list:            r.list.ListRows,
		answers:         r.answers.Rows,
	}
	if v.view.Up() != "" && v.view.HandOff() == "" && !r.question.OnlyText() {
		n.needed = len(v.desk.Notices())
	}
	return n
}

// typesBelow reports whether a text is typed over the lowest rows of the ground: a line to an agent, a filter, or a
// reason.
func (v *ground) typesBelow() bool {
	return v.writing || v.rooms.list.Typing() || v.rooms.question.Asks()
}

// setRooms gives the rooms besides question and empty screen their places.
func (v *ground) setRooms() {
	r := &v.rooms
	setRect(r.peek, v.at.peek)
	setRect(r.list, v.at.queue)
	r.list.SetStrip(v.at.needed)
	setRect(r.answers, v.at.answers)
	setRect(r.settings.Area, v.at.settings)
}

// arrangeNothing places the empty room on a screen of w×h cells: on a wide screen where a question would be, else over
// the whole width. The last row is the footer's. While an agent asks in its own pane, the peek takes up to half of the
// rows, at the bottom.
func (v *ground) arrangeNothing(w, h int) {
	r, all := v.rooms.empty, ink.Rect{W: w, H: h - 1}
	if v.at.wide {
		all.X, all.W = v.at.divider.X, v.at.divider.W
	}
	v.size, v.at.peek = [2]int{}, ink.Rect{} // without a size, the next question is arranged afresh
	if rows := min(mostPeek, all.H/2); v.rooms.peek.Knows() && rows >= leastPeek {
		all.H -= rows
		v.at.peek = ink.Rect{X: all.X, Y: all.Y + all.H, W: all.W, H: rows}
	}
	r.Beside(v.at.wide)
	setRect(r, all)
}

// setRect places a primitive.
func setRect(p tview.Primitive, r ink.Rect) { p.SetRect(r.X, r.Y, r.W, r.H) }

// Draw draws the rooms and the rules between them.
func (v *ground) Draw(screen tcell.Screen) {
	c := v.Ink(screen)
	_, _, w, h := v.GetRect()
	empty := v.view.Up() == ""
	if empty {
		v.rooms.empty.Draw(screen)
	} else {
		v.rooms.question.Draw(screen)
	}
	if !v.at.peek.Empty() {
		v.rooms.peek.Draw(screen)
	}
	if v.at.wide {
		v.drawLeftColumn(c, screen)
	} else {
		v.drawDivider(c, v.at.lower, v.lowerWords())
		v.rooms.list.Draw(screen)
	}
	if empty {
		return
	}
	last := ink.Rect{Y: h - 1, W: w, H: 1}
	if v.rooms.list.Typing() {
		v.rooms.list.DrawFind(c, last)
	} else {
		over := ink.Rect{W: w, H: h}
		if v.at.wide {
			over = v.at.question
		}
		v.rooms.question.DrawAsk(c, last, over)
	}
}

// lowerWords returns the words of the lower divider.
func (v *ground) lowerWords() lowerDivider {
	if v.view.Up() == "" {
		return v.emptyDivider(v.at.lower.W)
	}
	return v.questionDivider(v.at)
}

// drawLeftColumn draws the column left of the question (queue, answers and settings), and the lower divider.
func (v *ground) drawLeftColumn(c ink.Canvas, screen tcell.Screen) {
	a := v.at
	ink.DrawNamedDivider(c, a.listDivider, v.rooms.list.Name(a.listDivider.W), "")
	v.drawDivider(c, a.lower, v.lowerWords())
	v.rooms.list.Draw(screen)
	column := a.column
	column.H-- // the lower divider is its last row
	c.Repeat(column, ink.Plain, c.Glyphs.Border)
	c.Put(a.column.X, a.column.Y, 1, ink.Plain, c.Glyphs.TeeDown)
	if there, _, _ := c.Screen.Get(a.column.X, a.lower.Y); there == c.Glyphs.Divider { // no words there
		c.Put(a.column.X, a.lower.Y, 1, ink.Plain, c.Glyphs.TeeUp)
	}
	if !a.answers.Empty() {
		v.rooms.answers.Draw(screen)
		c.Put(a.column.X, a.answers.Y, 1, ink.Plain, c.Glyphs.TeeLeft)
	}
	if a.settings.Empty() {
		return
	}
	v.rooms.settings.Area.Draw(screen)
	c.Put(a.column.X, a.settings.Y, 1, ink.Plain, c.Glyphs.TeeLeft)
	v.rooms.settings.Area.DrawField(c, a.lower)
}

// tooSmall reports whether the terminal is too small to show a question safely.
func (v *ground) tooSmall() bool {
	_, _, w, h := v.GetRect()
	return w > 0 && (w < leastWidth || h+footerRows < leastHeight)
}

// wide reports whether the queue is beside the question.
func (v *ground) wide() bool {
	_, _, w, _ := v.GetRect()
	return panes.ListWidth(w) > 0
}

// columnLine returns the column of the vertical line right of the queue, so that the composer's rule can join it; 0:
// there is no such line.
func (v *ground) columnLine() int {
	if v.page != nil || !v.wide() {
		return 0
	}
	return v.at.column.X
}

// cameUp notes that another question came on view, so that arrange does not keep the peek in the rows that it had below
// the last question.
func (v *ground) cameUp() { v.size = [2]int{} }

// showsPeek reports whether the peek is on screen: beside or below the question, or as a page.
func (v *ground) showsPeek() bool {
	shown := !v.at.peek.Empty() || v.view.Up() == "" // the empty screen has rows for it as soon as it knows something
	if v.page != nil {
		_, shown = v.page.(*peek.Page)
	}
	return shown && !v.tooSmall()
}

// onQuestion reports whether keys go to the question.
func (v *ground) onQuestion() bool { return v.room() == panes.Room(v.rooms.question) }
