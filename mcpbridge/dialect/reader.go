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
	"github.com/choicetui/choicetui/queue/widen"
)

// reader takes the wire's JSON apart and collects every problem on the way, instead of stopping at the first.
// It is lenient about spelling ("3" for 3, "true" for true, a JSON-encoded list for a list, case and dashes in
// enums, null for absent) and strict about meaning.
type reader struct {
	problems []queue.Problem
	broken   []string // objects that could not be opened; nothing is said about what is inside
}

func (r *reader) addProblem(path, wrong, want string) {
	r.problems = append(r.problems, queue.Problem{Path: path, Wrong: wrong, Want: want})
}

// hasProblem reports whether a problem was found at path or inside it.
func (r *reader) hasProblem(path string) bool {
	return slices.ContainsFunc(r.problems, func(p queue.Problem) bool {
		rest, ok := strings.CutPrefix(p.Path, path)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// isReported reports whether a problem at path would repeat one already there.
func (r *reader) isReported(path string) bool {
	within := func(at string) bool { return strings.HasPrefix(path, at+".") }
	return r.hasProblem(path) || slices.ContainsFunc(r.broken, within)
}

// addQueueProblems adds the problems that the queue would refuse the ask for, with their paths in the wire format. It
// fills the fields that the settings fill, for the check alone. A field is not reported twice.
func (r *reader) addQueueProblems(a queue.Ask, seconds *int, wire func([]queue.Problem) []queue.Problem) {
	a.TimeoutSeconds, a.OnTimeout = 300, queue.OnTimeoutNone
	if seconds != nil {
		a.TimeoutSeconds = *seconds
	}
	for _, p := range wire(a.Check()) {
		within := func(said queue.Problem) bool { return strings.HasPrefix(p.Path, said.Path+".") && said.Path != "" }
		if !r.isReported(p.Path) && !slices.ContainsFunc(r.problems, within) {
			r.problems = append(r.problems, p)
		}
	}
}

// requestOrError returns the request, or the error.
func (r *reader) requestOrError(req Request) (Request, error) {
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
	r           *reader
	at          string
	fields      map[string]json.RawMessage
	names       []string // as they came
	known       []string
	callerNames map[string]string // the names that the caller used instead, by ours
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
	raw = unwrapJSON(raw, '{')
	if len(raw) == 0 || raw[0] != '{' {
		r.addProblem(at, describe(raw), want)
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
			r.addProblem(at, "is not valid JSON", want)
			return o, false
		}
		if _, twice := o.fields[name]; twice {
			r.addProblem(o.path(shortVisible(name)), "is there twice", "each field once")
		} else {
			o.names = append(o.names, name)
		}
		o.fields[name] = value
	}
	if _, err := dec.Token(); err != nil {
		r.addProblem(at, "is not valid JSON", want)
		return o, false
	}
	return o, true
}

func (o *object) path(name string) string {
	if called, ok := o.callerNames[name]; ok {
		name = called
	}
	if o.at == "" {
		return name
	}
	return o.at + "." + name
}

// takeField returns a field's value and whether it is there; null is the same as absent.
func (o *object) takeField(name string) (json.RawMessage, bool) {
	o.known = append(o.known, name)
	raw, ok := o.fields[name]
	return raw, ok && string(raw) != "null"
}

// text reads a string. It checks the raw bytes: Go's decoder would replace broken text silently.
func (o *object) text(name, want string) string {
	raw, ok := o.takeField(name)
	if !ok {
		return ""
	}
	return o.r.text(o.path(name), raw, want)
}

func (r *reader) text(path string, raw json.RawMessage, want string) string {
	if raw[0] != '"' {
		r.addProblem(path, describe(raw), want)
		return ""
	}
	if flaw := textFlaw(raw); flaw != "" {
		r.addProblem(path, flaw, "UTF-8 text")
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		r.addProblem(path, "is not valid JSON", want)
	}
	return s
}

// number reads a whole number, or text that spells one. nil: absent or a problem.
func (o *object) number(name, want string) *int {
	raw, ok := o.takeField(name)
	if !ok {
		return nil
	}
	digits := strings.TrimSpace(scalarText(raw))
	if n, err := strconv.Atoi(digits); err == nil && math.Abs(float64(n)) <= 1e9 {
		return &n
	}
	f, err := strconv.ParseFloat(digits, 64) // also 3.0 and 1e3, but no hexadecimal
	if err == nil && f == math.Trunc(f) && math.Abs(f) <= 1e9 && !strings.ContainsAny(digits, "xXpP_") {
		n := int(f)
		return &n
	}
	o.r.addProblem(o.path(name), describe(raw), want)
	return nil
}

// flag reads true or false, or text that spells one. nil: absent or a problem.
func (o *object) flag(name string) *bool {
	raw, ok := o.takeField(name)
	if !ok {
		return nil
	}
	switch strings.ToLower(strings.TrimSpace(scalarText(raw))) {
	case "true":
		yes := true
		return &yes
	case "false":
		no := false
		return &no
	}
	o.r.addProblem(o.path(name), describe(raw), "true or false")
	return nil
}

// enum reads one of the values, whatever its case and with dashes or blanks for underscores. "": absent or a problem.
func (o *object) enum(name string, values ...string) string {
	raw, ok := o.takeField(name)
	if !ok {
		return ""
	}
	want := orList(values)
	got := o.r.text(o.path(name), raw, want)
	if got == "" && o.r.hasProblem(o.path(name)) {
		return ""
	}
	plain := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(got)))
	if slices.Contains(values, plain) {
		return plain
	}
	o.r.addProblem(o.path(name), "is "+queue.Quote(got), want)
	return ""
}

