package dialect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// provideChoice offers every feature of a question (docs/contract.md section 3.1). Its tool can also poll sessions of
// every format.
var provideChoice = Dialect{
	Tool:  Tool{nameProvideChoice, "Ask the person to choose"},
	Parse: parseProvideChoice, Render: renderProvideChoice, Fail: Fail, Wire: wireProvideChoice,
}

// The fields that the schema offers to a model, and fields that are accepted but not read: switches for cancelling,
// which is always possible, and wait_for_previous, which a client adds to every call.
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

// theQuestion is the id of the question in formats that ask a single one.
const theQuestion = "choice"

// longestWait limits wait_seconds to the longest time limit of a question.
const longestWait = 86400

// parseProvideChoice reads a new ask, or the poll of an earlier one.
func parseProvideChoice(raw json.RawMessage) (Request, error) {
	var r reader
	o, ok := r.arguments(raw, "an object with title, prompt and selection_mode")
	if !ok {
		return r.requestOrError(Request{})
	}
	if id, polls := sessionID(o); polls {
		return r.requestOrError(Request{Poll: &Poll{Session: id, Wait: waitSeconds(o)}, Transport: TransportAuto})
	}
	return r.requestOrError(provideAsk(o))
}

// sessionID reads the session to poll. polls is false if the field is missing or blank: some models send blank text for
// "none".
func sessionID(o *object) (id string, polls bool) {
	if _, there := o.takeField("session_id"); !there {
		return "", false
	}
	id = strings.ToLower(strings.TrimSpace(o.text("session_id", "the session_id of an earlier result, as text")))
	return id, id != "" || o.r.hasProblem(o.path("session_id"))
}

// requiredSessionID reads the session_id of a tool that needs one. want is the remedy if it is missing.
func requiredSessionID(o *object, want string) string {
	id, _ := sessionID(o)
	if queue.Blank(id) && !o.r.hasProblem(o.path("session_id")) {
		o.r.addProblem(o.path("session_id"), "is missing or blank", want)
	}
	return id
}

// waitSeconds reads how long a poll waits; nil: the caller gave no time.
func waitSeconds(o *object) *time.Duration {
	n := o.number("wait_seconds", "a whole number of seconds from 0 to 86400")
	if n == nil {
		return nil
	}
	if *n < 0 || *n > longestWait {
		o.r.addProblem(o.path("wait_seconds"), fmt.Sprintf("is %d", *n), "a whole number of seconds from 0 to 86400")
	}
	d := time.Duration(*n) * time.Second
	return &d
}

// provideAsk reads a new ask. It reports the problems of this format and of the queue together.
func provideAsk(o *object) Request {
	r := o.r
	req := Request{
		Ask: queue.Ask{
			Kind:     queue.KindChoice,
			Title:    o.text("title", "one line of text that says what is to be decided"),
			Prompt:   o.text("prompt", "the context of the current task and why you ask, as text"),
			Comment:  o.text("global_annotation", "text"),
			Audience: o.textList("audience", `a list of people's names, such as ["ana"]`, queue.MaxAudience),
		},
		Timeout:      o.number("timeout_seconds", "a whole number of seconds from 1 to 86400"),
		SingleSubmit: o.flag("single_submit_mode"),
		Transport:    o.enum("transport", TransportAuto, TransportTerminal, TransportWeb),
	}
	if req.Transport == "" {
		req.Transport = TransportAuto
	}
	byType, deprecated := o.readOlder()
	req.Deprecated = deprecated
	q, complete := provideQuestion(o, byType)
	if byType && len(q.Options) > 0 && !anyRecommended(q.Options) {
		req.Deprecated = append(req.Deprecated,
			`with selection_mode at least one option must have "recommended": true`)
	}
	q.SingleSubmit = req.SingleSubmit != nil && *req.SingleSubmit
	if _, there := o.takeField("wait_seconds"); there {
		r.addProblem("wait_seconds", "is only possible with session_id",
			"leave it out; timeout_seconds is how long the person has")
	}
	o.acceptIgnored(provideChoiceIgnored...)
	o.ignoreCancelSwitches()
	o.refuseUnknown(provideChoiceFields)
	req.Ask.Questions = []queue.Question{q}
	checkAsk(o, req, complete)
	return req
}

