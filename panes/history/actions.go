package history

import (
	"context"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// stillRead explains why a key that acts on a session has no effect: the session is not read yet.
const stillRead = "it is still being read, press again"

var motions = []action.Name{action.Up, action.Down, action.First, action.Last, action.PageUp}

// Table binds the keys of the page.
func (r *Room) Table() panes.Table { return r.table }

// bind returns the table. It has rows for actions of the screen too, because it says when the footer shows their keys.
func (r *Room) bind() panes.Table {
	inList := func() bool { return !r.open.on }
	known := func() bool { _, known := r.list.current(); return known }
	t := panes.Table{
		r.rowInBoth(action.Row{Name: action.Enter, Needs: action.Unless(r.whyNotEnter)}, r.enter),
		r.rowInBoth(action.Row{Name: action.Copy, Offered: action.If(known), Now: action.Says("copy", ""),
			Needs: action.Unless(r.whyNot("copy"))}, r.copyCurrent),
		r.rowInBoth(action.Row{Name: action.Chat, Offered: action.If(known), Now: action.Named(r.tellWord),
			Needs: action.Unless(r.whyNotTell)}, r.tellAgent),
		r.rowInBoth(action.Row{Name: action.PageDown,
			Offered: action.If(func() bool { return r.open.on && r.open.below > 0 })},
			func() { r.move(action.PageDown) }),
		{Name: action.Find, Offered: action.If(inList), Now: action.Says("filter", ""),
			Do: action.Just(func() { r.startFind() })},
		{Name: action.Back, Do: action.Just(func() { r.back() }), Now: action.Named(r.backWord)},
		{Name: action.History, Offered: action.Never},
		{Name: action.Settings, Offered: action.Never},
	}
	for _, a := range motions {
		t = append(t, r.rowInBoth(action.Row{Name: a}, func() { r.move(a) }))
	}
	return t
}

// rowInBoth returns a row whose key works in the list and in an open session. If the key is pressed before the first
// entries are read, it is carried out once they are.
func (r *Room) rowInBoth(row action.Row, do func()) action.Row {
	row.Do = action.Just(func() {
		if r.isEarly() {
			r.pressedEarly = append(r.pressedEarly, row.Name)
			return
		}
		do()
		r.arrange()
	})
	return row
}

// isEarly reports whether keys must wait, because the first entries are still being read.
func (r *Room) isEarly() bool { return r.Field() == nil && !r.open.on && r.list.blank() }

// whyNot explains why nothing can be done with the session under the cursor: it is still being read, or the list is
// empty.
func (r *Room) whyNot(do string) func() string {
	return func() string {
		_, known := r.list.current()
		switch {
		case known || r.isEarly():
			return ""
		case len(r.list.feed.entries) == 0:
			return "no question here to " + do
		}
		return stillRead
	}
}

// whyNotEnter explains why Enter cannot open the session under the cursor.
func (r *Room) whyNotEnter() string {
	if r.finding != nil || r.open.on {
		return ""
	}
	return r.whyNot("read")()
}

// whyNotTell explains why no line can be written to the agent of the session under the cursor.
func (r *Room) whyNotTell() string {
	if why := r.whyNot("message an agent about")(); why != "" || r.isEarly() {
		return why
	}
	if r.o.Chat.Off() {
		return say.ChatOff(!r.host.View().Desk().Stays())
	}
	return ""
}

// enter carries out what the Enter line names.
func (r *Room) enter() {
	switch {
	case r.finding != nil:
		r.finding = nil
	case r.open.on:
		r.open.on = false
	default:
		r.openCurrent()
	}
}

// back goes one level back: it closes the line being typed or the open session, stops reading to the last entry, lists
// all sessions again, or closes the page.
func (r *Room) back() {
	switch {
	case r.finding != nil:
		r.finding = nil
		r.list.narrow("")
	case r.open.on:
		r.open.on = false
	case r.list.toEnd:
		r.list.toEnd = false
	case r.list.find != "":
		r.list.narrow("")
	default:
		r.End()
		r.host.Close()
		return
	}
	r.arrange()
}

// move scrolls the open session, or moves the cursor in the list.
func (r *Room) move(a action.Name) {
	if r.open.on {
		r.open.top = panes.Scrolled(r.open.top, a, max(r.page().H-2, 1))
		return
	}
	r.list.move(a, max(r.shown-1, 1))
}

// startFind opens the line for the words that narrow the list.
func (r *Room) startFind() {
	if !r.open.on {
		r.finding = editor.OneLine(r.list.find)
	}
}

// openCurrent shows the whole text of the session under the cursor, with what the person typed into its form and never
// sent.
func (r *Room) openCurrent() {
	s, _ := r.list.current()
	r.list.toEnd = false
	r.open = open{on: true}
	d := r.host.View().Desk()
	d.StoreFor(s.ID, func(ctx context.Context) {
		drafts, err := d.Queue().Drafts(ctx, s.ID)
		r.list.post(func() {
			if now, same := r.list.current(); err == nil && same && now.ID == s.ID {
				r.open.drafts = drafts
			}
		})
	})
}

// copyCurrent copies the whole text of the session under the cursor.
func (r *Room) copyCurrent() {
	s, _ := r.list.current()
	r.host.Copy(r.textOf(s).plain())
}

// tellAgent opens a line to the agent of the session, with its question quoted.
func (r *Room) tellAgent() {
	s, _ := r.list.current()
	r.o.Chat.Tell(s.Origin, say.OneLine("“"+say.Title(s.Ask)+"” → "+s.Summary()))
}

// tellWord returns the words in the footer for the key of tellAgent, with the agent's name.
func (r *Room) tellWord(action.Word) action.Word {
	s, _ := r.list.current()
	here := r.here()
	return action.Word{Long: "message " + here.Of(s.Origin), Short: "chat"}
}
