// Package native takes in the prompts that agents show on their own: questions, permission prompts, plans and forms. No
// model has to be told to ask here; the person finds all of it in one queue.
//
//	a hook's stdin, a plugin's line ─► Claude, opencode … (parsers: pure) ─► Asked ─► Intake.Await ─► queue.Queue
//	a socket's request ─► codexwatch ─► Codex ────────────────────────────────┘          │ watch
//	the agent's own form ◄── Asked.Render (pure) ◄── queue.Outcome ◄─────────────────────┘
//
// These rules hold everywhere here. In doubt nothing is said, and the agent's own prompt continues. What an agent gave
// is passed on byte for byte. Nothing here ever gives an answer of its own.
package native

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue"
)

// MaxInput limits the size of one request; a larger one is left to the agent's own prompt.
const MaxInput = 2 << 20

// Asked is one prompt of an agent's own.
type Asked struct {
	Ask    queue.Ask    // all but the timeout, which the settings give
	Origin queue.Origin // as far as the agent says it: client, directory, thread, source
	Where  string       // the place where it may be answered instead: `in claude`
	// Render returns an outcome in the agent's own form; nil: nothing is said, and the agent's own prompt continues.
	Render func(s queue.Session) []byte
	// Beside is a line for the agent where the answer itself cannot carry the person's words; empty or nil: no
	// line is sent.
	Beside func(s queue.Session) string
	Within time.Duration // how long the agent itself waits for this; zero: as long as the intake says
	// Shared says that the process above is a service for many agents: it says nothing of where this one is.
	Shared bool
	// Dialog is the agent's own, which is open at the same time and ends what is asked here too; nil: the agent
	// shows no dialog, or nobody can look at it.
	Dialog *Dialog
	// Stopped reports whether the person stopped the agent in place of an answer, where the agent does not end its hook
	// then. It is called each second; nil: nothing says so.
	Stopped func() bool
}

// Words are the words that a person reads of a native ask beside the agent's own.
type Words struct {
	Title func(tool, what string) string // of an approval: what is to be allowed, on one line
	Wants string                         // the question of an approval without a reason
	Rest  string                         // the label of what else the agent gives to its tool

	Once, Refuse    string
	Session         func(what string) string        // allow this and more until the agent ends
	Covers          func(agent, what string) string // what that is
	Mode            func(mode string) string        // a way of working of the agent's; empty: not known
	Folders         func(agent string, dirs []string) string
	PlanTitle       func(heading string) string
	PlanOnce        string
	PlanSession     string
	PlanRefuse      string
	Form            func(server string) string // whose form it is
	Yes, No         string
	LeaveOut        string                   // the option of a field that may stay empty
	Takes           func(want string) string // what own words have to be
	Opened          string                   // the option of an address that the person has opened
	Decline         string
	AddressQuestion string
	Refused         string                    // told to the agent where the person gave no reason
	Declined        func(words string) string // told to the agent of a question that the person declined with words
	MoreDetail      func(about string) string // told to the agent of a question that wants more detail
	NotConfirmed    string                    // why nobody knows whether it did
	Untaken         string                    // why a line of the person's did not arrive: the agent did not take it
	// Answered tells the answers to an agent whose ask tool can only be refused; result is the result of that tool.
	Answered func(tool, result string) string

	Always       func(what string) string                    // allow this and what is alike from now on
	AlwaysCovers func(agent, what string, lasts bool) string // what that is; lasts: also after the agent's next start
	Codex        CodexWords
}

// isReadable reports whether an agent's bytes are text that can be read and repeated without loss.
func isReadable(raw []byte) bool { return len(raw) <= MaxInput && utf8.Valid(raw) }

// refusalText returns the text for the agent about a question that the person declined, in their words. Without words
// it is empty, and the agent asks in its own way.
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

// refusalReason returns the person's reason for refusing, in their own words, wherever they wrote them.
func refusalReason(a queue.Answer, w Words) string {
	if words := ownWords(a, optionRefuse); words != "" {
		return words
	}
	return w.Refused
}

// visibleText returns a person's text as an agent may read it: what nobody would see is shown.
func visibleText(text string) string {
	shown, _ := queue.Visible(text)
	return strings.TrimSpace(shown)
}
