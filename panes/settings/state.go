// Package settings shows the settings on a page, and some of them in an area left of the question. Both are rooms that
// show the same State, so the cursor and a value being typed are the same in both.
//
//	key ─► Page or Area ─► a row of the room's Table ─► State ─► desk: in force here at once
//	                                                └──► worker ─► File ─► desk: what the file says now
//	file, editor, another process ─► desk ─► SettingsChanged ─► State: problems, the line of each value in the file
package settings

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// File is the settings file; config.File implements it.
type File interface {
	Settings() config.Settings
	Err() error                          // the problem of the file, an *config.Invalid; nil if there is none
	Path() string                        // the path of the file, for people
	Effective() []config.Value           // every setting, with the origin of its value
	Update(func(*config.Settings)) error // changes the file and returns once it is on the disk
	Unset(key string) error              // removes a setting from the file, so that its default is in force
}

// Options hold what the settings can do besides changing the file.
type Options struct {
	// EditFile opens the file in the person's editor, which is lent the terminal. It is nil without an editor.
	EditFile func(ctx context.Context, path string) error
	// Leave gives the focus of the area back to the question. It is nil if there is no area.
	Leave func()
	// Focused reports whether keys go to the area, even while another room such as chat takes them for a moment. If
	// it is nil, the focus of the area decides.
	Focused func() bool
}

// State holds the settings, the cursor and the value being typed. Page (the whole screen) and Area (a strip left of the
// question) both show and change this one State.
type State struct {
	Page *Page
	Area *Area

	host    panes.Host
	file    File
	o       Options
	cursor  int           // the index in config.Table of the setting under the cursor
	listed  int           // the index of the hidden option under the cursor
	inList  bool          // the cursor is in the list of hidden options
	more    bool          // the page shows the settings behind “more” too
	field   *editor.Field // the field of the value being typed; nil if none is
	undo    []oldValue    // the values that changes made here have replaced, newest last
	note    []string      // the result of the last change, in parts
	problem string        // the problem of the file; empty if it has none
	broken  bool          // the file cannot be read as a whole, so nothing here may change it
	keys    string        // the problem of the person's own keys; empty if they have none
	sources map[string]source
}

// New returns the settings with the cursor on the first one. The caller places Page and Area on screen.
func New(host panes.Host, file File, o Options) *State {
	if o.Leave == nil {
		o.Leave = func() {}
	}
	s := &State{host: host, file: file, o: o}
	s.Page, s.Area = newPage(s), newArea(s)
	s.takeFile()
	desk.Hear(s.desk(), func(desk.SettingsChanged) { s.takeFile() })
	return s
}

// KeysProblem sets the problem of the person's own keys; an empty text clears it. The screen calls it after it has read
// the keys.
func (s *State) KeysProblem(words string) { s.keys = words }

// Trouble returns the problem of the file, or of the person's own keys, longest form first. It is nil if there is none.
func (s *State) Trouble() []string {
	for _, words := range []string{s.problem, s.keys} {
		if words != "" {
			key := s.host.Keys().KeyOf(action.PlaceQuestion, action.Settings)
			return []string{"settings: " + say.OneLine(words),
				"settings file has an error" + say.Keyed(": ", key, " shows it"), "settings: " + key}
		}
	}
	return nil
}

func (s *State) desk() *desk.Desk { return s.host.View().Desk() }

// inForce returns the values of all settings, by key.
func (s *State) inForce() map[string]json.RawMessage { return s.desk().Settings().Values() }

func (s *State) hidden() []config.HiddenOption { return s.desk().Settings().HiddenOptions }

// row returns the setting under the cursor.
func (s *State) row() config.Row { return config.Table[s.cursor] }

// areaRows returns the settings of the area, as indices of config.Table. One row is for how long questions wait: the
// time for all questions if that is set, else the time for questions whose agent gives none.
func (s *State) areaRows() []int {
	timeout := "timeout_seconds"
	if s.desk().Settings().TimeoutOverride != nil {
		timeout = "timeout_override"
	}
	var rows []int
	for _, key := range []string{"transport", timeout, "placeholder_visible", "annotations_enabled"} {
		rows = append(rows, slices.IndexFunc(config.Table, func(r config.Row) bool { return r.Key == key }))
	}
	return rows
}