// list reads a JSON array, which may be JSON-encoded as text. ok is false if it is absent or has a problem.
func (o *object) list(name, want string) (items []json.RawMessage, ok bool) {
	raw, ok := o.takeField(name)
	if !ok {
		return nil, false
	}
	inner := unwrapJSON(raw, '[')
	if len(inner) == 0 || inner[0] != '[' || json.Unmarshal(inner, &items) != nil {
		o.r.addProblem(o.path(name), describe(raw), want)
		return nil, false
	}
	return items, true
}

// textList reads a list of at most so many texts, or numbers as if they had been written as texts.
func (o *object) textList(name, want string, most int) []string {
	items, _ := o.list(name, want)
	if len(items) > most {
		o.r.addProblem(o.path(name), fmt.Sprintf("has %d entries", len(items)), fmt.Sprintf("at most %d", most))
		return nil
	}
	var out []string
	for i, raw := range items {
		out = append(out, o.r.textOrNumber(fmt.Sprintf("%s[%d]", o.path(name), i), raw, "text"))
	}
	return out
}

// acceptIgnored accepts fields of any type without reading them.
func (o *object) acceptIgnored(names ...string) { o.known = append(o.known, names...) }

// refuseUnknown refuses by name every field that is not known. Call it last.
func (o *object) refuseUnknown(offer []string) {
	for _, name := range o.names {
		if !slices.Contains(o.known, name) {
			want := "it left out"
			if len(o.r.problems) < mostProblems { // nobody reads the advice of further problems
				want = fieldRemedy(name, offer)
			}
			o.r.addProblem(o.path(shortVisible(name)), "is not a known field", want)
		}
	}
}

// unwrapJSON returns the JSON in JSON-encoded text if it starts with open, else raw.
func unwrapJSON(raw json.RawMessage, open byte) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '"' || textFlaw(raw) != "" {
		return raw
	}
	inner := bytes.TrimSpace([]byte(scalarText(raw)))
	if len(inner) > 0 && inner[0] == open && json.Valid(inner) {
		return inner
	}
	return raw
}

// scalarText returns a JSON scalar as a person would write it: text without its quotes, the rest as it is.
func scalarText(raw json.RawMessage) string {
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
			o.r.addProblem(o.path(n), fmt.Sprintf("is another name for %q, which is there too", o.callerName(name)),
				"one of the two")
			continue
		}
		if o.callerNames == nil {
			o.callerNames = map[string]string{}
		}
		o.callerNames[name] = n
		o.fields[name] = o.fields[n]
	}
}

