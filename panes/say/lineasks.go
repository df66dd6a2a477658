package say

import (
	"fmt"
	"time"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/rules"
)

// Confirmations that lines ask for, and their results.

// Enters asks in lines whether to do what Enter would do: send, continue, or bring the confirmation on view. agent
// names the receiver; of is the title of the question if several are pending, else empty. A screen says it in Enter.
func Enters(f *form.Form, p form.Plan, agent, of string) string {
	step, what, or := p.Step, Heard(Sent(f)), "anything else changes it"
	if step == form.StepArm { // Sent says that nothing is marked
		step = f.StepWhole()
	}
	if answers, ok := p.Has(form.PieceAnswers); ok {
		what, or = Count(answers.N, "answer"), "a number changes one"
	}
	if of != "" {
		of = " for " + ShortQuoted(of, 60)
	}
	switch step {
	case form.StepTake:
		q := f.Here()
		return numbered(f, ", ") + ": " + Heard(q.Summary(q.Sent())) + ". Enter goes on, " + or + "."
	case form.StepConfirm:
		return what + of + "? Enter goes on to the confirmation, " + or + "."
	}
	return "Send " + what + " to " + agent + of + "? Enter sends, " + or + "."
}

// ConfirmHeading begins the confirmation that the agent wants, below a warning sign.
func ConfirmHeading(s queue.Session) string {
	return fmt.Sprintf("Confirm %s: %s", s.ID, Title(s.Ask))
}

// YouChose says what is to be confirmed.
func YouChose(f *form.Form) string { return "You chose: " + Heard(Sent(f)) + "." }

// Says precedes the agent's words about the confirmation that it wants.
func Says(o queue.Origin) string { return Who(o) + " says:" }

// RunsAt says where it runs; agent is what the agent is called beside others.
func RunsAt(agent string, o queue.Origin, home string) string {
	return "It runs in: " + placed(agent, o, home) + "."
}

// ConfirmTime says how long the confirmation can be given; empty: without limit.
func ConfirmTime(s queue.Session, now time.Time) string {
	if !s.HasClock() {
		return ""
	}
	return TimeLine(s, now, "nothing is confirmed")
}

// Confirms says what the confirmation takes.
func Confirms(in Speech) string { return Sentence(confirmsBy("yes", in)) }

// ConfirmsOnly says it where Enter alone came, which does nothing there.
func ConfirmsOnly(in Speech) string { return "Enter does nothing here: " + confirmsBy("yes", in) + "." }

// ConfirmStays says it behind a line that was none of that.
func ConfirmStays(in Speech) string {
	return "Still to be confirmed: " + confirmsBy("the whole word yes", in) + "."
}

func confirmsBy(yes string, in Speech) string {
	return "type " + yes + " to confirm and send, no to go back to the options, " + in.Key(keys.ActCancel) +
		" to cancel"
}

// ConfirmsNothing says that a line is no confirmation.
func ConfirmsNothing(text string) string { return ShortQuoted(text, 60) + " confirms nothing." }

// Unconfirmed says that another command took an open confirmation back.
const Unconfirmed = "Not confirmed, nothing was sent: back at the options."

// Results of yes and no.
const (
	NothingForYes   = "Nothing was asked that yes would answer."
	BackAtOptions   = "Back to the options, nothing was sent."
	NothingDone     = "Nothing was done."
	StillHere       = "Still here."
	UnsentAsksAgain = "Nothing was sent; Enter asks again." // what was asked about has changed
)

// NothingForNo says that nothing was asked.
func NothingForNo(in Speech) string {
	return "Nothing was asked. " + in.Key(keys.ActCancel) + " cancels the question."
}

// AsksCancel asks whether to cancel a question; see CancelAgain.
func AsksCancel(s queue.Session, reason string) string {
	with := "without a reason"
	if reason != "" {
		with = "with the reason " + ShortQuoted(reason, 200)
	}
	return fmt.Sprintf("Cancel %s and tell %s, %s? Enter cancels it, anything else keeps it.",
		ShortQuoted(Title(s.Ask), 100), Who(s.Origin), with)
}

// AsksHide asks in lines whether to leave an option out of all that an agent asks from now on; see hideOption.
func AsksHide(o queue.Option, chosen bool, agent string) string {
	words := "Hide " + ShortQuoted(o.Label, 100) + " in all future questions of " + agent + "?"
	switch {
	case o.Recommended:
		words += " It is recommended."
	case chosen:
		words += " It stays chosen here."
	}
	return words + " Enter hides it, anything else keeps it."
}

// Asks asks in lines whether to do what the next Enter does; see Offered.
func Asks(o *deed.Offer, home string, now time.Time) string {
	agent := Who(o.On.Origin)
	switch o.Action {
	case deed.Later:
		return AsksLater(o.Until, o.GivesUp, agent)
	case deed.Hide:
		return AsksHide(o.Option, o.Marked, agent)
	default: // a rule
	}
	if o.Rule == nil {
		return AsksOwnRule(o.On, o.Option)
	}
	return AsksRule(*o.Rule, home, now)
}

const orLeavesIt = "? Enter allows it, anything else leaves it."

// AsksRule asks in lines whether to make a rule; see RuleMakes.
func AsksRule(r rules.Rule, home string, now time.Time) string {
	l := RuleOf(r, home, now)
	return "Always allow " + Heard(l.What) + ", in " + l.Dir + ", for " + l.Who + ", " + l.Until + orLeavesIt
}

// AsksOwnRule asks in lines whether to answer with a rule that the agent itself keeps; see ownRuleMakes.
func AsksOwnRule(s queue.Session, own queue.Option) string {
	scope := "for this session of " + Who(s.Origin)
	if own.Act == queue.ActAlways {
		scope = "until " + Who(s.Origin) + " is started again"
	}
	return "Always allow " + Heard(OneLine(s.Ask.Approval.Parts[0].Text)) + ", " + scope +
		", by a rule of its own" + orLeavesIt
}

// OptionsFound says how many options have the words that were looked for.
func OptionsFound(n, of int) string { return fmt.Sprintf("%d of %s:", n, Count(of, "option")) }

// IsAside says that a question was set aside.
func IsAside(until time.Time) string { return "Set aside until " + until.Local().Format("15:04") + "." }

// AsideElsewhere says that the question on view was set aside from another place.
func AsideElsewhere(until time.Time) string {
	return "Set aside elsewhere until " + until.Local().Format("15:04") + "."
}

// Meanings of a number in the review.
const ThisIsTheReview = "This is the review: the number of an answer changes it."

// WhichAnswer says that no answer of so many has the number that was typed.
func WhichAnswer(of int) string { return fmt.Sprintf("Which answer is to change: 1 to %d?", of) }

// FirstQuestion says why there is no question to go back to.
const FirstQuestion = "This is the first."
