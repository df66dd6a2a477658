package widen

import (
	"context"

	"github.com/choicetui/choicetui/queue"
)

// Team asks teammates and brings back what they say. app/widen implements it. Calls with a context wait for a network
// or a disk, so a face makes them beside its loop; the others do not wait. Errors, and WhyNot, are sentences for a
// person, or the queue's.
type Team interface {
	// Ready reports whether the team can be reached; it takes half a second at most.
	Ready(ctx context.Context) error
	// WhyNot says why the team cannot be asked about a question; empty: it can, as far as that is known here.
	WhyNot(s queue.Session) string
	// TakesNames reports whether somebody whom the audience does not have can be asked by name.
	TakesNames() bool
	// Letter returns the text that they would read.
	Letter(s queue.Session, withPrompt bool) Letter
	// Members returns the people who would be asked.
	Members(ctx context.Context, s queue.Session) ([]queue.Member, error)
	// Ask asks them, and returns the question as it is with the team. Called again it asks once.
	Ask(ctx context.Context, c Call) (queue.Session, error)
	// Regroup says that the person waits for the team (queue.WidenBlocked) or continues meanwhile (queue.WidenParked).
	Regroup(ctx context.Context, session, state string, by Actor) (queue.Session, error)
	// Discussion returns the team's discussion so far.
	Discussion(ctx context.Context, session string) (Discussion, error)
	// Summarise has the asking agent sum a discussion up. Where that comes to nothing the review is empty.
	Summarise(ctx context.Context, session string, d Discussion, by Actor) (CandidateReview, error)
	// End answers or defers the question: do is a queue.Settle or a queue.Defer.
	End(ctx context.Context, session string, do queue.Action, by Actor) (queue.Session, error)
	// Tell tells the team every decision, whoever made it, until ctx ends: again and again until the team has it.
	// report hears what goes wrong.
	Tell(ctx context.Context, report func(error))
	// Ring has Tell look now.
	Ring()
}

// Letter holds the text for teammates; Prompt is empty if it is left out.
type Letter struct{ Title, Question, Prompt string }

// Actor says through which face a person works with the team; see queue.Command. With an ID a command that is tried
// again counts once.
type Actor struct{ Surface, Given, ID string }

// Command wraps what a person at that face does to a question.
func (a Actor) Command(do queue.Action) queue.Command {
	return queue.Command{ID: a.ID, By: queue.ByHuman, Surface: a.Surface, Given: a.Given, Do: do}
}

// Call says who is asked about which question, and whether they read the agent's prompt.
type Call struct {
	Session    string
	Invited    []queue.Member
	WithPrompt bool
	By         Actor
}

// WantKind says what a Consult wants to be done. The comment behind each names the values of its Want.
type WantKind int

// Kinds of wants.
const (
	WantNothing   WantKind = iota
	WantAudience           // find out who would be asked
	WantAsk                // ask them: Invited, WithPrompt
	WantRegroup            // wait for them, or continue meanwhile: State
	WantFetch              // fetch what they said
	WantSummarise          // have the agent sum it up: Discussion
	WantEnd                // answer or defer the question: Do
)

// Want describes a step that a Consult needs done outside of it. The zero Want asks for nothing.
type Want struct {
	Kind       WantKind
	Session    queue.Session // as it was then
	Invited    []queue.Member
	WithPrompt bool
	State      string
	Discussion Discussion
	Do         queue.Action

	call  int  // of the Consult
	again bool // a summary that the session has is not enough
}

// Got holds the result of a Want. Err says why the Want was not carried out.
type Got struct {
	Want       Want
	Err        error
	Audience   []queue.Member // of WantAudience
	TakesNames bool
	Session    queue.Session   // of WantAsk, WantRegroup and WantEnd
	Discussion Discussion      // of WantFetch
	Review     CandidateReview // of WantSummarise
}

// Run does what a Consult wants, and waits for it. A face that ends questions in a way of its own does a WantEnd
// itself, and returns its error in a Got.
func Run(ctx context.Context, t Team, w Want, by Actor) Got {
	g, id := Got{Want: w}, w.Session.ID
	switch w.Kind {
	case WantAudience:
		g.Audience, g.Err = t.Members(ctx, w.Session)
		g.TakesNames = t.TakesNames()
	case WantAsk:
		g.Session, g.Err = t.Ask(ctx, Call{Session: id, Invited: w.Invited, WithPrompt: w.WithPrompt, By: by})
	case WantRegroup:
		g.Session, g.Err = t.Regroup(ctx, id, w.State, by)
	case WantFetch:
		g.Discussion, g.Err = t.Discussion(ctx, id)
	case WantSummarise:
		g.Review, g.Err = t.Summarise(ctx, id, w.Discussion, by)
	case WantEnd:
		g.Session, g.Err = t.End(ctx, id, w.Do, by)
	case WantNothing:
	}
	return g
}