// checkAsk reports the problems for which the queue would refuse the ask, one for each field. It reports none of a
// field that the caller did not give. If not all options could be read (complete is false), it reports none of the
// default ids, nor of the limits, which depend on the number of options.
func checkAsk(o *object, req Request, complete bool) {
	r, q := o.r, req.Ask.Questions[0]
	probe := req.Ask
	probe.TimeoutSeconds, probe.OnTimeout = 300, queue.OnTimeoutNone
	if req.Timeout != nil {
		probe.TimeoutSeconds = *req.Timeout
	}
	trial := q
	if q.Mode == "" { // with the most lenient mode the options and limits can still be checked
		trial.Mode = queue.ModeHybrid
	}
	probe.Questions = []queue.Question{trial}
	for _, p := range wireProvideChoice(probe.Check()) {
		needsOptions := isLimit(p.Path) || strings.HasPrefix(p.Path, "default_selection_ids")
		if !r.isReported(p.Path) && !onlyFilledIn(o, q, p.Path) && (complete || !needsOptions) {
			r.problems = append(r.problems, p)
		}
	}
}

func isLimit(path string) bool { return strings.HasSuffix(path, "_selections") }

// onlyFilledIn reports whether a field's value is a default, and not the caller's.
func onlyFilledIn(o *object, q queue.Question, path string) bool {
	switch {
	case isLimit(path):
		return o.fields[path] == nil
	case q.Mode != "":
		return false
	case path == "options": // the mode may be text_input, which needs none
		return len(q.Options) == 0
	}
	return path == "single_submit_mode"
}

// provideQuestion reads the question. complete reports that every option's id could be read. byType means that the
// caller uses the first generation of the format, in which options are not recommended.
func provideQuestion(o *object, byType bool) (q queue.Question, complete bool) {
	r := o.r
	q = queue.Question{ID: theQuestion, Annotate: true}
	q.Mode = o.enum("selection_mode", queue.ModeSingle, queue.ModeMulti, queue.ModeText, queue.ModeHybrid)
	if q.Mode == "" && !r.hasProblem(o.path("selection_mode")) {
		r.addProblem("selection_mode", "is missing", "single, multi, text_input or hybrid")
	}
	needsRecommended := !byType
	q.Options, complete = provideOptions(o, q.Mode, needsRecommended)
	q.Defaults = o.textList("default_selection_ids", `a list of option ids, such as ["a"]`, queue.MaxOptions)
	q.Min, q.Max = readBounds(o, q)
	if a := o.flag("annotations_enabled"); a != nil {
		q.Annotate = *a
	}
	visible := o.flag("placeholder_visible")
	if visible != nil && !q.TakesText() && q.Mode != "" {
		r.addProblem("placeholder_visible", "is not possible with "+q.Mode+", where nothing is typed",
			"leave it out, or use text_input or hybrid")
	}
	q.Placeholder = o.text("placeholder", "text")
	if q.Mode == "" || visible != nil && !*visible {
		q.Placeholder = ""
	}
	return q, complete
}

// readBounds reads min_selections and max_selections. A missing one gets the default of the selection mode.
func readBounds(o *object, q queue.Question) (least, most int) {
	least, most = queue.Bounds(q.Mode, len(q.Options))
	if q.Mode == "" {
		least, most = queue.Bounds(queue.ModeHybrid, len(q.Options))
	}
	lo := o.number("min_selections", "a whole number, 0 or more")
	hi := o.number("max_selections", "a whole number, 1 or more")
	if q.Mode == queue.ModeSingle || q.Mode == queue.ModeText {
		if lo != nil {
			o.r.addProblem("min_selections", "is not possible with "+q.Mode, "leave it out, or use multi or hybrid")
		}
		if hi != nil {
			o.r.addProblem("max_selections", "is not possible with "+q.Mode, "leave it out, or use multi or hybrid")
		}
		return least, most
	}
	if hi != nil {
		most = *hi
	}
	if lo != nil {
		if least = *lo; hi == nil && least > most && most > 0 {
			o.r.addProblem("min_selections", fmt.Sprintf("is %d, but there are %s", least, count(most, "option")),
				fmt.Sprintf("at most %d", most))
		}
	} else if hi != nil {
		least = min(least, max(most, 0))
	}
	return least, most
}

