package native

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/choicetui/choicetui/queue"
)

// field holds one field of a form, with the question that asks for it.
type field struct {
	name     string
	question queue.Question
	kind     string
	values   []string // the values that the options stand for, in their order
}

// Kinds of fields, with their names in JSON Schema.
const (
	kindBoolean = "boolean"
	kindString  = "string"
	kindNumber  = "number"
	kindInteger = "integer"
	kindArray   = "array"
)

// leaveOut is the id of the option that leaves a field empty. The ids of the other options are numbers.
const leaveOut = "leave-out"

// privateName matches names of fields whose content must not be stored. It is compiled at its first use, because most
// hooks ask for no form.
var privateName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)pass(word|wd|phrase|code)|secret|token|api.?key|private.?key|credential|` +
		`\bpin\b|\bcvc\b|\bcvv\b|card.?number|kennwort|passwort|contraseña|mot de passe`)
})

// privateNumber matches names of numbers that must not be stored.
var privateNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)pass(word|code)|\bpin\b|\bcvc\b|\bcvv\b|card.?number`)
})

// isPrivate reports whether a field's name says that it contains a secret. A boolean is never secret. Numbers have
// their own pattern, because the number of tokens to use is not secret.
func isPrivate(kind, called string) bool {
	switch kind {
	case kindBoolean:
		return false
	case kindNumber, kindInteger:
		return privateNumber().MatchString(called)
	}
	return privateName().MatchString(called)
}

// readSchema reads the fields of a form. ok is false if the schema contains anything that cannot be asked here.
func readSchema(schema object) (fields []field, ok bool) {
	known := schema.without("$schema", "type", "title", "description", "properties", "required")
	if extra, there := known.get("additionalProperties"); there && string(extra) == "false" {
		known = known.without("additionalProperties")
	}
	kind, _ := schema.text("type")
	properties, isObject := schema.object("properties")
	if len(known) > 0 || kind != "object" || !isObject || len(properties) == 0 {
		return nil, false
	}
	var required []string
	if _, there := schema.get("required"); there {
		if required, ok = schema.texts("required"); !ok {
			return nil, false
		}
	}
	for i, m := range properties {
		o, ok := readObject(m.raw)
		if !ok {
			return nil, false
		}
		f, ok := readField(m.key, o, slices.Contains(required, m.key))
		if !ok {
			return nil, false
		}
		f.question.ID = fmt.Sprintf("q%d", i+1)
		fields = append(fields, f)
	}
	return fields, true
}

// readField reads one field and its question.
func readField(name string, o object, required bool) (f field, ok bool) {
	title, isTitle := o.text("title")
	description, isText := o.text("description")
	kind, isKind := o.text("type")
	if !isTitle || !isText || !isKind || isPrivate(kind, name+"\n"+title+"\n"+description) {
		return f, false
	}
	if queue.Blank(title) {
		title = name
	}
	f = field{name: name, kind: kind}
	f.question.Header, f.question.Text = firstLine(title), title
	if description != "" {
		f.question.Text += "\n\n" + description
	}
	o = o.without("type", "title", "description")
	switch kind {
	case kindBoolean:
		ok = f.readBoolean(o)
	case kindString:
		ok = f.readString(o)
	case kindNumber, kindInteger:
		ok = f.readNumber(o)
	case kindArray:
		ok = f.readArray(o, required)
	}
	if format := f.question.Format; ok && format != nil && *format != (queue.TextFormat{Kind: queue.FormatText}) {
		f.question.Text += "\n\n" + "It takes " + format.Want() + "."
	}
	switch q := &f.question; {
	case !ok:
	case !required && kind != kindArray:
		f.allowNone()
	case q.Min == 1 && q.Max == 1 && len(q.Defaults) == 0:
		q.StartsEmpty = true // a value that nobody chose is not to be sent
	}
	return f, ok
}

