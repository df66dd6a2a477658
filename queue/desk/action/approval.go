package action

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/rules"
)

// Actions on an approval.
const (
	Allow  Name = "allow"
	Refuse Name = "refuse"
	Rule   Name = "make_rule"
	Alike  Name = "look_through"
)

// Reasons and words of these actions.
const (
	noneAlike   = Words("this agent has no similar request pending")
	markedAlone = Words("a request with a warning is decided on its own, not together with others")
	ruleOffered = Words("the agent itself offers to allow exactly this again; choose that")
	ruleAlone   = Words("a rule is made from a single request; leave the similar ones first")
	firstAlike  = Words("this is the first of the similar ones")
	RoundLeft   = Words("nothing was sent; your choices are kept")
)

// approvals returns the actions on an approval, including the one that begins a round of similar approvals.
func approvals() []Row {
	return []Row{
		{Name: Allow, Keys: []string{"y"}, In: onApproval,
			Marks: true, Chooses: true, AtOnce: allowsWithOneKey, Do: allow,
			Effect: func(at At) desk.Effect {
				if allowsWithOneKey(at) {
					return desk.Choosing
				}
				return desk.Marking
			},
			Footer: "allow once", Short: "allow", Room: Always,
			Now: func(at At, h Hint) Hint {
				if allowsWithOneKey(at) {
					return h.Say(Word{Long: "allow at once", Short: "allow"})
				}
				return h
			},
			Offered: func(at At) bool { return !at.Covered && at.Form.Offers(queue.ActOnce) && !allowsOnce(at) },
			Help:    "choose to allow this once; Enter then sends it",
			Line:    Line{Word: "allow", Help: "chooses to allow it once", Keyless: true},
			Lacks:   map[string]string{Command: idsOnly}},
		{Name: Refuse, Keys: []string{"n"}, In: onApproval,
			Marks: true, Chooses: true, Effect: alwaysIs(desk.Marking), Do: beginRefusal,
			Footer: "refuse", Room: Always, Offered: isShown,
			Help: "choose to refuse, and say why; Enter then sends it",
			Line: Line{Word: "refuse", Args: "[WORDS]", Keyless: true,
				Help: "chooses to refuse, and tells the agent why"},
			Lacks: map[string]string{Command: idsOnly}},
		{Name: Rule, Keys: []string{"M"}, In: onApproval,
			Effect: alwaysIs(desk.Marking), Needs: mayRule, Do: offerRule,
			Footer: "make a rule", Short: "rule",
			Offered: func(at At) bool { return at.Can(Rule) },
			Help: "make a rule: allow this, and allow the same again without asking you, for up to a day " +
				"(asks first)",
			Line: Line{Word: "rule",
				Help: "allows this and makes a rule, so that the same is not asked again for a while; asks first"},
			Lacks: map[string]string{Command: "a rule is made where all that it covers is on screen"}},
		{Name: Alike, Keys: []string{"*"}, In: onApproval,
			Effect: alwaysIs(desk.Marking), Needs: mayLookThrough, Do: func(At, Arg) Effect { return then(beginRound) },
			Footer: "similar ones", Short: "similar",
			Offered: func(at At) bool { return at.View.Round.Alike() > 1 },
			Help: "look through the approvals of the same agent, tool and directory one by one, and send them " +
				"together",
			Line: Line{Word: "similar",
				Help: "goes through the pending approvals that are like this one, to send them together"},
			Lacks: map[string]string{Command: oneReply}},
	}
}

// allow marks what allows the request once, and sends it where one key does that.
func allow(at At, arg Arg) Effect {
	if why := at.Form.Allow(); !why.OK() || !allowsWithOneKey(at) {
		return effectOfForm(Allow, why)
	}
	return enter(at, arg)
}

// allowsWithOneKey reports whether the key that allows also sends, as the person has set. It never does for a plan, for
// what has a red mark or is confirmed for another reason, for a request with several questions, and for one of which
// some was not on screen.
func allowsWithOneKey(at At) bool {
	if at.View == nil || !at.View.Desk().Settings().ApproveWithOneKey || at.inRound || at.Read == nil {
		return false
	}
	a := at.On.Ask
	isPlan := func(p queue.Part) bool { return p.Kind == queue.PartPlan }
	return a.Approval != nil && !a.Confirm && len(a.Approval.Red()) == 0 && !at.Form.Several() &&
		!slices.ContainsFunc(a.Approval.Parts, isPlan) && at.Read()
}

// isShown is the Offered of a key that needs the options on screen.
func isShown(at At) bool { return !at.Covered }

// mayLookThrough says why no approvals are looked through together, beginning with the one on view.
func mayLookThrough(at At, _ Arg) Message {
	switch {
	case at.On.Ask.Kind == queue.KindApproval && at.On.Ask.Confirm: // every warning mark requires a confirmation
		return says(markedAlone)
	case at.View.Round.Alike() == 0:
		return says(noneAlike)
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
func mayRule(at At, _ Arg) Message {
	switch {
	case at.inRound:
		return says(ruleAlone)
	case !at.On.Pending():
		return says(desk.ErrOver)
	case rules.Offered(at.On):
		return says(ruleOffered)
	}
	_, err := at.View.Desk().Rule(at.On)
	return because(err, noRule)
}

// offerRule offers to make a permission rule. The next Enter stores the rule and allows this approval.
func offerRule(at At, _ Arg) Effect {
	made, err := at.View.Desk().Rule(at.On)
	if err != nil {
		return Effect{WhyNot: because(err, noRule)}
	}
	return Effect{Offer: &Offer{Action: Rule, On: at.On, Rule: &made, then: func(now At) Effect {
		if now.On.ID != made.From {
			return Effect{}
		}
		if now.Form.Allow(); now.Form.Enter() != form.StepSend {
			return Effect{}
		}
		return Effect{Then: []FollowUp{send, storeRule(made)}, Decides: true}
	}}}
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
		e.Then = append(e.Then, countApproval, nextApproval)
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
		e.Then = []FollowUp{countApproval}
	}
	e.Then = append(e.Then, stepInRound(n))
	return e
}

// inRounds has the rows that replace those of the table in a round.
var inRounds = map[Name]*Row{
	Next:     {Name: Next, Closed: true, Do: func(at At, _ Arg) Effect { return stepRound(at, 1) }},
	Previous: {Name: Previous, Closed: true, Do: func(at At, _ Arg) Effect { return stepRound(at, -1) }},
	Back: {Name: Back, Closed: true, Do: func(at At, arg Arg) Effect {
		e := goBack(at, arg)
		if e.Back && !at.Full {
			return leaveRound(at)
		}
		return e
	}},
}

// leaveRound ends the round without sending anything.
func leaveRound(At) Effect { return Effect{Say: says(RoundLeft), Then: []FollowUp{endRound}} }

// allowsOnce reports whether what allows an approval once is marked.
func allowsOnce(at At) bool {
	q := at.Form.Here()
	return !slices.ContainsFunc(q.Options, func(o queue.Option) bool {
		return o.Act == queue.ActOnce && !q.Marked(o.ID)
	})
}
