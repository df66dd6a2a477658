package action

import (
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// Enter does what the button says; Confirm and Decline answer a confirmation.
const (
	Enter   Name = "enter"
	Confirm Name = "confirm"
	Decline Name = "decline"
)

// answers returns the actions that send an answer, or answer the question whether to send it.
func answers() []Row {
	return []Row{
		{Name: Enter, Keys: []string{"enter"}, In: []Place{PlaceQuestion, PlaceQueue, PlaceOver, PlaceTyping,
			PlaceReason, PlaceFind, PlaceSettings, PlaceValue, PlaceHistory, PlaceConfirm, PlaceReview,
			PlaceChat, PlacePostponed, PlaceApproval, PlaceBatch},
			Closed: true, Effect: enterEffect, Do: enter,
			Help: "send, or go on", HelpAt: map[Place]string{PlaceQueue: "open the question"},
			Lacks: map[string]string{Command: allAtOnce}},
		{Name: Confirm, Keys: []string{"y"}, In: onConfirm,
			Asked: true, Waits: true, Deliberate: true, Effect: alwaysIs(desk.Choosing), Needs: hasRead,
			Do:     confirmAndSend,
			Footer: "confirm", Room: Always,
			Help: "confirm and send, once you have seen it for half a second",
			Line: Line{Word: "yes", Keyless: true,
				Help: "says yes to what you were just asked; a confirmation needs this whole word"},
			Lacks: map[string]string{Command: allAtOnce}},
		{Name: Decline, Keys: []string{"n"}, In: onConfirm,
			Asked: true, Do: func(at At, _ Arg) Effect { at.Form.Decline(); return Effect{} },
			Footer: "back", Help: "back to the options",
			Line:  Line{Word: "no", Help: "says no to what you were just asked", Keyless: true},
			Lacks: map[string]string{Command: allAtOnce}},
	}
}

// enterEffect tells the guard what Enter would do now.
func enterEffect(at At) desk.Effect {
	typing := at.Form.Typing()
	sends := typing == form.FieldNone || typing == form.FieldText || typing == form.FieldRefusal
	switch {
	case at.inBatch:
		return at.batchEffect()
	case !at.On.Pending(), at.paused, !sends:
		return desk.Elsewhere
	case at.postponed:
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
	case at.inBatch:
		return enterBatch(at)
	case at.paused:
		return then(resume)
	case !at.On.Pending():
		return endTyping(at)
	case typing == form.FieldNone && at.postponed:
		return then(sendNow)
	}
	step, e := at.Form.Enter(), Effect{}
	if typing != form.FieldNone && step != form.StepNothing {
		at.Form.EndTyping()
		e = leftField(typing)
	}
	switch step {
	case form.StepSend:
		e.Then, e.Decides = append(e.Then, send), true
	case form.StepType:
		return beginField(at, Text, form.FieldText)
	case form.StepTake, form.StepOpen: // the person went to another question of the form
		e.Then = append(e.Then, broughtUp)
	case form.StepConfirm: // the guard treats the confirmation as a new question
		e.Then = append(e.Then, cameUp)
	case form.StepCancel:
		e.Then, e.Decides = append(e.Then, cancel), true
	}
	return e
}

// Messages at a confirmation.
const (
	enterConfirms = Words("Enter confirms nothing here")
	unread        = Words("some of it was not on screen yet; read it first")
)

// hasRead says why a request with a red mark is not allowed yet: what makes it dangerous may not have been on screen.
func hasRead(at At, _ Arg) Message {
	if at.Form.Confirming() && at.Form.Approves() && at.Read != nil && !at.Read() {
		return says(unread)
	}
	return Message{}
}

// confirmAndSend confirms, and sends what is confirmed.
func confirmAndSend(at At, _ Arg) Effect {
	if why := at.Form.Confirm(); !why.OK() {
		return effectOfForm(Confirm, why)
	}
	return enter(at, Arg{})
}

// effectOfForm returns the effect of a method of the form that refuses the action if why is not zero.
func effectOfForm(a Name, why form.WhyNot) Effect { return Effect{WhyNot: ofForm(a, why)} }
