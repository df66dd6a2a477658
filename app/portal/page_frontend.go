package portal

import (
	"errors"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// Facts tells the keyboard what the person may do on this page, and whether they have read the text.
func (g *page) Facts() action.Facts {
	return action.Facts{Hides: g.web.MaySettings(), Reasons: suggestions(g.view.Form()), Reason: g.reason - 1,
		Forbids: func(a action.Name) bool { return g.mayNot(a) != "" },
		Read:    func() bool { return g.linesUnread() == 0 }}
}

// Show shows the effect of an action on the question on view.
func (g *page) Show(e action.Effect) {
	g.did = true
	if !e.WhyNot.OK() {
		return
	}
	switch {
	case e.Closed && e.Ends == form.FieldText:
		g.leftField = g.view.Form().At() + 1
	case e.Begin != form.FieldNone:
		g.reason = 0
	case e.Reason != nil:
		g.reason, g.forced = *e.Reason+1, true
	}
	if e.Back && g.view.Form().Here().Mode == queue.ModeText {
		g.leftField = g.view.Form().At() + 1
	}
	if e.Copy != "" {
		g.copyText(e.Copy)
	}
	if o := e.Offer; o != nil {
		words := say.Offered(o, g.linesUnread(), g.pages.services.Home, g.pages.desk.Now(), g.speech())
		g.offered = offer{words, buttonOffered(o)}
		g.board.Offer(o.Do, nil)
	}
}

// copyText copies a text to the person's clipboard.
func (g *page) copyText(text string) {
	g.browser.add(func(m *message) { m.Copy = text })
	g.notice = say.Copied(text, g.speech().Cut)
}

// Refused says that the guard refused a key, unless the line beside the button says that already.
func (g *page) Refused(p desk.Press, why error) {
	switch {
	case errors.Is(why, desk.ErrStray):
		g.notice = say.Stray(p.Key)
	case g.board.Offers():
		g.notice = say.PressAgain(g.speech().Enter)
	}
}

// Words returns the words for a message.
func (g *page) Words(m action.Message) string {
	var not action.NotDone
	switch {
	case m.Is(action.NotHere):
		return wordsNoSettingsHere
	case errors.As(m.Err, &not) && not.Words == action.NotHidden:
		return wordsNotSaved + errLine(not.Err)
	}
	return say.Message(m, g.last, g.view.Form(), g.speech())
}

// Say shows words as a notice.
func (g *page) Say(words string) {
	g.notice = words
	g.drawSoon()
}

// SetHides hides an option in later questions, or shows it again.
func (g *page) SetHides(entry config.HiddenOption, hide bool, done func(error)) {
	g.store(func(c *config.Settings) {
		c.HiddenOptions = config.SetHidden(c.HiddenOptions, entry, hide)
	}, done)
}

// speech returns the wording of this page for package say.
func (g *page) speech() say.Speech {
	cut := func(text string, most int) string { return say.Short(text, most) }
	in := say.Speech{Frontend: say.OnPage, Keys: g.shownKeys(), Enter: enterName, Down: "▼", Cut: cut,
		NextAgent: wordsNextAgent, Keyless: g.touch}
	if g.view != nil {
		in.Untold = !g.view.Team.TellsAnswer()
	}
	if g.touch {
		in.Enter = "the button"
	}
	return in
}
