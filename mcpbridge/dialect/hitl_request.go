package dialect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue"
)

// hitlRequest offers options only, with an explicit second confirmation if the caller wants it (docs/contract.md
// section 3.3). Its sessions end with their tool call (queue.Session.EndsWithCall).
var hitlRequest = Dialect{
	Tool:  Tool{nameHITL, "Ask the person to choose, and to confirm"},
	Parse: parseHITL, Render: renderHITL, Fail: failHITL, Wire: wireHITL,
}

var (
	hitlFields = []string{
		"question", "options", "requireConfirmation", "confirmationMessage", "timeoutMs", "defaultOption", "metadata",
	}
	hitlOption = optionFormat{label: "label", offer: []string{"label", "description"}, ready: `"Keep the table"`}
	// freeTextWords lists parts of field names with which callers ask for own words.
	freeTextWords = []string{
		"text", "free", "input", "custom", "placeholder", "other", "multiline", "openended", "comment", "annotation",
		"note",
	}
)

const hitlTimeout = "a whole number of milliseconds from 1 to 86400000"

// parseHITL reads a request in this format.
func parseHITL(raw json.RawMessage) (Request, error) {
	var r reader
	o, ok := r.arguments(raw, "an object with question and options")
	if !ok {
		return r.requestOrError(Request{})
	}
	ask := queue.Ask{Kind: queue.KindChoice}
	q := queue.Question{ID: theQuestion, Mode: queue.ModeSingle, Min: 1, Max: 1}
	o.alias("question", "prompt", "message")
	question := o.question()
	warning := hitlConfirmation(o, &ask)
	setQuestionText(&ask, &q, question)
	switch {
	case warning == "":
	case q.Text != "": // the title holds the whole question, so the prompt is free for the warning
		ask.Prompt, q.Text = warning, ask.Title
	default:
		ask.Prompt = question + "\n\n" + warning
	}
	var there bool
	if q.Options, there = o.options(hitlOption); !there {
		r.addProblem(o.path("options"), "is missing", `at least one option, as text: ["Drop the table", "Keep it"]`)
	} else if len(q.Options) == 0 && !r.hasProblem(o.path("options")) {
		r.addProblem(o.path("options"), "is empty", `at least one option, as text: ["Drop the table", "Keep it"]`)
	}
	seconds := hitlSeconds(o)
	hitlDefault(o, &q)
	if meta, there := o.takeField("metadata"); there {
		r.object("metadata", meta, "an object") // accepted, and not shown
	}
	o.acceptIgnored("wait_for_previous")
	refuseFreeText(o)
	o.refuseUnknown(hitlFields)
	ask.Questions = []queue.Question{q}
	r.addQueueProblems(ask, seconds, wireHITL)
	return r.requestOrError(Request{Ask: ask, Timeout: seconds, Transport: TransportAuto})
}

// hitlConfirmation reads into ask whether the person must confirm the choice in a second step. If the caller gives a
// message for that step but does not require it, hitlConfirmation returns the message: the caller relies on the person
// reading it, so it is shown with the question.
func hitlConfirmation(o *object, ask *queue.Ask) (warning string) {
	o.alias("requireConfirmation")
	o.alias("confirmationMessage")
	if c := o.flag("requireConfirmation"); c != nil {
		ask.Confirm = *c
	}
	message := o.text("confirmationMessage", "text")
	if ask.Confirm {
		ask.ConfirmMessage = message
		return ""
	}
	if n := utf8.RuneCountInString(message); n > queue.MaxNote {
		o.r.addProblem(o.path("confirmationMessage"), fmt.Sprintf("has %d characters", n),
			fmt.Sprintf("at most %d", queue.MaxNote))
		return ""
	}
	if queue.Blank(message) {
		return ""
	}
	return message
}

// hitlSeconds reads timeoutMs, rounded up to whole seconds; nil: the caller gave none, or it has a problem.
func hitlSeconds(o *object) *int {
	o.alias("timeoutMs")
	ms := o.number("timeoutMs", hitlTimeout)
	if ms == nil {
		return nil
	}
	if *ms < 1 || *ms > 86400000 {
		o.r.addProblem(o.path("timeoutMs"), fmt.Sprintf("is %d", *ms), hitlTimeout)
		return nil
	}
	seconds := (*ms + 999) / 1000
	return &seconds
}