// callerName returns the caller's own name for a field.
func (o *object) callerName(name string) string {
	if called, ok := o.callerNames[name]; ok {
		return called
	}
	return name
}

// textOrNumber reads text, or a number as if it had been written as text.
func (r *reader) textOrNumber(path string, raw json.RawMessage, want string) string {
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
		return string(raw)
	}
	return r.text(path, raw, want)
}

// textOrNumber reads a field as reader.word does.
func (o *object) textOrNumber(name, want string) string {
	raw, ok := o.takeField(name)
	if !ok {
		return ""
	}
	return o.r.textOrNumber(o.path(name), raw, want)
}

// question reads the text of a request's one question, which is required.
func (o *object) question() string {
	text := o.text("question", "the question to ask the person, as text")
	if queue.Blank(text) && !o.r.hasProblem(o.path("question")) {
		o.r.addProblem(o.path("question"), "is missing or blank", "the question to ask the person")
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
		return "is the text " + queue.Quote(scalarText(raw))
	case '[':
		return "is a list"
	case '{':
		return "is an object"
	case 't', 'f':
		return "is " + string(raw)
	case 'n':
		return "is null"
	}
	return "is the number " + shortVisible(string(raw))
}

// shortVisible returns an agent's field name for use in a path.
func shortVisible(s string) string {
	v, _ := queue.VisibleLine(queue.Shorten(s, shortName, "…"))
	return v
}

// textFlaw returns what is wrong with a JSON string; "" if it is sound. It finds bytes that are no UTF-8, and half a
// surrogate pair: Go's decoder would replace both silently.
func textFlaw(raw []byte) string {
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

func orList(values []string) string {
	if len(values) < 2 {
		return strings.Join(values, "")
	}
	return strings.Join(values[:len(values)-1], ", ") + " or " + values[len(values)-1]
}

// meantFields maps the words of other tools to ours, where the spelling alone would not find them. The first offered
// word counts.
var meantFields = map[string][]string{
	"mode": {"selection_mode"}, "type": {"selection_mode"},
	"multiselect": {"selection_mode"}, "multiple": {"selection_mode"},
	"message": {"prompt", "question"}, "question": {"prompt"},
	"text": {"prompt", "label", "title"}, "prompt": {"question"},
	"context": {"prompt", "question"}, "header": {"title", "question"},
	"title": {"question"}, "name": {"label", "title"},
	"choices": {"options"}, "items": {"options"}, "value": {"id", "title", "label"}, "label": {"title"},
	"default": {"default_selection_ids", "defaultOption"}, "defaults": {"default_selection_ids", "defaultOption"},
	"timeout": {"timeout_seconds", "timeoutMs"}, "timeoutms": {"timeout_seconds"}, "timeoutseconds": {"timeoutMs"},
	"wait": {"wait_seconds"}, "isrecommended": {"recommended"}, "recommended": {"isRecommended"},
	"note": {"annotation"}, "comment": {"global_annotation"}, "min": {"min_selections"}, "max": {"max_selections"},
	"singlesubmit": {"single_submit_mode"}, "autosubmit": {"single_submit_mode"},
	"session": {"session_id"}, "requestid": {"session_id"},
	"confirm": {"requireConfirmation"}, "confirmation": {"requireConfirmation"},
}

// fieldRemedy returns the remedy for an unknown field: leave it out, or use the known field that was probably meant.
func fieldRemedy(name string, offer []string) string {
	plain := plainName(queue.Shorten(name, shortName, "…"))
	for _, m := range meantFields[plain] {
		if slices.Contains(offer, m) {
			return fmt.Sprintf("%q, or it left out", m)
		}
	}
	best, least := "", shortName
	for _, k := range offer {
		if d := widen.Edits([]rune(plain), []rune(plainName(k))); d < least {
			best, least = k, d
		}
	}
	if least <= max(2, len(plain)/3) {
		return fmt.Sprintf("%q, or it left out", best)
	}
	return "it left out"
}

func plainName(s string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s))
}