// provideOptions reads the options. complete reports that every option's id could be read. With needsRecommended, at
// least one option must be recommended.
func provideOptions(o *object, mode string, needsRecommended bool) (options []queue.Option, complete bool) {
	r := o.r
	items, ok := o.list("options", `a list of objects such as {"id": "a", "label": "A", "recommended": true}`)
	if !ok {
		if mode != queue.ModeText && mode != "" && !r.hasProblem("options") {
			r.addProblem("options", "is missing", "at least one option, or selection_mode text_input")
		}
		return nil, mode == queue.ModeText && !r.hasProblem("options")
	}
	if len(items) > queue.MaxOptions {
		r.tooManyOptions("options", len(items))
		return nil, false
	}
	complete = true
	for i, raw := range items {
		at := fmt.Sprintf("options[%d]", i)
		options = append(options, provideOption(r, at, raw))
		complete = complete && !r.hasProblem(at+".id") && !slices.Contains(r.broken, at)
	}
	needsRecommended = needsRecommended && len(options) > 0 && mode != queue.ModeText
	if needsRecommended && !anyRecommended(options) && !hasUnreadFlag(r, len(options)) {
		r.addProblem("options", "has no recommended option",
			`"recommended": true on at least one, the one you would take`)
	}
	return options, complete
}

func anyRecommended(options []queue.Option) bool {
	return slices.ContainsFunc(options, func(o queue.Option) bool { return o.Recommended })
}

// hasUnreadFlag reports whether the field recommended of any option could not be read.
func hasUnreadFlag(r *reader, n int) bool {
	for i := range n {
		if r.hasProblem(fmt.Sprintf("options[%d].recommended", i)) {
			return true
		}
	}
	return false
}

// provideOption reads one option. at is its path.
func provideOption(r *reader, at string, raw json.RawMessage) queue.Option {
	o, ok := r.object(at, raw, `an object such as {"id": "a", "label": "A"}`)
	if !ok {
		return queue.Option{}
	}
	opt := queue.Option{
		ID:          o.textOrNumber("id", "a short text, different for each option"),
		Label:       o.textOrNumber("label", "text"),
		Description: o.text("description", "text"),
		Note:        o.text("annotation", "text"),
	}
	if queue.Blank(opt.Label) && !r.hasProblem(o.path("label")) {
		opt.Label = opt.ID
	}
	if rec := o.flag("recommended"); rec != nil {
		opt.Recommended = *rec
	}
	o.refuseUnknown(provideOptionFields)
	return opt
}

// wireNames maps field names of the queue to the names of this format, where they differ.
var wireNames = map[string]string{
	"mode": "selection_mode", "defaults": "default_selection_ids", "min": "min_selections", "max": "max_selections",
	"single_submit": "single_submit_mode", "annotate": "annotations_enabled", "note": "annotation",
	"comment": "global_annotation",
}

// wireWords replaces the queue's names of fields in the words of problems.
var wireWords = strings.NewReplacer(" mode ", " selection_mode ", " max (", " max_selections (")

// wireProvideChoice turns the queue's paths and names of fields into those of this format.
func wireProvideChoice(problems []queue.Problem) []queue.Problem {
	out := renamePaths(problems, wireNames)
	for i := range out {
		if p := &out[i]; !strings.Contains(p.Wrong, `"`) { // text in quotes may be the agent's
			p.Wrong, p.Want = wireWords.Replace(p.Wrong), wireWords.Replace(p.Want)
		}
	}
	return out
}

// ignoreCancelSwitches accepts every field with "cancel" in its name whose value is a switch. A field with another
// value asks for something else and stays unknown.
func (o *object) ignoreCancelSwitches() {
	for _, name := range o.names {
		switch value := strings.ToLower(strings.TrimSpace(scalarText(o.fields[name]))); value {
		case "true", "false", "null", "0", "1", "yes", "no", "on", "off":
			if strings.Contains(plainName(queue.Shorten(name, shortName, "…")), "cancel") {
				o.acceptIgnored(name)
			}
		}
	}
}

