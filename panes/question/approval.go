package question

import (
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/reading"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// isApproval reports whether the ask is an approval: what is read comes first then, and does not give way to options.
func isApproval(v *view) bool { return v.session.Ask.Kind == queue.KindApproval }

// points reports whether the cursor is on this row of the options.
func points(v *view, row int) bool { return row == v.q().Cursor() && (v.over() || !v.q().Unmarked()) }

// approval is what an agent wants to be allowed, where it stands in parts.
type approval struct{ v *view }

// lines are all of it at w cells, and then why.
func (a approval) lines(w int) []ink.Line {
	why := form.Text(a.v.form)
	return a.v.texts.once(laidKey{text: "approval\x00" + why, w: w}, func() []ink.Line {
		return reading.Below(reading.Approval(a.v.session.Ask.Approval, a.v.home, w-1), reading.Markdown(why, w-1))
	})
}

// approver is what keys do to an approval.
type approver struct{ verbs }

// table binds the keys that an approval has beside those of a question.
func (r approver) table() panes.Table {
	return panes.Table{
		r.no.may(panes.Row{Action: keys.ActAllow, Do: r.act(r.allow), When: r.when(func(v *view) bool {
			return v.form.MayAllow().OK()
		})}, func(v *view) form.WhyNot { return v.form.MayAllow() }),
		{Action: keys.ActRefuse, Do: r.act(r.refuse)},
	}
}

func (r approver) allow(v *view, _ string) {
	v.moving(func() { v.form.Allow() })
	r.marked(v)
}

// refuse marks the refusal and begins the words that go with it, where it takes any. Where the agent offers none, a
// cancel is the refusal.
func (r approver) refuse(v *view, _ string) {
	if !v.form.MayRefuse().OK() {
		r.begin(v, form.FieldReason)
		return
	}
	v.moving(func() { v.form.Refuse() })
	r.marked(v)
	r.begin(v, form.FieldRefusal)
}

// enterRefusal sends the refusal with the words typed for it. The first Enter after typing that may have been meant
// for another pane only ends it.
func (r approver) enterRefusal(v *view) {
	seat := r.host.Seat()
	if seat.Guard.Refuses(true, true, seat.Desk().Now()) != nil {
		r.host.Say(say.JustMoved(v.glyphs.Enter))
		return
	}
	plan := v.form.Plan(form.Facts{})
	if v.form.Enter() == form.StepNothing {
		return
	}
	r.endTyping(v)
	if seat.Guard.RanOn() {
		again := say.RefuseAgain(v.speech(), plan.Object, say.Who(v.session.Origin))
		r.host.Offer(again, func() { r.send(seat.Send) })
		r.host.Say(say.Stray(v.glyphs.Enter))
		return
	}
	r.send(seat.Send)
}
