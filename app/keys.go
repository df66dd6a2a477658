package app

import (
	"slices"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
)

// place is where keys go now.
func (d *Dashboard) place() keys.Place {
	switch {
	case d.chat.open:
		return keys.PlaceChat
	case d.page != nil:
		return d.page.place()
	case d.finding != nil:
		return keys.PlaceFind
	case d.form == nil:
		return keys.PlaceEmpty
	}
	switch d.form.Typing() {
	case panes.FieldReason:
		return keys.PlaceReason
	case panes.FieldFind:
		return keys.PlaceFind
	case panes.FieldNone:
	default:
		return keys.PlaceTyping
	}
	if d.focus == areaSettings {
		return d.settingsPlace()
	}
	if d.focus == areaQueue {
		return keys.PlaceQueue
	}
	if _, pending := d.pending(); !pending {
		return keys.PlaceOver
	}
	switch {
	case d.form.Confirming():
		return keys.PlaceConfirm
	case d.form.Reviewing():
		return keys.PlaceReview
	}
	return keys.PlaceQuestion
}

// Key takes one key of the person.
func (d *Dashboard) Key(ev *tcell.EventKey) {
	now := d.now()
	d.lastKey = now
	d.message, d.said, d.aside = "", time.Time{}, nil
	place, key := d.place(), keyName(ev)
	if d.tooSmall() && key != "ctrl+c" && key != "ctrl+z" {
		return // nobody answers what cannot be seen
	}
	d.sawOver(now)
	b := d.keys.Lookup(place, key)
	if b == nil || b.Action != keys.ActQuit {
		d.leaving = ""
	}
	field := d.editor()
	switch {
	case b == nil && field != nil:
		if d.message = d.keys.Moved(place, key); d.message == "" { // else the field itself would still do it
			d.typed(field, func() { field.Key(ev) })
		}
		return
	case b == nil:
		if d.message = d.keys.Moved(place, key); d.message == "" {
			d.message = say.NothingHere(d.keys, place, key, d.glyphs.Enter)
		}
		d.guard.strayed(now)
		return
	}
	if why := d.refused(*b, key, place); why != "" {
		d.message = why
		return
	}
	if why := d.disabled(place, b.Action); why != "" {
		d.message = why
		return
	}
	if place == keys.PlaceQuestion {
		d.ousted = ""
	}
	d.act(place, b.Action, key)
	d.refresh()
}

// refused asks the guard, for the places where a key can mark, send, confirm or cancel.
func (d *Dashboard) refused(b keys.Binding, key string, place keys.Place) string {
	switch place {
	case keys.PlaceQuestion, keys.PlaceConfirm, keys.PlaceReview:
	case keys.PlaceQueue:
		if b.Action == keys.ActEnter { // opens, never submits
			return ""
		}
	default:
		return ""
	}
	sends := b.Action == keys.ActEnter || b.Action == keys.ActConfirm
	if b.Action == keys.ActDigit || b.Action == keys.ActMark {
		sends = d.form.SubmitsAtOnce()
	}
	return d.guard.refuses(b, key, sends, d.now())
}

// editor is the text being typed, nil for none.
func (d *Dashboard) editor() *editor.Field {
	if d.chat.open {
		return d.chat.editor
	}
	if d.page != nil {
		return d.page.editor()
	}
	if d.finding != nil {
		return d.finding
	}
	if d.form != nil && d.focus == areaSettings {
		return d.set.field
	}
	if d.form != nil {
		return d.form.Editor()
	}
	return nil
}

// typed changes the text being typed, and holds the clock for it.
func (d *Dashboard) typed(e *editor.Field, change func()) {
	change()
	if d.chat.open {
		d.chatTyped()
		return
	}
	if d.page != nil {
		d.page.typed()
		return
	}
	if d.finding != nil {
		d.narrow(e.Text())
		return
	}
	if e == d.set.field {
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
		d.message = d.pasteWords()
		d.guard.strayed(d.now())
		return
	}
	if p := d.place(); p == keys.PlaceFind || p == keys.PlaceReason || p == keys.PlaceValue {
		text = say.OneLine(text)
	}
	d.typed(e, func() { e.Paste(text) })
}

// act does what a key asks for in a place.
func (d *Dashboard) act(place keys.Place, a keys.Action, key string) {
	if d.actAnywhere(place, a) {
		return
	}
	if d.chat.open {
		d.actChat(a)
		return
	}
	if d.page != nil {
		d.page.act(a, key)
		return
	}
	switch place {
	case keys.PlaceEmpty:
		d.actEmpty(a, key)
	case keys.PlaceSettings, keys.PlaceValue:
		d.actSettings(a)
	case keys.PlaceQueue:
		d.actQueue(a)
	case keys.PlaceFind:
		d.endFind(a)
	case keys.PlaceReason:
		d.actReason(a)
	case keys.PlaceTyping:
		d.actTyping(a)
	default:
		d.actQuestion(a, key)
	}
}

