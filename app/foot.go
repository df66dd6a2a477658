package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// foot is what the two lines at the bottom say in the place where keys go now.
func (d *Dashboard) foot(place keys.Place) panes.FootView {
	var v panes.FootView
	if d.chat.open {
		v = d.chatFoot()
	} else if d.page != nil {
		v = d.page.foot()
	} else if place == keys.PlaceSettings || place == keys.PlaceValue {
		v = d.settingsFoot()
	} else {
		p := d.enterLine(place)
		v = panes.FootView{Line: p.Words, Parts: p.Parts, Tails: append(p.Tails, d.aside), Keys: d.hints(place)}
	}
	v.Keys = slices.DeleteFunc(v.Keys, func(h keys.Hint) bool { return h.Keys == "" }) // unbound
	if v.Message = d.message; v.Message == "" && d.now().Before(d.said) {
		v.Message = d.last.brief(d.glyphs, d.size.w)
	}
	return v
}

// enterLine says what Enter would do now, or why it does nothing.
func (d *Dashboard) enterLine(place keys.Place) panes.Plan {
	g := d.glyphs
	switch place {
	case keys.PlaceEmpty:
		if d.o.Hint == "" && !d.chatOff() && d.addressed() != nil {
			return panes.Plan{Words: d.keptLine()}
		}
		return panes.Plan{Words: d.o.Hint}
	case keys.PlaceQueue:
		return panes.Plan{Words: d.queueLine()}
	case keys.PlaceFind:
		if d.finding != nil {
			return panes.Plan{Words: d.findLine()}
		}
	}
	s, pending := d.pending()
	if !pending {
		if d.form.Typing() != panes.FieldNone {
			return panes.Plan{Words: g.Enter + " ends typing, sends nothing"}
		}
		leaves := ", " + d.keys.KeyOf(place, keys.ActBack) + " leaves"
		return panes.Plan{Words: "over: " + g.Enter + " sends nothing" + leaves, Parts: []ink.Part{{Text: leaves, Short: []string{""}}}}
	}
	if out := d.outbox.Of(s.ID); out != nil && out.Err != nil {
		return panes.Plan{Words: "not saved, trying again: " + cause(out.Err)}
	}
	p := d.form.Enter(g)
	if who := say.Who(s.Origin); p.Step == panes.StepCancel && s.Gone(d.alive) {
		p.Words = strings.Replace(p.Words, " and tell "+who, "; "+who+" is gone", 1)
	}
	p.Tails = d.tails(s, p)
	if d.o.Attach != "" {
		p = p.Closing()
	}
	return p
}

// tails are what else the person should know before pressing Enter, most important first.
func (d *Dashboard) tails(s queue.Session, p panes.Plan) []ink.Tail {
	tails := append([]ink.Tail{d.drafted()}, p.Tails...)
	switch p.Step {
	case panes.StepSend, panes.StepNothing, panes.StepTake, panes.StepConfirm:
	default:
		return tails
	}
	if n := d.form.Unseen(); n > 0 {
		lines := "lines"
		if n == 1 {
			lines = "line"
		}
		tails = append(tails, ink.Tail{fmt.Sprintf("%d %s not seen", n, lines), fmt.Sprintf("%d unseen", n), fmt.Sprintf("%s%d", d.glyphs.Down, n)})
	}
	if d.form.CutOption() {
		key := d.keys.KeyOf(keys.PlaceQuestion, keys.ActFull)
		cut := ink.Tail{"option not all seen: " + key, "more: " + key}
		if d.form.Unseen() > 0 { // said already that there is more to read
			cut = append(cut, "")
		}
		tails = append(tails, cut)
	}
	tails = append(tails, d.form.Clock(d.now()))
	if s.Gone(d.alive) {
		gone := say.Who(s.Origin) + " is gone"
		tails = append(tails, ink.Tail{gone + "; your answer is kept 24 h for the same ask", gone + "; kept 24 h", gone, "gone"})
	}
	return tails
}

