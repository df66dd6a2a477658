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

// Source names the origin of a setting's value.
type Source string

// Sources.
const (
	FromDefault Source = "default"
	FromFile    Source = "file"
	Unknown     Source = "unknown" // a key of the file that nothing reads: a newer version's, or a typing mistake
)

// Value holds one setting and its value in force.
type Value struct {
	Key    string          `json:"key"` // with a dot for each object around it: notify.bell
	Value  json.RawMessage `json:"value"`
	From   Source          `json:"from"`
	Line   int             `json:"line,omitempty"` // the place in the file, counted from 1
	Column int             `json:"column,omitempty"`
}

// reading holds the result of parsing the file's text.
type reading struct {
	path     string
	text     []byte
	settings Settings
	found    []Value  // the values in the file, in their order
	wrong    *Invalid // nil: there are no problems
}

// parseText reads every key whose value is valid and reports the others, which keep their defaults.
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

// readObject reads the keys of an object. base is the offset of text in the file.
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

// readMember reads one key of an object.
func (r *reading) readMember(prefix string, m member) {
	key := prefix + m.key
	row, name, known := RowOf(key)
	// within means that the value is an object whose members are settings, or values of one setting by name.
	within := known && row.byName() && name == "" || isGroup(key)
	switch {
	case prefix == "" && strings.Contains(m.key, "."): // a dot in our names stands for an object in the file
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

// addValue records a value that the file gives.
func (r *reading) addValue(key string, m member, from Source) {
	line, column := lineAndColumn(r.text, m.valueAt)
	r.found = append(r.found, Value{Key: key, Value: m.raw, From: from, Line: line, Column: column})
}

// addProblem records a problem at an offset of the file.
func (r *reading) addProblem(at int, key, wrong, want string) {
	if r.wrong == nil {
		r.wrong = &Invalid{}
	}
	line, column := lineAndColumn(r.text, at)
	r.wrong.Problems = append(r.wrong.Problems, Problem{r.path, line, column, key, wrong, want})
}

// values lists every setting, with its default if the file does not give it, and then the unknown keys of the file.
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
	for i := range unknown { // a mistyped key may be that of an address with a login
		if text := unescaped(unknown[i].Value); HideLogin(text) != text {
			unknown[i].Value = encodeJSON("not shown: there may be a name or a password in it")
		}
	}
	return append(list, unknown...)
}

// checkSettings checks settings by the same table as parseText; nil: they are valid.
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

// Problem describes one mistake in the file. Lines and columns count from 1, columns in characters.
type Problem struct {
	Path   string `json:"-"` // the file
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Key    string `json:"key,omitempty"`  // `notify.bell`; empty: the whole file
	Wrong  string `json:"wrong"`          // the value in the file
	Want   string `json:"want,omitempty"` // a description of valid values; empty: Wrong is a complete sentence
}

func (p Problem) Error() string {
	where := p.Path
	if p.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", p.Path, p.Line, p.Column)
	}
	return where + ": " + p.Words()
}

// Words describes the mistake without its place in the file, for callers that show the place separately.
func (p Problem) Words() string {
	switch {
	case p.Want == "":
		return p.Wrong
	case p.Key == "":
		return p.Wrong + "; " + p.Want
	}
	return p.Key + " is " + p.Wrong + "; it must be " + p.Want
}

// Invalid lists the mistakes in the file. Broken means that the file as a whole could not be read: the last good
// settings stay in force, and Update refuses to change it. Otherwise only the keys in Problems are not in force.
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

// Broken reports whether an error says that the settings file as a whole cannot be read.
func Broken(err error) bool {
	var bad *Invalid
	return errors.As(err, &bad) && bad.Broken
}

// unreadableFile returns the error of a file that cannot be read as a whole. File adds which settings are in force.
func unreadableFile(p Problem) *Invalid { return &Invalid{Broken: true, Problems: []Problem{p}} }

// broken reports whether a reading, which may be nil, found a file that cannot be read as a whole.
func (i *Invalid) broken() bool { return i != nil && i.Broken }

// same reports whether two readings found the same problems; nil: a reading found none.
func (i *Invalid) same(o *Invalid) bool {
	if i == nil || o == nil {
		return i == o
	}
	return i.Broken == o.Broken && slices.Equal(i.Problems, o.Problems)
}

// asError returns nil for a nil *Invalid, which would not be nil as an error.
func (i *Invalid) asError() error {
	if i == nil {
		return nil
	}
	return i
}

// quotable returns a value in a form that fits into a sentence. It shortens the value itself, because this package
// imports none of ours.
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
