package plain

import (
	"errors"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// What follows makes the lines a deed.Face.

// Facts says what lines can do. All of a question is written when it comes on view.
func (a *answering) Facts() deed.Facts {
	return deed.Facts{Hides: true, Untyped: a.untyped, Reason: -1,
		Read: func() bool { return a.stands.session == a.seat.Up() }}
}

// Show keeps what an action did, for the word that asked for it, and asks what it offers.
func (a *answering) Show(e deed.Effect) {
	a.did, a.done = e, e.WhyNot.OK()
	if e.Offer == nil {
		return
	}
	a.say(say.Asks(e.Offer, a.home, a.desk.Now()))
	a.until, a.asked = e.Offer.Until, asksOffer
	a.hand.Offer(e.Offer.Do, nil)
}

// Refused says that the guard did not take a line.
func (a *answering) Refused(p desk.Press, why error) {
	if errors.Is(why, desk.ErrNotTaken) {
		a.say(say.LineNotTaken(a.seat.Guard.Says(a.at).NotTaken))
		return
	}
	a.say(say.LineTooSoon(p.Key))
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
		return say.WhichAnswer(f.Len())
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
				a.say(say.Sentence(say.HiddenOption(hide, a.speech())))
				a.desk.SetSettings(a.settings.Settings())
			}
		})
	})
}
