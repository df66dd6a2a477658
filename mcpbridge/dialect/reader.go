package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// reader takes the wire's JSON apart and collects every problem on the way, instead of stopping at the first.
// It is lenient about spelling ("3" for 3, "true" for true, a JSON-encoded list for a list, case and dashes in
// enums, null for absent) and strict about meaning.
type reader struct {
	problems []queue.Problem
	broken   []string // objects that could not be opened; nothing is said about what is inside
}

func (r *reader) add(path, wrong, want string) {
	r.problems = append(r.problems, queue.Problem{Path: path, Wrong: wrong, Want: want})
}

// under reports whether a problem was found at path or inside it.
func (r *reader) under(path string) bool {
	return slices.ContainsFunc(r.problems, func(p queue.Problem) bool {
		rest, ok := strings.CutPrefix(p.Path, path)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// said reports whether a problem at path would repeat one already there.
func (r *reader) said(path string) bool {
	within := func(at string) bool { return strings.HasPrefix(path, at+".") }
	return r.under(path) || slices.ContainsFunc(r.broken, within)
}

// object is one JSON object being read. Every method marks its field as known; unknown refuses what is left.
type object struct {
	r      *reader
	at     string
	fields map[string]json.RawMessage
	names  []string // as they came
	known  []string
	called map[string]string // what a field was called instead of its name
}

// object opens a JSON object, or one that came as JSON-encoded text. It is empty after a problem.
func (r *reader) object(at string, raw json.RawMessage, want string) (*object, bool) {
	o := &object{r: r, at: at, fields: map[string]json.RawMessage{}}
	raw = encoded(raw, '{')
	if len(raw) == 0 || raw[0] != '{' {
		r.add(at, describe(raw), want)
		r.broken = append(r.broken, at)
		return o, false
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.Token() // the opening brace
	for dec.More() {
		key, err := dec.Token()
		name, isName := key.(string)
		var value json.RawMessage
		if err != nil || !isName || dec.Decode(&value) != nil {
			r.add(at, "is not valid JSON", want)
			return o, false
		}
		if _, twice := o.fields[name]; twice {
			r.add(o.path(short(name)), "is there twice", "each field once")
		} else {
			o.names = append(o.names, name)
		}
		o.fields[name] = value
	}
	if _, err := dec.Token(); err != nil {
		r.add(at, "is not valid JSON", want)
		return o, false
	}
	return o, true
}

func (o *object) path(name string) string {
	if called, ok := o.called[name]; ok {
		name = called
	}
	if o.at == "" {
		return name
	}
	return o.at + "." + name
}

// take returns a field's value and whether it is there; null is the same as absent.
func (o *object) take(name string) (json.RawMessage, bool) {
	o.known = append(o.known, name)
	raw, ok := o.fields[name]
	return raw, ok && string(raw) != "null"
}

// text reads a string. It checks the raw bytes: Go's decoder would replace what is broken without a word.
func (o *object) text(name, want string) string {
	raw, ok := o.take(name)
	if !ok {
		return ""
	}
	return o.r.text(o.path(name), raw, want)
}

func (r *reader) text(path string, raw json.RawMessage, want string) string {
	if raw[0] != '"' {
		r.add(path, describe(raw), want)
		return ""
	}
	if flaw := flawed(raw); flaw != "" {
		r.add(path, flaw, "UTF-8 text")
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		r.add(path, "is not valid JSON", want)
	}
	return s
}

// number reads a whole number, or text that spells one. nil: absent or a problem.
func (o *object) number(name, want string) *int {
	raw, ok := o.take(name)
	if !ok {
		return nil
	}
	digits := strings.TrimSpace(spelled(raw))
	if n, err := strconv.Atoi(digits); err == nil && math.Abs(float64(n)) <= 1e9 {
		return &n
	}
	f, err := strconv.ParseFloat(digits, 64) // also 3.0 and 1e3, but no hexadecimal
	if err == nil && f == math.Trunc(f) && math.Abs(f) <= 1e9 && !strings.ContainsAny(digits, "xXpP_") {
		n := int(f)
		return &n
	}
	o.r.add(o.path(name), describe(raw), want)
	return nil
}

// flag reads true or false, or text that spells one. nil: absent or a problem.
func (o *object) flag(name string) *bool {
	raw, ok := o.take(name)
	if !ok {
		return nil
	}
	switch strings.ToLower(strings.TrimSpace(spelled(raw))) {
	case "true":
		yes := true
		return &yes
	case "false":
		no := false
		return &no
	}
	o.r.add(o.path(name), describe(raw), "true or false")
	return nil
}

// enum reads one of the values, whatever its case and with dashes or blanks for underscores. "": absent or a problem.
func (o *object) enum(name string, values ...string) string {
	raw, ok := o.take(name)
	if !ok {
		return ""
	}
	want := orList(values)
	got := o.r.text(o.path(name), raw, want)
	if got == "" && o.r.under(o.path(name)) {
		return ""
	}
	plain := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(got)))
	if slices.Contains(values, plain) {
		return plain
	}
	o.r.add(o.path(name), "is "+queue.Quote(got), want)
	return ""
}

// list reads a JSON array, or one that came as JSON-encoded text. ok is false when absent or a problem.
func (o *object) list(name, want string) (items []json.RawMessage, ok bool) {
	raw, ok := o.take(name)
	if !ok {
		return nil, false
	}
	inner := encoded(raw, '[')
	if len(inner) == 0 || inner[0] != '[' || json.Unmarshal(inner, &items) != nil {
		o.r.add(o.path(name), describe(raw), want)
		return nil, false
	}
	return items, true
}

// words reads a list of at most so many texts, or numbers as if they had been written as texts.
func (o *object) words(name, want string, most int) []string {
	items, _ := o.list(name, want)
	if len(items) > most {
		o.r.add(o.path(name), fmt.Sprintf("has %d entries", len(items)), fmt.Sprintf("at most %d", most))
		return nil
	}
	var out []string
	for i, raw := range items {
		out = append(out, o.r.word(fmt.Sprintf("%s[%d]", o.path(name), i), raw, "text"))
	}
	return out
}

// ignore accepts fields of any type without reading them.
func (o *object) ignore(names ...string) { o.known = append(o.known, names...) }

// unknown refuses by name every field nobody asked for. Call it last.
func (o *object) unknown(offer []string) {
	for _, name := range o.names {
		if !slices.Contains(o.known, name) {
			want := "it left out"
			if len(o.r.problems) < mostProblems { // beyond that nobody reads the advice
				want = instead(name, offer)
			}
			o.r.add(o.path(short(name)), "is not a known field", want)
		}
	}
}

// encoded looks into JSON-encoded text for the JSON that starts with open; anything else comes back as it is.
func encoded(raw json.RawMessage, open byte) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '"' || flawed(raw) != "" {
		return raw
	}
	inner := bytes.TrimSpace([]byte(spelled(raw)))
	if len(inner) > 0 && inner[0] == open && json.Valid(inner) {
		return inner
	}
	return raw
}

// spelled returns a JSON scalar as a person would write it: text without its quotes, the rest as it is.
func spelled(raw json.RawMessage) string {
	if raw[0] != '"' {
		return string(raw)
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return string(raw)
	}
	return s
}
