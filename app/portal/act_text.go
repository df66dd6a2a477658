package portal

import (
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// inField reports whether the person is typing into a field of the question.
func (g *page) inField() bool {
	f := g.form()
	return f != nil && g.session().Pending() && f.Typing() != form.FieldNone
}

// takeField handles an event of a text field: it got the focus, its text changed, or it lost the focus. The field that
// has the focus in the browser is the one that the form counts as being typed.
func (g *page) takeField(event pageEvent, now time.Time) {
	g.settleView()
	if event.Do == doText {
		g.board.Overtake("", now) // a key of the field
	}
	if event.Field == lineField {
		g.takeLine(event, now)
		return
	}
	if event.Field == teamField {
		g.takeTeam(event, now)
		return
	}
	f, field := g.form(), fieldNames[event.Field]
	if f == nil || field == form.FieldNone || !g.session().Pending() || f.Confirming() && !inFooter(field) {
		return
	}
	if event.Do == doDone {
		if f.Typing() == field && !inFooter(field) {
			g.leaveField(f)
		}
		return
	}
	otherNote := field == form.FieldNote && event.N > 0 && f.TypingNote() != g.optionAt(event.N)
	if f.Typing() != field || otherNote {
		if g.openField(field, event.N, now); event.Do == doBegin {
			g.view.Guard.SeenHere() // the person went into the field
		}
	}
	if event.Do == doText && f.Typing() == field {
		g.board.Drop()
		g.noteTyping(now)
		g.board.FollowDoubts()
		f.Type(say.Typable(event.Value))
	}
}

// TypesFirst reports whether a character begins an answer in words: the question has no options, and the person has not
// left its field.
func (g *page) TypesFirst() bool {
	f := g.form()
	return f != nil && f.WantsWords() && g.leftField != f.At()+1
}

// Deletes returns false: the browser itself deletes.
func (g *page) Deletes(string) bool { return false }

// typeFirst types a key as the first letter into the field that it has opened.
func (g *page) typeFirst(key string) {
	f := g.form()
	if f.Typing() == form.FieldText {
		f.Type(f.TypedText() + key)
	}
	g.forced, g.focus = true, g.focusNow()
	g.view.HoldClock()
	g.view.DraftSoon()
}

// leaveField closes the field that has just lost the focus. Text that may belong to the letter which opened the field
// is put aside. Other text stays: the person went elsewhere on the page, and nothing is sent.
func (g *page) leaveField(f *form.Form) {
	g.leftUnconfirmed = form.FieldNone
	switch ranOn, _ := g.view.Guard.Doubts(false); {
	case ranOn && f.Unconfirmed():
		g.leftUnconfirmed = f.Typing()
	default:
		f.Attach()
	}
	g.closeField()
}

// takeText makes the text in the open field a part of the answer, although it may have been meant for another window:
// the person clicked the button and saw what it sends. The click has taken the focus from the field just before.
func (g *page) takeText(f *form.Form) {
	if f.Typing() == form.FieldNone && g.leftUnconfirmed != form.FieldNone {
		_, _ = f.Begin(g.leftUnconfirmed)
	}
	f.Attach()
	g.closeField()
}

// optionAt returns the id of the n-th option.
func (g *page) optionAt(n int) string {
	if q := g.form().Here(); n >= 1 && n <= len(q.Options) {
		return q.Options[n-1].ID
	}
	return ""
}

// openField opens a field that was clicked. A field that ends the question is opened only by its key or its button.
func (g *page) openField(field form.Field, n int, now time.Time) {
	if a, opens := actionOf[field]; opens {
		g.closeField()
		g.board.Focus(a, action.Arg{N: n}, now)
	}
}

// actionOf maps a field to the action that opens it.
var actionOf = map[form.Field]action.Name{form.FieldText: action.Text, form.FieldNote: action.Note,
	form.FieldComment: action.Comment, form.FieldFind: action.Find}

// noteTyping notes that the person is typing, holds the clock, and saves a draft soon.
func (g *page) noteTyping(now time.Time) {
	g.view.Guard.Type(now)
	g.view.HoldClock()
	g.view.DraftSoon()
}

// closeField closes the text field; the text stays. A field in the bar at the bottom of the page stays open, because
// closing it would do more than that.
func (g *page) closeField() {
	f := g.form()
	if f == nil || f.Typing() == form.FieldNone || inFooter(f.Typing()) {
		return
	}
	if f.Typing() == form.FieldText {
		g.leftField = f.At() + 1
	}
	f.EndTyping()
	g.view.EndHold()
}
