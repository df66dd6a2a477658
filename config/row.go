package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// needed are the actions that can be rebound, never unbound: cancel, and enter, which carries the cancel out.
var needed = []string{"cancel", "enter"}

// rowOf finds a setting by its name, and the name inside it where key goes into an object of any names: keys.note.
func rowOf(key string) (row Row, name string, ok bool) {
	for _, row := range Table {
		if row.Key == key {
			return row, "", true
		}
		if rest, inside := strings.CutPrefix(key, row.Key+"."); inside && row.byName() && rest != "" {
			return row, rest, true
		}
	}
	return Row{}, "", false
}

// isGroup reports whether key is an object of the file that holds settings with names of their own, as notify does.
func isGroup(key string) bool {
	return slices.ContainsFunc(Table, func(r Row) bool { return strings.HasPrefix(r.Key, key+".") })
}

// path is the way to the setting, or to a name in it, in the file.
func (r Row) path(name string) []string {
	path := strings.Split(r.Key, ".")
	if name != "" {
		path = append(path, name)
	}
	return path
}

// byName reports whether the setting is an object with a value for each of any names.
func (r Row) byName() bool {
	return r.Kind == SecondsByName || r.Kind == KeysByName || r.Kind == PathsByName
}

// off reports whether the setting, a number of seconds, can be off.
func (r Row) off() bool {
	_, can := r.at(new(Settings)).(**int)
	return can
}

// get is the setting's value as JSON.
func (r Row) get(s *Settings) json.RawMessage {
	raw := encode(r.at(s))
	if string(raw) != "null" {
		return raw
	}
	switch r.Kind {
	case HiddenOptions:
		return json.RawMessage("[]")
	case SecondsByName, KeysByName, PathsByName:
		return json.RawMessage("{}")
	}
	return raw
}

// set gives the setting a value, or one name in it, and reports whether the value is one that it may have; nothing has
// changed if not.
func (r Row) set(s *Settings, name string, raw json.RawMessage) bool {
	switch to := r.at(s).(type) {
	case *bool:
		return take(raw, to, nil)
	case *string:
		return take(raw, to, r.offers)
	case *int:
		return take(raw, to, r.within)
	case **int:
		var n int
		if string(raw) == "null" {
			*to = nil
			return true
		}
		if !take(raw, &n, r.within) {
			return false
		}
		*to = &n
		return true
	case *[]HiddenOption:
		return take(raw, to, nil)
	case *map[string]int:
		return takeNamed(raw, to, name, r.within)
	case *map[string]Keys:
		return takeNamed(listed(raw), to, name, func(k Keys) bool {
			return len(k) > 0 || !slices.Contains(needed, name)
		})
	case *map[string]*string:
		return takePath(raw, to, name, r.Names)
	}
	return false
}

// ByPage reports whether a page in a browser may change the setting.
func (r Row) ByPage() bool {
	switch r.Kind {
	case Flag, Choice, Seconds:
		return r.OnPage
	case Text:
		return r.OnPage && len(r.Choices) > 0
	}
	return false
}

// TakesByPage reports whether a page may give the setting what was typed or chosen there: of a Text one of its choices.
func (r Row) TakesByPage(typed string) bool {
	return r.ByPage() && (r.Kind != Text || slices.Contains(r.Choices, typed))
}

// CanBeOff reports whether the setting, a number of seconds, can be off.
func (r Row) CanBeOff() bool { return r.off() }

func (r Row) offers(word string) bool {
	text := r.Kind == Text && (r.fits == nil || word == "" || r.fits(word))
	return text || slices.Contains(r.Choices, word)
}

func (r Row) within(n int) bool { return n >= r.Least && n <= r.most() }

// most is the highest number that the setting may be.
func (r Row) most() int {
	if r.Kind == Port {
		return maxPort
	}
	return MaxSeconds
}

// take reads raw into *to, and leaves it alone where raw does not fit. null is no value.
func take[T any](raw json.RawMessage, to *T, fits func(T) bool) bool {
	var v T
	if string(raw) == "null" || json.Unmarshal(raw, &v) != nil || fits != nil && !fits(v) {
		return false
	}
	*to = v
	return true
}

func takeNamed[T any](raw json.RawMessage, to *map[string]T, name string, fits func(T) bool) bool {
	var v T
	if name == "" || !take(raw, &v, fits) {
		return false
	}
	if *to == nil {
		*to = map[string]T{}
	}
	(*to)[name] = v
	return true
}

// listed is one key as a list of it, and "" as a list of none; anything else is itself.
func listed(raw json.RawMessage) json.RawMessage {
	var one string
	if string(raw) == "null" || json.Unmarshal(raw, &one) != nil {
		return raw
	}
	return encode(slices.DeleteFunc(Keys{one}, func(key string) bool { return key == "" }))
}

// encode writes a value as people read it in the file; nil for what JSON cannot say.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}

// unescaped is a value with each character written as itself; a flaw in it was found before.
func unescaped(raw json.RawMessage) string {
	var v any
	_ = json.Unmarshal(raw, &v)
	return string(encode(v))
}

// Wanted says what the setting, or a value in it that has a name, must be in the file.
func (r Row) Wanted(name string) string {
	switch {
	case r.byName() && name == "":
		return "an object"
	case r.Kind == Flag:
		return "true or false"
	case r.Kind == Choice:
		return "one of " + strings.Join(r.Choices, ", ")
	case r.Kind == Seconds, r.Kind == SecondsByName:
		words := fmt.Sprintf("a whole number of seconds from %d to %d", r.Least, MaxSeconds)
		if r.off() {
			words = "null or " + words
		}
		return words
	case r.Kind == Port:
		return fmt.Sprintf("a whole number from %d to %d", r.Least, r.most())
	}
	return r.Wants
}

// refuse says of a value that the setting cannot have what it is, and what it must be: want, unless more is known.
func (r Row) refuse(raw json.RawMessage, want string) (wrong, must string) {
	if r.refused == nil {
		return brief(raw), want
	}
	var text string
	isText := json.Unmarshal(raw, &text) == nil
	if !isText {
		text = unescaped(raw)
	}
	wrong, must = r.refused(text)
	if wrong == "" || !isText && HideLogin(text) == text {
		return brief(raw), want
	}
	return wrong, must
}

// wantedTyped is Wanted for a person who types the value: in the file only a number of seconds is one.
func (r Row) wantedTyped(name string) string {
	if r.Kind != Seconds && (r.Kind != SecondsByName || name == "") {
		return r.Wanted(name)
	}
	words := fmt.Sprintf("%d s to 24 h: 300, 90m, 2h", r.Least)
	if r.off() {
		words = "off, or " + words
	}
	return words
}
