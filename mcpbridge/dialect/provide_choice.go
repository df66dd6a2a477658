package dialect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// provide_choice (docs/contract.md section 3.1): the full contract, and the one every session can be polled with.
var provideChoice = Dialect{
	Tool:  Tool{nameProvideChoice, "Ask the person to choose"},
	Parse: parseProvideChoice, Render: renderProvideChoice, Fail: Fail, Wire: wireProvideChoice,
}

// The fields offered to a model. Two others are accepted without a word: switches for cancelling, which is always
// there, whatever the caller says, and wait_for_previous, which gemini adds to every call.
var (
	provideChoiceFields = []string{
		"title", "prompt", "selection_mode", "options", "placeholder", "placeholder_visible", "default_selection_ids",
		"min_selections", "max_selections", "single_submit_mode", "annotations_enabled", "global_annotation",
		"timeout_seconds", "audience", "transport", "session_id", "wait_seconds",
	}
	provideOptionFields  = []string{"id", "label", "description", "recommended", "annotation"}
	provideChoiceIgnored = []string{
		"allow_cancel", "cancellable", "cancel_enabled", "disable_cancel", "hide_cancel", "wait_for_previous",
	}
)

// theQuestion is the id of the one question a provide_choice asks.
const theQuestion = "choice"

// longestWait bounds wait_seconds, as the longest deadline does.
const longestWait = 86400

func parseProvideChoice(raw json.RawMessage) (Request, error) {
	var r reader
	if strings.TrimSpace(string(head(raw))) == "" || string(raw) == "null" {
		raw = json.RawMessage(`{}`)
	}
	o, ok := r.object("", raw, "an object with title, prompt and selection_mode")
	if !ok {
		return Request{}, &queue.Invalid{Problems: r.problems}
	}
	var req Request
	if id, polls := sessionID(o); polls {
		req = Request{Poll: &Poll{Session: id, Wait: waitSeconds(o)}, Transport: TransportAuto}
	} else {
		req = provideAsk(o)
	}
	if len(r.problems) > 0 {
		return Request{}, &queue.Invalid{Problems: r.problems}
	}
	return req, nil
}

func head(raw json.RawMessage) json.RawMessage { return raw[:min(len(raw), 16)] }

// sessionID reads the session to poll; blank text is what some models send for "none".
func sessionID(o *object) (id string, polls bool) {
	if _, there := o.take("session_id"); !there {
		return "", false
	}
	id = strings.ToLower(strings.TrimSpace(o.text("session_id", "the session_id of an earlier result, as text")))
	return id, id != "" || o.r.under(o.path("session_id"))
}

func waitSeconds(o *object) *time.Duration {
	n := o.number("wait_seconds", "a whole number of seconds from 0 to 86400")
	if n == nil {
		return nil
	}
	if *n < 0 || *n > longestWait {
		o.r.add(o.path("wait_seconds"), fmt.Sprintf("is %d", *n), "a whole number of seconds from 0 to 86400")
	}
	d := time.Duration(*n) * time.Second
	return &d
}

// provideAsk reads a new ask and checks it, ours and the queue's rules in one list.
func provideAsk(o *object) Request {
	r := o.r
	req := Request{
		Ask: queue.Ask{
			Kind:     queue.KindChoice,
			Title:    o.text("title", "one line of text that says what is to be decided"),
			Prompt:   o.text("prompt", "the context of the current task and why you ask, as text"),
			Comment:  o.text("global_annotation", "text"),
			Audience: o.words("audience", `a list of people's names, such as ["ana"]`, queue.MaxAudience),
		},
		Timeout:      o.number("timeout_seconds", "a whole number of seconds from 1 to 86400"),
		SingleSubmit: o.flag("single_submit_mode"),
		Transport:    o.enum("transport", TransportAuto, TransportTerminal, TransportWeb),
	}
	if req.Transport == "" {
		req.Transport = TransportAuto
	}
	byType, deprecated := o.older()
	req.Deprecated = deprecated
	q, complete := provideQuestion(o, byType)
	if byType && len(q.Options) > 0 && !anyRecommended(q.Options) {
		req.Deprecated = append(req.Deprecated,
			`with selection_mode at least one option must have "recommended": true`)
	}
	q.SingleSubmit = req.SingleSubmit != nil && *req.SingleSubmit
	if _, there := o.take("wait_seconds"); there {
		r.add("wait_seconds", "goes only with session_id", "it left out; timeout_seconds is how long the person has")
	}
	o.ignore(provideChoiceIgnored...)
	o.ignoreCancelSwitches()
	o.unknown(provideChoiceFields)
	req.Ask.Questions = []queue.Question{q}
	checkAsk(o, req, complete)
	return req
}

