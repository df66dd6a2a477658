package app

import (
	"context"
	"errors"
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// draftDelay is how long typing may pause before the draft is saved; nothing typed is older than 200 ms.
const draftDelay = 150 * time.Millisecond

// takeDraft keeps the newest draft of a session for the next time it comes on screen. A form that this person types
// in keeps its own.
func (d *Dashboard) takeDraft(draft queue.Draft) {
	if draft.Instance == d.o.Instance {
		return
	}
	if old, ok := d.drafts[draft.Session]; ok && old.At.After(draft.At) {
		return
	}
	d.drafts[draft.Session] = draft
	f := d.forms[draft.Session]
	if f == nil || f.Touched() || f.Typing() != panes.FieldNone || f.Session.Outcome != nil {
		return
	}
	fresh := panes.NewForm(f.Session, f.Hidden, &draft)
	fresh.Follow(d.rules())
	d.forms[draft.Session] = fresh
	if d.form == f {
		d.form = fresh
	}
}

// draftSoon saves the form on screen a moment from now.
func (d *Dashboard) draftSoon() {
	if d.drafting != nil || d.form == nil {
		return
	}
	d.drafting = time.AfterFunc(draftDelay, func() { d.post(d.saveDraft) })
}

// saveDraft hands the form's state to the worker, if the person changed anything.
func (d *Dashboard) saveDraft() {
	if d.drafting == nil {
		return
	}
	d.drafting.Stop()
	d.drafting = nil
	if d.form == nil || !d.form.Touched() {
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
