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
func (g *page) takeChange(event pageEvent) {
	g.notice = ""
	delete(g.browser.sent, "panel") // so that it is drawn again: a field may show a value that is refused
	if !g.web.MaySettings() {
		g.notice = wordsNoSettingsHere
		return
	}
	if event.Do == doUnhide {
		g.unhideOption(event.N)
		return
	}
	at := slices.IndexFunc(config.Table, func(r config.Row) bool { return r.Key == event.Field })
	if at < 0 || !config.Table[at].PageMaySetTo(event.Value) {
		g.notice = "this setting is changed in the terminal only"
		return
	}
	g.setValue(config.Table[at], event.Value)
}

// setValue changes a setting to the value that was typed or chosen. A change of one of the two time limits also applies
// to the question on the page.
func (g *page) setValue(row config.Row, value string) {
	next := g.pages.desk.Settings().Clone()
	if err := next.SetTyped(row.Key, value); err != nil {
		g.notice = wordsNotSaved + errLine(err)
		return
	}
	if err := g.pages.services.Settings.Err(); err != nil {
		g.notice = wordsNotSaved + errLine(err)
		return
	}
	raw := next.Values()[row.Key]
	g.store(func(c *config.Settings) { _ = c.Set(row.Key, raw) }, g.unsaved) // raw is valid
	g.notice = "saved"
	if row.Key == "timeout_seconds" || row.Key == "timeout_override" {
		g.moveDeadline(raw)
	}
}

// moveDeadline sets the time left of the question on the page to raw, a number of seconds. It does nothing for null.
func (g *page) moveDeadline(raw json.RawMessage) {
	seconds, err := strconv.Atoi(string(raw))
	if err != nil || g.id == "" {
		return
	}
	g.settleView()
	if g.form() == nil {
		return
	}
	left := time.Duration(seconds) * time.Second
	switch err := g.view.MoveTo(left); {
	case err == nil:
		g.notice = "saved; this question has " + say.Spoken(left, time.Hour) + " from now"
	case errors.Is(err, desk.ErrNoClock):
		g.notice = say.Message(action.Message{Err: desk.ErrNoClock}, g.view.Session(), nil, g.speech())
	}
}

// unhideOption removes the n-th hidden option from the list.
func (g *page) unhideOption(n int) {
	list := g.pages.desk.Settings().HiddenOptions
	if n < 1 || n > len(list) {
		return
	}
	entry := list[n-1]
	g.store(func(c *config.Settings) {
		c.HiddenOptions = config.WithoutHidden(c.HiddenOptions, entry)
	}, g.unsaved)
}

// unsaved shows why a change could not be saved; nil: it was saved.
func (g *page) unsaved(err error) {
	if err != nil {
		g.notice = wordsNotSaved + errLine(err)
	}
}

// store changes the settings here at once and in the file soon. Then the owner calls done with the error.
func (g *page) store(change func(*config.Settings), done func(error)) {
	file := g.pages.services.Settings
	next := g.pages.desk.Settings().Clone()
	change(&next)
	g.pages.desk.SetSettings(next)
	d := g.pages.desk
	d.Later(func() {
		err := file.Update(change)
		g.pages.post(func() {
			d.SetSettings(file.Settings())
			done(err)
			g.drawSoon()
		})
	})
}

// errLine returns the text of an error on one line.
func errLine(err error) string {
	words := strings.TrimLeft(strings.ReplaceAll(err.Error(), "\n", " · "), ": ")
	return say.OneLine(words)
}

// settingsView returns the settings, and what is wrong with their file or their keys.
func (g *page) settingsView() settingsView {
	problem := say.OneLine(strings.Join(g.pages.problems, " · "))
	if err := g.pages.services.Settings.Err(); err != nil {
		problem = errLine(err)
	}
	return settingsView{settingRows(g.pages.desk.Settings()), g.form() != nil, problem}
}
