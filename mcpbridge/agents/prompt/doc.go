// Package prompt puts the prompts that agents show on their own into the queue: questions, permission prompts, plans
// and forms. No model has to be told to ask here. The person answers all of them in one place.
//
//	a hook's stdin, a plugin's line ─► Claude, opencode … (parsers: pure) ─► Asked ─► Intake.Await ─► queue.Queue
//	a socket's request ─► codex/watch ─► Codex ────────────────────────────────┘          │ watch
//	the agent's own form ◄── Asked.Render (pure) ◄── queue.Outcome ◄─────────────────────┘
//
// The parsers look at nothing but the request, and where the paths in it lead (leads.go).
//
// Three rules apply to all code here. In doubt it sends the agent nothing, and the agent's own prompt continues. It
// repeats an agent's bytes unchanged. It never answers a prompt on its own.
package prompt

import (
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// MaxWhole limits the bytes of a request that are kept. What an agent wants to do takes less.
const MaxWhole = 16 << 20

// Asked holds one prompt of an agent.
type Asked struct {
	// Unfit says why the prompt cannot be answered here; empty: it can. If it cannot, only the title of Ask is set, and
	// the agent's own dialog is the only way; see Notice.
	Unfit queue.Unfit

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
	// Once is the name that hooks for the same prompt have in common, if the agent gives the prompt none; see OnceName.
	Once string
	// Shared means that our parent process serves many agents, so it says nothing about this agent's directory and
	// pane.
	Shared bool
	// Dialog follows the agent's own prompt, whose end ends the question here too; nil: nobody can follow it. Its Shown
	// tells whether the agent's own dialog is open at the same time.
	Dialog     Dialog
	Transcript string // the path of the agent's transcript, if its hook gives one
	// Stopped reports whether the person stopped the agent instead of answering, for agents whose hook continues to run
	// then. It is called each second; nil: there is no way to know.
	Stopped func() bool
}

// Words of choices that several agents offer.
const (
	AllowOnce = "Allow once"
	Refuse    = "Refuse"

	OpenAddress = "Open this address yourself; nothing opens it for you."
	Opened      = "I opened it myself"
	Decline     = "Decline"
)

// LineUntaken says why an agent's plugin could not deliver a line to its session. The agent is named beside it.
const LineUntaken = "its session did not take it and may be closed"

// Reasons why a question was withdrawn.
const (
	LeftAlone = "left to the agent because no dashboard is open any more"
	// formGivenUp is about a form of a server whose call has ended without it.
	formGivenUp = "its server no longer waits for it"
)

// answeredBefore says why an agent did not take an answer. where is the place of the earlier answer: `in claude`.
func answeredBefore(where string) string { return "answered " + where + " before" }

// decidedBefore says why an agent did not take an answer. by is what decided earlier: `by another hook`.
func decidedBefore(by string) string { return "decided " + by + " before" }

// ApprovalTitle returns the title of an approval: the tool, and what it would do.
func ApprovalTitle(tool, what string) string {
	if what == "" {
		return "Allow " + tool + "?"
	}
	return "Allow " + tool + ": " + what
}

// FormTitle returns the title of a form that an MCP server of the agent asks for.
func FormTitle(server string) string {
	if server == "" {
		return "A form"
	}
	return "A form of " + server
}

// RefusalText tells the agent the words with which the person declined. It is empty if the person did not decline or
// gave no words: then the agent's own prompt continues.
func RefusalText(s queue.Session) string {
	o := s.Outcome
	switch {
	case o == nil || o.Status != queue.StatusCancelled || o.By != queue.ByHuman:
		return ""
	case o.WantsDetail():
		words := "The person wants more detail before deciding"
		if about := visibleText(o.Reason); about != "" {
			words += ": “" + about + "”"
		}
		return words + ". Ask again with it."
	case queue.Blank(o.Reason):
		return ""
	}
	return "The person declined to answer: “" + visibleText(o.Reason) + "”. Do not choose for them."
}

// RefusalReason returns the person's words beside a refusal, or the default text if there are none.
func RefusalReason(a queue.Answer) string {
	if words := OwnWords(a, OptionRefuse); words != "" {
		return words
	}
	return "The person refused this. Do not try it again in another way; ask what they want instead."
}

// visibleText returns the person's text for an agent, with invisible characters made visible.
func visibleText(text string) string {
	shown, _ := queue.Visible(text)
	return strings.TrimSpace(shown)
}
