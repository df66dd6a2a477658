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
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// settingsPanel is the settings on a page. It shows every row of config.Table, and changes those that may be changed on
// a page.
type settingsPanel struct{ *page }

// take changes a setting, unless it is not for a page to change.
func (p settingsPanel) take(d pageEvent) {
	p.notice = ""
	delete(p.sent, "panel") // its fields may show a value that is refused now
	if !p.grant.MaySettings() || p.all.o.Settings == nil {
		p.notice = labels.NoSettingsHere
		return
	}
	if d.Do == doUnhide {
		p.unhide(d.N)
		return
	}
	at := slices.IndexFunc(config.Table, func(r config.Row) bool { return r.Key == d.Field })
	if at < 0 || !config.Table[at].TakesByPage(d.Value) {
		p.notice = labels.TerminalOnly
		return
	}
	p.set(config.Table[at], d.Value)
}

// set gives a setting the value that was typed or chosen. One of the two that say how long questions have also sets how
// long the question on the page has from now.
func (p settingsPanel) set(row config.Row, value string) {
	next := p.all.d.Settings().Clone()
	if err := next.SetTyped(row.Key, value); err != nil {
		p.notice = labels.NotSaved + problem(err)
		return
	}
	if err := p.all.o.Settings.Err(); err != nil {
		p.notice = labels.NotSaved + problem(err)
		return
	}
	raw := next.Values()[row.Key]
	p.store(func(c *config.Settings) { _ = c.Set(row.Key, raw) }, p.unsaved) // it fitted
	p.notice = labels.Saved
	if row.Key == "timeout_seconds" || row.Key == "timeout_override" {
		p.moveDeadline(raw)
	}
}

// moveDeadline gives the question on the page so many seconds from now; null moves nothing.
func (p settingsPanel) moveDeadline(raw json.RawMessage) {
	seconds, err := strconv.Atoi(string(raw))
	if err != nil || p.id == "" {
		return
	}
	p.settle()
	if p.form() == nil {
		return
	}
	left := time.Duration(seconds) * time.Second
	switch err := p.seat.MoveTo(left); {
	case err == nil:
		p.notice = "saved; this question has " + say.Spoken(left, time.Hour) + " from now"
	case errors.Is(err, desk.ErrNoClock):
		p.notice = say.Message(deed.Message{Kind: deed.NoClock}, p.seat.Session(), nil, p.speech())
	}
}

// unhide shows the n-th hidden option again.
func (p settingsPanel) unhide(n int) {
	list := p.all.d.Settings().HiddenOptions
	if n < 1 || n > len(list) {
		return
	}
	entry := list[n-1]
	p.store(func(c *config.Settings) {
		c.HiddenOptions = config.ToggleHidden(c.HiddenOptions, entry, false)
	}, p.unsaved)
}

// unsaved says why a change is not in the file; nil: it is.
func (p settingsPanel) unsaved(err error) {
	if err != nil {
		p.notice = labels.NotSaved + problem(err)
	}
}

// store changes the settings here at once and in the file soon. The owner calls done then.
func (p settingsPanel) store(change func(*config.Settings), done func(error)) {
	file := p.all.o.Settings
	if file == nil {
		return
	}
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

// problem returns an error's words on one line.
func problem(err error) string {
	words := strings.TrimLeft(strings.ReplaceAll(err.Error(), "\n", " · "), ": ")
	return say.OneLine(words)
}

// settingView is a row of the panel.
type settingView struct {
	Key, Label, Help, Value string
	Units                   string // a number of seconds as people say it
	Kind                    string // flag, choice, seconds, list, or text: only shown
	Choices                 []string
	On, CanBeOff            bool
	Least, Most             int
	Members                 []string // of a list
	Closed                  bool     // it is changed in the terminal only
	Else                    bool     // other values than the choices are set in the terminal only
}

// rows returns all settings with their present values.
func (p settingsPanel) rows() (list []settingView) {
	now := p.all.d.Settings()
	values := now.Values()
	for _, r := range config.Table {
		raw := values[r.Key]
		v := settingView{Key: r.Key, Label: say.Capital(r.Label), Help: r.About(), Value: say.OneLine(r.Text(raw)),
			Closed: !r.ByPage(), Least: r.Least, Most: config.MaxSeconds, Choices: r.Choices,
			On: string(raw) == "true", CanBeOff: r.CanBeOff()}
		if v.Value == "" {
			v.Value = r.Empty
		}
		v.Kind = kindOf(r)
		switch r.Kind {
		case config.Text:
			if v.Else = !v.Closed; v.Else && !slices.Contains(v.Choices, v.Value) {
				v.Choices = append(slices.Clone(v.Choices), v.Value)
			}
		case config.Seconds:
			n, _ := strconv.Atoi(string(raw))
			v.Units = say.Units(n)
		case config.HiddenOptions:
			for _, h := range now.HiddenOptions {
				v.Members = append(v.Members, say.OneLine(h.Label)+" · "+say.OneLine(h.Client))
			}
		}
		list = append(list, v)
	}
	return list
}

// kindOf returns how a setting is changed on the page.
func kindOf(r config.Row) string {
	switch {
	case r.Kind == config.HiddenOptions:
		return "list"
	case !r.ByPage():
		return "text"
	case r.Kind == config.Flag:
		return "flag"
	case r.Kind == config.Choice, r.Kind == config.Text:
		return "choice"
	}
	return "seconds"
}
