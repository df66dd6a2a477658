package question

import (
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/reading"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/rules"
)

// isApproval reports whether the ask is an approval: what is read comes first then, and does not give way to options.
func isApproval(v *view) bool { return v.session.Ask.Kind == queue.KindApproval }

// points reports whether the cursor is on this row of the options.
func points(v *view, row int) bool { return row == v.q().Cursor() && (v.over() || v.q().Points()) }

// approval draws an approval that has several parts.
type approval struct{ v *view }

// lines returns all of it at w cells, and then the reason.
func (a approval) lines(w int) []ink.Line {
	why, before := form.Text(a.v.form), a.v.before
	return a.v.texts.laid.Once(laidKey{text: "approval\x00" + before + "\x00" + why, w: w}, func() []ink.Line {
		asks := reading.Approval(a.v.session.Ask.Approval, a.v.home, w-1)
		if before != "" {
			asks = append(asks, ink.PlainLine(ink.Cut(before, w-1, a.v.glyphs.Ellipsis)))
		}
		return reading.Below(asks, reading.Markdown(why, w-1))
	})
}

// approver carries out the keys on an approval.
type approver struct{ verbs }

// table binds the keys that an approval has beside those of a question.
func (r approver) table() panes.Table {
	return panes.Table{
		r.no.may(panes.Row{Action: keys.ActAllow, Do: r.act(r.allow), When: r.when(func(v *view) bool {
			return v.form.MayAllow().OK()
		})}, func(v *view) form.WhyNot { return v.form.MayAllow() }),
		{Action: keys.ActRefuse, Do: r.act(r.refuse)},
		rounder(r).begins(),
		{Action: keys.ActRule, Do: r.act(r.offerRule), When: r.when(r.mayRule), WhyNot: r.no.words(r.no.whyNoRule)},
	}
}

// mayRule reports whether a rule can be made of what is asked for: a key that works is offered.
func (r approver) mayRule(v *view) bool { return r.no.whyNoRule(v) == "" }

// whyNoRule says why no rule can be made of what is asked for; empty: one can.
func (r refusals) whyNoRule(v *view) string {
	if !v.session.Pending() {
		return say.NothingToEnd
	}
	if _, own := rules.Own(v.session); own {
		return ""
	}
	if err := r.host.Seat().Desk().MayRule(v.session); err != nil {
		return say.WhyNoRule(err)
	}
	return ""
}

// offerRule says what a rule would cover before Enter makes it, and allows this one with it. Where the agent keeps one
// of its own that covers no more than what is shown, it is that one.
func (r approver) offerRule(v *view, _ string) {
	if own, ok := rules.Own(v.session); ok {
		r.offerOwn(v, own)
		return
	}
	d := r.host.Seat().Desk()
	rule, err := d.Rule(v.session)
	if err != nil {
		return
	}
	r.host.Offer(say.RuleMakes(rule, v.home, prompt{v}.unread(), v.speech(), d.Now()), func() {
		if on := r.view(); on == nil || on.session.ID != rule.From || r.no.whyNoRule(on) != "" {
			return
		}
		v.moving(func() { v.form.Allow() })
		if v.form.Enter() != form.StepSend {
			return
		}
		r.send(r.host.Seat().Send)
		d.AddRule(rule, func(err error) {
			if err != nil {
				r.host.Say(say.RuleNotMade(err))
			}
		})
	})
}

// offerOwn says what a rule of the agent's own covers before Enter answers with it. No rule of ours is written then.
func (r approver) offerOwn(v *view, own queue.Option) {
	id := v.session.ID
	r.host.Offer(say.OwnRuleMakes(v.session, own, prompt{v}.unread(), v.speech()), func() {
		on := r.view()
		if on == nil || on.session.ID != id || !on.session.Pending() {
			return
		}
		on.moving(func() { on.form.Here().Mark(own.ID) })
		if on.form.Enter() == form.StepSend {
			r.send(r.host.Seat().Send)
		}
	})
}

func (r approver) allow(v *view, _ string) {
	v.moving(func() { v.form.Allow() })
}

// refuse marks the refusal and begins the words that go with it, where it takes any. Where the agent offers none, a
// cancel is the refusal.
func (r approver) refuse(v *view, _ string) {
	if !v.form.MayRefuse().OK() {
		r.begin(v, form.FieldReason)
		return
	}
	v.moving(func() {
		if text, why := v.form.BeginRefusal(); why.OK() {
			v.open(form.FieldRefusal, text)
		}
	})
}

// enterRefusal sends the refusal with the words typed for it.
func (r approver) enterRefusal(v *view) {
	if v.form.Enter() == form.StepNothing {
		return
	}
	r.endTyping(v)
	r.send(r.host.Seat().Send)
}