// pageRows returns the settings of the page, as indices of config.Table: those of the first group, or all that have a
// group.
func (s *State) pageRows() (rows []int) {
	for i, row := range config.Table {
		if row.Group == config.GroupFirst || s.more && row.Group != "" {
			rows = append(rows, i)
		}
	}
	return rows
}

// positionIn returns the position of the cursor in the given rows. If its setting is not among them, it returns the
// position of the other timeout if the setting is a timeout, else 0.
func (s *State) positionIn(rows []int) int {
	if at := slices.Index(rows, s.cursor); at >= 0 {
		return at
	}
	isTimeout := func(i int) bool {
		return config.Table[i].Key == "timeout_seconds" || config.Table[i].Key == "timeout_override"
	}
	if isTimeout(s.cursor) {
		return max(slices.IndexFunc(rows, isTimeout), 0)
	}
	return 0
}

// takeFile reads what is wrong with the file, and in which line each value is.
func (s *State) takeFile() {
	s.note = nil // the file may have changed since the last change that was noted
	s.problem, s.broken = problemIn(s.file.Err())
	s.sources = sources(s.file.Effective(), path.Base(s.file.Path()))
	s.listed = min(s.listed, max(len(s.hidden())-1, 0))
}

// view returns what is drawn for the given rows.
func (s *State) view(focus bool, rows []int) view {
	problems := slices.DeleteFunc([]string{s.problem, s.keys}, func(words string) bool { return words == "" })
	v := view{values: s.inForce(), sources: s.sources, rows: rows, cursor: s.positionIn(rows), focus: focus,
		problem: strings.Join(problems, " · "), note: s.note, field: s.field}
	if s.inList {
		v.inList, v.hidden, v.cursor = true, s.hidden(), s.listed
	}
	return v
}

// problemIn returns one sentence for the problems of the file, with the place of the first one, and reports whether the
// file as a whole cannot be read.
func problemIn(err error) (words string, broken bool) {
	if err == nil {
		return "", false
	}
	var bad *config.Invalid
	if !errors.As(err, &bad) || len(bad.Problems) == 0 {
		return err.Error(), true
	}
	p := bad.Problems[0]
	words = path.Base(p.Path)
	if p.Line > 0 {
		words = fmt.Sprintf("line %d, column %d", p.Line, p.Column)
	}
	words += ": " + mistake(p)
	if n := len(bad.Problems); n > 1 {
		words += fmt.Sprintf(" · and %d more", n-1)
	}
	return words, bad.Broken
}

// mistake describes a wrong value by the name that its setting has on the page. What is valid comes first, because a
// narrow screen cuts the end.
func mistake(p config.Problem) string {
	at := slices.IndexFunc(config.Table, func(row config.Row) bool { return row.Key == p.Key })
	if at < 0 || p.Want == "" {
		return p.Words()
	}
	return config.Table[at].Label + " must be " + p.Want + ", not " + p.Wrong
}

// refusal returns why package config refused a value.
func refusal(err error) string {
	var bad *config.Invalid
	if errors.As(err, &bad) && len(bad.Problems) > 0 {
		return mistake(bad.Problems[0])
	}
	return err.Error()
}

// source is the line of a value in the settings file.
type source struct {
	file string
	line int
}

// sources returns the line of each value that is in the file, by key. A setting that is an object has the line of its
// first member.
func sources(values []config.Value, file string) map[string]source {
	from := map[string]source{}
	for _, v := range values {
		if v.From != config.FromFile {
			continue
		}
		where := source{file, v.Line}
		from[v.Key] = where
		if head, _, nested := strings.Cut(v.Key, "."); nested {
			if _, first := from[head]; !first {
				from[head] = where
			}
		}
	}
	return from
}

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
	if text := settingValue(row, was); text != "" {
		note = append(note, "was "+text)
	}
	if undo := s.host.Keys().KeyOf(action.PlaceSettings, action.UndoLast); undo != "" {
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
	s.more = s.more || row.Group == config.GroupMore
	note := []string{"undone"}
	if text := settingValue(row, last.raw); text != "" {
		note = append(note, "back to "+text)
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
