package prompt

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// field holds one field of a form, with the question that asks for it.
type field struct {
	name     string
	question queue.Question
	kind     string
	values   []json.RawMessage // the values that the options stand for, in their order
	optional bool
}

// Kinds of fields, with their names in JSON Schema.
const (
	kindBoolean = "boolean"
	kindString  = "string"
	kindNumber  = "number"
	kindInteger = "integer"
	kindArray   = "array"
	kindNull    = "null"
)

// leaveOut is the id of the option that leaves a field empty. The ids of the other options are numbers.
const leaveOut = "leave-out"

// privateName matches words for what must not be stored, in text of spacedWords. It is compiled at its first use,
// because most hooks ask for no form.
var privateName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`pass ?(word|wd|phrase|code)|kennwort|passwort|contraseña|mot de passe|` +
		`\bsecrets?\b|tokens?\b|\b(api|private|access|secret) ?keys?\b|\bcredentials?\b|\bpin\b|\bcvc\b|\bcvv\b|` +
		`\bcard ?number`)
})

// privateNumber matches names of numbers that must not be stored.
var privateNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`pass ?(word|code)|\bpin\b|\bcvc\b|\bcvv\b|\bcard ?number`)
})

// isPrivate reports whether a field's name says that it contains a secret. A boolean is never secret. Numbers have
// their own pattern, because the number of tokens to use is not secret.
func isPrivate(kind, called string) bool {
	switch kind {
	case kindBoolean:
		return false
	case kindNumber, kindInteger:
		return privateNumber().MatchString(spacedWords(called))
	}
	return privateName().MatchString(spacedWords(called))
}

// spacedWords returns a name in lower case, with blanks between its words: apiKey and api_key become api key.
func spacedWords(name string) string {
	var b strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) || strings.ContainsRune("_-./", r) {
			b.WriteByte(' ')
		}
		if !strings.ContainsRune("_-./", r) {
			b.WriteRune(unicode.ToLower(r))
		}
		before = r
	}
	return b.String()
}

// dividingWords lists the words of a schema that make one field depend on another.
var dividingWords = []string{"allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas", "dependentRequired"}

// ReadSchema reads the fields of a form; there may be none. why says why the form cannot be asked here. Words of the
// schema that only describe are ignored, and so are those that are not known: the server checks the answer too.
func ReadSchema(schema wire.Object) (fields []field, why queue.Unfit) {
	if len(schema.Without(dividingWords...)) != len(schema) {
		return nil, queue.UnfitShown
	}
	raw, there := schema.Value("properties")
	if !there {
		return nil, ""
	}
	properties, isObject := wire.Read(raw)
	if !isObject {
		return nil, queue.UnfitShown
	}
	required, _ := schema.Texts("required")
	for i, m := range properties {
		o, ok := definitionIn(schema, m.Raw)
		if !ok {
			return nil, queue.UnfitShown
		}
		f, why := readField(m.Key, o, slices.Contains(required, m.Key))
		if why != "" {
			return nil, why
		}
		f.question.ID = fmt.Sprintf("q%d", i+1)
		fields = append(fields, f)
	}
	return fields, ""
}

// mostReferences limits how many references in a row are followed in a schema.
const mostReferences = 8

// definitionIn returns the description of a field of the schema. A reference to a definition in the same schema is
// followed; what is said beside the reference stays. ok is false if it leads nowhere.
func definitionIn(o wire.Object, raw json.RawMessage) (field wire.Object, ok bool) {
	field, ok = wire.Read(raw)
	for range mostReferences {
		to, there := field.Value("$ref")
		if !ok || !there {
			return field, ok
		}
		path, _ := wire.ReadText(to)
		at := o
		for _, name := range strings.Split(strings.TrimPrefix(path, "#/"), "/") {
			if at, ok = at.Child(strings.NewReplacer("~1", "/", "~0", "~").Replace(name)); !ok {
				return nil, false
			}
		}
		field = field.Without("$ref")
		for _, m := range at {
			if _, own := field.Get(m.Key); !own {
				field = append(field, m)
			}
		}
	}
	return nil, false
}

