package deed

import (
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/rules"
)

// approvals are the actions on what an agent asks to be allowed, one by one or looked through with others alike.
func approvals() []Deed {
	return []Deed{
		{Action: Allow, Guard: alwaysIs(desk.Marking), Marks: true, Chooses: true,
			Do: func(at At, _ Arg) Effect { return effectOfForm(Allow, at.Form.Allow()) }},
		{Action: Refuse, Guard: alwaysIs(desk.Marking), Marks: true, Chooses: true, Do: beginRefusal},
		{Action: Rule, Guard: alwaysIs(desk.Marking), Needs: mayRule, Do: offerRule},
		{Action: Alike, Guard: alwaysIs(desk.Marking),
			Needs: func(at At) Message { return because(at.Seat.Round.MayBegin(), RoundNone) },
			Do:    func(At, Arg) Effect { return Effect{Wants: wants(WantRound)} }},
	}
}

// beginRefusal marks the refusal and opens the line for the words that go with it, if it takes any. Where the agent
// offers no refusal, a cancel is one.
func beginRefusal(at At, _ Arg) Effect {
	if !at.Form.Offers(queue.ActRefuse) {
		return beginField(at, Refuse, form.FieldReason)
	}
	text, why := at.Form.BeginRefusal()
	if !why.OK() { // it takes no words
		return Effect{}
	}
	return Effect{Begin: form.FieldRefusal, Text: text}
}

// mayRule says why no rule can be made of what is asked for.
func mayRule(at At) Message {
	switch _, own := rules.Own(at.On); {
	case at.inRound:
		return says(RoundNoRule)
	case !at.On.Pending():
		return says(Over)
	case own:
		return Message{}
	}
	return because(at.Seat.Desk().MayRule(at.On), NoRule)
}

// offerRule says what a rule would cover. Enter then makes the rule and allows this approval with it. Where the agent
// keeps a rule of its own that covers no more than what is shown, Enter answers with that rule and stores none here.
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

// sendWithRule sends what is marked now, and whatever else is wanted with it.
func sendWithRule(at At, more ...Want) Effect {
	if at.Form.Enter() != form.StepSend {
		return Effect{}
	}
	return Effect{Wants: append(wants(WantSend), more...)}
}

// enterRound keeps the marks, once all was shown, and continues with the next approval. It sends nothing.
func enterRound(at At) Effect {
	var e Effect
	if at.Form.Typing() == form.FieldRefusal {
		if at.Form.Plan(form.Facts{}).Step == form.StepNothing {
			return e
		}
		at.Form.Attach()
		e = endTyping(at)
	}
	if keeps(at) {
		e.Wants = append(e.Wants, wants(WantTake, WantGoOn)...)
	}
	return e
}

// keeps reports whether something is marked, and all that it allows was on screen.
func keeps(at At) bool {
	return at.On.Pending() && at.Form.Typing() == form.FieldNone && at.Read != nil && at.Read() &&
		at.Form.Plan(form.Facts{}).Step == form.StepSend
}

// stepRound goes to the next approval or the one before. What is marked and was shown in full counts then.
func stepRound(at At, n int) Effect {
	var e Effect
	if keeps(at) {
		e.Wants = wants(WantTake)
	}
	e.Wants = append(e.Wants, Want{Kind: WantStep, N: n})
	return e
}

// leaveRound looks through no more of them.
func leaveRound(At) Effect { return Effect{Say: says(RoundLeft), Wants: wants(WantEndRound)} }
