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

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// reader reads a caller's JSON and collects all of its problems instead of stopping at the first. It is lenient about
// spelling ("3" for 3, "true" for true, a JSON-encoded list for a list, case and dashes in enums, null for absent) and
// strict about meaning.
type reader struct {
	problems []queue.Problem
	broken   []string // the paths of objects that could not be read; problems below them are not reported
}

// addProblem reports a problem: the path of the value, what is wrong with it, and what it should be.
func (r *reader) addProblem(path, wrong, want string) {
	r.problems = append(r.problems, queue.Problem{Path: path, Wrong: wrong, Want: want})
}

// hasProblem reports whether there is a problem with the value at path or with a part of it.
func (r *reader) hasProblem(path string) bool {
	return slices.ContainsFunc(r.problems, func(p queue.Problem) bool {
		rest, ok := strings.CutPrefix(p.Path, path)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// isReported reports whether a problem at path would repeat one that was reported.
func (r *reader) isReported(path string) bool {
	within := func(at string) bool { return strings.HasPrefix(path, at+".") }
	return r.hasProblem(path) || slices.ContainsFunc(r.broken, within)
}

// addQueueProblems reports the problems for which the queue would refuse the ask. wire turns their paths into those of
// the format. The fields that depend on the settings are filled in for this check. A value is reported once.
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

// requestOrError returns the request if there were no problems, else a *queue.Invalid with all of them.
func (r *reader) requestOrError(req Request) (Request, error) {
	if err := r.err(); err != nil {
		return Request{}, err
	}
	return req, nil
}

// err returns a *queue.Invalid with all problems; nil: there are none.
func (r *reader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	return &queue.Invalid{Problems: r.problems}
}

// object reads the fields of a JSON object. A method that reads a field marks it as known; refuseUnknown reports all
// others.
type object struct {
	r           *reader
	at          string
	fields      map[string]json.RawMessage
	names       []string // the names of the fields, in the caller's order
	known       []string
	callerNames map[string]string // the caller's name for a field, by ours
}

// arguments opens a tool's arguments. Missing arguments count as an empty object.
func (r *reader) arguments(raw json.RawMessage, want string) (*object, bool) {
	start := raw[:min(len(raw), 16)] // enough to see whether there are arguments
	if len(bytes.TrimSpace(start)) == 0 || string(raw) == "null" {
		raw = json.RawMessage(`{}`)
	}
	return r.object("", raw, want)
}

// object opens a JSON object, which may be JSON-encoded text. ok is false if it could not be read; the problem is
// reported then.
func (r *reader) object(at string, raw json.RawMessage, want string) (o *object, ok bool) {
	o = &object{r: r, at: at, fields: map[string]json.RawMessage{}}
	raw = unwrapJSON(raw, '{')
	if len(raw) == 0 || raw[0] != '{' {
		r.addProblem(at, describe(raw), want)
		r.broken = append(r.broken, at)
		return o, false
	}
	members, again, err := wire.ReadMembers(raw)
	for _, name := range again {
		r.addProblem(o.path(shortVisible(name)), "is there twice", "each field once")
	}
	if err != nil {
		r.addProblem(at, "is not valid JSON", want)
		return o, false
	}
	for _, m := range members {
		o.names = append(o.names, m.Key)
		o.fields[m.Key] = m.Raw
	}
	return o, true
}

// path returns the path of a field, with the name that the caller used for it.
func (o *object) path(name string) string {
	if called, ok := o.callerNames[name]; ok {
		name = called
	}
	if o.at == "" {
		return name
	}
	return o.at + "." + name
}

// takeField returns the value of a field and marks the field as known. null counts as absent.
func (o *object) takeField(name string) (value json.RawMessage, there bool) {
	o.known = append(o.known, name)
	raw, ok := o.fields[name]
	return raw, ok && string(raw) != "null"
}

// text reads a string; "" if it is absent or has a problem.
func (o *object) text(name, want string) string {
	raw, ok := o.takeField(name)
	if !ok {
		return ""
	}
	return o.r.text(o.path(name), raw, want)
}

// text reads a string at path. It checks the raw bytes, because Go's decoder would silently replace broken text.
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

// number reads a whole number, or text that spells one; nil: it is absent or has a problem.
func (o *object) number(name, want string) *int {
	raw, ok := o.takeField(name)
	if !ok {
		return nil
	}
	digits := strings.TrimSpace(scalarText(raw))
	if n, err := strconv.Atoi(digits); err == nil && math.Abs(float64(n)) <= 1e9 {
		return &n
	}
	f, err := strconv.ParseFloat(digits, 64) // this accepts 3.0 and 1e3; hexadecimal is excluded below
	if err == nil && f == math.Trunc(f) && math.Abs(f) <= 1e9 && !strings.ContainsAny(digits, "xXpP_") {
		n := int(f)
		return &n
	}
	o.r.addProblem(o.path(name), describe(raw), want)
	return nil
}

// flag reads true or false, or text that spells one of them; nil: it is absent or has a problem.
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

// enum reads one of the values, in any case and with dashes or blanks for underscores; "": it is absent or has a
// problem.
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

// list reads a JSON array, which may be JSON-encoded text. ok is false if it is absent or has a problem.
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

// textList reads a list of strings; numbers count as strings. A list longer than most is reported.
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

// acceptIgnored marks fields of any type as known without reading them.
func (o *object) acceptIgnored(names ...string) { o.known = append(o.known, names...) }

// refuseUnknown reports every field that is not known. offer lists the fields of the format for the remedy. It must be
// called last.
func (o *object) refuseUnknown(offer []string) {
	for _, name := range o.names {
		if !slices.Contains(o.known, name) {
			want := "leave it out"
			if len(o.r.problems) < mostProblems { // further problems are not shown
				want = fieldRemedy(name, offer)
			}
			o.r.addProblem(o.path(shortVisible(name)), "is not a known field", want)
		}
	}
}

// unwrapJSON returns the JSON within JSON-encoded text if it starts with open. Else it returns raw.
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

// scalarText returns a JSON scalar as text: a string without its quotes, any other value unchanged.
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
// use the caller's name. Two names for the same field are refused, because it is not clear which one is meant.
func (o *object) alias(name string, others ...string) {
	plain := []string{plainName(name)}
	for _, other := range others {
		plain = append(plain, plainName(other))
	}
	for _, n := range o.names {
		isOther := n != name && len(n) <= shortName && slices.Contains(plain, plainName(n))
		if !isOther || slices.Contains(o.known, n) || string(o.fields[n]) == "null" {
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

// callerName returns the name that the caller used for a field.
func (o *object) callerName(name string) string {
	if called, ok := o.callerNames[name]; ok {
		return called
	}
	return name
}

// textOrNumber reads a string, or a number as if it were written as a string.
func (r *reader) textOrNumber(path string, raw json.RawMessage, want string) string {
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
		return string(raw)
	}
	return r.text(path, raw, want)
}

// textOrNumber reads a field as reader.textOrNumber does; "" if it is absent.
func (o *object) textOrNumber(name, want string) string {
	raw, ok := o.takeField(name)
	if !ok {
		return ""
	}
	return o.r.textOrNumber(o.path(name), raw, want)
}

// question reads the text of a request's single question. The field is required.
func (o *object) question() string {
	text := o.text("question", "the question to ask the person, as text")
	if queue.Blank(text) && !o.r.hasProblem(o.path("question")) {
		o.r.addProblem(o.path("question"), "is missing or blank", "the text of the question")
	}
	return text
}

// shortName limits the characters of an agent's name for something in our own sentences.
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

// shortVisible returns a name that an agent wrote, shortened and cleaned for our own sentences.
func shortVisible(s string) string {
	v, _ := queue.VisibleLine(queue.Shorten(s, shortName, "…"))
	return v
}

// textFlaw returns what is wrong with a JSON string; "" if nothing is. Go's decoder would silently replace bytes that
// are not UTF-8 and half a surrogate pair.
func textFlaw(raw []byte) string {
	switch {
	case !utf8.Valid(raw):
		return "is not valid UTF-8"
	case wire.HasHalves(raw):
		return "holds half of a surrogate pair"
	}
	return ""
}

// orList joins values to a list with "or" before the last one.
func orList(values []string) string {
	if len(values) < 2 {
		return strings.Join(values, "")
	}
	return strings.Join(values[:len(values)-1], ", ") + " or " + values[len(values)-1]
}

// meantFields maps field names of other tools to ours, for names whose spelling is not similar. The first of them that
// the format has is suggested.
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

// fieldRemedy returns the remedy for an unknown field: leave it out, or use the field of the format that was probably
// meant.
func fieldRemedy(name string, offer []string) string {
	plain := plainName(queue.Shorten(name, shortName, "…"))
	for _, m := range meantFields[plain] {
		if slices.Contains(offer, m) {
			return fmt.Sprintf("use %q, or leave it out", m)
		}
	}
	best, least := "", shortName
	for _, k := range offer {
		if d := widen.Edits([]rune(plain), []rune(plainName(k))); d < least {
			best, least = k, d
		}
	}
	if least <= max(2, len(plain)/3) {
		return fmt.Sprintf("use %q, or leave it out", best)
	}
	return "leave it out"
}

// plainName returns a field name in lower case without separators, for comparisons.
func plainName(s string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s))
}
