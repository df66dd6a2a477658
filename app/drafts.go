package app

import (
	"context"
	"errors"
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// draftDelay is how long typing may pause before the draft is saved; nothing typed is older than 200 ms.
const draftDelay = 150 * time.Millisecond

// takeDraft keeps the newest draft of a session for the next time it comes on screen. A form in which the person has
// pressed no key of the answer is made anew from it. On screen that is like a new question: keys that would answer it
// have to wait, and a confirmation was one of something else.
func (d *Dashboard) takeDraft(draft queue.Draft) {
	id := draft.Session
	if draft.Instance == d.o.Instance {
		return
	}
	if old, ok := d.drafts[id]; ok && !draft.Replaces(old) {
		return
	}
	d.drafts[id] = draft
	f := d.forms[id]
	if f == nil || f.Own() || f.Session.Outcome != nil || d.outbox.Of(id) != nil {
		return
	}
	fresh := panes.NewForm(f.Session, f.Hidden, &draft)
	if fresh.Draft().Holds(f.Draft()) {
		return
	}
	fresh.Follow(d.rules())
	d.forms[id] = fresh
	if d.form == f {
		d.form = fresh
		d.guard.appear(d.now())
		if f.Confirming() {
			d.ousted = id
		}
	}
}

// draftedIn says where a draft was made that somebody else's running process keeps.
var draftedIn = map[string]string{
	queue.RoleDashboard: "drafted in another dashboard",
	queue.RoleAttach:    "drafted in the hand-off form",
	queue.RolePortal:    "drafted in the browser",
}

// drafted says where the answer on screen comes from, as long as the person has not made it their own; nil: from here.
func (d *Dashboard) drafted() ink.Tail {
	draft, kept := d.drafts[d.shown()]
	if !kept || draft.Instance == d.o.Instance || d.form.Own() || !d.form.Touched() {
		return nil
	}
	where := draftedIn[d.present[draft.Instance]]
	if where == "" { // its process has ended
		where = "drafted before"
	}
	if d.ousted == d.shown() {
		return ink.Tail{"not confirmed: " + where, "not confirmed"}
	}
	return ink.Tail{where, "drafted"}
}

// draftSoon saves the form on screen a moment from now.
func (d *Dashboard) draftSoon() {
	if d.drafting != nil || d.form == nil {
		return
	}
	d.drafting = time.AfterFunc(draftDelay, func() { d.post(d.saveDraft) })
}

// saveDraft hands the form's state to the worker, if the person changed anything here: what was only taken over stays
// the other one's, who may have changed it meanwhile.
func (d *Dashboard) saveDraft() {
	if d.drafting == nil {
		return
	}
	d.drafting.Stop()
	d.drafting = nil
	if d.form == nil || !d.form.Touched() || !d.form.Own() {
		return
	}
	draft := d.form.Draft()
	draft.Instance, draft.At = d.o.Instance, d.now().UTC()
	d.drafts[draft.Session] = draft
	d.keepDraft(draft.Session, func() {
		d.draftSaved(d.o.Queue.Store.SaveDraft(context.Background(), draft))
	})
}

// draftSaved notes how saving a draft went; on the worker.
func (d *Dashboard) draftSaved(err error) {
	d.post(func() {
		if d.troubles.draft = ""; err != nil {
			d.troubles.draft = "the draft is not saved: " + cause(err)
		}
	})
}

// cause is the innermost error, which is what a person can act on and what a narrow line must not cut off.
func cause(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return say.OneLine(err.Error())
}
