package roomtest

import (
	"context"

	widening "github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Team is a widen.Team without a network. Its calls change the queue as those of a real team do, and fail if a test
// sets an error for them.
type Team struct {
	Queue *queue.Queue

	Down, Lost, Unasked, Untold error  // the errors of Ready, Audience, Ask and Discussion
	Off                         bool   // it is not set up
	Unresolved                  bool   // answers are not told
	Doing                       string // see widen.Audience.Before
	ByName                      bool   // see widen.Audience.ByName
	Said                        []widen.Message
	Summary                     *queue.Candidate // nil if the agent gives no summary

	Calls                     []widen.Call
	Looked, Summarising, Rung int
	Ctx                       context.Context // the context of the last summary
}

// Mates returns the members of the team.
func Mates() []queue.Member {
	return []queue.Member{{UserID: "1", Name: "Alice Johnson"}, {UserID: "2", Name: "Bob Smith"},
		{UserID: "3", Name: "Carol Lee"}, {UserID: "4", Name: "Dana Park"}}
}

// Talk returns the team's discussion.
func Talk() []widen.Message {
	return []widen.Message{{Name: "Alice Johnson", Text: "We should definitely go with PostgreSQL for this."},
		{Name: "Carol Lee", Text: "Agreed, but let's make sure we consider the migration path."},
		{Name: "Alice Johnson", Text: "Good point. I'd say: PostgreSQL, plan migration from day 1."}}
}

// Agreed returns an agent's summary of the discussion.
func Agreed() *queue.Candidate {
	return &queue.Candidate{Answer: "PostgreSQL", SourceHint: queue.SourceTeam, Summary: "Team consensus is PostgreSQL " +
		"with migration-from-day-1 planning. Alice and Carol both agree on the direction."}
}

// Ready returns Down. It and the methods that follow make it a widen.Team.
func (t *Team) Ready(context.Context) error { t.Looked++; return t.Down }

// SetUp reports whether the team is not Off.
func (t *Team) SetUp() bool { return !t.Off }

// TellsAnswers reports whether answers are not Unresolved.
func (t *Team) TellsAnswers() bool { return !t.Unresolved }

// Audience returns Mates, ByName, Doing and the letter.
func (t *Team) Audience(_ context.Context, s queue.Session) (widen.Audience, error) {
	return widen.Audience{Members: Mates(), ByName: t.ByName, Letter: letter(s), Before: t.Doing}, t.Lost
}

// letter returns the title, the options and the prompt.
func letter(s queue.Session) widen.Letter {
	l := widen.Letter{Title: s.Ask.Title, Prompt: s.Ask.Prompt}
	for _, q := range s.Ask.Questions {
		var asked widen.AskedQuestion
		for _, o := range q.Options {
			asked.Options = append(asked.Options, widen.AskedOption{Label: o.Label, Description: o.Description,
				Recommended: o.Recommended})
		}
		l.Question += widening.LetterQuestion(asked)
	}
	return l
}

// Ask notes the call and stores it in the queue.
func (t *Team) Ask(ctx context.Context, id string, c widen.Call, by widen.Actor) (queue.Session, error) {
	t.Calls = append(t.Calls, c)
	if t.Unasked != nil {
		return queue.Session{}, t.Unasked
	}
	by.ID = queue.NewToken()
	return t.Queue.Do(ctx, id, by.Command(queue.Widen{Widened: queue.Widened{Decision: "01KPXFGJ", Mission: "shop",
		QuestionID: "q.1", Team: c.Invited, ThreadURL: "https://chat.example/t/1"}}))
}

// do stores an action on a question, as the person.
func (t *Team) do(ctx context.Context, id string, do queue.Action) (queue.Session, error) {
	return t.Queue.Do(ctx, id, queue.Command{ID: queue.NewToken(), By: queue.ByHuman, Surface: queue.SurfaceDashboard,
		Do: do})
}

// Discussion returns Said.
func (t *Team) Discussion(context.Context, string) (widen.Discussion, error) {
	var names []string
	for _, m := range t.Said {
		names = append(names, m.Name)
	}
	return widen.NewDiscussion(names, t.Said, len(t.Said), "https://chat.example/t/1"), t.Untold
}

// Summarise returns Summary.
func (t *Team) Summarise(ctx context.Context, _ string, _ widen.Discussion, _ widen.Actor) (queue.Candidate, error) {
	t.Summarising++
	t.Ctx = ctx
	if t.Summary == nil {
		return queue.Candidate{}, nil
	}
	return *t.Summary, nil
}

// Ring counts its calls.
func (t *Team) Ring() { t.Rung++ }

// Do stores the action in the queue.
func (t *Team) Do(ctx context.Context, id string, do queue.Action, _ widen.Actor) (queue.Session, error) {
	return t.do(ctx, id, do)
}

// Tell does nothing.
func (t *Team) Tell(context.Context, func(error)) {}
