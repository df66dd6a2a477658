package portal

import (
	"cmp"
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

// settingsPanel handles the settings on a page. It shows every row of config.Table, and changes those that a page may
// change.
type settingsPanel struct{ *page }

// takeChange handles a change of a setting on the page.
func (p settingsPanel) takeChange(event pageEvent) {
	p.notice = ""
	delete(p.sent, "panel") // draw the panel again even if nothing changes: a field may show a value that is refused
	if !p.grant.MaySettings() {
		p.notice = labels.NoSettingsHere
		return
	}
	if event.Do == doUnhide {
		p.unhideOption(event.N)
		return
	}
	at := slices.IndexFunc(config.Table, func(r config.Row) bool { return r.Key == event.Field })
	if at < 0 || !config.Table[at].PageMaySetTo(event.Value) {
		p.notice = labels.TerminalOnly
		return
	}
	p.setValue(config.Table[at], event.Value)
}

// setValue changes a setting to the value that was typed or chosen. A change of one of the two time limits also applies
// to the question on the page.
func (p settingsPanel) setValue(row config.Row, value string) {
	next := p.all.d.Settings().Clone()
	if err := next.SetTyped(row.Key, value); err != nil {
		p.notice = labels.NotSaved + errLine(err)
		return
	}
	if err := p.all.services.Settings.Err(); err != nil {
		p.notice = labels.NotSaved + errLine(err)
		return
	}
	raw := next.Values()[row.Key]
	p.store(func(c *config.Settings) { _ = c.Set(row.Key, raw) }, p.unsaved) // raw is valid
	p.notice = labels.Saved
	if row.Key == "timeout_seconds" || row.Key == "timeout_override" {
		p.moveDeadline(raw)
	}
}

// moveDeadline sets the time left of the question on the page to raw, a number of seconds. It does nothing for null.
func (p settingsPanel) moveDeadline(raw json.RawMessage) {
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
		p.notice = "saved; this question has " + say.Spoken(left, time.Hour) + " from now"
	case errors.Is(err, desk.ErrNoClock):
		p.notice = say.Message(action.Message{Err: desk.ErrNoClock}, p.view.Session(), nil, p.speech())
	}
}

// unhideOption removes the n-th hidden option from the list.
func (p settingsPanel) unhideOption(n int) {
	list := p.all.d.Settings().HiddenOptions
	if n < 1 || n > len(list) {
		return
	}
	entry := list[n-1]
	p.store(func(c *config.Settings) {
		c.HiddenOptions = config.WithoutHidden(c.HiddenOptions, entry)
	}, p.unsaved)
}

// unsaved shows why a change could not be saved; nil: it was saved.
func (p settingsPanel) unsaved(err error) {
	if err != nil {
		p.notice = labels.NotSaved + errLine(err)
	}
}

// store changes the settings here at once and in the file soon. Then the owner calls done with the error.
func (p settingsPanel) store(change func(*config.Settings), done func(error)) {
	file := p.all.services.Settings
	next := p.all.d.Settings().Clone()
	change(&next)
	p.all.d.SetSettings(next)
	d, page := p.all.d, p.page
	d.Later(func() {
		err := file.Update(change)
		p.all.post(func() {
			d.SetSettings(file.Settings())
			done(err)
			page.drawSoon()
		})
	})
}

// errLine returns the text of an error on one line.
func errLine(err error) string {
	words := strings.TrimLeft(strings.ReplaceAll(err.Error(), "\n", " · "), ": ")
	return say.OneLine(words)
}

// settingView is one row of the settings panel.
type settingView struct {
	Key, Label, Help, Value string
	Group                   string // the heading above the first setting of a group; else empty
	Units                   string // the number of seconds in words
	Kind                    string // the input: flag, choice, seconds or list; text is only shown
	Choices                 []choiceView
	On, CanBeOff            bool
	Least, Most             int
	Members                 []string // the members of a list
	Closed                  bool     // the setting can only be changed in the terminal
	Else                    bool     // other values than the choices can only be set in the terminal
}

// choiceView is one of the values that a setting can have.
type choiceView struct {
	Value, Words string
}

// settingRows returns the settings of the page with their current values.
func (p settingsPanel) settingRows() (list []settingView) {
	now := p.all.d.Settings()
	values := now.Values()
	group := ""
	for _, r := range config.Table {
		if r.Group == "" {
			continue
		}
		raw := values[r.Key]
		made := settingView{Key: r.Key, Label: say.Capital(r.Label), Help: r.About(), Value: say.OneLine(r.Text(raw)),
			Closed: !r.PageMaySet(), Least: r.Least, Most: config.MaxSeconds,
			On: string(raw) == "true", CanBeOff: r.CanBeOff()}
		if r.Group != group {
			group = r.Group
			made.Group = say.Capital(group)
		}
		for _, value := range r.Choices {
			made.Choices = append(made.Choices, choiceView{value, cmp.Or(r.Words[value], value)})
		}
		made.Kind = kindOf(r)
		switch r.Kind {
		case config.Text:
			if made.Else = true; !slices.Contains(r.Choices, made.Value) {
				made.Choices = append(made.Choices, choiceView{made.Value, made.Value})
			}
		case config.Seconds:
			n, _ := strconv.Atoi(string(raw))
			if made.Units = say.Units(n); made.Units == "" && n > 0 {
				made.Units = "s"
			}
			if n > 0 && r.Behind != "" {
				made.Units += " " + r.Behind
			}
		case config.HiddenOptions:
			for _, h := range now.HiddenOptions {
				made.Members = append(made.Members, say.OneLine(h.Label)+" · "+say.OneLine(h.Client))
			}
		}
		list = append(list, made)
	}
	return list
}

// kindOf returns the kind of input with which a page changes a setting.
func kindOf(r config.Row) string {
	switch {
	case r.Kind == config.HiddenOptions:
		return "list"
	case !r.PageMaySet():
		return "text"
	case r.Kind == config.Flag:
		return "flag"
	case r.Kind == config.Choice, r.Kind == config.Text:
		return "choice"
	}
	return "seconds"
}
