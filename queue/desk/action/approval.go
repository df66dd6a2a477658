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
)

// ruleOffered is the reason why no rule is made of a request.
const ruleOffered = Words("the agent itself offers to allow exactly this again; choose that")

// approvals returns the actions on an approval.
func approvals() []Row {
	return []Row{
		{Name: Allow, Keys: []string{"y"}, In: []Place{PlaceApproval, PlaceBatch},
			Marks: true, Chooses: true, AtOnce: allowsWithOneKey, Do: allow,
			Effect: func(at At) desk.Effect {
				if allowsWithOneKey(at) {
					return desk.Choosing
				}
				return desk.Marking
			},
			Footer: "allow once", Short: "allow", Room: Always,
			Offered: func(at At) bool {
				return at.inBatch || !at.Covered && at.Form.Offers(queue.ActOnce) && !allowsOnce(at)
			},
			Help:   "allow this once; Enter sends it",
			HelpAt: map[Place]string{PlaceBatch: "mark every request of which all was on screen"},
			Line:   Line{Word: "allow", Help: "chooses to allow it once", Keyless: true},
			Lacks:  map[string]string{Command: idsOnly}},
		{Name: Refuse, Keys: []string{"n"}, In: onApproval,
			Marks: true, Chooses: true, Effect: alwaysIs(desk.Marking), Do: beginRefusal,
			Footer: "refuse", Room: Always, Offered: isShown,
			Help: "refuse, and say why; Enter sends it",
			Line: Line{Word: "refuse", Args: "[WORDS]", Keyless: true,
				Help: "chooses to refuse, and tells the agent why"},
			Lacks: map[string]string{Command: idsOnly}},
		{Name: Rule, Keys: []string{"M"}, In: onApproval,
			Effect: alwaysIs(desk.Marking), Needs: mayRule, Do: offerRule,
			Footer: "make a rule", Short: "rule",
			Offered: func(at At) bool { return at.Can(Rule) },
			Help:    "allow this, and the same again for up to a day (asks first)",
			Line: Line{Word: "rule",
				Help: "allows this and makes a rule, so that the same is not asked again for a while; asks first"},
			Lacks: map[string]string{Command: "a rule is made where all that it covers is on screen"}},
	}
}

// allow marks what allows the request once, and sends it where one key does that. In a batch it marks all requests that
// can be marked.
func allow(at At, arg Arg) Effect {
	if at.inBatch {
		return markAllAlike(at)
	}
	if why := at.Form.Allow(); !why.OK() || !allowsWithOneKey(at) {
		return effectOfForm(Allow, why)
	}
	return enter(at, arg)
}

// allowsWithOneKey reports whether the key that allows also sends, as the person has set. It never does for a plan, for
// what has a red mark or is confirmed for another reason, for a request with several questions, and for one of which
// some was not on screen.
func allowsWithOneKey(at At) bool {
	if at.View == nil || !at.View.Desk().Settings().ApproveWithOneKey || at.inBatch || at.Read == nil {
		return false
	}
	a := at.On.Ask
	isPlan := func(p queue.Part) bool { return p.Kind == queue.PartPlan }
	return a.Approval != nil && !a.Confirm && len(a.Approval.Red()) == 0 && !at.Form.Several() &&
		!slices.ContainsFunc(a.Approval.Parts, isPlan) && at.Read()
}

// isShown is the Offered of a key that needs the options on screen.
func isShown(at At) bool { return !at.Covered }

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

// allowsOnce reports whether what allows an approval once is marked.
func allowsOnce(at At) bool {
	q := at.Form.Here()
	return !slices.ContainsFunc(q.Options, func(o queue.Option) bool {
		return o.Act == queue.ActOnce && !q.Marked(o.ID)
	})
}