// hints are the keys of the place, with the words for what they do now.
func (d *Dashboard) hints(place keys.Place) []keys.Hint {
	switch place {
	case keys.PlaceTyping:
		return append(d.keys.Hints(place, keys.Binding.Word), d.escHint(place, "back, text kept", "back"))
	case keys.PlaceReason:
		ready := d.keys.KeyOf(place, keys.ActReasonUp) + d.keys.KeyOf(place, keys.ActReasonDown)
		return []keys.Hint{d.escHint(place, "keep the question", "keep it"),
			{Action: keys.ActReasonDown, Keys: ready, Word: "ready reasons", Short: "reasons", Rank: 1}}
	case keys.PlaceFind:
		return []keys.Hint{d.escHint(place, showAll, showAllShort)}
	}
	hints := d.keys.Hints(place, d.word)
	for i := range hints {
		switch hints[i].Action {
		case keys.ActDigit, keys.ActChangeOne:
			hints[i].Keys = d.form.Digits()
		case keys.ActFull:
			if d.form.IsFull() { // the way back
				hints[i].Rank = 1
			}
		}
	}
	if place == keys.PlaceOver {
		hints = append(hints, d.escHint(place, "leaves", ""))
	}
	if place == keys.PlaceEmpty || d.o.Attach != "" {
		word := "quit"
		if d.o.Attach != "" {
			word = "leave"
		}
		hints = append(hints, keys.Hint{Keys: d.quitKey(), Word: word, Rank: 3})
	}
	return readingFirst(hints)
}

// readingFirst puts the keys for reading on in front: they are listed only where something is not seen yet.
func readingFirst(hints []keys.Hint) []keys.Hint {
	slices.SortStableFunc(hints, func(a, b keys.Hint) int { return b.Lead - a.Lead })
	return hints
}

// word is what a key does now, for the foot; empty: nothing worth a place there.
func (d *Dashboard) word(b keys.Binding) keys.Word {
	if d.form == nil {
		if b.Action == keys.ActChat && d.chatKey() == "" || b.Action == keys.ActConnect && d.day.known || b.Action == keys.ActDemo && (d.o.Demo == nil || d.day.known) {
			return keys.Word{}
		}
		return b.Word()
	}
	f := d.form
	several, wide := len(d.waiting) > 1 && d.o.Attach == "", panes.ListWidth(d.size.w) > 0
	show := true
	switch b.Action {
	case keys.ActSettings, keys.ActHistory:
		show = wide // elsewhere it stands in the help: the keys of a question have no place to spare
	case keys.ActChat:
		show = false
	case keys.ActArea:
		show = several || wide && d.o.Attach == ""
	case keys.ActFind:
		show = several && d.focus == areaQueue || d.focus != areaQueue && f.Offers(b.Action)
	case keys.ActNext:
		show = several
	case keys.ActPane:
		show = d.o.GoToPane != nil && f.Session.Origin.Pane != ""
	case keys.ActPageDown:
		show = f.Unseen() > 0
	case keys.ActFull:
		if f.IsFull() {
			return keys.Word{Long: "smaller"}
		}
		show = f.Unseen() > 0
	case keys.ActCancel:
		if f.Reviewing() {
			return keys.Word{Long: "cancel all", Short: "cancel"}
		}
	case keys.ActCopy:
		show = f.Typed() != ""
	case keys.ActMore:
		s, _ := d.pending()
		show = s.Pending() && f.Clock(d.now()) != nil
	default:
		show = f.Offers(b.Action)
	}
	if !show {
		return keys.Word{}
	}
	switch {
	case b.Action == keys.ActDigit && f.SubmitsAtOnce():
		return keys.Word{Long: "send at once"}
	case b.Action == keys.ActDigit && !f.Radio():
		return keys.Word{Long: "mark"}
	case b.Action == keys.ActHidden:
		return keys.Word{Long: fmt.Sprintf("%d hidden", f.HiddenRows())}
	}
	return b.Word()
}
