package desk

import (
	"context"
	"errors"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Team asks teammates and brings back what they say. Its calls wait for a network and a disk, so the desk makes them
// beside its owner. Their errors, and WhyNot, are sentences for a person.
type Team interface {
	// Ready reports whether the team can be reached; it takes half a second at most.
	Ready(ctx context.Context) error
	// WhyNot says why the team cannot be asked about a question; empty: it can, as far as that is known here. It asks
	// nobody and does not wait.
	WhyNot(s queue.Session) string
	// Audience returns the people who would be asked.
	Audience(ctx context.Context, s queue.Session) ([]queue.Member, error)
	// TakesNames reports whether somebody whom the audience does not have can be asked by name. It does not wait.
	TakesNames() bool
	// Letter returns the text that they would read. It does not wait.
	Letter(s queue.Session, withPrompt bool) Letter
	// Ask asks them, and returns the question as it is with the team. Called again it asks once.
	Ask(ctx context.Context, call TeamCall) (queue.Session, error)
	// Regroup says that the person waits for the team (queue.WidenBlocked) or continues meanwhile (queue.WidenParked).
	Regroup(ctx context.Context, session, state string, by TeamActor) (queue.Session, error)
	// Discussion returns the team's discussion so far.
	Discussion(ctx context.Context, session string) (widen.Discussion, error)
	// Summarise has the asking agent sum a discussion up. Where that comes to nothing the review is empty.
	Summarise(ctx context.Context, session string, d widen.Discussion, by TeamActor) (widen.CandidateReview, error)
	// Run tells the team every decision, whoever made it, until ctx ends: again and again until the team has it. report
	// hears what goes wrong.
	Run(ctx context.Context, report func(error))
	// Ring has Run look now. It does not wait.
	Ring()
}

// Letter holds the text for teammates; Prompt is empty if it is left out.
type Letter struct{ Title, Question, Prompt string }

// TeamActor says who works with the team; see queue.Command.
type TeamActor struct{ Surface, Given string }

// TeamCall says who is asked about which question, and whether they read the agent's prompt.
type TeamCall struct {
	Session    string
	Invited    []queue.Member
	WithPrompt bool
	By         TeamActor
}

// Why the team is not asked, or its answer not taken. What the Team itself has against it is a Refusal.
var (
	ErrNoTeam      = errors.New("no team")
	ErrAsking      = errors.New("being asked")
	ErrTeamUnknown = errors.New("team unknown")
	ErrNobodyNamed = errors.New("nobody named")
	ErrNotWithTeam = errors.New("team unasked")
	ErrNoReason    = errors.New("no reason")
	ErrNoAnswer    = errors.New("no answer")
)

// Refusal gives the reason as a sentence for a person.
type Refusal string

func (r Refusal) Error() string { return string(r) }

type (
	// TeamMoved says that a consultation moved on without a key of the person's: see Consultation.Stage.
	TeamMoved struct{ Seat *Seat }
	// TeamFailed says that a step did not go; the consultation is where it was before it.
	TeamFailed struct {
		Seat *Seat
		Err  error
	}
	// TeamClosed says that a consultation ended because the question ended, or went to the team, elsewhere.
	TeamClosed struct {
		Seat    *Seat
		Session queue.Session
	}
	// TeamRegrouped says that a question with the team is waited for or parked now.
	TeamRegrouped struct {
		Seat    *Seat
		Session queue.Session
	}
	// TeamTrouble says that the team could not be told what was decided; it is tried again.
	TeamTrouble struct{ Err error }
)

func (TeamMoved) event()     {}
func (TeamFailed) event()    {}
func (TeamClosed) event()    {}
func (TeamRegrouped) event() {}
func (TeamTrouble) event()   {}