// actAnywhere does what means the same in every place; false: the place decides.
func (d *Dashboard) actAnywhere(place keys.Place, a keys.Action) bool {
	switch a {
	case keys.ActStop:
		d.quit()
	case keys.ActSuspend:
		d.suspend()
	case keys.ActRedraw:
		if d.term != nil {
			d.term.Screen().Sync()
		}
	case keys.ActUndoTyping:
		d.typed(d.editor(), d.editor().Undo)
	case keys.ActRedoTyping:
		d.typed(d.editor(), d.editor().Redo)
	case keys.ActHelp:
		d.open(&helpPage{d: d, under: d.page, view: panes.HelpView{Keys: d.keys, From: place}})
	case keys.ActNext, keys.ActPrevious:
		d.nextQuestion(a)
	case keys.ActPane:
		d.goToPane()
	case keys.ActArea:
		d.otherArea(1)
	case keys.ActAreaBack:
		d.otherArea(-1)
	case keys.ActSettings:
		d.openSettings()
	case keys.ActHistory:
		d.openHistory()
	case keys.ActStats:
		d.openStats()
	case keys.ActChat:
		d.openChat()
	case keys.ActQuit:
		d.back(place, true)
	default:
		return false
	}
	return true
}

func (d *Dashboard) nextQuestion(a keys.Action) {
	n := 1
	if a == keys.ActPrevious {
		n = -1
	}
	if d.step(n) {
		d.guard.open()
	} else {
		d.message, d.aside = d.noStep(n)
	}
}

// otherArea gives the focus to the next area on screen, or the one before.
func (d *Dashboard) otherArea(n int) {
	areas := []area{areaQuestion}
	if d.o.Attach == "" && (d.others() > 0 || d.size.w >= 100) {
		areas = append(areas, areaQueue)
	}
	if d.set.area {
		areas = append(areas, areaSettings)
	}
	switch {
	case d.page != nil:
		d.message = "this page has one area"
	case len(areas) == 1:
		d.message = "the queue has no other question"
	default:
		at := slices.Index(areas, d.focus) // -1, gone from the screen: the first or the last
		d.focus = areas[(max(at, 0)+n+len(areas))%len(areas)]
	}
}

func (d *Dashboard) actEmpty(a keys.Action, key string) {
	switch a {
	case keys.ActConnect:
		if n := d.keys.Nth(keys.PlaceEmpty, a, key) - 1; n < len(d.o.Connect) && !d.day.known {
			d.copyText(d.o.Connect[n].Command)
		} else {
			d.message = "nothing to copy: choicetui help connect shows how agents are connected"
		}
	case keys.ActDemo:
		switch {
		case d.o.Demo == nil:
			d.message = "there is no demo here"
		case d.term != nil:
			d.term.Lend(d.o.Demo)
		}
	case keys.ActBack:
		d.missed = nil
	}
}

func (d *Dashboard) actQueue(a keys.Action) {
	list := d.listed()
	moved := false
	switch a {
	case keys.ActUp:
		moved = d.step(-1)
	case keys.ActDown:
		moved = d.step(1)
	case keys.ActFirst:
		moved = d.showAt(list, 0)
	case keys.ActLast:
		moved = d.showAt(list, len(list)-1)
	case keys.ActEnter:
		if len(list) > 0 || d.find == "" {
			d.focus = areaQuestion
			d.guard.open()
		}
	case keys.ActFind:
		d.startFind()
	case keys.ActMore, keys.ActLess, keys.ActCancel, keys.ActPageDown, keys.ActPageUp, keys.ActFull:
		d.actQuestion(a, "") // of the question that is shown beside the list
	case keys.ActBack:
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

// back goes one level back. Esc (quits false) never quits; q does, on question or queue, on the second press while
// something waits.
func (d *Dashboard) back(place keys.Place, quits bool) {
	switch {
	case d.page != nil:
		d.page.act(keys.ActBack, "")
	case place == keys.PlaceSettings:
		d.actSettings(keys.ActBack)
	case place == keys.PlaceOver:
		d.leave()
	case !quits:
	case d.leaving == "q":
		d.quit()
	case d.o.Attach != "":
		d.leaving = "q"
		d.message = d.quitKey() + " again leaves; the question stays for the dashboard, this command is used up"
	case len(d.waiting) == 0:
		d.quit()
	default:
		d.leaving = "q"
		d.message = d.quitKey() + quitWords(len(d.waiting))
	}
}
