// Package dialect reads and writes the wire formats of agents, one file each. Of our packages it imports only queue and
// queue/widen.
//
//	arguments ─ Parse ─► Request ─ the bridge fills gaps from the settings ─► queue.Ask
//	result    ◄─ Render ─ queue.Session        refusal ◄─ Fail ─ Failure
//
// All functions are pure. A new format needs one file with one Dialect value, one folder of tools/ with its description
// and schemas, and one line in the table below. The session has its dialect's name in Origin.Dialect, so a poll by
// another tool is answered in the format of the tool that asked.
package dialect

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Dialect describes one wire format: how it is offered, read and answered.
type Dialect struct {
	Tool Tool
	// Parse reads a tool's arguments. The error is *queue.Invalid with every problem at once, in wire paths.
	Parse func(raw json.RawMessage) (Request, error)
	// Render returns the result for a session in its present state: the outcome, or "still waiting" while it has none.
	Render func(s queue.Session, d Delivery) Result
	// Fail returns the result of a call that got no session's state: refused, unknown, used up.
	Fail func(f Failure) Result
	// Wire turns the paths of queue.Ask.Check into this format's.
	Wire func([]queue.Problem) []queue.Problem
}

// The tools' names, which are the dialects' too.
const (
	nameProvideChoice = "provide_choice"
	nameUserChoice    = "requestUserChoice"
	nameHITL          = queue.DialectBound
	nameQuestions     = "ask_user_question"
	namePoll          = "poll_selection"
)

// table lists the formats that are served as tools, in the order of the documentation.
var table = []Dialect{
	provideChoice,
	requestUserChoice,
	hitlRequest,
	askUserQuestion,
	pollSelection,
}

// All returns every format served as a tool.
func All() []Dialect { return table }

// interview renders the questions of an interview as provide_choice, whose result has room for everything. No tool
// makes or fetches them.
var interview = Dialect{
	Tool:  Tool{Name: queue.DialectInterview},
	Parse: provideChoice.Parse, Render: renderProvideChoice, Fail: Fail, Wire: wireProvideChoice,
}

// For returns the format that a session was asked in. Sessions of an unknown format (asked by a newer choicetui, or
// from a shell) are answered as provide_choice.
func For(name string) Dialect {
	if name == interview.Tool.Name {
		return interview
	}
	for _, d := range table {
		if d.Tool.Name == name {
			return d
		}
	}
	return table[0]
}

// Transports a caller can ask for.
const (
	TransportAuto     = "auto"
	TransportTerminal = "terminal"
	TransportWeb      = "web"
)

// Request holds a caller's request: a new ask, or with Poll the state of an old one.
//
// Ask is complete and valid but for the fields that depend on the settings: TimeoutSeconds and OnTimeout are not set.
// The fields below hold the caller's wishes for them.
type Request struct {
	Ask          queue.Ask
	Poll         *Poll
	Transport    string   // auto unless told otherwise
	Timeout      *int     // seconds; nil: the caller gave none
	SingleSubmit *bool    // nil: the caller gave none
	Deprecated   []string // fields that are outdated or not read, each with its replacement
}

// Poll continues an existing session instead of asking.
type Poll struct {
	Session string
	Wait    *time.Duration // nil: the bridge's soft limit
}

// Delivery holds the bridge's details, beside the session, for a result that goes out.
type Delivery struct {
	Now    time.Time
	Attach string // the command that puts the session on a terminal; empty: it is not offered
	Page   string // the link to the session's page on the web; empty: it has none
	Opened bool   // the page was shown in the person's browser, and Page lets nobody in
	Joined string // why an earlier ask is continued, as half a sentence; empty: it is a new one
	// Discussion holds the team's messages for the agent to sum up; nil: none.
	Discussion *queue.Request
	// Deprecated comes from the request; it is empty for a poll.
	Deprecated []string
}

// Result goes back on the wire. Text and Structured are each complete: some clients show the model only the text, some
// only the structured content.
type Result struct {
	Text       string
	Structured json.RawMessage
	IsError    bool
	Lines      []string // the person's lines to the agent, each sent as a text of its own behind Text; see With
}

// Detect returns the format of a JSON request that came by pipe instead of through a tool. The name is a tool's or
// ModelText; empty: the format is unknown.
func Detect(raw []byte) string {
	var shape struct {
		Type      json.RawMessage   `json:"type"`
		Mode      json.RawMessage   `json:"selection_mode"`
		Title     json.RawMessage   `json:"title"`
		Prompt    json.RawMessage   `json:"prompt"`
		Question  json.RawMessage   `json:"question"`
		Questions json.RawMessage   `json:"questions"`
		Choices   json.RawMessage   `json:"choices"`
		Options   []json.RawMessage `json:"options"`
	}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '{' {
		return ""
	}
	if json.Unmarshal(raw, &shape) != nil {
		shape.Options = nil // options of another shape are ignored
	}
	kind, _ := textOrNumber(shape.Type)
	switch {
	case strings.HasPrefix(kind, ModelText):
		return ModelText
	case len(shape.Mode) > 0 || len(shape.Prompt) > 0 && len(shape.Title) > 0:
		return nameProvideChoice
	case len(shape.Questions) > 0:
		return nameQuestions
	case len(shape.Question) > 0 && len(shape.Choices) > 0:
		return ModelText
	case len(shape.Question) > 0 && len(shape.Options) > 0:
		if bytes.Contains(shape.Options[0], []byte(`"title"`)) {
			return nameUserChoice
		}
		return nameHITL
	}
	return ""
}

// Approval is the dialect of system approvals: permissions that a program needs. A model never asks for them. They come
// from `choicetui ask --approval` and from hooks; no tool makes them.
const Approval = "approval"

// The options of an approval.
const (
	Approve = "approve"
	Deny    = "deny"
)

// ParseApproval reads `{title, prompt, details?}`. details holds the command or call to approve, which is shown first
// and in full. The error is *queue.Invalid with every problem.
func ParseApproval(raw json.RawMessage) (Request, error) {
	var r reader
	o, ok := r.object("", raw, "an object with title and prompt")
	if !ok {
		return r.requestOrError(Request{})
	}
	title := o.text("title", "what is to be approved")
	prompt := o.text("prompt", "why, and what it does")
	details := o.text("details", "the exact command or call")
	o.refuseUnknown(nil)
	ask := queue.Ask{
		Kind: queue.KindApproval, Title: title, Prompt: prompt, TimeoutSeconds: 300, OnTimeout: queue.OnTimeoutNone,
		Questions: []queue.Question{{
			ID: Approval, Mode: queue.ModeSingle, Min: 1, Max: 1, Annotate: true,
			Options: []queue.Option{{ID: Deny, Label: "Deny", Act: queue.ActRefuse},
				{ID: Approve, Label: "Approve", Act: queue.ActOnce}},
		}},
	}
	if !queue.Blank(details) {
		ask.Approval = &queue.Approval{Parts: []queue.Part{{Kind: queue.PartCommand, Text: details}}}
	}
	samePaths := func(problems []queue.Problem) []queue.Problem { return problems }
	r.addQueueProblems(ask, nil, samePaths)
	return r.requestOrError(Request{Ask: ask, Transport: TransportAuto})
}
