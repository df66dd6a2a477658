package dialect

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Models do not always keep to a format (docs/contract.md section 3.4). By habit they use other names for a field,
// write an option as a string or number, and put the recommendation into the label. The functions here accept all of
// this, for the formats in which the label of an option is also its id.

// optionFormat describes how a format writes an option.
type optionFormat struct {
	label string   // the name of the field that is both id and label
	offer []string // the names of all fields
	ready string   // an example of an option, for problems
}

// options reads a list of options. there is false if the field is missing. Ids that options have in other formats are
// accepted and ignored.
func (o *object) options(f optionFormat) (out []queue.Option, there bool) {
	o.alias("options", "choices")
	items, ok := o.list("options", "a list of options such as "+f.ready)
	if !ok {
		return nil, o.r.hasProblem(o.path("options"))
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
			o.r.addProblem(at, same, "different options")
		} else if opt.ID != "" {
			seen[opt.ID] = i
		}
		out = append(out, opt)
	}
	keepApart(out)
	return out, true
}

// keepApart gives options that look alike without the mark of a recommendation their whole labels back.
func keepApart(options []queue.Option) {
	shown := map[string]int{}
	for _, o := range options {
		shown[o.Label]++
	}
	for i, o := range options {
		if o.Label != o.ID && shown[o.Label] > 1 {
			options[i].Label = o.ID
		}
	}
}

// option reads one option: an object, JSON-encoded or not, or a string or number that is its label. at is its path.
func (r *reader) option(at string, raw json.RawMessage, f optionFormat) queue.Option {
	if raw = unwrapJSON(raw, '{'); len(raw) == 0 || raw[0] != '{' {
		return r.checkLabel(at, optionFromLabel(r.textOrNumber(at, raw, f.ready), nil))
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
	if v, there := o.takeField(f.label); there {
		label = r.textOrNumber(o.path(f.label), v, "text")
	}
	opt := optionFromLabel(label, o.flag("isRecommended"))
	opt.Description = o.text("description", "text")
	if preview := o.text("preview", "text"); !queue.Blank(preview) { // some question tools show a preview of an option
		opt.Description = strings.TrimLeft(opt.Description+"\n\n"+preview, "\n")
	}
	o.acceptIgnored("id", "value", "key", "icon")
	o.refuseUnknown(f.offer)
	return r.checkLabel(o.path(f.label), opt)
}

// tooManyOptions reports a list that is too long for a person to read.
func (r *reader) tooManyOptions(at string, n int) {
	r.addProblem(at, fmt.Sprintf("has %d entries", n),
		fmt.Sprintf("at most %d: narrow the choice down first", queue.MaxOptions))
}

// checkLabel reports the problems that the queue would have with a label, at the path of the label. It returns opt.
func (r *reader) checkLabel(at string, opt queue.Option) queue.Option {
	switch n := utf8.RuneCountInString(opt.ID); {
	case r.isReported(at):
	case queue.Blank(opt.ID):
		r.addProblem(at, "is missing or blank", "a short text")
	case n > queue.MaxOptionID:
		r.addProblem(at, fmt.Sprintf("has %d characters", n),
			fmt.Sprintf("at most %d; the rest goes into the description", queue.MaxOptionID))
	}
	return opt
}

// recommendedSuffix matches the mark that models put behind the label of an option they recommend, in English or
// Korean. It is compiled at its first use, because most processes never need it.
var recommendedSuffix = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\s*[(\[（]\s*(?:recommended|recommend|추천)\s*(?:·[^()]{0,20})?[)\]）]\s*$`)
})

// optionFromLabel returns an option whose id is the label unchanged. The label that is shown leaves out the
// recommendation. recommended overrides the one in the label; nil: it was not given.
func optionFromLabel(label string, recommended *bool) queue.Option {
	opt := queue.Option{ID: label, Label: label}
	if at := recommendedSuffix().FindStringIndex(label); at != nil && !queue.Blank(label[:at[0]]) {
		opt.Label, opt.Recommended = strings.TrimRight(label[:at[0]], " \t"), true
	}
	if recommended != nil {
		opt.Recommended = *recommended
	}
	return opt
}

// headline returns the first line of a question that is not blank and not a hint for the team, cut to the length of a
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

// setQuestionText puts the text of a single question into the ask. If it is longer than a title it becomes the prompt,
// which is Markdown and can be scrolled.
func setQuestionText(a *queue.Ask, q *queue.Question, text string) {
	if a.Title = headline(text); strings.TrimSpace(text) == a.Title {
		q.Text = text
	} else {
		a.Prompt = text
	}
}

// questionText returns the text of a question as the caller wrote it.
func questionText(a queue.Ask, q queue.Question) string {
	if q.Text == "" {
		return a.Prompt
	}
	return q.Text
}