// hitlDefault reads the option that is selected at first. It is never chosen by a timeout.
func hitlDefault(o *object, q *queue.Question) {
	o.alias("defaultOption")
	raw, there := o.takeField("defaultOption")
	if !there {
		return
	}
	r, at := o.r, o.path("defaultOption")
	id := r.textOrNumber(at, raw, "one of the options, as text")
	if r.hasProblem(at) || r.hasProblem(o.path("options")) {
		return
	}
	for _, opt := range q.Options {
		if opt.ID == id || opt.Label == id {
			q.Defaults = []string{opt.ID}
			return
		}
	}
	r.addProblem(at, "is "+queue.Quote(id)+", which is not an option", "one of the options, spelled the same")
}

// refuseFreeText reports every field that asks for own words, with the reason: if a result can only be one of the
// options, a model cannot read anything else into it.
func refuseFreeText(o *object) {
	for _, name := range o.names {
		plain := strings.ReplaceAll(plainName(queue.Shorten(name, shortName, "…")), "context", "")
		asks := func(part string) bool { return strings.Contains(plain, part) }
		if !slices.Contains(o.known, name) && slices.ContainsFunc(freeTextWords, asks) {
			o.r.addProblem(o.path(shortVisible(name)), "asks for free text, and hitl_request takes options only",
				`leave it out, or use the tool provide_choice with selection_mode "hybrid" or "text_input"`)
			o.acceptIgnored(name)
		}
	}
}

// wireHITL turns the queue's paths into those of this format.
func wireHITL(problems []queue.Problem) []queue.Problem {
	return renamePaths(problems, map[string]string{
		"title": "question", "prompt": "question", "text": "question", "id": "label",
		"confirm_message": "confirmationMessage", "timeout_seconds": "timeoutMs", "defaults": "defaultOption",
	})
}

// hitlResult is the structured content of a result in this format.
type hitlResult struct {
	OK             bool     `json:"ok"`
	Status         string   `json:"status"`
	Confirmed      bool     `json:"confirmed"`
	SelectedOption *string  `json:"selectedOption"` // null unless confirmed
	Source         string   `json:"source,omitempty"`
	RequestID      string   `json:"requestId"`
	Message        string   `json:"message,omitempty"`
	ReasonCode     string   `json:"reason_code,omitempty"`
	Advice         []string `json:"advice,omitempty"`
}

// The statuses and sources of hitl_request results.
const (
	hitlConfirmed = "confirmed"
	hitlCanceled  = "canceled" // callers of this format spell it with one l
	hitlUser      = "user"
	hitlClock     = "timeout"
	hitlSystem    = "system"
)

// renderHITL returns a result in this format.
func renderHITL(s queue.Session, d Delivery) Result {
	out := hitlResult{Status: statusWaiting, RequestID: s.ID}
	if s.Outcome == nil {
		out.Message = waitingText(s, d)
		return out.result(out.Message)
	}
	out.Advice = Advise(s.Origin.Dialect, s.Ask)
	out.Source = hitlSource(s.Outcome.By)
	switch s.Outcome.Status {
	case queue.StatusSelected:
		option, _ := chosenAnswer(s)
		out.OK, out.Confirmed, out.Status, out.SelectedOption = true, true, hitlConfirmed, &option
		return out.result("The person confirmed: " + s.Summary())
	case queue.StatusTimeout:
		out.Status, out.Source = hitlClock, hitlClock
		out.Message = "Nobody confirmed in time, and nothing was chosen."
	default:
		out.Status, out.ReasonCode = hitlCanceled, s.Outcome.ReasonCode
		out.Message = "Nothing was chosen: " + undecidedText(s)
	}
	return out.result(out.Message + " Do not continue with any of the options.")
}

// hitlSource returns this format's word for who ended the question.
func hitlSource(by string) string {
	switch by {
	case queue.ByHuman:
		return hitlUser
	case queue.ByClock:
		return hitlClock
	}
	return hitlSystem
}

// result returns the result with a text before the structured content.
func (out hitlResult) result(text string) Result {
	raw := compact(out)
	return Result{Text: text + "\n" + string(raw) + adviceLines(out.Advice, nil), Structured: raw}
}

// failHITL returns a failure with the fields of this format and those that all formats have.
func failHITL(f Failure) Result {
	res := Fail(f)
	res.Structured = compact(struct {
		OK             bool    `json:"ok"`
		Status         string  `json:"status"`
		Confirmed      bool    `json:"confirmed"`
		SelectedOption *string `json:"selectedOption"`
		Source         string  `json:"source"`
		RequestID      string  `json:"requestId"`
		wireFailure
	}{Status: statusError, Source: hitlSystem, RequestID: shortVisible(f.ID), wireFailure: failedFrom(f)})
	res.Text += "\n" + string(res.Structured)
	return res
}
