package deed

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// effectOfForm returns the effect of a method of the form that refuses the action if why is not zero.
func effectOfForm(a Action, why form.WhyNot) Effect { return Effect{WhyNot: ofForm(a, why)} }

// moves returns the actions that move the cursor.
func moves() []Deed {
	guard := func(at At) desk.Effect { // the dot of a radio follows the cursor
		if !at.Form.Reviewing() && (at.Form.Here().Radio() || at.Form.Approves()) {
			return desk.Marking
		}
		return desk.Moving
	}
	move := func(a Action, do func(*form.Form)) Deed {
		return Deed{Action: a, Guard: guard, Do: func(at At, _ Arg) Effect {
			do(at.Form)
			return Effect{}
		}}
	}
	return []Deed{
		move(Up, func(f *form.Form) { f.Move(-1) }),
		move(Down, func(f *form.Form) { f.Move(1) }),
		move(First, func(f *form.Form) { f.MoveFirst() }),
		move(Last, func(f *form.Form) { f.MoveLast() }),
	}
}

// marks returns the actions that mark options, confirm, or send with Enter.
func marks() []Deed {
	// choice returns what the guard is told of a key that marks: sends if a mark sends at once.
	choice := func(sends desk.Effect) func(At) desk.Effect {
		return func(at At) desk.Effect {
			if at.Form.Here().SubmitsAtOnce() {
				return sends
			}
			return desk.Marking
		}
	}
	// afterMark returns the effect of a mark. If sends is set, the form has marked nothing, and Enter sends the option.
	afterMark := func(at At, a Action, sends bool, why form.WhyNot) Effect {
		if sends {
			return enter(at, Arg{})
		}
		return effectOfForm(a, why)
	}
	chooses := func(a Action, do func(*form.Form) form.WhyNot) Deed {
		return Deed{Action: a, Guard: alwaysIs(desk.Marking), Chooses: true,
			Do: func(at At, _ Arg) Effect { return effectOfForm(a, do(at.Form)) }}
	}
	marksSeveral := func(d Deed) Deed {
		d.Marks, d.Toggles = true, true
		return d
	}
	alsoWhenAsked := func(d Deed) Deed {
		d.Asked = true
		return d
	}
	return []Deed{
		{Action: Enter, Closed: true, Guard: enterGuard, Do: enter},
		{Action: Mark, Guard: choice(desk.Sending), Marks: true, Toggles: true, Chooses: true,
			Do: func(at At, _ Arg) Effect { // if a mark sends at once, it sends the option under the cursor
				sends, why := at.Form.Here().Toggle()
				return afterMark(at, Mark, sends, why)
			}},
		{Action: Digit, Guard: choice(desk.Choosing), Marks: true, Toggles: true, Chooses: true,
			Do: func(at At, arg Arg) Effect {
				sends, why := at.Form.Here().Digit(arg.N)
				return afterMark(at, Digit, sends, why)
			}},
		{Action: Choose, Guard: choice(desk.Choosing), Marks: true, Chooses: true, Do: choose},
		marksSeveral(chooses(Recommended, recommend)),
		marksSeveral(chooses(All, func(f *form.Form) form.WhyNot { return f.Here().All() })),
		alsoWhenAsked(chooses(Confirm, (*form.Form).Confirm)),
		{Action: Agree, Asked: true, Guard: alwaysIs(desk.Sending), Do: func(at At, _ Arg) Effect {
			if why := at.Form.Confirm(); !why.OK() {
				return effectOfForm(Agree, why)
			}
			return enter(at, Arg{})
		}},
		{Action: Hidden, Do: func(at At, _ Arg) Effect { return effectOfForm(Hidden, at.Form.Here().ShowHidden()) }},
	}
}

// choose marks exactly the options with the numbers in arg.List. In the review of a form, the only number is that of
// the question whose answer the person wants to change.
func choose(at At, arg Arg) Effect {
	q, n := at.Form.Here(), len(arg.List)
	switch {
	case at.Form.Reviewing() && n == 1:
		return Of(ChangeOne).Do(at, Arg{N: arg.List[0]})
	case at.Form.Reviewing():
		return effectOfForm(Choose, form.WhyNot{Reason: form.NoSuchQuestion, Of: at.Form.Len()})
	case q.Question.Radio() && n > 1:
		return effectOfForm(Digit, form.WhyNot{Reason: form.OneAnswerOnly})
	}
	if why := q.Choose(arg.List...); !why.OK() || n == 0 || !q.SubmitsAtOnce() {
		return effectOfForm(Digit, why)
	}
	return enter(at, Arg{})
}

// recommend marks the options that the agent recommends. It refuses to do so in an approval, which the person must
// decide themselves.
func recommend(f *form.Form) form.WhyNot {
	if f.Approves() {
		return form.WhyNot{Reason: form.NotForApprovals}
	}
	return f.Here().Recommend()
}

