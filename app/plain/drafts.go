package plain

import (
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// takeDraft keeps the newest draft of a session from elsewhere. A form for which the person has chosen and typed
// nothing is made anew from it.
func (d *Desk) takeDraft(draft queue.Draft) {
	id := draft.Session
	if draft.Instance == d.o.Instance {
		return
	}
	if old, ok := d.drafts[id]; ok && !draft.Replaces(old) {
		return
	}
	d.drafts[id] = draft
	f := d.forms[id]
	if f == nil || d.outbox.Of(id) != nil {
		return
	}
	if took, _ := f.TakeOver(draft); took && f == d.form {
		d.drafted()
	}
}

// drafted says what a draft from elsewhere has made of the question on view. What was asked before is taken back, so
// that no Enter or yes sends what it was not asked about.
func (d *Desk) drafted() {
	d.unconfirmed()
	d.say("Drafted elsewhere: %s.", say.Heard(d.form.summary()))
	if d.asked == asksTake {
		d.takeBack()
		d.say("Nothing was sent; Enter asks again.")
	}
	if d.form.Reviewing() {
		d.announceReview()
	} else if d.form.Several() {
		d.announceQuestion()
	}
	d.guard.appeared(d.now())
}
