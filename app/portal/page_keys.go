package portal

import (
	"slices"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// The keyboard of package action takes a page's keys and carries out its actions. To it a page is an action.Keyed: it
// says where keys go; and an action.Frontend: it shows what an action has done.

// pressKey carries out the action of a key.
func (p *page) pressKey(event pageEvent, now time.Time) {
	p.settleView()
	p.did = false
	text := p.board.Press(event.Key, event.Held, now, func() { p.pressKey(event, now) })
	switch {
	case text && !p.writing(): // its first character
		p.typeFirst(event.Key)
	case p.did:
		p.refocus()
	}
	p.wakeLate()
}

// wakeLate starts a timer for a key that waits a moment before it acts: a letter that acts without Enter, because it
// may be the beginning of a sentence that was meant for another window, or a press that may be the repeat of a held
// key. The timer is not stopped when the key is dropped; it then does nothing.
func (p *page) wakeLate() {
	due := p.board.Due()
	if !due.IsZero() {
		time.AfterFunc(due.Sub(p.pages.desk.Now()), func() { p.pages.post(p.actLate) })
	}
}

// actLate carries out a key that had to wait before it acts (see wakeLate), if its time has come.
func (p *page) actLate() {
	if p.board.ActLate(p.pages.desk.Now()) {
		p.pages.desk.Refresh()
	}
	if !p.board.Due().IsZero() { // it waits longer, as the program was held up
		p.wakeLate()
	}
	p.drawSoon()
}

// typeFirst types a key as the first letter into the field that it has opened.
func (p *page) typeFirst(key string) {
	f := p.form()
	if f.Typing() == form.FieldText {
		f.Type(f.TypedText() + key)
	}
	p.forced, p.focus = true, p.focusNow()
	p.view.HoldClock()
	p.view.DraftSoon()
}

// Keys returns the key table.
func (p *page) Keys() action.Map { return p.pages.keys }

// Field returns the line to an agent while it is written. The browser itself types into all fields.
func (p *page) Field() any {
	if p.writing() {
		return p.chat
	}
	return nil
}

// TypesFirst reports whether a character begins an answer in words: the question has no options, and the person has not
// left its field.
func (p *page) TypesFirst() bool {
	f := p.form()
	return f != nil && f.WantsWords() && p.leftFields[f] != f.At()+1
}

// Deletes returns false: the browser itself deletes.
func (p *page) Deletes(string) bool { return false }

// Own returns the page's row of an action.
func (p *page) Own(a action.Name) (action.Row, bool) {
	place := p.Place()
	if !p.hasIn(a, place) {
		return action.Row{}, false
	}
	if p.actsOnQuestion(a) {
		return action.Row{Name: a}, true
	}
	row := action.Row{Name: a, Do: action.Nth(func(n int) {
		if own, is := ownActions[a]; is {
			p.did = true
			own.do(p, n)
		}
	})}
	if place == action.PlacePostponed && a == action.Enter {
		row.Effect = func(action.At) desk.Effect { return desk.Sending }
	}
	return row, true
}

// actsOnQuestion reports whether an action is one on the question on view, and can be carried out there now.
func (p *page) actsOnQuestion(a action.Name) bool {
	acts := p.session().Pending() || p.view.Batch.On()
	return acts && p.panel == "" && p.form() != nil && !slices.Contains(offQuestion, p.Place()) && p.board.Has(a)
}

// Else returns no row: the page has no others.
func (p *page) Else(action.Name) action.Row { return action.Row{} }

// NoKey says that a key does nothing in a place.
func (p *page) NoKey(place action.Place, key string, row *action.Row) {
	switch p.message = p.pages.keys.Moved(place, key); {
	case row != nil:
		p.message = p.notHere(row.Name, action.Written(key))
	case p.message == "":
		p.message = say.NothingHere(p.pages.keys, place, key, enterName, p.view)
	}
}

// keysNow returns the keys that the page takes from the browser now.
func (p *page) keysNow() []string {
	known := p.pages.keysIn(p.Place())
	if p.board.Offers() && !slices.Contains(known, "enter") {
		known = append(slices.Clone(known), "enter")
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

// help returns the help page: the keys of the present place, and all keys.
func (p *page) help() (h helpView) {
	var list action.Map
	for _, b := range p.pages.keys {
		in := b
		b.In = slices.DeleteFunc(slices.Clone(pagePlaces), func(place action.Place) bool {
			return !has(b.Name, place) || slices.Contains(onButtons, b.Name) || !in.IsIn(place) ||
				p.pages.keys.KeyOf(place, b.Name) == ""
		})
		if len(b.In) > 0 && b.Help != "" {
			list = append(list, b)
		}
	}
	h.Out = p.leftOut()
	here := list.HelpOf(p.placeBelow())
	h.Here = helpGroup{Name: say.Capital(here[0].Heading), Rows: here[1:]}
	for _, row := range list.HelpRows() {
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
func (p *page) leftOut() (list []helpOut) {
	for _, b := range p.pages.keys {
		why := b.Lacks[action.Page]
		if key := b.Shown(); why != "" && key != "" {
			list = append(list, helpOut{key, b.Help, why})
		}
	}
	return list
}
