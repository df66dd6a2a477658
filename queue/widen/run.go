package widen

import (
	"context"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Team sends questions to the teammates and fetches their discussion. app/widen implements it. Methods with a context
// wait for a network or a disk, so a frontend calls them outside its event loop; the others do not wait. Errors are
// sentences for a person, or errors of package queue. A session is given by its id.
type Team interface {
	// Ready returns nil if the team can be reached. It takes at most half a second.
	Ready(ctx context.Context) error
	// SetUp reports whether the settings name a way to the team now.
	SetUp() bool
	// Audience returns who would be asked. It names somebody, or fails.
	Audience(ctx context.Context, s queue.Session) (Audience, error)
	// Ask sends the question to the team and returns the widened session. A repeated call does not ask twice.
	Ask(ctx context.Context, session string, c Call, by Actor) (queue.Session, error)
	// Discussion fetches the team's discussion so far.
	Discussion(ctx context.Context, session string) (Discussion, error)
	// Summarise has the asking agent sum a discussion up. It returns the zero Candidate if no usable summary comes.
	Summarise(ctx context.Context, session string, d Discussion, by Actor) (queue.Candidate, error)
	// Do carries out an action about the question in the queue: a queue.Regroup, a queue.Settle or a queue.Defer.
	Do(ctx context.Context, session string, do queue.Action, by Actor) (queue.Session, error)
	// Tell runs until ctx ends. It tells the team how each widened question was decided, whoever decided it, and tries
	// again until the team has received that. It calls report with each error.
	Tell(ctx context.Context, report func(error))
	// TellsAnswers reports whether Tell calls the team with an answer. The settings may switch that call off.
	TellsAnswers() bool
	// Ring makes Tell look for new decisions now.
	Ring()
}

// Audience describes who would be asked about a question, and what they can be told beside the question.
type Audience struct {
	Members []queue.Member // the people who would be asked; empty: not known yet
	ByName  bool           // people outside Members can be asked too, by their name alone
	Letter  Letter         // what they can read: the question, and the agent's prompt if the person adds it
	// Before is what the agent was doing when it asked, as the teammates would read it: clean, short, and under its own
	// heading. It is empty if that is not known. Nothing of it is sent unless the person adds it.
	Before string
}

// Letter contains the text that teammates read about a question. Hidden characters in it are visible.
type Letter struct {
	Title    string
	Question string          // what is asked, with the options; empty if the title says all of it
	Asked    []AskedQuestion // the same as data; nil if there are no options
	Prompt   string          // Markdown: what the person adds, the agent's prompt and below it what the agent was doing
}

// Below returns the question, without the title at its beginning.
func (l Letter) Below() string {
	if l.Question == l.Title {
		return ""
	}
	return strings.TrimPrefix(l.Question, l.Title+"\n")
}

// AskedQuestion holds one question and its options. Its size is bounded.
type AskedQuestion struct {
	Text    string        `json:"text"`
	Options []AskedOption `json:"options,omitempty"`
	More    int           `json:"more_options,omitempty"` // options that are left out
}

// AskedOption holds an option, each part on one line.
type AskedOption struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Recommended bool   `json:"recommended,omitempty"` // the agent recommends it
}

// Actor describes the person who works with the team, for queue.Command: their frontend, and the agent that received
// the link to it. With an ID, a command that is sent again takes effect once.
type Actor struct{ Surface, Given, ID string }

// Command returns the command for an action of this person.
func (a Actor) Command(do queue.Action) queue.Command {
	return queue.Command{ID: a.ID, By: queue.ByHuman, Surface: a.Surface, Given: a.Given, Do: do}
}

// Call describes one request to the team: the people who are asked, whether they read the agent's prompt, and what the
// agent was doing, as Audience has it; empty: they do not read that.
type Call struct {
	Invited    []queue.Member
	WithPrompt bool
	Before     string
}

// WantKind names the call to the team that a Want describes.
type WantKind int

// Kinds of wants. The comment behind each kind lists the fields of Want that it uses.
const (
	WantNothing   WantKind = iota
	WantAudience           // find out who would be asked
	WantAsk                // ask the team: Call
	WantRegroup            // wait for the team, or continue meanwhile: Do
	WantFetch              // fetch the team's discussion
	WantSummarise          // have the agent sum the discussion up: Discussion
	WantEnd                // answer or defer the question: Do
)

// Want describes a call that the frontend must make for a Consult, because a Consult makes no calls itself. The zero
// Want asks for no call.
type Want struct {
	Kind    WantKind
	Session queue.Session // the session when the Want was made
	Call
	Discussion Discussion
	Do         queue.Action

	number int  // number of the call within its Consult
	again  bool // ask for a new summary even if the session already has one
}

// Got contains the result of a Want. Err is the reason if the call failed.
type Got struct {
	Want       Want
	Err        error
	Audience   Audience        // of WantAudience
	Session    queue.Session   // of WantAsk, WantRegroup and WantEnd
	Discussion Discussion      // of WantFetch
	Candidate  queue.Candidate // of WantSummarise
}

// Run makes the call that a Want describes and waits for its result. A frontend that has its own way to end a question
// carries out WantEnd itself instead, and passes the result to Consult.Take in a Got.
func Run(ctx context.Context, t Team, w Want, by Actor) Got {
	g, id := Got{Want: w}, w.Session.ID
	switch w.Kind {
	case WantAudience:
		g.Audience, g.Err = t.Audience(ctx, w.Session)
	case WantAsk:
		g.Session, g.Err = t.Ask(ctx, id, w.Call, by)
	case WantFetch:
		g.Discussion, g.Err = t.Discussion(ctx, id)
	case WantSummarise:
		g.Candidate, g.Err = t.Summarise(ctx, id, w.Discussion, by)
	case WantRegroup, WantEnd:
		g.Session, g.Err = t.Do(ctx, id, w.Do, by)
	case WantNothing:
	}
	return g
}
