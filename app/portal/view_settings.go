package portal

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
)

// settingsView is the panel with the settings.
type settingsView struct {
	Rows    []settingView
	Moves   bool // a new time limit also counts for the question on the page
	Problem string
}

// settingView is one row of the settings panel.
type settingView struct {
	Key, Label, Help, Value string
	More                    bool   // the setting is the first of those behind “More”
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

// settingRows returns the settings that a page shows, with their values.
func settingRows(now config.Settings) (list []settingView) {
	values := now.Values()
	more := false
	for _, r := range config.Table {
		if r.Group == "" {
			continue
		}
		raw := values[r.Key]
		made := settingView{Key: r.Key, Label: say.Capital(r.Label), Help: r.About(), Value: say.OneLine(r.Text(raw)),
			Closed: !r.PageMaySet(), Least: r.Least, Most: config.MaxSeconds,
			On: string(raw) == "true", CanBeOff: r.CanBeOff()}
		if r.Group == config.GroupMore && !more {
			more, made.More = true, true
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
