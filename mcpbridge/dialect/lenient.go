package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// What models write by habit instead of what a format says (docs/contract.md section 3.4): other names for a field, an
// option that is a bare text or number, the recommendation in the label. The formats whose options are identified by
// what the person reads share it.

// arguments opens a tool's arguments; nothing at all is an empty object.
func (r *reader) arguments(raw json.RawMessage, want string) (*object, bool) {
	if trimmed := bytes.TrimSpace(head(raw)); len(trimmed) == 0 || string(raw) == "null" {
		raw = json.RawMessage(`{}`)
	}
	return r.object("", raw, want)
}

// alias lets a field go by other names, and by its own in another spelling (multi_select for multiSelect). Problems
// with it name the field as it came. Two names for the same field are refused: which one is meant?
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

// word is the reader's, for a field.
func (o *object) word(name, want string) string {
	raw, ok := o.take(name)
	if !ok {
		return ""
	}
	return o.r.word(o.path(name), raw, want)
}

// ignoreCancelSwitches accepts every field that turns cancelling on or off, whatever it is called. One that holds
// anything else asks for something that is not there.
func (o *object) ignoreCancelSwitches() {
	for _, name := range o.names {
		switch value := strings.ToLower(strings.TrimSpace(spelled(o.fields[name]))); value {
		case "true", "false", "null", "0", "1", "yes", "no", "on", "off":
			if strings.Contains(plainName(queue.Shorten(name, shortName, "…")), "cancel") {
				o.ignore(name)
			}
		}
	}
}

// optionFormat describes how a format writes an option: the field that is both its id and its label, and all the fields
// that it offers.
type optionFormat struct {
	label string   // the field's name: title or label
	offer []string // all fields offered
	ready string   // an example, for the remedy
}

// options reads a list of options. Fields that identify an option elsewhere are not looked at: here the label does.
func (o *object) options(f optionFormat) (out []queue.Option, there bool) {
	o.alias("options", "choices")
	items, ok := o.list("options", "a list of options such as "+f.ready)
	if !ok {
		return nil, o.r.under(o.path("options"))
	}
	if len(items) > queue.MaxOptions {
		o.r.tooManyOptions(o.path("options"), len(items))
		return nil, true
	}
	seen := map[string]int{}
	for i, raw := range items {
		at := fmt.Sprintf("%s[%d]", o.path("options"), i)
		opt := o.r.option(at, raw, f)
		if j, dup := seen[opt.ID]; dup && opt.ID != "" {
			same := fmt.Sprintf("%s is the same as %s[%d]", queue.Quote(opt.ID), o.path("options"), j)
			o.r.add(at, same, "different options")
		} else if opt.ID != "" {
			seen[opt.ID] = i
		}
		out = append(out, opt)
	}
	return out, true
}

// option reads one option: an object, JSON-encoded or not, or a bare text or number.
func (r *reader) option(at string, raw json.RawMessage, f optionFormat) queue.Option {
	if raw = encoded(raw, '{'); len(raw) == 0 || raw[0] != '{' {
		return r.checked(at, labelled(r.word(at, raw, f.ready), nil))
	}
	o, ok := r.object(at, raw, f.ready)
	if !ok {
		return queue.Option{}
	}
	o.alias(f.label, "title", "label", "name", "text", "option")
	if _, named := o.fields[f.label]; !named {
		o.alias(f.label, "value", "id")
	}
	o.alias("description", "details", "detail")
	o.alias("isRecommended", "recommended")
	var label string
	if v, there := o.take(f.label); there {
		label = r.word(o.path(f.label), v, "text")
	}
	opt := labelled(label, o.flag("isRecommended"))
	opt.Description = o.text("description", "text")
	if preview := o.text("preview", "text"); !queue.Blank(preview) { // the question-tool family's picture of an option
		opt.Description = strings.TrimLeft(opt.Description+"\n\n"+preview, "\n")
	}
	o.ignore("id", "value", "key", "icon")
	o.unknown(f.offer)
	return r.checked(o.path(f.label), opt)
}

// tooManyOptions refuses a list that no one could read through.
func (r *reader) tooManyOptions(at string, n int) {
	r.add(at, fmt.Sprintf("has %d entries", n),
		fmt.Sprintf("at most %d: narrow the choice down first", queue.MaxOptions))
}

// checked says what the queue would say of a label, where it was given. Its id is the label as it came.
func (r *reader) checked(at string, opt queue.Option) queue.Option {
	switch n := utf8.RuneCountInString(opt.ID); {
	case r.said(at):
	case queue.Blank(opt.ID):
		r.add(at, "is missing or blank", "a short text")
	case n > queue.MaxOptionID:
		r.add(at, fmt.Sprintf("has %d characters", n),
			fmt.Sprintf("at most %d; the rest goes into the description", queue.MaxOptionID))
	}
	return opt
}

// suffix matches the mark that models put behind the option they would take, also in the spellings of soma-work's older
// prompts.
var suffix = sync.OnceValue(func() *regexp.Regexp { // at its first use: most processes never need it
	return regexp.MustCompile(`(?i)\s*[(\[（]\s*(?:recommended|recommend|추천)\s*(?:·[^()]{0,20})?[)\]）]\s*$`)
})

// labelled returns an option whose id is the label as it came; what is shown comes without the recommendation in it.
func labelled(label string, recommended *bool) queue.Option {
	opt := queue.Option{ID: label, Label: label}
	if at := suffix().FindStringIndex(label); at != nil && !queue.Blank(label[:at[0]]) {
		opt.Label, opt.Recommended = strings.TrimRight(label[:at[0]], " \t"), true
	}
	if recommended != nil {
		opt.Recommended = *recommended
	}
	return opt
}

// headline returns the line that names a question in a list: its first line that is no hint, cut to the length of a
// title.
func headline(text string) string {
	if rest, _ := widen.TakeHints(text); !queue.Blank(rest) {
		text = rest
	}
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); !queue.Blank(l) {
			if utf8.RuneCountInString(l) > queue.MaxTitle {
				return queue.Shorten(l, queue.MaxTitle-1, "…")
			}
			return l
		}
	}
	return ""
}

// pose puts one question into the ask. What its title does not hold in full is the prompt: that is Markdown, and it
// scrolls.
func pose(a *queue.Ask, q *queue.Question, text string) {
	if a.Title = headline(text); strings.TrimSpace(text) == a.Title {
		q.Text = text
	} else {
		a.Prompt = text
	}
}

// posed returns the text of a question as it was asked.
func posed(a queue.Ask, q queue.Question) string {
	if q.Text == "" {
		return a.Prompt
	}
	return q.Text
}

// judge adds what the queue would refuse. What the settings fill is filled for the check alone, and a field that was
// already reported is not reported again.
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

// done returns the request, or everything wrong with it.
func (r *reader) done(req Request) (Request, error) {
	if len(r.problems) > 0 {
		return Request{}, &queue.Invalid{Problems: r.problems}
	}
	return req, nil
}
