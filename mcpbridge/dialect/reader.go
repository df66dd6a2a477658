package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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

// judge adds the problems that the queue would refuse the ask for, with their paths in the wire format. It fills the
// fields that the settings fill, for the check alone. A field is not reported twice.
func (r *reader) judge(a queue.Ask, seconds *int, wire func([]queue.Problem) []queue.Problem) {
	a.TimeoutSeconds, a.OnTimeout = 300, queue.OnTimeoutNone
	if seconds != nil {
		a.TimeoutSeconds = *seconds
	}
	for _, p := range wire(a.Check()) {
		within := func(said queue.Problem) bool { return strings.HasPrefix(p.Path, said.Path+".") && said.Path != "" }
		if !r.said(p.Path) && !slices.ContainsFunc(r.problems, within) {
			r.problems = append(r.problems, p)
		}
	}
}

// done returns the request, or the error.
func (r *reader) done(req Request) (Request, error) {
	if err := r.err(); err != nil {
		return Request{}, err
	}
	return req, nil
}

// err returns a *queue.Invalid with all problems; nil if there are none.
func (r *reader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	return &queue.Invalid{Problems: r.problems}
}

// object reads one JSON object. Every method marks its field as known; unknown refuses the fields that are left.
type object struct {
	r      *reader
	at     string
	fields map[string]json.RawMessage
	names  []string // as they came
	known  []string
	called map[string]string // the names that the caller used instead, by ours
}

// arguments opens a tool's arguments; nothing at all is an empty object.
func (r *reader) arguments(raw json.RawMessage, want string) (*object, bool) {
	start := raw[:min(len(raw), 16)] // enough to see whether there is anything
	if len(bytes.TrimSpace(start)) == 0 || string(raw) == "null" {
		raw = json.RawMessage(`{}`)
	}
	return r.object("", raw, want)
}

// object opens a JSON object, which may be JSON-encoded as text. It is empty after a problem.
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

// text reads a string. It checks the raw bytes: Go's decoder would replace broken text silently.
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

// list reads a JSON array, which may be JSON-encoded as text. ok is false if it is absent or has a problem.
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

// unknown refuses by name every field that is not known. Call it last.
func (o *object) unknown(offer []string) {
	for _, name := range o.names {
		if !slices.Contains(o.known, name) {
			want := "it left out"
			if len(o.r.problems) < mostProblems { // nobody reads the advice of further problems
				want = instead(name, offer)
			}
			o.r.add(o.path(short(name)), "is not a known field", want)
		}
	}
}

// encoded returns the JSON in JSON-encoded text if it starts with open, else raw.
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

// alias accepts other names for a field, and other spellings of its own name (multi_select for multiSelect). Problems
// use the name that came. Two names for the same field are refused, as it is not clear which of them is meant.
func (o *object) alias(name string, others ...string) {
	plain := []string{plainName(name)}
	for _, other := range others {
		plain = append(plain, plainName(other))
	}
	for _, n := range o.names {
		if n == name || slices.Contains(o.known, n) || len(n) > shortName || !slices.Contains(plain, plainName(n)) ||
			string(o.fields[n]) == "null" {
			continue
		}
		o.known = append(o.known, n)
		if there, ok := o.fields[name]; ok && string(there) != "null" {
			o.r.add(o.path(n), fmt.Sprintf("is another name for %q, which is there too", o.name(name)),
				"one of the two")
			continue
		}
		if o.called == nil {
			o.called = map[string]string{}
		}
		o.called[name] = n
		o.fields[name] = o.fields[n]
	}
}

// name returns the caller's own name for a field.
func (o *object) name(name string) string {
	if called, ok := o.called[name]; ok {
		return called
	}
	return name
}

// word reads text, or a number as if it had been written as text.
func (r *reader) word(path string, raw json.RawMessage, want string) string {
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
		return string(raw)
	}
	return r.text(path, raw, want)
}

// word reads a field as reader.word does.
func (o *object) word(name, want string) string {
	raw, ok := o.take(name)
	if !ok {
		return ""
	}
	return o.r.word(o.path(name), raw, want)
}

// question reads the text of a request's one question, which is required.
func (o *object) question() string {
	text := o.text("question", "the question to ask the person, as text")
	if queue.Blank(text) && !o.r.under(o.path("question")) {
		o.r.add(o.path("question"), "is missing or blank", "the question to ask the person")
	}
	return text
}

// shortName limits the characters of an agent's name in our own sentences.
const shortName = 40

// describe describes a JSON value for Problem.Wrong: `is the text "abc"`, `is a list`.
func describe(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "is missing"
	}
	switch raw[0] {
	case '"':
		return "is the text " + queue.Quote(spelled(raw))
	case '[':
		return "is a list"
	case '{':
		return "is an object"
	case 't', 'f':
		return "is " + string(raw)
	case 'n':
		return "is null"
	}
	return "is the number " + short(string(raw))
}

// short returns an agent's field name for use in a path.
func short(s string) string {
	v, _ := queue.VisibleLine(queue.Shorten(s, shortName, "…"))
	return v
}

// flawed returns what is wrong with a JSON string; "" if it is sound. It finds bytes that are no UTF-8, and half a
// surrogate pair: Go's decoder would replace both silently.
func flawed(raw []byte) string {
	if !utf8.Valid(raw) {
		return "is not valid UTF-8"
	}
	high := false // the escape just before was the first half of a pair
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 >= len(raw) {
			if high {
				break
			}
			continue
		}
		unit, ok := uint64(0), false
		if raw[i+1] == 'u' && i+6 <= len(raw) {
			n, err := strconv.ParseUint(string(raw[i+2:i+6]), 16, 16)
			unit, ok = n, err == nil
		}
		low := ok && unit >= 0xDC00 && unit <= 0xDFFF
		if high != low {
			high = true
			break
		}
		high = ok && unit >= 0xD800 && unit <= 0xDBFF
		i++
		if ok {
			i += 4
		}
	}
	if high {
		return "holds half of a surrogate pair"
	}
	return ""
}
