package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Source says where a value comes from.
type Source string

// Sources.
const (
	FromDefault Source = "default"
	FromFile    Source = "file"
	Unknown     Source = "unknown" // in the file, but nothing reads it: a newer version's, or a slip of the pen
)

// Value holds one setting as it is in force.
type Value struct {
	Key    string          `json:"key"` // nested ones with dots: notify.bell
	Value  json.RawMessage `json:"value"`
	From   Source          `json:"from"`
	Line   int             `json:"line,omitempty"` // in the file
	Column int             `json:"column,omitempty"`
}

// reading holds the result of one reading of the file's text.
type reading struct {
	path     string
	text     []byte
	settings Settings
	found    []Value  // what the file gives, in its order
	wrong    *Invalid // nil: nothing
}

// parseText takes over every key that is right and reports the others. Those keep their defaults, in every process
// alike.
func parseText(path string, text []byte) reading {
	r := reading{path: path, text: text, settings: Default()}
	if len(bytes.TrimSpace(text)) == 0 {
		return r
	}
	if at, words := jsonFlaw(text); words != "" {
		line, column := lineAndColumn(text, at)
		r.wrong = unreadableFile(Problem{Path: path, Line: line, Column: column, Wrong: words})
		return r
	}
	r.readObject("", 0, text)
	return r
}

// readObject takes over an object that starts at base in the file.
func (r *reading) readObject(prefix string, base int, text []byte) {
	list, _ := members(text)
	last := map[string]int{}
	for i, m := range list {
		if _, twice := last[m.key]; twice {
			r.addProblem(base+m.keyAt, prefix+m.key, "given twice", "given once; the last one counts")
		}
		last[m.key] = i
	}
	for i, m := range list {
		if last[m.key] == i {
			m.valueAt += base
			r.readMember(prefix, m)
		}
	}
}

// readMember takes over one key of an object.
func (r *reading) readMember(prefix string, m member) {
	key := prefix + m.key
	row, name, known := rowOf(key)
	within := known && row.byName() && name == "" || isGroup(key) // an object whose keys are looked at one by one
	switch {
	case prefix == "" && strings.Contains(m.key, "."): // the dot in our names is an object in the file
		r.addValue(key, m, Unknown)
	case within && m.raw[0] == '{':
		r.readObject(key+".", m.valueAt, m.raw)
	case within:
		r.addProblem(m.valueAt, key, quotable(m.raw), "an object")
	case !known:
		r.addValue(key, m, Unknown)
	case row.set(&r.settings, name, m.raw):
		r.addValue(key, m, FromFile)
	default:
		wrong, want := row.describeRefused(m.raw, row.Wanted(name))
		r.addProblem(m.valueAt, key, wrong, want)
	}
}

func (r *reading) addValue(key string, m member, from Source) {
	line, column := lineAndColumn(r.text, m.valueAt)
	r.found = append(r.found, Value{Key: key, Value: m.raw, From: from, Line: line, Column: column})
}

func (r *reading) addProblem(at int, key, wrong, want string) {
	if r.wrong == nil {
		r.wrong = &Invalid{}
	}
	line, column := lineAndColumn(r.text, at)
	r.wrong.Problems = append(r.wrong.Problems, Problem{r.path, line, column, key, wrong, want})
}

// values lists every setting, with its default where the file says nothing, and then the file's unknown keys.
func (r *reading) values() (list []Value) {
	standard := Default()
	for _, row := range Table {
		given := len(list)
		for _, v := range r.found {
			if v.From == FromFile && (v.Key == row.Key || row.byName() && strings.HasPrefix(v.Key, row.Key+".")) {
				list = append(list, v)
			}
		}
		if len(list) == given {
			list = append(list, Value{Key: row.Key, Value: row.get(&standard), From: FromDefault})
		}
	}
	unknown := slices.DeleteFunc(slices.Clone(r.found), func(v Value) bool { return v.From != Unknown })
	for i := range unknown { // the value of a mistyped key may be an address
		if text := unescaped(unknown[i].Value); HideLogin(text) != text {
			unknown[i].Value = encodeJSON("not shown: there may be a name or a password in it")
		}
	}
	return append(list, unknown...)
}

// checkSettings checks settings by the same table as the file.
func checkSettings(path string, s Settings) *Invalid {
	var problems []Problem
	for _, row := range Table {
		for _, part := range row.writtenMembers(&s) {
			if !row.set(&Settings{}, part.key, part.raw) {
				p := Problem{Path: path, Key: strings.Join(row.keysInFile(part.key), ".")}
				p.Wrong, p.Want = row.describeRefused(part.raw, row.Wanted(part.key))
				problems = append(problems, p)
			}
		}
	}
	if problems == nil {
		return nil
	}
	return &Invalid{Problems: problems}
}

// Problem describes one thing that is wrong with the file. Lines and columns count from 1, columns in characters.
type Problem struct {
	Path   string `json:"-"` // the file
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Key    string `json:"key,omitempty"`  // `notify.bell`; empty: the whole file
	Wrong  string `json:"wrong"`          // what is there
	Want   string `json:"want,omitempty"` // what would be right; empty: Wrong is a sentence that says all
}

func (p Problem) Error() string {
	where := p.Path
	if p.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", p.Path, p.Line, p.Column)
	}
	return where + ": " + p.Words()
}

// Words says what is wrong with a setting, without the place in the file: a caller that shows it has that beside it.
func (p Problem) Words() string {
	switch {
	case p.Want == "":
		return p.Wrong
	case p.Key == "":
		return p.Wrong + "; " + p.Want
	}
	return p.Key + " is " + p.Wrong + "; it must be " + p.Want
}

// Invalid lists everything that is wrong with the file. Broken: it could not be read as a whole, so the last good
// settings stay in force and Update refuses to touch it. Otherwise only the named keys do not apply.
type Invalid struct {
	Broken   bool
	Problems []Problem
}

func (i *Invalid) Error() string {
	lines := make([]string, len(i.Problems))
	for n, p := range i.Problems {
		lines[n] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Broken reports whether err says that the settings cannot be read as a whole.
func Broken(err error) bool {
	var bad *Invalid
	return errors.As(err, &bad) && bad.Broken
}

// unreadableFile returns the error of a file that cannot be read as a whole. File adds which settings are in force
// meanwhile.
func unreadableFile(p Problem) *Invalid { return &Invalid{Broken: true, Problems: []Problem{p}} }

func (i *Invalid) broken() bool { return i != nil && i.Broken }

// same reports whether two readings found the same problems; nil: the reading found no problem.
func (i *Invalid) same(o *Invalid) bool {
	if i == nil || o == nil {
		return i == o
	}
	return i.Broken == o.Broken && slices.Equal(i.Problems, o.Problems)
}

// asError returns nil if nothing is wrong: a nil *Invalid in an error would not be nil.
func (i *Invalid) asError() error {
	if i == nil {
		return nil
	}
	return i
}

// quotable returns a value in a form that a sentence can quote. It has its own way to shorten, because this package
// imports nothing of ours.
func quotable(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return "unreadable"
	}
	text := b.String()
	if text == `""` {
		return "empty"
	}
	if utf8.RuneCountInString(text) > 60 {
		text = string([]rune(text)[:59]) + "…"
	}
	return text
}