// enterGuard tells the guard what Enter would do now.
func enterGuard(at At) desk.Effect {
	typing := at.Form.Typing()
	sends := typing == form.FieldNone || typing == form.FieldText || typing == form.FieldRefusal && !at.inRound
	switch {
	case !at.On.Pending(), at.rests, !sends:
		return desk.Elsewhere
	case at.inRound, at.Seat.UndoableOn():
		return desk.Sending
	}
	switch step := at.Form.Plan(form.Facts{}).Step; {
	case step == form.StepEnd, step == form.StepNothing && typing == form.FieldText:
		return desk.Elsewhere
	case step == form.StepTake, step == form.StepOpen, step == form.StepType, step == form.StepArm:
		return desk.Stepping
	}
	return desk.Sending
}

// enter carries out the action of Enter, which the button on screen names.
func enter(at At, _ Arg) Effect {
	typing := at.Form.Typing()
	switch {
	case at.rests:
		return Effect{Wants: wants(WantEndRest)}
	case !at.On.Pending():
		return endTyping(at)
	case typing == form.FieldNone && at.Seat.UndoableOn():
		return Effect{Wants: wants(WantSendNow)}
	case at.inRound && (typing == form.FieldNone || typing == form.FieldRefusal):
		return enterRound(at)
	}
	step, e := at.Form.Enter(), Effect{}
	if typing != form.FieldNone && step != form.StepNothing {
		at.Form.EndTyping()
		e = leftField(typing)
	}
	switch step {
	case form.StepSend:
		e.Wants = append(e.Wants, wants(WantSend)...)
	case form.StepType:
		return beginField(at, Text, form.FieldText)
	case form.StepTake, form.StepOpen: // the person went to another question of the form
		e.Wants = append(e.Wants, wants(WantBroughtUp)...)
	case form.StepConfirm: // the guard treats the confirmation as a new question
		e.Wants = append(e.Wants, wants(WantCameUp)...)
	case form.StepCancel:
		e.Wants = append(e.Wants, wants(WantCancel)...)
	}
	return e
}

// endTyping leaves the text field; the text stays.
func endTyping(at At) Effect {
	typing := at.Form.Typing()
	at.Form.EndTyping()
	return leftField(typing)
}

// leftField returns the effect of a text field that was closed.
func leftField(field form.Field) Effect {
	return Effect{Ends: field, Closed: true, Wants: wants(WantEndHold)}
}

// texts returns the actions that open, close or copy a text.
func texts() []Deed {
	chooses := func(a Action, do func(At, Arg) Effect) Deed {
		return Deed{Action: a, Guard: alwaysIs(desk.Marking), Chooses: true, Do: do}
	}
	edit := func(at At, _ Arg) Effect {
		var e Effect
		if field, a := editable(at.Form); at.Form.Typing() == form.FieldNone {
			e = beginField(at, a, field)
		}
		e.Edit = e.WhyNot.OK()
		return e
	}
	return []Deed{
		chooses(Note, func(at At, arg Arg) Effect {
			if arg.N == 0 {
				return beginField(at, Note, form.FieldNote)
			}
			text, why := at.Form.BeginNote(arg.N)
			return beganField(Note, form.FieldNote, text, why)
		}),
		{Action: Comment, Do: func(at At, _ Arg) Effect { return beginField(at, Comment, form.FieldComment) }},
		{Action: Find, Do: func(at At, _ Arg) Effect { return beginField(at, Find, form.FieldFind) }},
		chooses(Text, beginText),
		{Action: Cancel, Asked: true, Guard: alwaysIs(desk.Marking), Chooses: true,
			Do: func(at At, _ Arg) Effect { return beginField(at, Cancel, form.FieldReason) }},
		{Action: Detail, Asked: true, Guard: alwaysIs(desk.Marking), Chooses: true,
			Do: func(at At, _ Arg) Effect { return beginField(at, Detail, form.FieldDetail) }},
		{Action: Editor, Needs: mayEdit, Do: edit},
		{Action: EditorHere, Closed: true, Needs: mayEdit, Do: edit},
		{Action: ReasonUp, Closed: true, Do: func(at At, arg Arg) Effect { return suggest(at, arg.N, -1) }},
		{Action: ReasonDown, Closed: true, Do: func(at At, arg Arg) Effect { return suggest(at, arg.N, 1) }},
		{Action: Back, Closed: true, Do: goBack},
		{Action: Copy, Closed: true, Needs: func(at At) Message {
			if queue.Blank(strings.Join(at.Form.Typed(), "")) {
				return says(NothingToCopy)
			}
			return Message{}
		}, Do: func(at At, _ Arg) Effect { return Effect{Copy: strings.Join(at.Form.Typed(), "\n\n")} }},
	}
}

// beginField opens a text field.
func beginField(at At, a Action, field form.Field) Effect {
	text, why := at.Form.Begin(field)
	return beganField(a, field, text, why)
}

// beganField returns the effect of a text field that opens, unless the form refused.
func beganField(a Action, field form.Field, text string, why form.WhyNot) Effect {
	if !why.OK() {
		return effectOfForm(a, why)
	}
	return Effect{Begin: field, Text: text}
}

