package settings

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// mostUndo limits the changes that can be taken back.
const mostUndo = 100

// oldValue is a value that a change in the settings has replaced.
type oldValue struct {
	key   string
	raw   json.RawMessage
	unset bool // the value was the default and not in the file
}

// whyUnchangeable explains why the file cannot be changed; empty: it can.
func (s *State) whyUnchangeable() string {
	if s.broken {
		return "not changed: " + s.problem
	}
	return ""
}

// change sets a value, and remembers the old one for undo.
func (s *State) change(row config.Row, raw json.RawMessage) {
	was := s.inForce()[row.Key]
	if string(was) == string(raw) {
		s.note = []string{"unchanged"}
		return
	}
	s.undo = append(s.undo, oldValue{row.Key, was, s.unset(row.Key)})
	s.undo = s.undo[max(len(s.undo)-mostUndo, 0):]
	note := []string{"saved"}
	if text := say.SettingValue(row, was); text != "" {
		note = append(note, "was "+text)
	}
	if undo := s.host.Keys().KeyOf(keys.PlaceSettings, deed.UndoLast); undo != "" {
		note = append(note, undo+" undo")
	}
	s.store(oldValue{key: row.Key, raw: raw}, note, func() { s.undo = s.undo[:max(len(s.undo)-1, 0)] })
}

// unset reports whether a setting is missing from the file: it was not there when the file was last read, and no change
// has been stored since.
func (s *State) unset(key string) bool {
	_, set := s.sources[key]
	return !set && !slices.ContainsFunc(s.undo, func(e oldValue) bool { return e.key == key })
}

// undoChange takes back the last change, and moves the cursor to its row.
func (s *State) undoChange() {
	last := s.undo[len(s.undo)-1]
	s.undo = s.undo[:len(s.undo)-1]
	at := slices.IndexFunc(config.Table, func(r config.Row) bool { return r.Key == last.key })
	row := config.Table[at]
	if s.cursor = at; row.Kind != config.HiddenOptions {
		s.inList = false
	}
	note := []string{"undone"}
	if text := say.SettingValue(row, last.raw); text != "" {
		note = append(note, text+" again")
	}
	s.store(last, note, func() { s.undo = append(s.undo, last) })
}

// store applies a value at once, and has the desk's worker save it in the file. note is shown once it is saved. If that
// fails, the value in the file applies again, and failed is called.
func (s *State) store(to oldValue, note []string, failed func()) {
	next := s.desk().Settings().Clone()
	if err := next.Set(to.key, to.raw); err != nil {
		s.host.Say(refusal(err))
		failed()
		return
	}
	s.desk().SetSettings(next)
	s.desk().Later(func() {
		err := s.write(to)
		s.desk().Do(func() {
			if s.desk().SetSettings(s.file.Settings()); err != nil {
				failed()
				s.host.Say("not saved: " + strings.ReplaceAll(err.Error(), "\n", " · "))
				return
			}
			s.note = note
		})
	})
}

// write puts a value into the file, or removes the setting from it. The desk's worker calls it.
func (s *State) write(to oldValue) error {
	if to.unset {
		return s.file.Unset(to.key)
	}
	return s.file.Update(func(c *config.Settings) { _ = c.Set(to.key, to.raw) }) // store has checked it already
}

// editFile opens the settings file in the person's editor. Saved changes are noticed by the watch on the file.
func (s *State) editFile() {
	var err error
	lent := s.host.Lend(func(ctx context.Context) { err = s.o.EditFile(ctx, s.file.Path()) })
	switch {
	case !lent:
		s.host.Say(say.TerminalLent)
	case err != nil:
		s.host.Say(say.EditorTrouble(err))
	}
}
