package app

import (
	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/queue"
)

// place is where keys go now.
func (d *Dashboard) place() panes.Place {
	switch {
	case d.page != nil:
		return d.page.place()
	case d.finding != nil:
		return panes.PlaceFind
	case d.form == nil:
		return panes.PlaceEmpty
	}
	switch d.form.Typing() {
	case panes.FieldReason:
		return panes.PlaceReason
	case panes.FieldFind:
		return panes.PlaceFind
	case panes.FieldNone:
	default:
		return panes.PlaceTyping
	}
	if d.focus == areaQueue {
		return panes.PlaceQueue
	}
	if _, pending := d.pending(); !pending {
		return panes.PlaceOver
	}
	return panes.PlaceQuestion
}

// Key takes one key of the person.
func (d *Dashboard) Key(ev *tcell.EventKey) {
	now := d.now()
	d.lastKey = now
	d.message = ""
	place, key := d.place(), panes.Key(ev)
	if d.tooSmall() && key != "ctrl+c" && key != "ctrl+z" {
		return // nobody answers what cannot be seen
	}
	if key != "q" {
		d.leaving = ""
	}
	b := d.keys.Lookup(place, key)
	editor := d.editor()
	switch {
	case b == nil && editor != nil:
		d.typed(editor, func() { editor.Key(ev) })
		return
	case b == nil:
		d.guard.strayed(now)
		return
	}
	if why := d.refused(*b, key, place); why != "" {
		d.message = why
		return
	}
	d.act(place, b.Action, key)
	d.refresh()
}

// refused asks the guard, for the places where a key can mark, send or cancel.
func (d *Dashboard) refused(b panes.Binding, key string, place panes.Place) string {
	if place != panes.PlaceQuestion && (place != panes.PlaceQueue || b.Action == panes.ActEnter) {
		return ""
	}
	sends := b.Action == panes.ActEnter
	if b.Action == panes.ActDigit || b.Action == panes.ActMark {
		sends = d.form.SubmitsAtOnce()
	}
	return d.guard.refuses(b, key, sends, d.now())
}

// editor is the text being typed, nil for none.
func (d *Dashboard) editor() *panes.Editor {
	if d.page != nil {
		return d.page.editor()
	}
	if d.finding != nil {
		return d.finding
	}
	if d.form != nil {
		return d.form.Editor()
	}
	return nil
}

// typed changes the text being typed, and holds the clock for it.
func (d *Dashboard) typed(e *panes.Editor, change func()) {
	change()
	if d.page != nil {
		d.page.typed()
		return
	}
	if d.finding != nil {
		d.find = e.Text()
		return
	}
	d.form.TypedChanged()
	d.holdClock()
	d.draftSoon()
}

// Paste takes pasted text: into the field being typed, and nowhere else.
func (d *Dashboard) Paste(text string) {
	d.lastKey = d.now()
	e := d.editor()
	if e == nil {
		d.message = "paste goes into text: press t, n or a first"
		d.guard.strayed(d.now())
		return
	}
	if p := d.place(); p == panes.PlaceFind || p == panes.PlaceReason {
		text = oneLine(text)
	}
	d.typed(e, func() { e.Paste(text) })
}

func oneLine(s string) string {
	v, _ := queue.VisibleLine(s)
	return v
}

// act does what a key asks for in a place.
func (d *Dashboard) act(place panes.Place, a panes.Action, key string) {
	if d.actAnywhere(place, a) {
		return
	}
	if d.page != nil {
		d.page.act(a, key)
		return
	}
	switch place {
	case panes.PlaceEmpty:
		d.actEmpty(a, key)
	case panes.PlaceQueue:
		d.actQueue(a)
	case panes.PlaceFind:
		d.endFind(a)
	case panes.PlaceReason:
		d.actReason(a)
	case panes.PlaceTyping:
		d.actTyping(a)
	default:
		d.actQuestion(a, key)
	}
}

// actAnywhere does what means the same in every place; false: the place decides.
func (d *Dashboard) actAnywhere(place panes.Place, a panes.Action) bool {
	switch a {
	case panes.ActStop:
		d.quit()
	case panes.ActSuspend:
		d.suspend()
	case panes.ActRedraw:
		if d.term != nil {
			d.term.Screen().Sync()
		}
	case panes.ActHelp:
		d.open(&helpPage{d: d, view: panes.HelpView{Keys: d.keys, From: place}})
	case panes.ActNext, panes.ActPrevious:
		d.nextQuestion(a)
	case panes.ActPane:
		d.goToPane()
	case panes.ActArea:
		d.otherArea()
	case panes.ActQuit:
		d.back(place, true)
	default:
		return false
	}
	return true
}

func (d *Dashboard) nextQuestion(a panes.Action) {
	n := 1
	if a == panes.ActPrevious {
		n = -1
	}
	if d.step(n) {
		d.guard.open()
	} else if len(d.waiting) < 2 {
		d.message = "no other question waits"
	}
}

func (d *Dashboard) otherArea() {
	switch {
	case d.focus == areaQueue:
		d.focus = areaQuestion
	case d.o.Attach == "" && (len(d.waiting) > 1 || d.size.w >= 100):
		d.focus = areaQueue
	default:
		d.message = "the queue has no other question"
	}
}

func (d *Dashboard) actEmpty(a panes.Action, key string) {
	switch a {
	case panes.ActConnect:
		if n := int(key[0] - '1'); n < len(d.o.Connect) && !d.day.known {
			d.copyText(d.o.Connect[n].Command)
		}
	case panes.ActDemo:
		if d.o.Demo != nil && d.term != nil {
			d.term.Lend(d.o.Demo)
		}
	case panes.ActBack:
		d.missed = nil
	}
}

func (d *Dashboard) actQueue(a panes.Action) {
	list := d.listed()
	moved := false
	switch a {
	case panes.ActUp:
		moved = d.step(-1)
	case panes.ActDown:
		moved = d.step(1)
	case panes.ActFirst:
		moved = d.showAt(list, 0)
	case panes.ActLast:
		moved = d.showAt(list, len(list)-1)
	case panes.ActEnter:
		d.focus = areaQuestion
		d.guard.open()
	case panes.ActFind:
		d.finding = panes.NewEditor(d.find)
	case panes.ActMore, panes.ActLess, panes.ActCancel:
		d.actQuestion(a, "")
	case panes.ActBack:
		if d.find != "" {
			d.find = ""
		} else {
			d.focus = areaQuestion
		}
	}
	if moved {
		d.guard.appear(d.now())
	}
}

// endFind leaves the find line: Enter keeps what it narrows to, Esc shows all again.
func (d *Dashboard) endFind(a panes.Action) {
	queueList := d.finding != nil
	if queueList {
		d.finding = nil
	} else {
		d.form.EndTyping()
	}
	if a != panes.ActBack {
		return
	}
	if queueList {
		d.find = ""
	} else {
		d.form.ClearFind()
	}
}

// back goes one level back. Esc (quits false) never quits; q does, on question or queue, on the second press while
// something waits.
func (d *Dashboard) back(place panes.Place, quits bool) {
	switch {
	case d.page != nil:
		d.page.act(panes.ActBack, "")
	case place == panes.PlaceOver:
		d.leave()
	case !quits:
	case d.leaving == "q":
		d.quit()
	case d.o.Attach != "":
		d.leaving = "q"
		d.message = "q again leaves; the question stays for the dashboard, this command is used up"
	case len(d.waiting) == 0:
		d.quit()
	default:
		d.leaving = "q"
		d.message = quitWords(len(d.waiting))
	}
}