// beginText opens the field of the person's own words. If the question does not accept own words, it opens the field of
// a reason for cancelling the question.
func beginText(at At, _ Arg) Effect {
	if at.Form.Here().TakesText() || at.Form.Reviewing() {
		return beginField(at, Text, form.FieldText)
	}
	return Effect{Begin: form.FieldReason, Text: at.Form.BeginInstead()}
}

// moveToOption moves the cursor to the n-th option, counted from 1. With 0 it does nothing.
func moveToOption(f *form.Form, n int) {
	q := f.Here()
	if row := slices.Index(q.Rows(), n-1); n > 0 && row >= 0 && row != q.Cursor() {
		q.Move(row - q.Cursor())
	}
}

// editable returns the field that the person's editor would open, and the action that opens the same field without the
// editor: own words if the question accepts them, else the comment.
func editable(f *form.Form) (form.Field, Action) {
	if f.Here().TakesText() {
		return form.FieldText, Text
	}
	return form.FieldComment, Comment
}

// mayEdit returns the reason if the face has no editor.
func mayEdit(at At) Message {
	if !at.Edits {
		return says(NoEditor)
	}
	return Message{}
}

// suggest puts a suggested text into the open field: the n-th, counted from 1, or with n = 0 the text that is step
// places after the present suggestion.
func suggest(at At, n, step int) Effect {
	of := len(at.Reasons)
	if of == 0 {
		return Effect{}
	}
	to := at.Reason
	if to < 0 && step < 0 { // without a present suggestion, a step back leads to the last one
		to = 0
	}
	if to += step; n > 0 {
		to = n - 1
	}
	to = (to%of + of) % of
	at.Form.Type(at.Reasons[to])
	return Effect{Reason: &to, Text: at.Reasons[to]}
}

// goBack leaves the innermost thing that is open: a text field, the confirmation, a narrowed list of options, or the
// question itself if it was set aside or has closed.
func goBack(at At, _ Arg) Effect {
	typing := at.Form.Typing()
	switch {
	case at.rests:
		return Effect{Wants: wants(WantEndRest)}
	case typing != form.FieldNone:
		if n := at.Reason; typing.Ends() && n >= 0 && n < len(at.Reasons) && at.Form.ReasonText() == at.Reasons[n] {
			at.Form.Type("") // a suggestion that was only looked at is not the person's words
		}
		if typing == form.FieldFind { // first, because a filter that stays moves the mark to an option in sight
			at.Form.Here().ShowAll()
		}
		return endTyping(at)
	case !at.On.Pending():
		return Effect{Wants: wants(WantLeave)}
	case at.Form.Confirming():
		at.Form.Decline()
		return Effect{}
	case !at.Form.Reviewing() && at.Form.Here().ShowAll():
		return Effect{Closed: true}
	}
	return Effect{Back: true}
}

// steps returns the actions that concern several questions of a form.
func steps() []Deed {
	several := func(at At) Message {
		if !at.Form.Several() {
			return says(OneQuestion)
		}
		return Message{}
	}
	// goesTo returns a deed that takes one step, or with a number as many as lead to that question.
	goesTo := func(a Action, step func(*form.Form) bool) Deed {
		return Deed{Action: a, Needs: several, Do: func(at At, arg Arg) Effect {
			was := at.Form.At()
			for step(at.Form) && arg.N > 0 && at.Form.At() != arg.N-1 {
			}
			if at.Form.At() == was {
				return Effect{}
			}
			return Effect{Wants: wants(WantBroughtUp)}
		}}
	}
	return []Deed{
		goesTo(TabNext, (*form.Form).Next),
		goesTo(TabBack, (*form.Form).Back),
		{Action: AllRec, Guard: alwaysIs(desk.Marking), Marks: true, Chooses: true, Do: recommendAll},
		{Action: ChangeOne, Do: func(at At, arg Arg) Effect {
			if why := at.Form.GoTo(arg.N - 1); !why.OK() {
				return effectOfForm(ChangeOne, why)
			}
			return Effect{Wants: wants(WantBroughtUp)}
		}},
		{Action: StartOver, Guard: alwaysIs(desk.Marking), Do: func(at At, _ Arg) Effect {
			if why := at.Form.MayStartOver(); !why.OK() {
				return effectOfForm(StartOver, why)
			}
			return Effect{Offer: &Offer{Action: StartOver, On: at.On, then: func(now At) Effect {
				return effectOfForm(StartOver, now.Form.StartOver())
			}}}
		}},
		{Action: Decline, Asked: true, Do: func(at At, _ Arg) Effect {
			at.Form.Decline()
			return Effect{}
		}},
	}
}

// recommendAll answers all open questions of the form with the options that the agent recommends.
func recommendAll(at At, _ Arg) Effect {
	if !at.Form.Several() {
		return effectOfForm(AllRec, recommend(at.Form))
	}
	e := Effect{Wants: wants(WantBroughtUp)}
	if missing := at.Form.RecommendAll(); missing > 0 {
		e.Say = Message{Kind: Unrecommended, N: missing}
	}
	return e
}
