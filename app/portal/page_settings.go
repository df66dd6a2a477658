package portal

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// takeChange handles a change of a setting. The page shows every row of config.Table, and changes those that a page may
// change.
func (p *page) takeChange(event pageEvent) {
	p.message = ""
	delete(p.browser.sent, "panel") // so that it is drawn again: a field may show a value that is refused
	if !p.web.MaySettings() {
		p.message = wordsNoSettingsHere
		return
	}
	if event.Do == doUnhide {
		p.unhideOption(event.N)
		return
	}
	at := slices.IndexFunc(config.Table, func(r config.Row) bool { return r.Key == event.Field })
	if at < 0 || !config.Table[at].PageMaySetTo(event.Value) {
		p.message = "this setting is changed in the terminal only"
		return
	}
	p.setValue(config.Table[at], event.Value)
}

// setValue changes a setting to the value that was typed or chosen. A change of one of the two time limits also applies
// to the question on the page.
func (p *page) setValue(row config.Row, value string) {
	next := p.pages.desk.Settings().Clone()
	if err := next.SetTyped(row.Key, value); err != nil {
		p.message = wordsNotSaved + errLine(err)
		return
	}
	if err := p.pages.services.Settings.Err(); err != nil {
		p.message = wordsNotSaved + errLine(err)
		return
	}
	raw := next.Values()[row.Key]
	p.store(func(c *config.Settings) { _ = c.Set(row.Key, raw) }, p.unsaved) // raw is valid
	p.message = "saved"
	if row.Key == "timeout_seconds" || row.Key == "timeout_override" {
		p.moveDeadline(raw)
	}
}

// moveDeadline sets the time left of the question on the page to raw, a number of seconds. It does nothing for null.
func (p *page) moveDeadline(raw json.RawMessage) {
	seconds, err := strconv.Atoi(string(raw))
	if err != nil || p.id == "" {
		return
	}
	p.settleView()
	if p.form() == nil {
		return
	}
	left := time.Duration(seconds) * time.Second
	switch err := p.view.MoveTo(left); {
	case err == nil:
		p.message = "saved; this question has " + say.Spoken(left, time.Hour) + " from now"
	case errors.Is(err, desk.ErrNoClock):
		p.message = say.Message(action.Message{Err: desk.ErrNoClock}, p.view.Session(), nil, p.speech())
	}
}

// unhideOption removes the n-th hidden option from the list.
func (p *page) unhideOption(n int) {
	list := p.pages.desk.Settings().HiddenOptions
	if n < 1 || n > len(list) {
		return
	}
	entry := list[n-1]
	p.store(func(c *config.Settings) {
		c.HiddenOptions = config.WithoutHidden(c.HiddenOptions, entry)
	}, p.unsaved)
}

// unsaved shows why a change could not be saved; nil: it was saved.
func (p *page) unsaved(err error) {
	if err != nil {
		p.message = wordsNotSaved + errLine(err)
	}
}

// store changes the settings here at once and in the file soon. Then the owner calls done with the error.
func (p *page) store(change func(*config.Settings), done func(error)) {
	file := p.pages.services.Settings
	next := p.pages.desk.Settings().Clone()
	change(&next)
	p.pages.desk.SetSettings(next)
	d := p.pages.desk
	d.Later(func() {
		err := file.Update(change)
		p.pages.post(func() {
			d.SetSettings(file.Settings())
			done(err)
			p.drawSoon()
		})
	})
}

// errLine returns the text of an error on one line.
func errLine(err error) string {
	words := strings.TrimLeft(strings.ReplaceAll(err.Error(), "\n", " · "), ": ")
	return say.OneLine(words)
}

// settingsView returns the settings, and what is wrong with their file or their keys.
func (p *page) settingsView() settingsView {
	problem := say.OneLine(strings.Join(p.pages.problems, " · "))
	if err := p.pages.services.Settings.Err(); err != nil {
		problem = errLine(err)
	}
	return settingsView{settingRows(p.pages.desk.Settings()), p.form() != nil, problem}
}
