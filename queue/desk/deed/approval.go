package deed

import (
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/rules"
)

// approvals returns the actions on an approval, including the one that begins a round of similar approvals.
func approvals() []Deed {
	return []Deed{
		{Action: Allow, Guard: alwaysIs(desk.Marking), Marks: true, Chooses: true,
			Do: func(at At, _ Arg) Effect { return effectOfForm(Allow, at.Form.Allow()) }},
		{Action: Refuse, Guard: alwaysIs(desk.Marking), Marks: true, Chooses: true, Do: beginRefusal},
		{Action: Rule, Guard: alwaysIs(desk.Marking), Needs: mayRule, Do: offerRule},
		{Action: Alike, Guard: alwaysIs(desk.Marking),
			Needs: mayLookThrough,
			Do:    func(At, Arg) Effect { return Effect{Wants: wants(WantRound)} }},
	}
}

// mayLookThrough says why no approvals are looked through together, beginning with the one on view.
func mayLookThrough(at At) Message {
	switch {
	case at.On.Ask.Kind == queue.KindApproval && at.On.Ask.Confirm: // every warning mark requires a confirmation
		return says(RoundMarked)
	case at.Seat.Round.Alike() == 0:
		return says(RoundNone)
	}
	return Message{}
}

// beginRefusal marks the refusal and opens the field for its reason, if the agent accepts one. If the agent offers no
// refusal, beginRefusal opens the field of a cancel instead.
func beginRefusal(at At, _ Arg) Effect {
	if !at.Form.Offers(queue.ActRefuse) {
		return beginField(at, Refuse, form.FieldReason)
	}
	text, why := at.Form.BeginRefusal()
	if !why.OK() { // the agent accepts no reason
		return Effect{}
	}
	return Effect{Begin: form.FieldRefusal, Text: text}
}

// mayRule returns the reason why no permission rule can be made of the request.
func mayRule(at At) Message {
	switch _, own := rules.Own(at.On); {
	case at.inRound:
		return says(RoundNoRule)
	case !at.On.Pending():
		return says(Over)
	case own:
		return Message{}
	}
	_, err := at.Seat.Desk().Rule(at.On)
	return because(err, NoRule)
}

// offerRule offers to make a permission rule. The next Enter stores the rule and allows this approval. If the agent
// itself can keep a rule that covers exactly the shown request, Enter answers with that choice and stores no rule here.
func offerRule(at At, _ Arg) Effect {
	if own, ok := rules.Own(at.On); ok {
		return Effect{Offer: &Offer{Action: Rule, On: at.On, Option: own, then: func(now At) Effect {
			if now.On.ID != at.On.ID {
				return Effect{}
			}
			now.Form.Here().Mark(own.ID)
			return sendWithRule(now)
		}}}
	}
	made, err := at.Seat.Desk().Rule(at.On)
	if err != nil {
		return Effect{WhyNot: because(err, NoRule)}
	}
	return Effect{Offer: &Offer{Action: Rule, On: at.On, Rule: &made, then: func(now At) Effect {
		if now.On.ID != made.From {
			return Effect{}
		}
		now.Form.Allow()
		return sendWithRule(now, Want{Kind: WantRule, Rule: &made})
	}}}
}

// sendWithRule sends the marked choice, and adds more wants, such as to store a rule.
func sendWithRule(at At, more ...Want) Effect {
	if at.Form.Enter() != form.StepSend {
		return Effect{}
	}
	return Effect{Wants: append(wants(WantSend), more...)}
}

// enterRound carries out Enter on an approval of a round. It counts the approval as it is marked, if all of it was
// shown, and continues with the next one. It sends nothing: the review of the round does.
func enterRound(at At) Effect {
	var e Effect
	if at.Form.Typing() == form.FieldRefusal {
		if at.Form.Plan(form.Facts{}).Step == form.StepNothing {
			return e
		}
		at.Form.Attach()
		e = endTyping(at)
	}
	if isDecided(at) {
		e.Wants = append(e.Wants, wants(WantTake, WantGoOn)...)
	}
	return e
}

// isDecided reports whether a choice is marked in an approval of a round, and the whole request was on screen.
func isDecided(at At) bool {
	return at.On.Pending() && at.Form.Typing() == form.FieldNone && at.Read != nil && at.Read() &&
		at.Form.Plan(form.Facts{}).Step == form.StepSend
}

// stepRound goes to the next (1) or previous (-1) approval of a round. It counts the present one if that isDecided.
func stepRound(at At, n int) Effect {
	var e Effect
	if isDecided(at) {
		e.Wants = wants(WantTake)
	}
	e.Wants = append(e.Wants, Want{Kind: WantStep, N: n})
	return e
}

// leaveRound ends the round without sending anything.
func leaveRound(At) Effect { return Effect{Say: says(RoundLeft), Wants: wants(WantEndRound)} }
