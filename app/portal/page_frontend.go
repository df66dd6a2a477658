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

// suggestions returns the texts that are suggested for the field being typed. The person's own last phrases are shown
// only where the page may show past answers: an agent may have opened the link to one question.
func (p *page) suggestions() []string {
	f := p.view.Form()
	if f == nil {
		return nil
	}
	always := say.Suggested(f.Typing())
	if !p.web.MayList() {
		return always
	}
	return p.pages.desk.Today().Phrases.For(f.Typing(), always)
}

// Facts tells the keyboard what the person may do on this page, and whether they have read the text.
func (p *page) Facts() action.Facts {
	return action.Facts{Hides: p.web.MaySettings(), Reasons: p.suggestions(), Reason: p.reason - 1,
		Forbids: func(a action.Name) bool { return p.mayNot(a) != "" },
		Read:    func() bool { return p.linesUnread() == 0 }}
}

// Show shows the effect of an action on the question on view.
func (p *page) Show(e action.Effect) {
	p.did = true
	if !e.WhyNot.OK() {
		return
	}
	switch f := p.view.Form(); {
	case e.Closed && e.Ends == form.FieldText:
		p.leftFields[f] = f.At() + 1
	case e.Begin != form.FieldNone:
		p.reason = 0
	case e.Reason != nil:
		p.reason, p.forced = *e.Reason+1, true
	}
	if f := p.view.Form(); e.Back && f.Here().Mode == queue.ModeText {
		p.leftFields[f] = f.At() + 1
	}
	if e.Copy != "" {
		p.copyText(e.Copy)
	}
	if o := e.Offer; o != nil {
		words := say.Offered(o, p.linesUnread(), p.pages.services.Home, p.pages.desk.Now(), p.speech())
		p.offered = offer{words, buttonOffered(o)}
		p.board.Offer(o.Do, nil)
	}
}

// copyText copies a text to the person's clipboard.
func (p *page) copyText(text string) {
	p.browser.add(func(m *message) { m.Copy = text })
	p.message = say.Copied(text, p.speech().Cut)
}

// Refused says that the guard refused a key, unless the line beside the button says that already.
func (p *page) Refused(press desk.Press, why error) {
	switch {
	case errors.Is(why, desk.ErrStray):
		p.message = say.Stray(press.Key)
	case press.Deliberate:
		p.message = say.NotTaken(press.Key) + ", press it again"
	case p.board.Offers():
		p.message = say.PressAgain(p.speech().Enter)
	}
}

// Words returns the words for a message.
func (p *page) Words(m action.Message) string {
	var not action.NotDone
	switch {
	case m.Is(action.NotHere):
		return wordsNoSettingsHere
	case errors.As(m.Err, &not) && not.Words == action.NotHidden:
		return wordsNotSaved + errLine(not.Err)
	}
	return say.Message(m, p.last, p.view.Form(), p.speech())
}

// Say shows words as a notice.
func (p *page) Say(words string) {
	p.message = words
	p.drawSoon()
}

// SetHides hides an option in later questions, or shows it again.
func (p *page) SetHides(entry config.HiddenOption, hide bool, done func(error)) {
	p.store(func(c *config.Settings) {
		c.HiddenOptions = config.SetHidden(c.HiddenOptions, entry, hide)
	}, done)
}

// speech returns the wording of this page for package say.
func (p *page) speech() say.Speech {
	cut := func(text string, most int) string { return say.Short(text, most) }
	in := say.Speech{Frontend: say.OnPage, Keys: p.shownKeys(), Enter: enterName, Down: "▼", Cut: cut,
		NextAgent: wordsNextAgent, Keyless: p.touch}
	if p.view != nil {
		in.Untold = !p.view.Team.TellsAnswer()
	}
	if p.touch {
		in.Enter = "the button"
	}
	return in
}
