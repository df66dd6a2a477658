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

// Problem is one thing that is wrong with the file. Lines and columns count from 1, columns in characters.
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

// Words say what is wrong with a setting, without the place in the file: who shows it has that beside it.
func (p Problem) Words() string {
	switch {
	case p.Want == "":
		return p.Wrong
	case p.Key == "":
		return p.Wrong + "; " + p.Want
	}
	return p.Key + " is " + p.Wrong + "; it must be " + p.Want
}

// Invalid is all that is wrong with the file. Broken: it could not be read as a whole, the last good settings stay in
// force and Update refuses to touch it. Else only the named keys do not apply.
type Invalid struct {
	Broken   bool
	Problems []Problem

	left []Problem // of a broken file: settings of a shared queue that it still names
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

// unusable is a file that is wrong as a whole. What is in force meanwhile ends its words; File knows that.
func unusable(p Problem) *Invalid { return &Invalid{Broken: true, Problems: []Problem{p}} }

func (i *Invalid) broken() bool { return i != nil && i.Broken }

// same reports whether two readings found the same; nil: nothing wrong.
func (i *Invalid) same(o *Invalid) bool {
	if i == nil || o == nil {
		return i == o
	}
	return i.Broken == o.Broken && slices.Equal(i.Problems, o.Problems)
}

// asError is nil for nothing wrong: a nil *Invalid in an error would not be.
func (i *Invalid) asError() error {
	if i == nil {
		return nil
	}
	return i
}

// brief is a value as it can be quoted in a sentence. It shortens by itself: the settings import nothing of ours.
func brief(raw json.RawMessage) string {
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
