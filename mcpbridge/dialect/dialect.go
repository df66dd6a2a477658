// Package dialect reads and writes the wire formats in which agents ask. Each format has a file. Of our packages it
// imports only queue and queue/widen.
//
//	arguments ─ Parse ─► Request ─ the bridge fills gaps from the settings ─► queue.Ask
//	result    ◄─ Render ─ queue.Session        refusal ◄─ Fail ─ Failure
//
// All functions are pure. docs/design.md section 3 lists the files that a new format touches. A session stores the name
// of its dialect in Origin.Dialect, so that a poll by another tool is answered in the format of the tool that asked.
package dialect

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Dialect describes one wire format: its tool, and the functions that read and write it.
type Dialect struct {
	Tool Tool
	// Parse reads a tool's arguments. The error is a *queue.Invalid that lists all problems at once, with paths in this
	// format.
	Parse func(raw json.RawMessage) (Request, error)
	// Render returns the result for the present state of a session: its outcome, or "still waiting" if it has none.
	Render func(s queue.Session, d Delivery) Result
	// Fail returns the result of a call that receives no session's state, because it was refused or its session is
	// unknown or used up.
	Fail func(f Failure) Result
	// Wire turns the paths of queue.Ask.Check into the paths of this format.
	Wire func([]queue.Problem) []queue.Problem
}

// The names of the tools and of their dialects.
const (
	nameProvideChoice = "provide_choice"
	nameUserChoice    = "requestUserChoice"
	nameHITL          = queue.DialectBound
	nameQuestions     = "ask_user_question"
	namePoll          = "poll_selection"
)

// table lists the formats that are offered as tools, in the order of the documentation.
var table = []Dialect{
	provideChoice,
	requestUserChoice,
	hitlRequest,
	askUserQuestion,
	pollSelection,
}

// All returns every format that is offered as a tool.
func All() []Dialect { return table }

// interview renders the questions of an interview as provide_choice, whose result has a place for every part of an
// answer. No tool asks or fetches them.
var interview = Dialect{
	Tool:  Tool{Name: queue.DialectInterview},
	Parse: provideChoice.Parse, Render: renderProvideChoice, Fail: Fail, Wire: wireProvideChoice,
}

// For returns the format in which a session was asked. Sessions of an unknown format, asked by a newer choicetui or
// from a shell, are answered as provide_choice.
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

// The transports that a caller can ask for.
const (
	TransportAuto     = "auto"
	TransportTerminal = "terminal"
	TransportWeb      = "web"
)

// Request holds a caller's request: a new ask, or if Poll is set the state of an earlier one.
//
// Ask is complete and valid except for TimeoutSeconds and OnTimeout, which depend on the settings. The other fields
// hold the caller's wishes for settings.
type Request struct {
	Ask          queue.Ask
	Poll         *Poll
	Transport    string   // TransportAuto if the caller gave none
	Timeout      *int     // seconds; nil: the caller gave none
	SingleSubmit *bool    // nil: the caller gave none
	Deprecated   []string // a sentence for each field that is outdated or not read, with its replacement
}

// Poll asks for the state of an existing session.
type Poll struct {
	Session string
	Wait    *time.Duration // how long to wait for an outcome; nil: the bridge's soft limit
}

// Delivery holds the details that the bridge adds to a session for its result.
type Delivery struct {
	Now    time.Time
	Attach string // the shell command that opens the session in a terminal; empty: none is offered
	Page   string // the link to the session's web page; empty if there is none
	Opened bool   // the page was shown in the person's browser, so Page contains no secret that grants access
	Joined string // half a sentence that says why an earlier ask is continued; empty: the ask is new
	// Discussion holds the team's messages, which the agent is to sum up; nil: there are none.
	Discussion *queue.Request
	// Deprecated is Request.Deprecated; it is empty for a poll.
	Deprecated []string
}

// Result holds the response to a call. Text and Structured are each complete, because some clients show the model only
// one of them.
type Result struct {
	Text       string
	Structured json.RawMessage
	IsError    bool
	Lines      []string // the person's lines to the agent, each sent as a text block after Text; see With
}

