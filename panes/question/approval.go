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

// lines are all of it at w cells: each part in full and as it came, then where, and why.
func (a approval) lines(w int) []ink.Line {
	why := form.Text(a.v.form)
	return a.v.texts.once(laidKey{text: "approval\x00" + why, w: w}, func() (lines []ink.Line) {
		asks := a.v.session.Ask.Approval
		for _, p := range asks.Parts {
			lines = below(lines, a.part(p, w-1, len(asks.Parts) > 1))
		}
		if where := say.ApprovalWhere(asks, a.v.home); where != "" {
			lines = below(lines, plainLines(where, w-1, ink.Plain))
		}
		return below(lines, reading.Markdown(why, w-1))
	})
}

// below puts lines below others, a blank one between them.
func below(above, lines []ink.Line) []ink.Line {
	if len(above) > 0 && len(lines) > 0 {
		above = append(above, nil)
	}
	return append(above, lines...)
}

func plainLines(text string, w int, style ink.Style) (lines []ink.Line) {
	for _, l := range ink.Wrap(text, max(w, 1)) {
		lines = append(lines, ink.Line{{Text: l, Style: style}})
	}
	return lines
}

// part is one thing that would be allowed; beside: there are others, so it has a name.
func (a approval) part(p queue.Part, w int, beside bool) (lines []ink.Line) {
	if beside || p.Label != "" {
		lines = plainLines(say.PartHeading(p), w, ink.Plain)
	}
	switch p.Kind {
	case queue.PartPlan:
		return append(lines, reading.Markdown(p.Text, w)...)
	case queue.PartDiff:
		return append(lines, reading.Diff(p.Text, w)...)
	}
	for _, l := range reading.Code(p.Text, w) {
		lines = append(lines, standsOut(l))
	}
	return lines
}

// standsOut is a line of code as what everything else on screen is about.
func standsOut(l ink.Line) ink.Line {
	var out ink.Line
	for _, s := range l {
		if s != reading.GoesOn {
			s.Style = s.Style.Bold(true)
		}
		out = append(out, s)
	}
	return out
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