// allowNone adds an option that leaves the field empty, so that nobody does so by mistake. It is the default unless the
// field has its own.
func (f *field) allowNone() {
	q := &f.question
	q.Options = append(q.Options, queue.Option{ID: leaveOut, Label: "Leave it empty"})
	switch {
	case q.Mode == queue.ModeText:
		q.Mode, q.Min, q.Max = queue.ModeHybrid, 0, 1
	case len(q.Defaults) == 0:
		q.Defaults = []string{leaveOut}
	}
}

// readBoolean reads a field with the values yes and no.
func (f *field) readBoolean(o object) bool {
	f.values = []string{"true", "false"}
	f.question.Mode, f.question.Min, f.question.Max = queue.ModeSingle, 1, 1
	f.question.Options = []queue.Option{{ID: "1", Label: "Yes"}, {ID: "2", Label: "No"}}
	yes, ok := o.flag("default")
	if _, there := o.value("default"); there && ok {
		f.question.Defaults = []string{map[bool]string{true: "1", false: "2"}[yes]}
	}
	return ok && len(o.without("default")) == 0
}

// readString reads a field for a text, or for one of the texts that the form lists.
func (f *field) readString(o object) bool {
	given, isText := o.text("default")
	if !isText {
		return false
	}
	values, labels, listed, ok := readValues(o)
	if !ok {
		return false
	}
	if listed {
		f.offerValues(values, labels, queue.ModeSingle)
		if at := slices.Index(values, given); at >= 0 && given != "" {
			f.question.Defaults = []string{f.question.Options[at].ID}
		}
		return len(o.without("default", "enum", "enumNames", "oneOf")) == 0
	}
	format, isFormat := o.text("format")
	if format == "" {
		format = queue.FormatText
	}
	known := []string{queue.FormatText, queue.FormatEmail, queue.FormatURI, queue.FormatDate, queue.FormatDateTime}
	least, isLeast := readBound[int](o, "minLength")
	most, isMost := readBound[int](o, "maxLength")
	if !isFormat || !slices.Contains(known, format) || !isLeast || !isMost {
		return false
	}
	f.question.Mode, f.question.DefaultText = queue.ModeText, given
	f.question.Format = &queue.TextFormat{Kind: format, MinLength: least, MaxLength: most}
	f.question.Placeholder = f.question.Format.Want()
	bounded := format != queue.FormatText && (least != nil || most != nil)
	return !bounded && len(o.without("default", "format", "minLength", "maxLength")) == 0
}

// readNumber reads a field for a number, which the person types.
func (f *field) readNumber(o object) bool {
	least, isLeast := readBound[float64](o, "minimum")
	most, isMost := readBound[float64](o, "maximum")
	if !isLeast || !isMost || len(o.without("default", "minimum", "maximum")) > 0 {
		return false
	}
	f.question.Mode = queue.ModeText
	f.question.Format = &queue.TextFormat{Kind: f.kind, Least: least, Most: most}
	f.question.Placeholder = f.question.Format.Want()
	if raw, there := o.value("default"); there {
		f.question.DefaultText = string(raw)
		return f.question.Format.Fits(f.question.DefaultText)
	}
	return true
}

// readBound returns a numeric limit of a field; nil: the field has no such limit. ok is false if it cannot be read.
func readBound[N int | int64 | float64](o object, name string) (bound *N, ok bool) {
	raw, there := o.value(name)
	if !there {
		return nil, true
	}
	var n N
	if json.Unmarshal(raw, &n) != nil {
		return nil, false
	}
	return &n, true
}