// Lacks says which field is missing in a JSON object whose format Detect does not know; empty: raw is no object.
func Lacks(raw []byte) string {
	var has map[string]json.RawMessage
	if json.Unmarshal(raw, &has) != nil || has == nil {
		return ""
	}
	given := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return len(has[name]) > 0 })
	}
	switch {
	case given("question"):
		return `options is missing, such as ["yes", "later"]; for an answer in words give title, prompt and ` +
			`"selection_mode": "text_input"`
	case given("title"):
		return "prompt is missing, the text of the question"
	case given("prompt"):
		return "title is missing, the question in one line"
	case given("options", "choices"):
		return "question is missing, the text of the question"
	}
	return "question and options are missing; or title, prompt and options"
}

// Detect returns the format of a JSON request that came by pipe instead of through a tool: the name of a tool, or
// ModelText. It is empty if the format is unknown.
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
		shape.Options = nil // a list of options with an unexpected type says nothing about the format
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

// Approval is the dialect of approvals, with which a program asks for a permission. They come from hooks and `choicetui
// ask --approval`; no tool offers them, so a model never asks in it.
const Approval = "approval"

// The ids of an approval's options.
const (
	Approve = "approve"
	Deny    = "deny"
)

// ParseApproval reads `{title, prompt, details?}`. details holds the command or call to approve, which is shown in full
// before the prompt. The error is a *queue.Invalid that lists all problems.
func ParseApproval(raw json.RawMessage) (Request, error) {
	var r reader
	o, ok := r.object("", raw, "an object with title and prompt")
	if !ok {
		return r.requestOrError(Request{})
	}
	title := o.text("title", "what to approve")
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

// Tool names a tool that is offered to models. Its texts are read at their first use, because most processes of this
// program offer no tools. The schemas are JSON Schema (draft 2020-12), written by hand.
type Tool struct{ Name, Title string }

// served contains a folder for each tool, with its description and its two schemas. Models read these texts, so a
// change of them changes how agents behave:
//
//   - The descriptions say when to ask (docs/contract.md, provide_choice). The description of requestUserChoice has the
//     rule of the tool that it imitates: at least two options, one recommended, one question at a time.
//   - provide_choice requires nothing at the top level of its input: a poll needs none of the fields that an ask needs.
//   - No output schema requires properties or forbids additional ones: a refusal has the same schema as a result.
//   - The result of poll_selection has the format of the tool that asked, so its output schema allows all of them.
//
//go:embed tools
var served embed.FS

// failureHere marks the place in an output schema where the properties of tools/failure.json are inserted. Most outputs
// have them.
const failureHere = `"$ref": "../failure.json"`

// messagesHere marks the place for the properties of tools/messages.json. All outputs have them.
const messagesHere = `"$ref": "../messages.json"`

// teamHere marks the place for the properties of tools/team.json. The outputs of questions that can go to the team have
// them.
const teamHere = `"$ref": "../team.json"`

// Description returns the tool's description for a model.
func (t Tool) Description() string { return servedText("tools/" + t.Name + "/description.md") }

// Input returns the schema of the tool's arguments.
func (t Tool) Input() json.RawMessage {
	return json.RawMessage(servedText("tools/" + t.Name + "/input.json"))
}

// Output returns the schema of the tool's structured result.
func (t Tool) Output() json.RawMessage {
	shared := strings.NewReplacer(failureHere, properties("failure"), teamHere, properties("team"),
		messagesHere, properties("messages"))
	return json.RawMessage(shared.Replace(servedText("tools/" + t.Name + "/output.json")))
}

// properties returns the properties of a shared schema file, ready to be inserted into a schema.
func properties(name string) string {
	return strings.TrimSuffix(strings.TrimPrefix(servedText("tools/"+name+".json"), "{\n    "), "\n}")
}

// servedText returns a file of served without the newline at its end. It panics if the file is missing, which every
// test of this package would show.
func servedText(path string) string {
	raw, err := served.ReadFile(path)
	if err != nil {
		panic(fmt.Sprintf("a tool's text is missing: %v", err))
	}
	return strings.TrimSuffix(string(raw), "\n")
}
