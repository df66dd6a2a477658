package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
)

// mostUndo is how many changes can be taken back.
const mostUndo = 100

// earlier is the value a change made in the settings has replaced.
type earlier struct {
	key   string
	raw   json.RawMessage
	unset bool // it was the default, and not in the file
}

// settingsState takes over what is known about the settings file: what is wrong with it, and where values stand.
func (d *Dashboard) settingsState() {
	s := &d.set
	s.note = "" // of a change that may no longer be the last
	s.problem, s.broken = settingsProblem(d.o.Settings.Err())
	s.sources = sources(d.o.Settings.Effective(), filepath.Base(d.o.Settings.Path()))
	s.listed = min(s.listed, max(len(d.settings.HiddenOptions)-1, 0))
}

// apply puts settings in force here.
func (d *Dashboard) apply(s config.Settings) {
	d.settings = s
	d.rebind()
	d.glyphs.Enter = d.enterGlyph()
	d.theme = ink.ThemeNamed(s.Theme)
	if d.o.NoColor {
		d.theme = ink.ThemeNamed(ink.ThemeMono)
	}
	for _, f := range d.forms {
		f.SetHidden(d.hidden(f.Session))
		f.Follow(d.rules())
	}
}

// rules are the settings that every form goes by.
func (d *Dashboard) rules() panes.Rules {
	return panes.Rules{Keys: d.keys, Glyphs: d.glyphs, NoNotes: !d.settings.AnnotationsEnabled, NoPlaceholder: !d.settings.PlaceholderVisible}
}

// settingsProblem says in one sentence what is wrong with the file, where first, and whether it is broken as a whole.
func settingsProblem(err error) (words string, broken bool) {
	var bad *config.Invalid
	if err == nil || !errors.As(err, &bad) || len(bad.Problems) == 0 {
		if err != nil {
			words = err.Error()
		}
		return words, err != nil
	}
	p := bad.Problems[0]
	words = filepath.Base(p.Path)
	if p.Line > 0 {
		words = fmt.Sprintf("line %d, column %d", p.Line, p.Column)
	}
	words += ": " + p.Words()
	if n := len(bad.Problems); n > 1 {
		words += fmt.Sprintf(" · and %d more", n-1)
	}
	return words, bad.Broken
}

// problemWords are a refused value's, in config's words.
func problemWords(err error) string {
	var bad *config.Invalid
	if errors.As(err, &bad) && len(bad.Problems) > 0 {
		return bad.Problems[0].Words()
	}
	return err.Error()
}

// sources says of each value that is not the default where it stands. An object of any keys is where its first is.
func sources(values []config.Value, file string) map[string]string {
	from := map[string]string{}
	for _, v := range values {
		if v.From != config.FromFile {
			continue
		}
		where := fmt.Sprintf("line %d of %s", v.Line, file)
		from[v.Key] = where
		if head, _, nested := strings.Cut(v.Key, "."); nested && from[head] == "" {
			from[head] = where
		}
	}
	return from
}

// mayChange reports whether the file can be changed, and says why not.
func (d *Dashboard) mayChange() bool {
	if d.set.broken {
		d.message = "not changed: " + d.set.problem
		return false
	}
	return true
}

// stepSetting changes a setting to its next value, or the one before.
func (d *Dashboard) stepSetting(row config.Row, n int) {
	if !d.mayChange() {
		return
	}
	next, why := row.Step(d.settings.Values()[row.Key], n)
	if why != "" {
		d.message = why
		return
	}
	d.changeSetting(row, next)
}

// changeSetting sets a value and notes the one before for undo.
func (d *Dashboard) changeSetting(row config.Row, raw json.RawMessage) {
	was := d.settings.Values()[row.Key]
	if string(was) == string(raw) {
		d.set.note = "unchanged"
		return
	}
	d.set.undo = append(d.set.undo, earlier{row.Key, was, d.unset(row.Key)})
	d.set.undo = d.set.undo[max(len(d.set.undo)-mostUndo, 0):]
	words := "saved · was " + panes.SettingText(row, was)
	if panes.SettingText(row, was) == "" {
		words = "saved"
	}
	if undo := d.keys.KeyOf(keys.PlaceSettings, keys.ActUndo); undo != "" {
		words += " · " + undo + " undo"
	}
	d.store(earlier{key: row.Key, raw: raw}, words, func() { d.set.undo = d.set.undo[:max(len(d.set.undo)-1, 0)] })
}

// unset reports whether a setting stands nowhere in the file: not there when it was last read, nor put there since.
func (d *Dashboard) unset(key string) bool {
	return d.set.sources[key] == "" && !slices.ContainsFunc(d.set.undo, func(e earlier) bool { return e.key == key })
}

// undoSetting takes the last change back, in whichever row it was.
func (d *Dashboard) undoSetting() {
	s := &d.set
	if len(s.undo) == 0 {
		d.message = "nothing was changed here yet"
		return
	}
	if !d.mayChange() {
		return
	}
	last := s.undo[len(s.undo)-1]
	s.undo = s.undo[:len(s.undo)-1]
	for i, row := range config.Table {
		if row.Key != last.key {
			continue
		}
		if s.cursor = i; row.Kind != config.HiddenOptions {
			s.inList = false
		}
		words := "undone"
		if text := panes.SettingText(row, last.raw); text != "" {
			words += " · " + text + " again"
		}
		d.store(last, words, func() { s.undo = append(s.undo, last) })
	}
}

// store sets a value here at once and in the file soon. note is shown once it is saved; if it cannot be, the screen
// goes back to what the file says, and failed runs.
func (d *Dashboard) store(to earlier, note string, failed func()) {
	next := d.settings.Clone()
	if err := next.Set(to.key, to.raw); err != nil {
		d.message = problemWords(err)
		failed()
		return
	}
	d.apply(next)
	d.set.note = ""
	d.later(func() {
		put := func() error { return d.o.Settings.Update(func(s *config.Settings) { _ = s.Set(to.key, to.raw) }) } // it fitted above
		if to.unset {
			put = func() error { return d.o.Settings.Unset(to.key) }
		}
		err := put()
		d.post(func() {
			if d.newSettings(); err != nil {
				failed()
				d.message = "not saved: " + strings.ReplaceAll(err.Error(), "\n", " · ")
				return
			}
			d.set.note = note
		})
	})
}

// editSettings opens the file in the person's editor; the watch brings what was saved.
func (d *Dashboard) editSettings() {
	if d.o.EditFile == nil || d.term == nil {
		d.message = "no editor here: the file is " + d.o.Settings.Path()
		return
	}
	var err error
	lent := d.term.Lend(func(ctx context.Context) { err = d.o.EditFile(ctx, d.o.Settings.Path()) })
	switch {
	case !lent:
		d.message = "the terminal is not ours now"
	case err != nil:
		d.message = "the editor: " + err.Error()
	}
}
