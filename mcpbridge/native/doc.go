// Package native puts the prompts that agents show on their own into the queue: questions, permission prompts, plans
// and forms. No model has to be told to ask here. The person answers all of them in one place.
//
//	a hook's stdin, a plugin's line ─► Claude, opencode … (parsers: pure) ─► Asked ─► Intake.Await ─► queue.Queue
//	a socket's request ─► codexwatch ─► Codex ────────────────────────────────┘          │ watch
//	the agent's own form ◄── Asked.Render (pure) ◄── queue.Outcome ◄─────────────────────┘
//
// Three rules apply to all code here. In doubt it sends the agent nothing, and the agent's own prompt continues. It
// repeats an agent's bytes unchanged. It never answers a prompt on its own.
package native

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue"
)

// MaxInput limits the bytes of one request. A larger one is left to the agent's own prompt.
const MaxInput = 2 << 20

// Asked holds one prompt of an agent.
type Asked struct {
	Ask    queue.Ask    // complete but for the timeout, which the settings give
	Origin queue.Origin // the fields that the agent gives: client, directory, thread, source
	Where  string       // the place of the agent's own prompt: `in claude`
	// Render returns the outcome in the agent's own format; nil: the agent is sent nothing, and its own prompt
	// continues.
	Render func(s queue.Session) []byte
	// Beside returns a line for the agent, for words of the person that the answer's format cannot carry; empty: there
	// is none. It may be nil.
	Beside func(s queue.Session) string
	Within time.Duration // how long the agent waits for this answer; zero: as long as the intake's limit
	// Shared means that our parent process serves many agents, so it says nothing about this agent's directory and
	// pane.
	Shared bool
	// Dialog follows the agent's own dialog, which is open at the same time and whose answer ends the question here
	// too; nil: the agent shows no dialog, or nobody can follow it.
	Dialog *Dialog
	// Stopped reports whether the person stopped the agent instead of answering, for agents whose hook continues to run
	// then. It is called each second; nil: there is no way to know.
	Stopped func() bool
}

// Words holds the text that this program adds to an agent's prompt, and to the answers that it sends to the agent.
type Words struct {
	Title func(tool, what string) string // the title of an approval: the tool and what it would do
	Rest  string                         // the label of the tool's remaining input

	Once, Refuse    string
	Session         func(what string) string                 // allow this and more until the agent ends
	Covers          func(agent, what string) string          // the description of that option
	Mode            func(mode string) string                 // the description of a permission mode; empty: unknown
	Folders         func(agent string, dirs []string) string // the description of an option that adds directories
	PlanTitle       func(heading string) string
	PlanOnce        string
	PlanSession     string
	PlanRefuse      string
	Form            func(server string) string // the title of a form
	Yes, No         string
	LeaveOut        string                   // the option of a field that may stay empty
	Takes           func(want string) string // says which format the person's words must have
	Opened          string                   // the option that says that the person has opened an address
	Decline         string
	AddressQuestion string
	Refused         string                    // tells the agent of a refusal without a reason
	Declined        func(words string) string // tells the agent that the person declined a question with these words
	MoreDetail      func(about string) string // tells the agent that the person needs more detail to decide
	NotConfirmed    string                    // says that nobody knows whether the agent took an answer
	Untaken         string                    // says that the agent did not take the person's line
	// Answered returns the text that tells an agent the answers, if its hook can only refuse the call of its ask tool.
	// result is the result that the tool would have had.
	Answered func(tool, result string) string

	Always       func(what string) string                    // allow this and similar requests from now on
	AlwaysCovers func(agent, what string, lasts bool) string // its description; lasts: the agent stores the rule
	Codex        CodexWords
}

// isReadable reports whether an agent's bytes are short enough and valid UTF-8, so that they can be repeated without
// loss.
func isReadable(raw []byte) bool { return len(raw) <= MaxInput && utf8.Valid(raw) }

// refusalText tells the agent the words with which the person declined. It is empty if the person did not decline or
// gave no words: then the agent's own prompt continues.
func (w Words) refusalText(s queue.Session) string {
	o := s.Outcome
	switch {
	case o == nil || o.Status != queue.StatusCancelled || o.By != queue.ByHuman:
		return ""
	case o.WantsDetail():
		return w.MoreDetail(visibleText(o.Reason))
	case queue.Blank(o.Reason):
		return ""
	}
	return w.Declined(visibleText(o.Reason))
}

// refusalReason returns the person's words beside a refusal, or the default text if there are none.
func refusalReason(a queue.Answer, w Words) string {
	if words := ownWords(a, optionRefuse); words != "" {
		return words
	}
	return w.Refused
}

// visibleText returns the person's text for an agent, with invisible characters made visible.
func visibleText(text string) string {
	shown, _ := queue.Visible(text)
	return strings.TrimSpace(shown)
}
