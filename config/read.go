package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"sync"
)

// loaded is what one reading of the file gave.
type loaded struct {
	settings Settings
	values   []Value
	err      *Invalid // nil: nothing is wrong
}

// reading is the state of taking the text over into settings.
type reading struct {
	path string
	text []byte
	loaded
}

// parse takes over every key that is right and reports the others; those keep their defaults, in every process alike.
func parse(path string, text []byte) loaded {
	r := reading{path: path, text: text}
	r.settings = Default()
	if len(bytes.TrimSpace(text)) == 0 {
		r.text = []byte("{}")
	}
	r.object("", 0, r.text, fields)
	return r.loaded
}

// object takes over an object that starts at base in the file.
func (r *reading) object(prefix string, base int, text []byte, table []field) {
	list, err := members(text)
	if err != nil {
		r.broken(base, err)
		return
	}
	byKey := map[string]member{}
	for _, m := range list {
		m.keyAt, m.valueAt = m.keyAt+base, m.valueAt+base
		if _, twice := byKey[m.key]; twice {
			r.problem(m.keyAt, prefix+m.key, "given twice", "given once; the last one counts")
		}
		byKey[m.key] = m
	}
	for _, f := range table {
		m, given := byKey[f.key]
		r.field(prefix, f, m, given)
		delete(byKey, f.key)
	}
	for _, m := range list {
		if last, left := byKey[m.key]; left {
			r.value(prefix+m.key, last, Unknown, last.raw)
			delete(byKey, m.key)
		}
	}
}

func (r *reading) field(prefix string, f field, m member, given bool) {
	key := prefix + f.key
	isObject := given && m.raw[0] == '{'
	switch {
	case f.sub != nil && (isObject || !given):
		text := []byte(m.raw)
		if !given {
			text = []byte("{}")
		}
		r.object(key+".", m.valueAt, text, f.sub)
	case f.each != nil && isObject:
		r.each(key+".", m, f)
	case f.set != nil && given && f.set(&r.settings, m.raw):
		r.value(key, m, FromFile, m.raw)
	default:
		if given {
			r.problem(m.valueAt, key, brief(m.raw), r.wanted(f))
		}
		r.defaults(key, f)
	}
}

// wanted is what the key itself must be: an object whose members are checked one by one is asked for as such.
func (r *reading) wanted(f field) string {
	if f.each != nil {
		return "an object"
	}
	return f.want
}

func (r *reading) defaults(key string, f field) {
	if f.sub != nil {
		r.object(key+".", 0, []byte("{}"), f.sub)
		return
	}
	for _, raw := range defaultMembers() {
		if raw.key == key {
			r.values = append(r.values, Value{Key: key, Value: raw.raw, From: FromDefault})
		}
	}
}

// defaultMembers are the defaults under their full names. Every command reads the settings: once is enough.
var defaultMembers = sync.OnceValue(func() []member {
	encoded, _ := members(encode(Default()))
	return flat("", encoded)
})

func (r *reading) each(prefix string, object member, f field) {
	list, _ := members(object.raw)
	for _, m := range list {
		m.valueAt += object.valueAt
		if f.each(&r.settings, m.key, m.raw) {
			r.value(prefix+m.key, m, FromFile, m.raw)
		} else {
			r.problem(m.valueAt, prefix+m.key, brief(m.raw), f.want)
		}
	}
}

func (r *reading) value(key string, m member, from Source, raw json.RawMessage) {
	line, column := position(r.text, m.valueAt)
	r.values = append(r.values, Value{Key: key, Value: raw, From: from, Line: line, Column: column})
}

func (r *reading) problem(at int, key, wrong, want string) {
	if r.err == nil {
		r.err = &Invalid{}
	}
	line, column := position(r.text, at)
	r.err.Problems = append(r.err.Problems, Problem{r.path, line, column, key, wrong, want})
}

func (r *reading) broken(base int, err error) {
	var bad *syntax
	at := 0
	if errors.As(err, &bad) {
		at = bad.at
	}
	r.problem(base+at, "", "this is not valid JSON: "+err.Error(), leftAlone)
	r.err.Broken = true
}

// encode is the settings as JSON with no null where an empty list or object is meant.
func encode(s Settings) []byte {
	s = s.Clone()
	if s.HiddenOptions == nil {
		s.HiddenOptions = []HiddenOption{}
	}
	if s.SoftLimits == nil {
		s.SoftLimits = map[string]int{}
	}
	if s.Keys == nil {
		s.Keys = map[string]Keys{}
	}
	for action, keys := range s.Keys {
		if keys == nil {
			s.Keys[action] = Keys{}
		}
	}
	if s.Widen == nil {
		s.Widen = json.RawMessage("{}")
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // people read this file
	if e.Encode(s) != nil {
		return []byte("{}") // only a Widen that is no JSON; Update has refused it
	}
	return bytes.TrimSpace(b.Bytes())
}

// flat lists the members with the fixed objects opened up, under their full names.
func flat(prefix string, list []member) (all []member) {
	for _, m := range list {
		m.key = prefix + m.key
		if inner, err := members(m.raw); err == nil && (m.key == "notify" || m.key == "chat") {
			all = append(all, flat(m.key+".", inner)...)
			continue
		}
		all = append(all, m)
	}
	return all
}
