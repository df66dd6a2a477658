package plain

import (
	"errors"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/rules"
)

// What follows makes the lines a deed.Face.

// Facts says what lines can do. All of a question is written when it comes on view.
func (a *answering) Facts() deed.Facts {
	return deed.Facts{Hides: true, Untyped: a.untyped, Reason: -1,
		Read: func() bool { return a.stands.session == a.seat.Up() }}
}

const orLeavesIt = "? Enter allows it, anything else leaves it."

// Show keeps what an action did, for the word that asked for it, and asks what it offers.
func (a *answering) Show(e deed.Effect) {
	a.did, a.done = e, e.WhyNot.OK()
	if e.Offer == nil {
		return
	}
	a.say(askOffer(e.Offer, a.home, a.desk.Now()))
	a.until, a.asked = e.Offer.Until, asksOffer
	a.hand.Offer(e.Offer.Do, nil)
}

// asksLater asks whether to set a question aside.
func asksLater(until, givesUp time.Time, agent string) string {
	words := "Set it aside until " + until.Local().Format("15:04") + "?"
	if !givesUp.IsZero() {
		words += " " + agent + " gives up at " + givesUp.Local().Format("15:04") + "."
	}
	return words + " Enter does it, anything else leaves it."
}

// asksHide asks whether to hide an option in all future questions of an agent.
func asksHide(o queue.Option, chosen bool, agent string) string {
	words := "Hide " + say.ShortQuoted(o.Label, 100) + " in all future questions of " + agent + "?"
	switch {
	case o.Recommended:
		words += " It is recommended."
	case chosen:
		words += " It stays chosen here."
	}
	return words + " Enter hides it, anything else keeps it."
}

// askOffer asks whether to carry out an offer; see say.Offered.
func askOffer(o *deed.Offer, home string, now time.Time) string {
	agent := say.Who(o.On.Origin)
	switch o.Action {
	case deed.Later:
		return asksLater(o.Until, o.GivesUp, agent)
	case deed.Hide:
		return asksHide(o.Option, o.Marked, agent)
	default: // a rule
	}
	if o.Rule == nil {
		return asksOwnRule(o.On, o.Option)
	}
	return asksRule(*o.Rule, home, now)
}

// asksRule asks whether to make a rule.
func asksRule(r rules.Rule, home string, now time.Time) string {
	l := say.RuleOf(r, home, now)
	return "Always allow " + say.Heard(l.What) + ", in " + l.Dir + ", for " + l.Who + ", " + l.Until + orLeavesIt
}

// asksOwnRule asks whether to answer with a rule that the agent itself keeps.
func asksOwnRule(s queue.Session, own queue.Option) string {
	scope := "for this session of " + say.Who(s.Origin)
	if own.Act == queue.ActAlways {
		scope = "until " + say.Who(s.Origin) + " is started again"
	}
	return "Always allow " + say.Heard(say.OneLine(s.Ask.Approval.Parts[0].Text)) + ", " + scope +
		", by a rule of its own" + orLeavesIt
}

// Refused says that the guard did not take a line.
func (a *answering) Refused(p desk.Press, why error) {
	if errors.Is(why, desk.ErrNotTaken) {
		a.say(lineNotTaken(a.seat.Guard.Says(a.at).NotTaken))
		return
	}
	a.say(say.LineTooSoon(p.Key))
}

// lineNotTaken refuses an Enter after a line that was not taken.
func lineNotTaken(text string) string {
	return "Not yet: " + say.ShortQuoted(text, 60) +
		" was not taken. Type it again, or press Enter again to continue without it."
}

// Words puts a note into words. What the settings took is said once they have it.
func (a *answering) Words(m deed.Message) string {
	f := a.seat.Form()
	switch {
	case m.OK(), m.Kind == deed.IsHidden, m.Kind == deed.IsShown:
		return ""
	case f == nil: // what came of it is told after the question has left
		return say.Message(m, queue.Session{}, nil, a.speech())
	case m.Kind == deed.OfForm && m.Form.Reason == form.NoSuchQuestion:
		return fmt.Sprintf("Which answer is to change: 1 to %d?", f.Len())
	}
	return say.Message(m, a.seat.Session(), f, a.speech())
}

// Say writes words about an action.
func (a *answering) Say(words string) {
	a.troubled = true
	a.say(words)
}

// SetHides keeps an option out of later questions, or shows it again, and says so once the settings have it.
func (a *answering) SetHides(option config.HiddenOption, hide bool, done func(error)) {
	a.desk.Later(func() {
		err := a.settings.Update(func(c *config.Settings) {
			c.HiddenOptions = config.ToggleHidden(c.HiddenOptions, option, hide)
		})
		a.desk.Do(func() {
			if done(err); err == nil {
				did := deed.IsShown
				if hide {
					did = deed.IsHidden
				}
				a.say(say.Message(deed.Message{Kind: did}, queue.Session{}, nil, a.speech()))
				a.desk.SetSettings(a.settings.Settings())
			}
		})
	})
}
