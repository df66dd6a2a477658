// Package dialect knows the wire formats agents speak, one file each, and nothing else of the house but queue.
//
//	arguments ─ Parse ─► Request ─ the bridge fills gaps from the settings ─► queue.Ask
//	result    ◄─ Render ─ queue.Session        refusal ◄─ Fail ─ Failure
//
// All functions are pure. A new format is one file with one Dialect value, one folder of tools/ with what a model
// reads of it, and one line in the table below. The session carries its dialect's name in Origin.Dialect, so a poll
// from another tool is answered in the asking one.
package dialect

import (
	"encoding/json"
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
	// Fail is the result of a call that got no session's state: refused, unknown, used up.
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

// table is every format served, in the order of the documentation.
var table = []Dialect{
	provideChoice,
	requestUserChoice,
	hitlRequest,
	askUserQuestion,
	pollSelection,
}

// All returns every format served as a tool.
func All() []Dialect { return table }

// interview is the format of the questions that an interview asks. No tool makes or fetches them. They are sent as
// provide_choice, whose result has room for everything.
var interview = Dialect{
	Tool:  Tool{Name: queue.DialectInterview},
	Parse: provideChoice.Parse, Render: renderProvideChoice, Fail: Fail, Wire: wireProvideChoice,
}

// For finds the format a session was asked in. Sessions of an unknown one (asked by a newer choicetui, or from a
// shell) are answered as provide_choice too.
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

// Tool is how a format is offered to a model. Its texts are read when they are wanted, as most processes
// of this program offer none. The schemas are JSON Schema (draft 2020-12), written by hand.
type Tool struct{ Name, Title string }

// Transports a caller can ask for.
const (
	TransportAuto     = "auto"
	TransportTerminal = "terminal"
	TransportWeb      = "web"
)

// Request holds a caller's request: a new ask, or with Poll the state of an old one.
//
// Ask is complete and valid but for what the settings have a say in: TimeoutSeconds and OnTimeout are not set,
// and the fields below say what the caller gave.
type Request struct {
	Ask          queue.Ask
	Poll         *Poll
	Transport    string   // auto unless told otherwise
	Timeout      *int     // seconds; nil: the caller gave none
	SingleSubmit *bool    // nil: the caller gave none
	Deprecated   []string // fields of older generations or not read, each with the one to use now
}

// Poll continues an existing session instead of asking.
type Poll struct {
	Session string
	Wait    *time.Duration // nil: the bridge's soft limit
}

// Delivery holds the bridge's details, beside the session, for a result that goes out.
type Delivery struct {
	Now    time.Time
	Attach string // the command that puts the session on a terminal; empty: not to be offered
	Page   string // the link to its page on the web; empty: it has none
	Opened bool   // that page was shown in the person's browser, and Page lets nobody in
	Joined string // why this is the state of an earlier ask, in a half sentence; empty: it is not
	// Discussion holds the team's messages for the agent to sum up; nil: none. The bridge notes when it was written.
	Discussion *queue.Request
	// Deprecated is the request's; a poll knows nothing of it.
	Deprecated []string
}

// Result goes back on the wire. Text is complete in itself, and so is Structured: some clients show the model
// only the one, some only the other.
type Result struct {
	Text       string
	Structured json.RawMessage
	IsError    bool
	Lines      []string // what the person wrote to the agent, each a text of its own behind Text; see With
}