// olderModes maps the selection modes of earlier generations to those of today.
var olderModes = map[string]string{"single_select": "single", "multi_select": "multi"}

// readOlder replaces the fields of earlier generations by those of today (docs/contract.md section 3.1). deprecated
// tells the caller which fields to use now. byType reports that the caller uses the first generation, in which
// selection_mode was called type and options were not recommended.
func (o *object) readOlder() (byType bool, deprecated []string) {
	if raw, there := o.fields["type"]; there && string(raw) != "null" {
		o.acceptIgnored("type")
		if now, both := o.fields["selection_mode"]; both && string(now) != "null" {
			o.r.addProblem("type", "is the older name of selection_mode, which is there too", "leave it out")
			return false, nil
		}
		byType = true
		o.callerNames = map[string]string{"selection_mode": "type"}
		o.fields["selection_mode"] = raw
		deprecated = append(deprecated, "type is now called selection_mode")
	}
	if raw, there := o.fields["selection_mode"]; there && len(raw) > 0 {
		said := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(scalarText(raw))))
		if now, older := olderModes[said]; older {
			o.fields["selection_mode"], _ = json.Marshal(now)
			deprecated = append(deprecated, said+" is now selection_mode "+now)
		}
	}
	return byType, deprecated
}

// actionPending is the action_status of a session without an outcome, whether it was handed off or still waits.
const actionPending = "pending_terminal_launch"

// provideResult is the structured content of a result in this format.
type provideResult struct {
	ActionStatus string           `json:"action_status"`
	SessionID    string           `json:"session_id"`
	Selection    provideSelection `json:"selection"`
	SettledBy    string           `json:"settled_by,omitempty"`
	Person       string           `json:"person,omitempty"`
	Reason       string           `json:"reason,omitempty"`
	ReasonCode   string           `json:"reason_code,omitempty"`
	Advice       []string         `json:"advice,omitempty"`
	Deprecated   []string         `json:"deprecated,omitempty"`
	Discussion   *summarization   `json:"summarization_request,omitempty"`

	Team *queue.Resolution `json:"team,omitempty"`
}

// provideSelection holds the answer.
type provideSelection struct {
	SelectedIDs       []string          `json:"selected_ids"` // never null
	CustomInput       string            `json:"custom_input,omitempty"`
	OptionAnnotations map[string]string `json:"option_annotations,omitempty"`
	GlobalAnnotation  string            `json:"global_annotation,omitempty"`
	Transport         string            `json:"transport"`
	URL               string            `json:"url,omitempty"`
	Summary           string            `json:"summary"`
}

// renderProvideChoice returns a result in this format.
func renderProvideChoice(s queue.Session, d Delivery) Result {
	if s.Outcome == nil {
		return renderPending(s, d)
	}
	o := s.Outcome
	out := provideResult{
		ActionStatus: o.Status, SessionID: s.ID, SettledBy: o.By, Person: o.Person,
		Reason: o.Reason, ReasonCode: o.ReasonCode,
		Advice: Advise(s.Origin.Dialect, s.Ask), Deprecated: d.Deprecated, Team: o.Team,
		Selection: provideSelection{
			SelectedIDs: []string{}, GlobalAnnotation: o.Annotated().Comment,
			Transport: TransportTerminal, Summary: s.Summary(),
		},
	}
	if o.Surface == queue.SurfaceWeb || o.By != queue.ByHuman && s.Ask.Web { // as it was said while it was pending
		out.Selection.Transport = TransportWeb
	}
	if len(o.Answer.Replies) > 0 {
		reply := o.Answer.Replies[0]
		out.Selection.SelectedIDs = append(out.Selection.SelectedIDs, reply.Selected...)
		out.Selection.CustomInput = reply.Text
	}
	if noted := o.Annotated().Replies; len(noted) > 0 {
		out.Selection.OptionAnnotations = noted[0].Notes
	}
	// Some clients show the model the structured content alone, so the summary repeats the sentences.
	if said := moreDetailText(s) + deferredText(s); said != "" {
		out.Selection.Summary = said
	}
	if d.Joined != "" {
		out.Selection.Summary += " (" + d.Joined + ")"
		if out.Reason == "" {
			out.Reason = d.Joined
		}
	}
	raw := compact(out)
	text := resultLine(s, out.Selection.Summary) + "\n" + string(raw) + adviceLines(out.Advice, out.Deprecated)
	return Result{Text: text, Structured: raw}
}