// checkAsk adds what the queue would refuse. What was not given is filled for the check alone; a field already
// reported is not reported again, and nothing is said about what was not given or, unless the options are complete,
// about what depends on them.
func checkAsk(o *object, req Request, complete bool) {
	r, q := o.r, req.Ask.Questions[0]
	probe := req.Ask
	probe.TimeoutSeconds, probe.OnTimeout = 300, queue.OnTimeoutNone
	if req.Timeout != nil {
		probe.TimeoutSeconds = *req.Timeout
	}
	trial := q
	if q.Mode == "" { // so that options and bounds are checked all the same
		trial.Mode = queue.ModeHybrid
	}
	probe.Questions = []queue.Question{trial}
	for _, p := range wireProvideChoice(probe.Check()) {
		bound := strings.HasSuffix(p.Path, "_selections")
		depends := bound || strings.HasPrefix(p.Path, "default_selection_ids")
		unmeant := bound && o.fields[p.Path] == nil || q.Mode == "" && p.Path == "single_submit_mode" ||
			q.Mode == "" && p.Path == "options" && len(q.Options) == 0 // a text_input needs none
		if r.said(p.Path) || unmeant || !complete && depends {
			continue
		}
		r.problems = append(r.problems, p)
	}
}

// provideQuestion reads the one question; complete says that every option's id could be read. The first generation
// of callers, who say type, knew no recommended options.
func provideQuestion(o *object, byType bool) (q queue.Question, complete bool) {
	r := o.r
	q = queue.Question{ID: theQuestion, Annotate: true}
	q.Mode = o.enum("selection_mode", queue.ModeSingle, queue.ModeMulti, queue.ModeText, queue.ModeHybrid)
	if q.Mode == "" && !r.under(o.path("selection_mode")) {
		r.add("selection_mode", "is missing", "single, multi, text_input or hybrid")
	}
	q.Options, complete = provideOptions(o, q.Mode, !byType)
	q.Defaults = o.words("default_selection_ids", `a list of option ids, such as ["a"]`, queue.MaxOptions)
	q.Min, q.Max = bounds(o, q)
	if a := o.flag("annotations_enabled"); a != nil {
		q.Annotate = *a
	}
	visible := o.flag("placeholder_visible")
	if visible != nil && !q.TakesText() && q.Mode != "" {
		r.add("placeholder_visible", "does not go with "+q.Mode+", where nothing is typed",
			"it left out, or text_input or hybrid")
	}
	q.Placeholder = o.text("placeholder", "text")
	if q.Mode == "" || visible != nil && !*visible {
		q.Placeholder = ""
	}
	return q, complete
}

// bounds reads min_selections and max_selections, and fills what was not given.
func bounds(o *object, q queue.Question) (least, most int) {
	least, most = queue.Bounds(q.Mode, len(q.Options))
	if q.Mode == "" {
		least, most = queue.Bounds(queue.ModeHybrid, len(q.Options))
	}
	lo := o.number("min_selections", "a whole number, 0 or more")
	hi := o.number("max_selections", "a whole number, 1 or more")
	if q.Mode == queue.ModeSingle || q.Mode == queue.ModeText {
		if lo != nil {
			o.r.add("min_selections", "does not go with "+q.Mode, "it left out, or multi or hybrid")
		}
		if hi != nil {
			o.r.add("max_selections", "does not go with "+q.Mode, "it left out, or multi or hybrid")
		}
		return least, most
	}
	if hi != nil {
		most = *hi
	}
	if lo != nil {
		if least = *lo; hi == nil && least > most && most > 0 {
			o.r.add("min_selections", fmt.Sprintf("is %d, but there are %s", least, count(most, "option")),
				fmt.Sprintf("at most %d", most))
		}
	} else if hi != nil {
		least = min(least, max(most, 0))
	}
	return least, most
}

