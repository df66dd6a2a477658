package plain

import (
	"errors"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/rules"
)

// The methods Facts, Show, Refused, Words, Say and SetHides make answering an action.Frontend: the keyboard calls them
// to learn what lines can do, and to show what an action did.

// Facts says what lines can do. A question counts as read once it is on view, because all of it is written then.
func (a *answering) Facts() action.Facts {
	return action.Facts{Hides: true, Untyped: a.untyped, Reason: -1,
		Read: func() bool { return a.announced.session == a.view.Up() }}
}

const orLeavesIt = "? Press Enter to do so, anything else to change nothing."

// Show keeps the effect of an action in did, where the code of the typed word finds it. If the effect offers something,
// Show asks the person whether to do that.
func (a *answering) Show(e action.Effect) {
	a.did, a.done = e, e.WhyNot.OK()
	if e.Offer == nil {
		return
	}
	a.say(askOffer(e.Offer, a.home, a.desk.Now()))
	a.until, a.asked = e.Offer.Until, asksOffer
	a.board.Offer(e.Offer.Do, nil)
}

// asksLater returns the question whether to set a session aside. givesUp is when its agent stops waiting; zero: never.
func asksLater(until, givesUp time.Time, agent string) string {
	words := "Set it aside until " + until.Local().Format("15:04") + "?"
	if !givesUp.IsZero() {
		words += " " + agent + " waits until " + givesUp.Local().Format("15:04") + "."
	}
	return words + " Press Enter to set it aside, anything else to keep it."
}

// asksHide returns the question whether to hide an option in all future questions from an agent.
func asksHide(o queue.Option, chosen bool, agent string) string {
	words := "Hide " + say.ShortQuoted(o.Label, 100) + " in all future questions from " + agent + "?"
	switch {
	case o.Recommended:
		words += " The agent recommends it."
	case chosen:
		words += " It stays chosen here."
	}
	return words + " Enter hides it, anything else keeps it."
}

// askOffer returns the question whether to carry out an offer; see say.Offered.
func askOffer(o *action.Offer, home string, now time.Time) string {
	agent := say.Who(o.On.Origin)
	switch o.Action {
	case action.Later:
		return asksLater(o.Until, o.GivesUp, agent)
	case action.Hide:
		return asksHide(o.Option, o.Marked, agent)
	case action.StartOver:
		return "Clear all answers and notes? Enter does, anything else keeps them."
	default: // a rule
	}
	return asksRule(*o.Rule, home, now)
}

// asksRule returns the question whether to make a permission rule.
func asksRule(r rules.Rule, home string, now time.Time) string {
	l := say.RuleOf(r, home, now)
	who, until := l.Who, l.Until
	if r.Thread != "" {
		who, until = "the rest of this "+say.Who(queue.Origin{Client: r.Client})+" session", "at most "+until
	}
	return "Allow " + heard(l.What) + ", in " + l.Dir + ", for " + who + ", " + until + orLeavesIt
}

// Refused says that the guard refused a line, and why.
func (a *answering) Refused(p desk.Press, why error) {
	if errors.Is(why, desk.ErrNotTaken) {
		a.say(lineNotTaken(a.view.Guard.Says(a.at)))
		return
	}
	a.say(say.LineTooSoon(p.Key))
}

// lineNotTaken returns the line that refuses an Enter because a line before it was not taken.
func lineNotTaken(says desk.Says) string {
	line := "Not yet: " + say.ShortQuoted(says.NotTaken, 60)
	if says.Before {
		return line + " was for another question. Press Enter again to continue."
	}
	return line + " was not taken. Type it again, or press Enter again to continue without it."
}

// Words returns the words for a message about an action. For a hidden or shown option it returns no words: SetHides
// says that once the settings file holds it.
func (a *answering) Words(m action.Message) string {
	f := a.view.Form()
	var why form.WhyNot
	switch {
	case m.Is(action.Hid(true)), m.Is(action.Hid(false)):
		return ""
	case f == nil: // the question has left the view meanwhile
		return say.Message(m, queue.Session{}, nil, a.speech())
	case errors.As(m.Err, &why) && why.Reason == form.NoSuchQuestion:
		return fmt.Sprintf("Which answer do you want to change: 1 to %d?", f.Len())
	}
	return say.Message(m, a.view.Session(), f, a.speech())
}

// Say writes words about an action, and notes that the action met with trouble.
func (a *answering) Say(words string) {
	a.troubled = true
	a.say(words)
}

// SetHides hides an option in later questions, or shows it again, and says so once the settings file holds it.
func (a *answering) SetHides(option config.HiddenOption, hide bool, done func(error)) {
	a.desk.Later(func() {
		err := a.settings.Update(func(c *config.Settings) {
			c.HiddenOptions = config.SetHidden(c.HiddenOptions, option, hide)
		})
		a.desk.Do(func() {
			if done(err); err == nil {
				a.say(say.Message(action.Message{Err: action.Hid(hide)}, queue.Session{}, nil, a.speech()))
				a.desk.SetSettings(a.settings.Settings())
			}
		})
	})
}
