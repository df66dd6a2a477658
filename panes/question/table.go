package question

import (
	"fmt"
	"slices"
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// verbs carry out the keys on the question on view.
type verbs struct {
	host  panes.Host
	o     Options
	view  func() *view      // as of now; nil: nothing waits
	place func() keys.Place // where keys go now
	typed func()            // the text being typed was changed
	no    refusals
}

// table binds the actions of all places of the room.
func (r verbs) table() panes.Table {
	return slices.Concat(r.moves(), r.marks(), r.texts(), r.typing(), r.reads(), r.steps(), r.times(), r.seconds(),
		teammates{r}.table(), approver{r}.table(), r.screens())
}

// act wraps a key's effect on the view, and saves a draft soon after.
func (r verbs) act(do func(v *view, key string)) func(string) {
	return func(key string) {
		v := r.view()
		if v == nil {
			return
		}
		if p := r.place(); p == keys.PlaceQuestion || p == keys.PlaceApproval {
			v.ousted = false
		}
		was := v.form.At()
		do(v, key)
		if v.form.At() != was {
			v.leaveText()
			v.thaw()
		}
		r.host.Seat().DraftSoon()
	}
}

// when returns a condition on the view.
func (r verbs) when(is func(*view) bool) func() bool {
	return func() bool {
		v := r.view()
		return v != nil && is(v)
	}
}

// effect returns what a key would do to the view now, for the guard.
func (r verbs) effect(of func(*view) desk.Effect) func() desk.Effect {
	return func() desk.Effect {
		if v := r.view(); v != nil {
			return of(v)
		}
		return desk.Elsewhere
	}
}

// enterEffect returns what Enter would do now.
func (r verbs) enterEffect(v *view) desk.Effect {
	switch {
	case !v.session.Pending() || v.form.Typing() != form.FieldNone && v.form.Typing() != form.FieldRefusal:
		return desk.Elsewhere
	case r.host.Seat().UndoableOn():
		return desk.Sending
	}
	switch v.form.Plan(form.Facts{}).Step {
	case form.StepTake, form.StepOpen, form.StepType, form.StepArm:
		return desk.Stepping
	}
	return desk.Sending
}

func (r verbs) moves() panes.Table {
	effect := r.effect(func(v *view) desk.Effect { // the dot of a radio follows the cursor
		if !v.form.Reviewing() && (v.q().Radio() || v.form.Approves()) {
			return desk.Marking
		}
		return desk.Moving
	})
	move := func(a keys.Action, do func(*form.Form)) panes.Row {
		return panes.Row{Action: a, Do: r.act(func(v *view, _ string) { v.moving(func() { do(v.form) }) }),
			Effect: effect}
	}
	return panes.Table{
		move(keys.ActUp, func(f *form.Form) { f.Move(-1) }),
		move(keys.ActDown, func(f *form.Form) { f.Move(1) }),
		move(keys.ActFirst, func(f *form.Form) { f.Ends(false) }),
		move(keys.ActLast, func(f *form.Form) { f.Ends(true) }),
	}
}

func (r verbs) marks() panes.Table {
	radio := func(v *view) bool { return v.q().Radio() }
	options := func(v *view) bool { return len(v.q().Options) > 0 }
	several := r.when(func(v *view) bool { return !radio(v) && len(v.q().Options) > 1 })
	toggles := r.when(func(v *view) bool { return !radio(v) })
	choice := func(sends desk.Effect) func() desk.Effect {
		return r.effect(func(v *view) desk.Effect {
			if v.q().SubmitsAtOnce() {
				return sends
			}
			return desk.Marking
		})
	}
	digit := func(h keys.Hint) keys.Hint {
		v := r.view()
		h.Keys = v.digits()
		switch {
		case v.q().SubmitsAtOnce():
			return h.Say(keys.Word{Long: "send at once"})
		case !radio(v):
			return h.Say(keys.Word{Long: "mark"})
		}
		return h
	}
	return panes.Table{
		{Action: keys.ActEnter, Do: r.act(r.enter), Effect: r.effect(r.enterEffect)},
		r.no.may(panes.Row{Action: keys.ActMark, Do: r.act(r.mark), When: several, Toggles: toggles,
			Effect: choice(desk.Sending)}, // it sends what is under the cursor
			func(v *view) form.WhyNot { return v.q().MayToggle() }),
		r.no.mayKey(panes.Row{Action: keys.ActDigit, Do: r.act(r.digit), When: r.when(options), Hint: digit,
			Effect: choice(desk.Choosing), Toggles: toggles}, func(v *view, key string) form.WhyNot {
			return v.q().MayDigit(nth(v, keys.PlaceQuestion, keys.ActDigit, key))
		}),
		r.no.may(panes.Row{Action: keys.ActRecommended, Do: r.act(r.recommend),
			When: r.when(func(v *view) bool { return !radio(v) && options(v) }), Toggles: toggles}, mayRecommend),
		r.no.may(panes.Row{Action: keys.ActAll, Do: r.act(r.markAll), When: several, Toggles: toggles},
			func(v *view) form.WhyNot { return v.q().MayAll() }),
	}
}

func (r verbs) texts() panes.Table {
	begin := func(a keys.Action, field form.Field, when func(*view) bool) panes.Row {
		row := panes.Row{Action: a, Do: r.act(func(v *view, _ string) { r.begin(v, field) }), When: r.when(when)}
		return r.no.may(row, func(v *view) form.WhyNot { return v.form.MayBegin(field) })
	}
	cancel := func(w keys.Word) keys.Word {
		if r.view().form.Reviewing() {
			return keys.Word{Long: "cancel all", Short: "cancel"}
		}
		return w
	}
	return panes.Table{
		begin(keys.ActNote, form.FieldNote,
			func(v *view) bool { return v.q().Annotate && len(v.q().Options) > 0 }),
		begin(keys.ActComment, form.FieldComment, func(v *view) bool { return v.form.MayComment().OK() }),
		{Action: keys.ActText, Do: r.act(r.text),
			When: r.when(func(v *view) bool { return v.q().TakesText() })},
		begin(keys.ActFind, form.FieldFind, func(v *view) bool { return len(v.q().Options) > enoughToFind }),
		r.no.ends(panes.Row{Action: keys.ActCancel, Do: r.act(func(v *view, _ string) { r.begin(v, form.FieldReason) }),
			Word: cancel}, form.FieldReason),
		{Action: keys.ActEditor, Do: r.act(r.edit), When: func() bool { return false },
			WhyNot: r.no.words(r.no.whyNotEdited)},
	}
}

// enoughToFind is the number of options that have digits of their own: with more, finding is offered.
const enoughToFind = 9

// typing returns the bindings while a text is typed.
func (r verbs) typing() panes.Table {
	reasons := func(h keys.Hint) keys.Hint {
		m := r.view().keys
		h.Keys = m.KeyOf(keys.PlaceReason, keys.ActReasonUp) + m.KeyOf(keys.PlaceReason, keys.ActReasonDown)
		if f := r.view().form; f != nil && f.Typing() != form.FieldReason {
			return h.Say(keys.Word{Long: "suggestions"})
		}
		return h.Say(keys.Word{Long: "suggested reasons", Short: "reasons"})
	}
	return panes.Table{
		{Action: keys.ActBack, Do: r.act(r.back), Word: r.backWord},
		{Action: keys.ActNewLine, Do: r.act(func(v *view, _ string) {
			if field := v.editor(); field != nil {
				field.NewLine()
				r.typed()
			}
		})},
		{Action: keys.ActEditorHere, Do: r.act(r.edit), WhyNot: r.no.words(r.no.whyNotEdited)},
		{Action: keys.ActReasonUp, Do: r.act(func(v *view, _ string) { r.nextReason(v, -1) })},
		{Action: keys.ActReasonDown, Do: r.act(func(v *view, _ string) { r.nextReason(v, 1) }), Hint: reasons},
	}
}

// backWord says what the way back does, where the foot has it.
func (r verbs) backWord(keys.Word) keys.Word {
	switch r.place() {
	case keys.PlaceTyping:
		v := r.view()
		cancel := v.key(keys.ActCancel)
		if !v.session.Pending() {
			cancel = ""
		}
		return keys.Word{Long: "back, text kept" + say.Keyed("; then ", cancel, " cancels"),
			Short: "back" + say.Keyed(", ", cancel, " cancel")}
	case keys.PlaceReason:
		return keys.Word{Long: "back"}
	case keys.PlaceFind:
		return keys.Word{Long: say.ShowAll, Short: say.ShowAllShort}
	case keys.PlaceOver:
		return keys.Word{Long: say.ClosedBack(r.host.Seat().LeaveEnds()).Foot}
	}
	return keys.Word{}
}

// reads returns the keys for reading on, and what is hidden.
func (r verbs) reads() panes.Table {
	scroll := func(halves int) func(string) {
		return r.act(func(v *view, _ string) {
			if v.form.Confirming() {
				confirmation{v}.scrollBy(halves)
				return
			}
			prompt{v}.scrollBy(halves)
		})
	}
	unseen := r.when(func(v *view) bool { return prompt{v}.unseen() > 0 })
	full := func(h keys.Hint) keys.Hint {
		if r.view().full { // the way back
			h.Rank = 1
			return h.Say(keys.Word{Long: say.TextBack})
		}
		return h
	}
	hidden := func(keys.Word) keys.Word {
		return keys.Word{Long: fmt.Sprintf("%d hidden", r.view().q().HiddenRows())}
	}
	return panes.Table{
		{Action: keys.ActPageUp, Do: scroll(-2)},
		{Action: keys.ActPageDown, Do: scroll(2), When: unseen},
		{Action: keys.ActHalfUp, Do: scroll(-1)},
		{Action: keys.ActHalfDown, Do: scroll(1)},
		{Action: keys.ActFull, Do: r.act(func(v *view, _ string) {
			if (prompt{v}).toggleFull(); !v.full {
				r.host.Seat().BroughtUp()
			}
		}),
			When: r.when(func(v *view) bool { return v.full || prompt{v}.unseen() > 0 }), Hint: full},
		r.no.may(panes.Row{Action: keys.ActHidden, Do: r.act(r.showHidden),
			When: r.when(func(v *view) bool { return v.q().HiddenRows() > 0 }), Word: hidden},
			func(v *view) form.WhyNot { return v.q().MayShowHidden() }),
	}
}

// steps go from question to question, to the confirmation and away.
func (r verbs) steps() panes.Table {
	several := r.when(func(v *view) bool { return v.form.Several() })
	each := func(h keys.Hint) keys.Hint {
		v := r.view()
		h.Keys = v.keys.FirstKeys(keys.PlaceReview, keys.ActChangeOne, v.form.Len())
		return h
	}
	return panes.Table{
		{Action: keys.ActTabNext, Do: r.act(func(v *view, _ string) { r.turn(v, (*form.Form).Next) }), When: several,
			WhyNot: r.no.words(whyNotTurned)},
		{Action: keys.ActTabBack, Do: r.act(func(v *view, _ string) { r.turn(v, (*form.Form).Back) }),
			WhyNot: r.no.words(whyNotTurned)},
		r.no.may(panes.Row{Action: keys.ActAllRec, Do: r.act(r.recommendAll),
			When: r.when(func(v *view) bool { return v.form.Several() && v.form.Recommends() })}, mayRecommendAll),
		r.no.mayKey(panes.Row{Action: keys.ActChangeOne, Do: r.act(r.changeOne), Hint: each},
			func(v *view, key string) form.WhyNot {
				return v.form.MayGoTo(nth(v, keys.PlaceReview, keys.ActChangeOne, key) - 1)
			}),
		r.no.may(panes.Row{Action: keys.ActStartOver, Do: r.act(r.startOver)},
			func(v *view) form.WhyNot { return v.form.MayStartOver() }),
		r.no.may(panes.Row{Action: keys.ActConfirm, Do: r.act(r.confirmIt)},
			func(v *view) form.WhyNot { return v.form.MayConfirm() }),
		{Action: keys.ActDecline, Do: r.act(func(v *view, _ string) { v.form.Decline() })},
		{Action: keys.ActCopy, Do: r.act(r.copyTyped),
			When:   r.when(func(v *view) bool { return len(v.form.Typed()) > 0 }),
			WhyNot: r.no.words(whyNotCopied)},
	}
}

func (r verbs) times() panes.Table {
	soon := r.when(func(v *view) bool { return v.session.Pending() && v.soon(r.host.Seat().Desk().Now()) })
	return panes.Table{
		{Action: keys.ActMore, Do: r.act(r.moreTime), When: soon, WhyNot: r.no.whyNotMoved(time.Minute)},
		{Action: keys.ActLess, Do: r.act(r.lessTime), WhyNot: r.no.whyNotMoved(-time.Minute)},
	}
}

// screens returns the actions that the screen does in every place, when the foot of a question offers them.
func (r verbs) screens() panes.Table {
	never := func() bool { return false }
	wide := func() bool { return r.o.Wide != nil && r.o.Wide() }
	several := func() bool { return len(r.host.Seat().Desk().Waiting()) > 1 }
	strip := func() bool { return several() && r.host.Seat().HandOff() == "" }
	return panes.Table{
		{Action: keys.ActNext, When: several},
		{Action: keys.ActArea, When: func() bool { return strip() || wide() }},
		{Action: keys.ActPane, When: r.when(func(v *view) bool { return r.o.ToPane && v.session.Origin.Pane != "" })},
		{Action: keys.ActSettings, When: wide}, // elsewhere only the help lists it: these keys have no place to spare
		{Action: keys.ActHistory, When: wide},
		{Action: keys.ActChat, When: never},
		{Action: keys.ActQuit, Word: func(w keys.Word) keys.Word {
			if r.host.Seat().HandOff() != "" {
				w.Long = "leave"
			}
			return w
		}},
	}
}