// withoutNull returns the description of a field that may also be null as that of one that may be left out: of the
// kinds ["string", "null"], or of two alternatives of which one is null. left reports whether it may.
func withoutNull(o wire.Object) (_ wire.Object, left bool) {
	isNull := func(raw json.RawMessage) bool {
		kind, _ := wire.ReadText(raw)
		return kind == kindNull
	}
	if kinds, isList := o.List("type"); isList {
		rest := slices.DeleteFunc(slices.Clone(kinds), isNull)
		if len(rest) == 1 {
			return o.With("type", rest[0]), len(rest) < len(kinds)
		}
		return o, false
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		list, _ := o.List(word)
		var rest []wire.Object
		for _, raw := range list {
			one, ok := wire.Read(raw)
			if kind, _ := one.Get("type"); !ok || !isNull(kind) {
				rest = append(rest, one)
			}
		}
		if len(list) != 2 || len(rest) != 1 {
			continue
		}
		o = o.Without(word)
		for _, m := range rest[0] {
			if _, own := o.Get(m.Key); !own {
				o = append(o, m)
			}
		}
		return o, true
	}
	return o, false
}

// readField reads one field and its question.
func readField(name string, o wire.Object, required bool) (f field, why queue.Unfit) {
	o, left := withoutNull(o)
	title, description := o.Words("title"), o.Words("description")
	kind := cmp.Or(o.Words("type"), kindString)
	hidden, _ := o.Flag("writeOnly")
	if hidden || o.Words("format") == "password" || isPrivate(kind, name+"\n"+title+"\n"+description) {
		return f, queue.UnfitSecret
	}
	if why := hiddenBy(o); why != "" {
		return f, why
	}
	if len(o.Without("allOf", "not", "if", "contains", "patternProperties")) != len(o) { // nobody here could check them
		return f, queue.UnfitShown
	}
	if queue.Blank(title) {
		title = name
	}
	f = field{name: name, kind: kind, optional: left || !required}
	f.question.Header, f.question.Text = FirstLine(title), joinTexts(title, description)
	ok := false
	switch kind {
	case kindBoolean:
		ok = f.readBoolean(o)
	case kindString:
		ok = f.readString(o)
	case kindNumber, kindInteger:
		ok = f.readNumber(o)
	case kindArray:
		ok = f.readArray(o)
	}
	if !ok {
		return f, queue.UnfitShown
	}
	if format := f.question.Format; format != nil && *format != (queue.TextFormat{Kind: queue.FormatText}) {
		f.question.Text += "\n\n" + "It takes " + format.Want() + "."
	}
	switch q := &f.question; {
	case f.optional && q.Mode != queue.ModeMulti:
		f.allowNone()
	case q.Min == 1 && q.Max == 1 && len(q.Defaults) == 0:
		q.StartsEmpty = true // a value that nobody chose is not to be sent
	}
	return f, ""
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
func (f *field) readBoolean(o wire.Object) bool {
	f.values = []json.RawMessage{json.RawMessage("true"), json.RawMessage("false")}
	f.question.Mode, f.question.Min, f.question.Max = queue.ModeSingle, 1, 1
	f.question.Options = []queue.Option{{ID: "1", Label: "Yes"}, {ID: "2", Label: "No"}}
	yes, ok := o.Flag("default")
	if _, there := o.Value("default"); there && ok {
		f.question.Defaults = []string{map[bool]string{true: "1", false: "2"}[yes]}
	}
	return true
}

// readString reads a field for a text, or for one of the values that the form lists.
func (f *field) readString(o wire.Object) bool {
	given, offered, ok := f.offerListed(o)
	if !ok || offered {
		return ok
	}
	format := queue.TextFormat{Kind: cmp.Or(o.Words("format"), queue.FormatText), Pattern: o.Words("pattern")}
	if !format.Known() { // the server checks it
		f.question.Text += "\n\n" + "It takes the format “" + format.Kind + "”."
		format.Kind = queue.FormatText
	}
	format.MinLength, _ = ReadLimit[int](o, "minLength")
	format.MaxLength, _ = ReadLimit[int](o, "maxLength")
	f.askForText(format)
	f.question.DefaultText, _ = wire.ReadText(given)
	return true
}

// offerListed makes the values that the form lists, if it lists any, the options of the field. given is the default. ok
// is false if the values cannot be read.
func (f *field) offerListed(o wire.Object) (given json.RawMessage, offered, ok bool) {
	options, values, ok := readValues(o)
	if !ok {
		return nil, false, false
	}
	given, _ = o.Value("default")
	if offered = len(values) > 0; offered {
		f.offerOne(options, values, given)
	}
	return given, offered, true
}

// askForText makes the question one that takes words of this format.
func (f *field) askForText(format queue.TextFormat) {
	f.question.Mode, f.question.Format = queue.ModeText, &format
	f.question.Placeholder = format.Want()
}

// readNumber reads a field for a number, which the person types or chooses.
func (f *field) readNumber(o wire.Object) bool {
	given, offered, ok := f.offerListed(o)
	if !ok || offered {
		return ok
	}
	format := queue.TextFormat{Kind: f.kind}
	format.Least, _ = ReadLimit[float64](o, "minimum")
	format.Most, _ = ReadLimit[float64](o, "maximum")
	format.Above, _ = ReadLimit[float64](o, "exclusiveMinimum")
	format.Below, _ = ReadLimit[float64](o, "exclusiveMaximum")
	format.MultipleOf, _ = ReadLimit[float64](o, "multipleOf")
	f.askForText(format)
	if format.Fits(string(given)) {
		f.question.DefaultText = string(given)
	}
	return true
}

// ReadLimit returns a numeric limit of a field; nil: the field has no such limit. ok is false if it cannot be read.
func ReadLimit[N int | int64 | float64](o wire.Object, name string) (bound *N, ok bool) {
	raw, there := o.Value(name)
	if !there {
		return nil, true
	}
	var n N
	if json.Unmarshal(raw, &n) != nil {
		return nil, false
	}
	return &n, true
}

// readArray reads a field for several of the values that the form lists, or for several texts.
func (f *field) readArray(o wire.Object) bool {
	items := wire.Object{}
	if raw, there := o.Value("items"); there {
		var ok bool
		if items, ok = wire.Read(raw); !ok {
			return false
		}
	}
	options, values, ok := readValues(items)
	least, _ := ReadLimit[int](o, "minItems")
	most, _ := ReadLimit[int](o, "maxItems")
	switch kind := cmp.Or(items.Words("type"), kindString); {
	case !ok:
		return false
	case len(values) == 0 && kind == kindString:
		f.question.Text += "\n\n" + "Write each of them on a line of its own."
		f.askForText(queue.TextFormat{Kind: queue.FormatText})
		return true
	case len(values) == 0:
		return false
	}
	f.offerValues(options, values, queue.ModeMulti)
	q := &f.question
	q.Min, q.Max = 0, len(values)
	switch {
	case least == nil:
	case f.optional && *least > 0:
		q.Text += "\n\n" + fmt.Sprintf("Mark none, or at least %d.", *least)
	default:
		q.Min = *least
	}
	if most != nil {
		q.Max = min(max(*most, 1), len(values))
	}
	given, _ := o.List("default")
	for _, v := range given {
		if at := f.indexOf(v); at >= 0 && !slices.Contains(q.Defaults, q.Options[at].ID) && len(q.Defaults) < q.Max {
			q.Defaults = append(q.Defaults, q.Options[at].ID)
		}
	}
	return true
}

// offerOne makes the given values the options of the field, one of which is chosen. given is the default.
func (f *field) offerOne(options []queue.Option, values []json.RawMessage, given json.RawMessage) {
	f.offerValues(options, values, queue.ModeSingle)
	if at := f.indexOf(given); at >= 0 {
		f.question.Defaults = []string{f.question.Options[at].ID}
	}
}

// offerValues makes the given values the options of the field. Their ids are numbers from 1.
func (f *field) offerValues(options []queue.Option, values []json.RawMessage, mode string) {
	f.values, f.question.Mode = values, mode
	for i, o := range options {
		o.ID = fmt.Sprint(i + 1)
		f.question.Options = append(f.question.Options, o)
	}
	f.question.Min, f.question.Max = queue.Bounds(mode, len(values))
}

// indexOf returns the place of a value among those of the field; -1: it is not there.
func (f *field) indexOf(value json.RawMessage) int {
	same := func(v json.RawMessage) bool {
		one, isOne := wire.ReadText(v)
		other, isOther := wire.ReadText(value)
		return isOne == isOther && one == other && (isOne || string(v) == string(value))
	}
	if len(value) == 0 {
		return -1
	}
	return slices.IndexFunc(f.values, same)
}

// readValues reads the values that a field may have, and the options that stand for them; none: it may have any. ok is
// false if they cannot be read.
func readValues(o wire.Object) (options []queue.Option, values []json.RawMessage, ok bool) {
	if only, there := o.Value("const"); there {
		label := (wire.Object{wire.Named("const", only)}).Words("const")
		return []queue.Option{{Label: label}}, []json.RawMessage{only}, true
	}
	if raw, there := o.Value("enum"); there {
		values, ok = wire.ReadList(raw)
		names, _ := o.List("enumNames")
		for i, v := range values {
			label := (wire.Object{wire.Named("value", v)}).Words("value")
			if i < len(names) {
				if name, isText := wire.ReadText(names[i]); isText && !queue.Blank(name) {
					label = name
				}
			}
			options = append(options, queue.Option{Label: label})
		}
		return options, values, ok
	}
	raw, there := o.Value("oneOf", "anyOf")
	if !there {
		return nil, nil, true
	}
	list, ok := wire.ReadList(raw)
	for _, one := range list {
		each, _ := wire.Read(one)
		value, isValue := each.Get("const")
		if !isValue {
			return nil, nil, false
		}
		label := each.Words("title")
		if queue.Blank(label) {
			label = each.Words("const")
		}
		options = append(options, queue.Option{Label: label, Description: each.Words("description")})
		values = append(values, value)
	}
	return options, values, ok
}

// formContent returns the values under the names of their fields, in the order of the form. Fields that the person left
// out are missing.
func formContent(fields []field, a queue.Answer) (json.RawMessage, bool) {
	content := wire.Object{}
	for _, f := range fields {
		r, ok := a.Reply(f.question.ID)
		if !ok {
			return nil, false
		}
		empty := f.kind == kindArray && f.optional && len(r.Selected) == 0 && r.Text == ""
		if slices.Contains(r.Selected, leaveOut) || empty {
			continue
		}
		raw, ok := f.answerValue(r)
		if !ok {
			return nil, false
		}
		content = append(content, wire.Named(f.name, raw))
	}
	return content.JSON(), true
}

// answerValue returns the field's value for a reply.
func (f field) answerValue(r queue.Reply) (json.RawMessage, bool) {
	chosen := []json.RawMessage{}
	for _, id := range r.Selected {
		for i, o := range f.question.Options {
			if o.ID == id && i < len(f.values) {
				chosen = append(chosen, f.values[i])
			}
		}
	}
	switch {
	case f.kind == kindArray && f.values == nil:
		return wire.Encode(filledLines(r.Text)), true
	case f.kind == kindArray:
		return wire.Encode(chosen), true
	case len(chosen) == 1:
		return chosen[0], true
	case f.kind == kindNumber, f.kind == kindInteger:
		return json.RawMessage(strings.TrimSpace(r.Text)), f.question.Format != nil && f.question.Format.Fits(r.Text)
	case f.kind == kindString && r.Text != "" && f.values == nil:
		if f.question.Format.Kind != queue.FormatText {
			return wire.Encode(strings.TrimSpace(r.Text)), true
		}
		return wire.Encode(r.Text), true
	}
	return nil, false
}

// filledLines returns the lines of a text that are not blank.
func filledLines(text string) []string {
	lines := []string{}
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// NonNullMembers returns the members whose value is not null.
func NonNullMembers(o wire.Object) (list wire.Object) {
	for _, m := range o {
		if string(m.Raw) != "null" {
			list = append(list, m)
		}
	}
	return list
}
