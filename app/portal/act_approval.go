package portal

import (
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue/form"
)

// approver decides what an agent wants to be allowed.
type approver struct{ verbs }

// marked has the button and Enter wait where the mark of an approval was put or moved.
func (v approver) marked() {
	if f := v.form(); f != nil && f.Approves() {
		v.seat.Guard.MoveMark(v.all.d.Now())
	}
}

// allow marks what allows it once.
func (v approver) allow() {
	v.ousted = false
	v.verbs.refuse(v.form().Allow(), keys.ActAllow)
	v.marked()
}

// refuse marks the refusal and begins the note that goes with it, where it takes one. Where the agent offers none, a
// cancel is the refusal.
func (v approver) refuse() {
	v.ousted = false
	f := v.form()
	if f.MayRefuse().Reason == form.NotOffered {
		v.beginCancel()
		return
	}
	v.verbs.refuse(f.Refuse(), keys.ActRefuse)
	v.marked()
	if f.MayBegin(form.FieldNote).OK() {
		v.begin(form.FieldNote, keys.ActNote)
	}
}
