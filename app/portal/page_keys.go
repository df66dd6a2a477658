package portal

import (
	"slices"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/widen"
)

// The keyboard of package action takes a page's keys and carries out its actions. To it a page is an action.Keyed: it
// says where keys go; and an action.Frontend: it shows what an action has done.

// pressKey carries out the action of a key.
func (g *page) pressKey(event pageEvent, now time.Time) {
	g.settleView()
	g.did = false
	text := g.board.Press(event.Key, event.Held, now, func() { g.pressKey(event, now) })
	switch {
	case text && !g.writing(): // its first character
		g.typeFirst(event.Key)
	case g.did:
		g.refocus()
	}
	g.wakeLate()
}

// wakeLate starts a timer for a key that waits a moment before it acts: a letter that acts without Enter, because it
// may be the beginning of a sentence that was meant for another window, or a press that may be the repeat of a held
// key. The timer is not stopped when the key is dropped; it then does nothing.
func (g *page) wakeLate() {
	due := g.board.Due()
	if !due.IsZero() {
		time.AfterFunc(due.Sub(g.pages.desk.Now()), func() { g.pages.post(g.actLate) })
	}
}

// actLate carries out a key that had to wait before it acts (see wakeLate), if its time has come.
func (g *page) actLate() {
	if g.board.ActLate(g.pages.desk.Now()) {
		g.pages.desk.Refresh()
	}
	if !g.board.Due().IsZero() { // it waits longer, as the program was held up
		g.wakeLate()
	}
	g.drawSoon()
}

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

// Keys returns the key table.
func (g *page) Keys() action.Map { return g.pages.keys }

// Field returns the line to an agent while it is written. The browser itself types into all fields.
func (g *page) Field() any {
	if g.writing() {
		return g.chat
	}
	return nil
}

// TypesFirst reports whether a character begins an answer in words: the question has no options, and the person has not
// left its field.
func (g *page) TypesFirst() bool {
	f := g.form()
	return f != nil && f.WantsWords() && g.leftField != f.At()+1
}

// Deletes returns false: the browser itself deletes.
func (g *page) Deletes(string) bool { return false }

// Own returns the page's row of an action.
func (g *page) Own(a action.Name) (action.Row, bool) {
	place := g.Place()
	if !g.hasIn(a, place) {
		return action.Row{}, false
	}
	if g.actsOnQuestion(a) {
		return action.Row{Name: a}, true
	}
	row := action.Row{Name: a, Do: action.Nth(func(n int) {
		if own, is := ownActions[a]; is {
			g.did = true
			own.do(g, n)
		}
	})}
	if sends := place == action.PlaceHeld || place == action.PlaceRound; sends && a == action.Enter {
		row.Effect = func(action.At) desk.Effect { return desk.Sending }
	}
	return row, true
}

// actsOnQuestion reports whether an action is one on the question on view, and can be carried out there now.
func (g *page) actsOnQuestion(a action.Name) bool {
	return g.panel == "" && g.form() != nil && g.session().Pending() && !slices.Contains(offQuestion, g.Place()) &&
		g.board.Has(a)
}

// Else returns no row: the page has no others.
func (g *page) Else(action.Name) action.Row { return action.Row{} }

// NoKey says that a key does nothing in a place.
func (g *page) NoKey(place action.Place, key string, row *action.Row) {
	switch g.notice = g.pages.keys.Moved(place, key); {
	case row != nil:
		g.notice = g.notHere(row.Name, action.Written(key))
	case g.notice == "":
		g.notice = say.NothingHere(g.pages.keys, place, key, enterName, g.view)
	}
}

// keysNow returns the keys that the page takes from the browser now.
func (g *page) keysNow() []string {
	known := g.pages.keysIn(g.Place())
	if g.board.Offers() && !slices.Contains(known, "enter") {
		known = append(slices.Clone(known), "enter")
	}
	if c := g.consult(); c != nil && c.Stage != widen.Asking { // in these places Tab keeps its meaning in the browser
		known = slices.DeleteFunc(slices.Clone(known), func(key string) bool {
			return key == "tab" || key == "backtab"
		})
	}
	return known
}

// keysOf returns the keys that the page takes from the browser in a place: those of the actions that it has there,
// except actions that it has only as buttons (onButtons). The keys for a new line are included, because the page's
// script types the new line itself.
func keysOf(m action.Map, place action.Place) (list []string) {
	for _, b := range m {
		for _, key := range b.Keys {
			if found := m.Lookup(place, key); key != "" && found != nil && found.Name == b.Name {
				onButton := place == action.PlaceChat && slices.Contains(onButtons, b.Name)
				if has(b.Name, place) && !onButton || b.Name == action.NewLine {
					list = append(list, key)
				}
			}
		}
	}
	return list
}

// onButtons lists the actions that the footer of a line to an agent has only as buttons, because the browser uses their
// keys itself.
var onButtons = []action.Name{action.Area, action.TakeBack}

// help returns the help page. The present place comes first.
func (g *page) help() (h helpView) {
	var list action.Map
	for _, b := range g.pages.keys {
		in := b
		b.In = slices.DeleteFunc(slices.Clone(pagePlaces), func(place action.Place) bool {
			return !has(b.Name, place) || slices.Contains(onButtons, b.Name) || !in.IsIn(place) ||
				g.pages.keys.KeyOf(place, b.Name) == ""
		})
		if len(b.In) > 0 && b.Help != "" {
			list = append(list, b)
		}
	}
	first := action.PlaceQuestion
	if g.id == "" {
		first = action.PlaceQueue
	}
	h.Out = g.leftOut()
	for _, row := range list.HelpRows(first) {
		if row.Heading != "" {
			h.Groups = append(h.Groups, helpGroup{Name: say.Capital(row.Heading)})
			continue
		}
		g := &h.Groups[len(h.Groups)-1]
		g.Rows = append(g.Rows, row)
	}
	return h
}

// leftOut returns the actions on a question that the page does not have.
func (g *page) leftOut() (list []helpOut) {
	for _, b := range g.pages.keys {
		why := b.Lacks[action.Page]
		if key := b.Shown(); why != "" && key != "" {
			list = append(list, helpOut{key, b.Help, why})
		}
	}
	return list
}