func provideOptions(o *object, mode string, recommend bool) (options []queue.Option, complete bool) {
	r := o.r
	items, ok := o.list("options", `a list of objects such as {"id": "a", "label": "A", "recommended": true}`)
	if !ok {
		if mode != queue.ModeText && mode != "" && !r.under("options") {
			r.add("options", "is missing", "at least one option, or selection_mode text_input")
		}
		return nil, mode == queue.ModeText && !r.under("options")
	}
	if len(items) > queue.MaxOptions {
		r.tooManyOptions("options", len(items))
		return nil, false
	}
	complete = true
	for i, raw := range items {
		at := fmt.Sprintf("options[%d]", i)
		options = append(options, provideOption(r, at, raw))
		complete = complete && !r.under(at+".id") && !slices.Contains(r.broken, at)
	}
	recommend = recommend && len(options) > 0 && mode != queue.ModeText
	if recommend && !anyRecommended(options) && !unreadFlags(r, len(options)) {
		r.add("options", "has no recommended option", `"recommended": true on at least one, the one you would take`)
	}
	return options, complete
}

func anyRecommended(options []queue.Option) bool {
	return slices.ContainsFunc(options, func(o queue.Option) bool { return o.Recommended })
}

// unreadFlags reports whether any option's recommended was there and could not be read.
func unreadFlags(r *reader, n int) bool {
	for i := range n {
		if r.under(fmt.Sprintf("options[%d].recommended", i)) {
			return true
		}
	}
	return false
}

func provideOption(r *reader, at string, raw json.RawMessage) queue.Option {
	o, ok := r.object(at, raw, `an object such as {"id": "a", "label": "A"}`)
	if !ok {
		return queue.Option{}
	}
	opt := queue.Option{
		ID:          o.word("id", "a short text, different for each option"),
		Label:       o.word("label", "text"),
		Description: o.text("description", "text"),
		Note:        o.text("annotation", "text"),
	}
	if queue.Blank(opt.Label) && !r.under(o.path("label")) {
		opt.Label = opt.ID
	}
	if rec := o.flag("recommended"); rec != nil {
		opt.Recommended = *rec
	}
	o.unknown(provideOptionFields)
	return opt
}

// wireNames are the queue's names for what this format calls differently.
var wireNames = map[string]string{
	"mode": "selection_mode", "defaults": "default_selection_ids", "min": "min_selections", "max": "max_selections",
	"single_submit": "single_submit_mode", "annotate": "annotations_enabled", "note": "annotation",
	"comment": "global_annotation",
}

var modeName = strings.NewReplacer(" mode ", " selection_mode ")

// wireProvideChoice turns `questions[0].options[2].note` into `options[2].annotation`.
func wireProvideChoice(problems []queue.Problem) []queue.Problem {
	var out []queue.Problem
	for _, p := range problems {
		parts := strings.Split(strings.TrimPrefix(p.Path, "questions[0]."), ".")
		for i, part := range parts {
			name, index, _ := strings.Cut(part, "[")
			if wire, ok := wireNames[name]; ok {
				parts[i] = strings.TrimSuffix(wire+"["+index, "[")
			}
		}
		p.Path = strings.Join(parts, ".")
		if !strings.Contains(p.Wrong, `"`) { // ours alone, nothing of the agent's in it
			p.Wrong, p.Want = modeName.Replace(p.Wrong), modeName.Replace(p.Want)
		}
		out = append(out, p)
	}
	return out
}
