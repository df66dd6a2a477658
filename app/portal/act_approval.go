package portal

import (
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue/form"
)

// approver decides what an agent wants to be allowed.
type approver struct{ verbs }

// allow marks what allows it once.
func (v approver) allow() {
	v.ousted = false
	v.verbs.refuse(v.form().Allow(), keys.ActAllow)
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
	before := f.Marks()
	v.verbs.refuse(f.Refuse(), keys.ActRefuse)
	if f.MayBegin(form.FieldNote).OK() && v.begin(form.FieldNote, keys.ActNote) {
		f.LeavesTo(before)
	}
}