// readArray reads a field for several of the texts that the form lists.
func (f *field) readArray(o object, required bool) bool {
	items, isObject := o.object("items")
	if !isObject || len(items.without("type", "enum", "enumNames", "oneOf", "anyOf")) > 0 {
		return false
	}
	values, labels, listed, ok := readValues(items)
	least, isLeast := readBound[int](o, "minItems")
	most, isMost := readBound[int](o, "maxItems")
	if !ok || !listed || !isLeast || !isMost {
		return false
	}
	f.offerValues(values, labels, queue.ModeMulti)
	q := &f.question
	q.Min, q.Max = 0, len(values)
	if least != nil && (required || *least == 0) {
		q.Min = *least
	} else if least != nil {
		return false // an optional list that has a minimum once it is filled in cannot be asked here
	}
	if most != nil {
		q.Max = min(*most, len(values))
	}
	if _, there := o.get("default"); there {
		given, ok := o.texts("default")
		if !ok {
			return false
		}
		for _, v := range given {
			if at := slices.Index(values, v); at >= 0 && !slices.Contains(q.Defaults, q.Options[at].ID) {
				q.Defaults = append(q.Defaults, q.Options[at].ID)
			}
		}
	}
	return len(o.without("items", "minItems", "maxItems", "default", "uniqueItems")) == 0
}

// offerValues makes the given values the options of the field. Their ids are numbers from 1.
func (f *field) offerValues(values, labels []string, mode string) {
	f.values, f.question.Mode = values, mode
	for i, label := range labels {
		f.question.Options = append(f.question.Options, queue.Option{ID: fmt.Sprint(i + 1), Label: label})
	}
	f.question.Min, f.question.Max = queue.Bounds(mode, len(values))
}

// readValues reads the values that a field may have, and their labels. listed reports that the field allows only these
// values. ok is false if they cannot be read.
func readValues(o object) (values, labels []string, listed, ok bool) {
	if _, there := o.get("enum"); there {
		values, ok = o.texts("enum")
		labels = values
		if _, named := o.get("enumNames"); named && ok {
			labels, ok = o.texts("enumNames")
		}
		return values, labels, true, ok && len(values) > 0 && len(labels) == len(values)
	}
	raw, there := o.get("oneOf", "anyOf")
	if !there {
		return nil, nil, false, true
	}
	list, ok := readList(raw)
	for _, one := range list {
		each, isObject := readObject(one)
		value, isValue := each.text("const")
		label, isLabel := each.text("title")
		if !isObject || !isValue || !isLabel || value == "" || len(each.without("const", "title")) > 0 {
			return nil, nil, true, false
		}
		if queue.Blank(label) {
			label = value
		}
		values, labels = append(values, value), append(labels, label)
	}
	return values, labels, true, ok && len(values) > 0
}

// formContent returns the values under the names of their fields, in the order of the form. Fields that the person left
// out are missing.
func formContent(fields []field, a queue.Answer) (json.RawMessage, bool) {
	content := object{}
	for _, f := range fields {
		r, ok := a.Reply(f.question.ID)
		if !ok {
			return nil, false
		}
		if slices.Contains(r.Selected, leaveOut) {
			continue
		}
		raw, ok := f.answerValue(r)
		if !ok {
			return nil, false
		}
		content = append(content, member{f.name, raw})
	}
	return content.json(), true
}

// answerValue returns the field's value for a reply.
func (f field) answerValue(r queue.Reply) (json.RawMessage, bool) {
	chosen := []string{}
	for _, id := range r.Selected {
		for i, o := range f.question.Options {
			if o.ID == id && i < len(f.values) {
				chosen = append(chosen, f.values[i])
			}
		}
	}
	switch {
	case f.kind == kindArray:
		return encode(chosen), true
	case f.kind == kindBoolean && len(chosen) == 1:
		return json.RawMessage(chosen[0]), true
	case len(chosen) == 1:
		return encode(chosen[0]), true
	case f.kind == kindNumber, f.kind == kindInteger:
		return json.RawMessage(strings.TrimSpace(r.Text)), f.question.Format != nil && f.question.Format.Fits(r.Text)
	case f.kind == kindString && r.Text != "" && f.values == nil:
		if f.question.Format.Kind != queue.FormatText {
			return encode(strings.TrimSpace(r.Text)), true
		}
		return encode(r.Text), true
	}
	return nil, false
}
