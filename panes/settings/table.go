package settings

import (
	"encoding/json"
	"fmt"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// differences holds what the tables of page and area do in different ways.
type differences struct {
	leave    func() // closes the page, or gives the focus back to the question
	shown    func() []int
	page     bool
	settings action.Row
}

// table returns the keys of the settings, and those of a value being typed.
func (s *State) table(w differences) panes.Table {
	t := panes.Table{
		{Name: action.Enter, Do: action.Just(func() { s.enter() }), Needs: action.Unless(s.whyNotEnter)},
		{Name: action.Back, Do: action.Just(func() { s.back(w) }), Now: action.Named(s.backWord)},
		{Name: action.TabNext, Offered: action.Never, Do: action.Just(func() { s.step(1) }), // as Enter says
			Needs: action.Unless(func() string { return s.whyNotStep(1) })},
		{Name: action.TabBack, Offered: action.Never, Do: action.Just(func() { s.step(-1) }),
			Needs: action.Unless(func() string { return s.whyNotStep(-1) })},
		{Name: action.UndoLast, Now: action.Says("undo", ""), Do: action.Just(func() { s.undoChange() }),
			Needs:   action.Unless(s.whyNotUndo),
			Offered: action.If(func() bool { return len(s.undo) > 0 })},
		{Name: action.EditFile, Do: action.Just(func() { s.edit() }),
			Now:     action.Named(func(word action.Word) action.Word { return s.editWord(word, w.page) }),
			Offered: action.If(func() bool { return !s.inList }),
			Needs:   action.Unless(s.whyNotEdit)},
		{Name: action.Area, Offered: action.If(func() bool { return !w.page })},
		{Name: action.Chat, Offered: action.Never}, // the key works here, but only the help lists it
		w.settings,
	}
	for _, a := range []action.Name{action.Up, action.Down, action.First, action.Last} {
		t = append(t, action.Row{Name: a, Do: action.Just(func() { s.move(a, w.shown()) })})
	}
	return t
}

// move moves the cursor among the given rows, or in the list of hidden options.
func (s *State) move(a action.Name, rows []int) {
	if s.inList {
		s.listed = within(panes.Scrolled(s.listed, a, 1), len(s.hidden()))
		return
	}
	s.cursor, s.note = rows[within(panes.Scrolled(s.positionIn(rows), a, 1), len(rows))], nil
}

// within returns the nearest index in a list of n.
func within(at, n int) int { return min(max(at, 0), max(n-1, 0)) }

// step changes the setting under the cursor to the n-th next of its possible values.
func (s *State) step(n int) {
	if s.inList {
		return
	}
	if next, why := s.row().Step(s.inForce()[s.row().Key], n); why == "" {
		s.change(s.row(), next)
	}
}

// whyNotStep explains why the setting under the cursor cannot be changed to its n-th next value. It is empty in the
// list of hidden options, where the key does nothing.
func (s *State) whyNotStep(n int) string {
	if s.inList {
		return ""
	}
	if why := s.whyUnchangeable(); why != "" {
		return why
	}
	_, why := s.row().Step(s.inForce()[s.row().Key], n)
	return why
}

// whyNotUndo explains why no change can be taken back.
func (s *State) whyNotUndo() string {
	if len(s.undo) == 0 {
		return "nothing was changed here yet"
	}
	return s.whyUnchangeable()
}

// whyNotEdit explains why the file is not opened in an editor. In the list of hidden options the key does nothing and
// says nothing.
func (s *State) whyNotEdit() string {
	if s.o.EditFile == nil && !s.inList {
		return say.NoEditor + ": the file is " + s.file.Path()
	}
	return ""
}

// edit opens the settings file in the person's editor, except in the list of hidden options.
func (s *State) edit() {
	if !s.inList {
		s.editFile()
	}
}

// enter carries out what the Enter line names.
func (s *State) enter() {
	row := s.row()
	switch {
	case s.field != nil:
		if raw, why := s.typedValue(); why == "" {
			s.field = nil
			s.change(row, raw)
		}
	case s.inList:
		s.showAgain()
	case row.Kind == config.HiddenOptions:
		s.inList, s.listed = true, 0
	default:
		s.note = nil
		s.field = editor.OneLine(s.valueToType(row))
		s.field.SelectAll()
	}
}

// whyNotEnter explains why Enter has no effect: the typed value is not valid, or the file cannot be changed.
func (s *State) whyNotEnter() string {
	switch {
	case s.field != nil:
		_, why := s.typedValue()
		return why
	case s.inList && len(s.hidden()) == 0: // nothing can be shown again: Enter does nothing and says nothing
		return ""
	case !s.inList && s.row().Kind == config.HiddenOptions: // opens the list, which changes nothing in the file
		return ""
	}
	return s.whyUnchangeable()
}

// valueToType returns the present value as the person could type it.
func (s *State) valueToType(row config.Row) string {
	text := say.OneLine(row.Text(s.inForce()[row.Key]))
	if words := row.Words[text]; words != "" {
		return words
	}
	return text
}

// typedValue returns the typed value, or why it is not valid.
func (s *State) typedValue() (raw json.RawMessage, why string) {
	next := s.desk().Settings().Clone()
	if err := next.SetTyped(s.row().Key, s.field.Text()); err != nil {
		return nil, refusal(err)
	}
	return next.Values()[s.row().Key], ""
}

// showAgain removes the option under the cursor from the list of hidden options.
func (s *State) showAgain() {
	list := s.hidden()
	if s.listed >= len(list) {
		return
	}
	next := config.Settings{HiddenOptions: config.WithoutHidden(list, list[s.listed])}
	s.change(s.row(), next.Values()[s.row().Key])
	s.listed = within(s.listed, len(list)-1)
}

// editWord returns the words in the footer for the key that opens the file. Where the page shows all that it has, they
// say how many settings are only in the file.
func (s *State) editWord(word action.Word, onPage bool) action.Word {
	if onPage && s.more {
		word.Long += fmt.Sprintf(" (%d more settings)", len(config.Table)-len(s.pageRows()))
	}
	return word
}

// showMore makes the page show the settings behind “more” too, or no longer.
func (s *State) showMore() {
	if s.inList {
		return
	}
	s.more = !s.more
	rows := s.pageRows()
	s.cursor = rows[s.positionIn(rows)]
}

// moreWord returns the words in the footer for showMore.
func (s *State) moreWord(action.Word) action.Word {
	if s.more {
		return action.Word{Long: "fewer"}
	}
	return action.Word{Long: "more"}
}

// backWord returns the word for the effect of back.
func (s *State) backWord(action.Word) action.Word {
	if s.field != nil {
		return action.Word{Long: "leaves it as it is", Short: "leave"}
	}
	return action.Word{Long: "back"}
}

// back drops the typed text, else leaves the list of hidden options, else the settings.
func (s *State) back(w differences) {
	switch {
	case s.field != nil:
		s.field = nil
	case s.inList:
		s.inList = false
	default:
		s.note = nil
		w.leave()
	}
}

// moveIntoArea moves the cursor to a setting of the area before a key of the area acts, because the page may have left
// it on another one.
func (s *State) moveIntoArea() {
	card := s.areaRows()
	s.cursor, s.inList = card[s.positionIn(card)], false
}

// bindInArea changes a row of the table so that its key acts on a setting of the area.
func (s *State) bindInArea(row action.Row) action.Row {
	if do := row.Do; do != nil {
		row.Do = func(at action.At, arg action.Arg) action.Effect {
			s.moveIntoArea()
			return do(at, arg)
		}
	}
	if why := row.Needs; why != nil {
		row.Needs = func(at action.At, arg action.Arg) action.Message {
			cursor, inList := s.cursor, s.inList
			defer func() { s.cursor, s.inList = cursor, inList }()
			s.moveIntoArea()
			return why(at, arg)
		}
	}
	return row
}

// line is one line of the list: the heading of a group, or the setting or hidden option at an index.
type line struct {
	heading string
	at      int
}

// lines returns the lines of the list, and the index of the line with the cursor.
func (v view) lines() (list []line, cursor int) {
	n := len(v.rows)
	if v.inList {
		n = max(len(v.hidden), 1)
	}
	group := ""
	for at := range n {
		if v.page {
			if name := config.Table[v.rows[at]].Group; name != group && at > 0 {
				list = append(list, line{heading: name})
			}
			group = config.Table[v.rows[at]].Group
		}
		if at == v.cursor {
			cursor = len(list)
		}
		list = append(list, line{at: at})
	}
	return list, cursor
}

// drawRows draws the lines around the cursor, as many as fit, and returns how many are above and below them.
func (v view) drawRows(c ink.Canvas, r ink.Rect) (above, below int) {
	list, cursor := v.lines()
	n := len(list)
	top := min(max(cursor-r.H+1, 0), max(n-r.H, 0))
	if cursor < n-1 && top < n-r.H && cursor-top == r.H-1 && r.H > 2 {
		top++ // keeps the line after the cursor in sight
	}
	if top > 0 && top == cursor && list[top-1].heading != "" && r.H > 1 {
		top-- // keeps the heading of the first setting of a group in sight
	}
	for row := range min(r.H, n-top) {
		if l := list[top+row]; l.heading != "" {
			c.Put(r.X+1, r.Y+row, r.W-1, ink.Dim, l.heading)
		} else {
			v.drawRow(c, r.Row(row), l.at)
		}
	}
	return top, max(n-top-r.H, 0)
}

// labelWidth is the width of the column of labels on the page; the values begin behind it. On a page narrower than
// leastForColumn the values end at the right edge, as they do in the area.
const (
	labelWidth     = 26
	leastForColumn = 48
)

// drawRow draws the setting, or the hidden option, at an index.
func (v view) drawRow(c ink.Canvas, r ink.Rect, at int) {
	style := ink.Plain
	here := at == v.cursor
	if here && v.focus && v.field == nil {
		c = c.CursorRow(r)
	}
	if here && (v.focus || v.inList) {
		c.Put(r.X, r.Y, 1, style, c.Glyphs.Cursor)
	}
	if v.inList {
		v.drawHidden(c, r, style, at)
		return
	}
	s := config.Table[v.rows[at]]
	value := v.value(c, s, r.W)
	if v.page && r.W >= leastForColumn {
		x := r.X + 2 + labelWidth
		c.Put(r.X+2, r.Y, labelWidth-1, style, s.Label)
		c.Put(x, r.Y, r.W-1-x+r.X, style, ink.Cut(value, r.W-1-x+r.X, c.Glyphs.Ellipsis))
		return
	}
	x := c.PutRight(r.X, r.Y, r.W-1, style, ink.Cut(value, r.W-8, c.Glyphs.Ellipsis))
	c.Put(r.X+2, r.Y, x-r.X-3, style, ink.Cut(s.Label, x-r.X-3, c.Glyphs.Ellipsis))
}

// value returns the value at the end of a row.
func (v view) value(c ink.Canvas, s config.Row, w int) string {
	text := settingValue(s, v.values[s.Key])
	switch {
	case s.Kind == config.HiddenOptions && text != "none" && w > 45:
		return text + " " + c.Glyphs.Dot + " " + c.Glyphs.Enter + " shows them"
	case s.CanStep():
		return c.Glyphs.Left + " " + text + " " + c.Glyphs.Right
	}
	return text
}

// drawHidden draws the row of a hidden option, or says that there is none.
func (v view) drawHidden(c ink.Canvas, r ink.Rect, style ink.Style, at int) {
	if at >= len(v.hidden) {
		c.Put(r.X+2, r.Y, r.W-3, style, "no option is hidden")
		return
	}
	h := v.hidden[at]
	x := c.PutRight(r.X, r.Y, r.W-1, style, ink.Cut(say.OneLine(h.Client), r.W/2, c.Glyphs.Ellipsis))
	words := say.OneLine(h.Label)
	if h.ID != h.Label {
		words += " (" + say.OneLine(h.ID) + ")"
	}
	c.Put(r.X+2, r.Y, x-r.X-3, style, ink.Cut(words, x-r.X-3, c.Glyphs.Ellipsis))
}

// settingValue returns a setting's value as people read it: seconds with their unit (`5 min`, `10 s before`), the words
// of a choice, or the word for an empty text. Hidden characters are made visible.
func settingValue(row config.Row, raw json.RawMessage) string {
	text := say.OneLine(row.Text(raw))
	if words := row.Words[text]; words != "" {
		return words
	}
	if text == "" {
		return row.Empty
	}
	var n int
	if row.Kind != config.Seconds || json.Unmarshal(raw, &n) != nil || string(raw) == "null" {
		return text
	}
	if n == 0 {
		return row.Zero
	}
	words := say.Units(n)
	if words == "" {
		words = fmt.Sprintf("%d s", n)
	}
	if row.Behind != "" {
		words += " " + row.Behind
	}
	return words
}
