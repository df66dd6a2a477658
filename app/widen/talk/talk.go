package talk

import (
	"context"
	"errors"
	"io"
	"time"

	team "github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Team asks the team; app/widen implements it.
type Team interface {
	Ready(ctx context.Context) error
	Audience(ctx context.Context, mission string) ([]queue.Member, error)
	TakesNames() bool
	Widen(ctx context.Context, c team.Call) (queue.Session, error)
	Park(ctx context.Context, session string, a team.Actor) (queue.Session, error)
	Fetch(ctx context.Context, session string) (widen.Discussion, error)
	Summarise(ctx context.Context, session string, d widen.Discussion, a team.Actor) (widen.CandidateReview, error)
	SummariseHere(ctx context.Context, session string, d widen.Discussion, a team.Actor,
		made func(context.Context) (widen.CandidateReview, error)) (widen.CandidateReview, error)
	Resolve(ctx context.Context, session string, v team.Verdict) (queue.Session, error)
	Defer(ctx context.Context, session string, d team.Deferral) (queue.Session, error)
}

// Options holds a conversation's settings. Queue, Team, In and Out are required.
type Options struct {
	Queue *queue.Queue
	Team  Team
	// In brings the person's lines, and is closed at their end. Want requests the next one, where lines are read one by
	// one; nil: they come without a request.
	In   <-chan string
	Want func()
	// Drop passes over what was typed or written before now, also a line that is not finished, and returns the whole
	// lines of it. It is called when the question changes under the person; nil: the lines of In are all there are.
	Drop func() []string
	// Interrupt is Ctrl-C; nil: it ends the program.
	Interrupt <-chan struct{}
	Out       io.Writer
	// Echo: the person sees what they type behind the prompt. Else a prompt is a line of its own.
	Echo   bool
	Colour bool // tones are coloured
	// Edit gives a text to the person's editor and returns the saved text; nil: no editor.
	Edit func(ctx context.Context, text string) (string, error)
	// Guard is the time after new output in which a line is not taken: it was meant for the text before it.
	Guard time.Duration
	// After is time.After; tests have a clock of their own.
	After   func(time.Duration) <-chan time.Time
	Surface string // queue.SurfaceCLI by default
}

// Times of a conversation.
const (
	// Reminded is the time without typing after which a wait reminds the person of itself.
	Reminded = 60 * time.Minute
	// saidAfter is the time that an agent may take for the summary before the person is told that it is waited for.
	saidAfter = 300 * time.Millisecond
	// summaryWithin is the time that a model has for the summary.
	summaryWithin = queue.SummaryWithin
)

// Question identifies the question of a conversation. Mission and ID name it to the team; if they are empty, its
// session does.
type Question struct{ Session, Mission, ID string }

// End says how a conversation about a question ended.
type End int

const (
	// Stopped: the person left, or the input ended. The question is as it was.
	Stopped End = iota
	// Over: the question has its outcome, from here or elsewhere.
	Over
	// Parked: the team has it, and the person continues.
	Parked
)

// What ends a step of the conversation from within.
var (
	errStopped = errors.New("stopped")
	errOver    = errors.New("over")
	errParked  = errors.New("parked")
	errChanged = errors.New("changed elsewhere")
	errAborted = errors.New("aborted") // Ctrl-C
	errEnded   = errors.New("ended")   // the input
	errLate    = errors.New("late")
)

// Talk holds conversations, one after the other, on the same lines. It belongs to one goroutine.
type Talk struct {
	*matter
	invite invite
	room   room
}

// New prepares conversations.
func New(o Options) *Talk {
	if o.After == nil {
		o.After = time.After
	}
	if o.Surface == "" {
		o.Surface = queue.SurfaceCLI
	}
	m := &matter{voice: &voice{o: o}}
	return &Talk{matter: m, invite: invite{m}, room: room{m}}
}

// Ask has the conversation about one question until it is over, parked, or the person leaves. The error is the queue's
// or the output's; with ErrNotFound the question went meanwhile.
func (t *Talk) Ask(ctx context.Context, about Question) (End, error) {
	return t.converse(ctx, about, t.step)
}

// converse repeats a step until one ends the conversation.
func (t *Talk) converse(ctx context.Context, about Question, step func(context.Context) error) (End, error) {
	t.about = about
	if err := t.look(ctx); err != nil {
		return Stopped, orLeft(err)
	}
	t.follow = follow(ctx, t.o.Queue, about.Session)
	defer t.follow.close()
	for {
		if t.now.Outcome != nil {
			t.sayLine(say.TalkOver(t.now))
			return Over, nil
		}
		switch err := step(ctx); {
		case errors.Is(err, errStopped):
			return Stopped, nil
		case errors.Is(err, errParked):
			return Parked, nil
		case errors.Is(err, errOver):
			return Over, nil
		case errors.Is(err, errChanged):
			if err := t.changed(ctx); err != nil {
				return Stopped, orLeft(err)
			}
			if t.now.Outcome != nil {
				return Over, nil
			}
			if t.now.Parked() && !t.final {
				return Parked, nil
			}
		case err != nil:
			return Stopped, err
		}
	}
}

// changed looks again at a question that changed elsewhere, and says so. What was meant for it as it was is refused.
// One that was parked there is parked here too.
func (t *Talk) changed(ctx context.Context) error {
	defer t.dropEarly()
	if err := t.look(ctx); err != nil {
		return err
	}
	if t.now.Outcome != nil {
		t.sayLine(say.TalkOver(t.now))
	} else {
		t.sayLine(say.TalkElsewhere)
	}
	return nil
}

// step takes the next step for the state of the question.
func (t *Talk) step(ctx context.Context) error {
	switch {
	case t.now.Widen == nil:
		return t.prompt(ctx)
	case t.now.Parked():
		return t.room.metAgain(ctx)
	}
	return t.room.wait(ctx)
}