// resultLine returns the first line of a result's text. It is enough for a model that reads no further.
func resultLine(s queue.Session, summary string) string {
	switch o := s.Outcome; {
	case o.Answered():
		if said := teamSentence(o); said != "" {
			return "The person answered: " + summary + "\n" + said
		}
		return "The person answered: " + summary
	case o.Status == queue.StatusTimeout:
		if len(o.Answer.Replies) > 0 {
			return "Nobody answered in time: " + summary
		}
		return "Nobody answered in time and nothing was chosen (" + summary + "). Do not choose for the person."
	case o.Status == queue.StatusCancelled:
		if moreDetailText(s) == "" {
			summary += "."
		}
		return "Nothing was chosen: " + summary + " Do not continue with any of the options."
	default:
		return "Nothing was chosen: " + strings.TrimSuffix(summary, ".") + ". Do not choose for the person."
	}
}

// renderPending returns the result for a session without an outcome: how the person can answer it, and the next call.
func renderPending(s queue.Session, d Delivery) Result {
	again := fmt.Sprintf(`call provide_choice again with {"session_id": %q}; do not choose yourself`, s.ID)
	summary := "No answer yet" + timeLeft(s, d.Now) + ": " + again
	url, transport := "", TransportTerminal
	switch {
	case d.Page != "":
		url, transport = d.Page, TransportWeb
		summary = "Waits for the person" + timeLeft(s, d.Now) + pageText(d) + ", then " + again
	case d.Attach != "" && s.Attached == nil:
		url = d.Attach
		summary = fmt.Sprintf("Waits for the person%s: run `%s` in a terminal to put the question on screen "+
			"(it works once, a retry is a new ask), then %s", timeLeft(s, d.Now), d.Attach, again)
	case s.Attached != nil:
		summary = "No answer yet" + timeLeft(s, d.Now) + ", its form was opened in a terminal: " + again
	}
	if d.Joined != "" {
		summary += " (" + d.Joined + ")"
	}
	out := provideResult{
		ActionStatus: actionPending, SessionID: s.ID, Deprecated: d.Deprecated,
		Selection: provideSelection{SelectedIDs: []string{}, Transport: transport, URL: url},
	}
	res := waitingResult(s, d, summary, func(message string, m *summarization) json.RawMessage {
		out.Selection.Summary, out.Discussion = message, m
		return compact(out)
	})
	res.Text += adviceLines(nil, d.Deprecated)
	return res
}

// pollSelection continues a session of any format. Its result has the format of the tool that asked. No session has
// this dialect, because its tool never asks.
var pollSelection = Dialect{
	Tool:  Tool{namePoll, "Wait for the person's answer"},
	Parse: parsePoll, Render: renderProvideChoice, Fail: failError, Wire: wireProvideChoice,
}

var pollFields = []string{"session_id", "wait_seconds"}

// parsePoll reads a call that continues a session.
func parsePoll(raw json.RawMessage) (Request, error) {
	var r reader
	o, ok := r.arguments(raw, "an object with session_id")
	if !ok {
		return r.requestOrError(Request{})
	}
	o.alias("session_id", "request_id", "id")
	o.alias("wait_seconds", "wait", "timeout_seconds")
	id := requiredSessionID(o, "the session_id (of hitl_request: the requestId) of an earlier result")
	poll := Poll{Session: id, Wait: waitSeconds(o)}
	o.acceptIgnored("wait_for_previous")
	o.refuseUnknown(pollFields)
	return r.requestOrError(Request{Poll: &poll, Transport: TransportAuto})
}
