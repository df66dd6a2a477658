// Package talk prints the conversation about one question on lines: the question itself, whether the team is asked, the
// wait for it, and the review of its proposal. `choicetui interview --plain` and `choicetui --plain` have it.
//
//	stage ─► prompt ─► a line ─► widen.Consult ─► Want ─► widen.Run ─► Got ─► widen.Consult ─► stage
//
//	question ─┬─ an answer, a deferral ─────────────────────────────────────────► over
//	          └─ w: names ─► asked: pause ─┬─ b: waiting ─┬─ an answer, a deferral ─► over
//	                                       └─ c: parked   └─ f: the discussion ─► review ─► over
//
// The rules about the team are those of queue/widen.Consult. A conversation blocks. It reads a line only when it has
// asked for one, so that an editor has the terminal for itself meanwhile, and it hears when the question changes
// elsewhere. Where the queue's server is away it waits with what was typed, and stores that once the server is back.
// A line that was not asked for, the end of the input and Ctrl-C answer nothing: the last two end the conversation and
// leave the question as it is.
package talk

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	team "github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Options holds a conversation's settings. Queue, Team, In and Out are required.
type Options struct {
	Queue *queue.Queue
	Team  widen.Team
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

// End says how a conversation about a question ended.
type End int

const (
	// Stopped: the person left, or the input ended. The question is as it was.
	Stopped End = iota
	// Over: the question has its outcome, from here or elsewhere.
	Over
	// Parked: the team has it, and the person continues.
	Parked

	talking End = -1 // the conversation has not ended
)

// Reasons why no line came, or why the person does not continue with it.
var (
	errStopped = errors.New("stopped") // the person left
	errEnded   = errors.New("ended")   // the input
	errChanged = errors.New("changed elsewhere")
	errLate    = errors.New("late")
	errBack    = errors.New("back") // the person goes back to the prompt before
)

// Talk holds conversations, one after the other, on the same lines. It belongs to one goroutine.
type Talk struct {
	o      Options
	single bool // it is about one question alone, outside of an interview
	final  bool // it is in the pass over the questions that are still with the team

	id     string         // the question's
	c      *widen.Consult // its Session is the question as it was last seen here
	end    End
	on     *stage // the stage whose head is written
	pauses bool   // the team was just asked, and the person says whether they wait
	typed  string // the command that the person typed instead of waiting for a summary
	noTeam string // why the team cannot be asked, as the question was written last

	changes <-chan queue.Session // of the question; the latest alone
	asked   bool                 // a line was asked for that has not come yet
	begun   bool                 // something was written before
	shown   time.Time            // when something new was written; zero: the person's own line brought it up
}

// New prepares conversations.
func New(o Options) *Talk {
	if o.After == nil {
		o.After = time.After
	}
	if o.Surface == "" {
		o.Surface = queue.SurfaceCLI
	}
	return &Talk{o: o, c: &widen.Consult{}}
}

// Ask has the conversation about one question until it is over, parked, or the person leaves. The error is the queue's
// or the output's; with ErrNotFound the question went meanwhile.
func (t *Talk) Ask(ctx context.Context, session string) (End, error) {
	return t.converse(ctx, session, t.step)
}

// Widen asks the team about one question outside of an interview. Where nobody is asked the conversation ends.
func (t *Talk) Widen(ctx context.Context, session string) (End, error) {
	return t.alone(ctx, session, func(ctx context.Context) error {
		if why := t.whyNotWiden(ctx); why != "" {
			t.sayLine(notAskedNow(why))
			return nil
		}
		return t.do(ctx, (*widen.Consult).Begin)
	})
}

// Fetch reviews the discussion of one question outside of an interview.
func (t *Talk) Fetch(ctx context.Context, session string) (End, error) {
	return t.alone(ctx, session, t.ofTeam(t.fetch))
}

// Defer ends a question that the team has, or a question of an interview, without an answer.
func (t *Talk) Defer(ctx context.Context, session string) (End, error) {
	return t.alone(ctx, session, func(ctx context.Context) error {
		if s := t.c.Session; s.Widen == nil && s.MayDefer() == nil {
			return t.deferral(ctx)
		}
		return t.ofTeam(t.deferral)(ctx)
	})
}

// ofTeam returns a step about a question that the team has.
func (t *Talk) ofTeam(step func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if t.c.Session.Widen == nil {
			t.sayLine("The team was not asked about this question: widen asks it.")
			return nil
		}
		return step(ctx)
	}
}

// alone has a conversation that ends with its first step, unless that opens a stage.
func (t *Talk) alone(ctx context.Context, session string, first func(context.Context) error) (End, error) {
	t.single = true
	defer func() { t.single = false }()
	return t.converse(ctx, session, func(ctx context.Context) error {
		err := first(ctx)
		if err == nil && t.c.Stage == widen.Idle && t.end == talking {
			t.end = Stopped
		}
		return err
	})
}

// BeginPass says that so many questions are still with the team.
func (t *Talk) BeginPass(n int) { t.box(pendingBox(n)) }

// Pass reviews the nth of so many questions that are still with the team. It does not end with Parked.
func (t *Talk) Pass(ctx context.Context, session string, n, of int) (End, error) {
	t.final = true
	defer func() { t.final = false }()
	return t.converse(ctx, session, func(ctx context.Context) error {
		if t.c.Session.Widen == nil {
			return t.step(ctx)
		}
		w := *t.c.Session.Widen
		if at, ok := widen.ResponseTime(w.Response, t.o.Queue.Now()); ok {
			w.At = at
		}
		t.apart()
		t.sayLine(pendingOne(n, of, t.question(), w))
		return t.fetch(ctx)
	})
}

// converse takes the first step and then further ones until the conversation ends.
func (t *Talk) converse(ctx context.Context, session string, step func(context.Context) error) (End, error) {
	t.id, t.c, t.end, t.on, t.pauses = session, &widen.Consult{}, talking, nil, false
	if err := t.look(ctx); err != nil {
		return Stopped, orLeft(err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	t.changes = follow(ctx, t.o.Queue, session)
	if t.c.Session.Outcome != nil {
		t.sayLine(howItEnded(t.c.Session))
		return Over, nil
	}
	for t.end == talking {
		err := step(ctx)
		if step = t.step; errors.Is(err, errChanged) {
			err = t.changed(ctx)
		}
		switch {
		case errors.Is(err, errStopped), errors.Is(err, errEnded):
			return Stopped, nil
		case err != nil:
			return Stopped, err
		}
	}
	return t.end, nil
}

// changed looks again at a question that changed elsewhere, and says so. What was meant for it as it was is refused.
// One that was parked there is parked here too.
func (t *Talk) changed(ctx context.Context) error {
	defer t.dropEarly()
	if err := t.look(ctx); err != nil {
		return err
	}
	t.c.Away()
	t.on, t.pauses = nil, false
	switch s := t.c.Session; {
	case s.Outcome != nil:
		t.sayLine(howItEnded(s))
		t.end = Over
		return nil
	case s.Parked() && !t.final:
		t.end = Parked
	}
	t.sayLine("The question changed elsewhere meanwhile.")
	return nil
}

// howItEnded says how a question ended that was open here.
func howItEnded(s queue.Session) string {
	return "This question " + say.AlreadyEnded(s) + " (" + say.Settler(*s.Outcome) + ")."
}

// look reads the present state of the question.
func (t *Talk) look(ctx context.Context) error {
	return t.outlast(ctx, func() error {
		s, err := t.o.Queue.Store.Get(ctx, t.id)
		if err == nil {
			t.c.See(s.At(t.o.Queue.Now()))
		}
		return err
	})
}

// question returns the text of what is asked.
func (t *Talk) question() string { return team.QuestionText(t.c.Session) }

// do has the consultation do something, and carries out what it wants. Where that fails it says so, and the question is
// as it was. The error is errStopped, errEnded, errChanged or ctx's.
func (t *Talk) do(ctx context.Context, verb func(*widen.Consult) (widen.Want, error)) error {
	w, err := verb(t.c)
	for err == nil && w.Kind != widen.WantNothing {
		g := t.run(ctx, w)
		w, _ = t.c.Take(g)
		err = t.took(g)
	}
	return t.failed(saving, err)
}

// finish answers or defers the question in a way that is not the consultation's. Its error is as that of do.
func (t *Talk) finish(ctx context.Context, do queue.Action) error {
	return t.took(t.run(ctx, widen.Want{Kind: widen.WantEnd, Session: t.c.Session, Do: do}))
}

// run carries out a want, again for as long as the queue's server is away.
func (t *Talk) run(ctx context.Context, w widen.Want) (g widen.Got) {
	by := widen.Actor{Surface: t.o.Surface, ID: queue.NewToken()}
	err := t.outlast(ctx, func() error {
		if w.Kind == widen.WantSummarise {
			g = widen.Got{Want: w}
			g.Review, g.Err = t.summary(ctx, w.Discussion)
		} else {
			g = widen.Run(ctx, t.o.Team, w, by)
		}
		return g.Err
	})
	if g.Err = err; w.Kind == widen.WantEnd && errors.Is(err, queue.ErrInDoubt) { // it is stored
		g.Err = nil
	}
	return g
}

// took says what came of a want. Its error is as that of do.
func (t *Talk) took(g widen.Got) error {
	kind := g.Want.Kind
	if g.Err != nil {
		switch kind {
		case widen.WantAudience, widen.WantAsk:
			return t.notWidened(g.Err)
		case widen.WantFetch, widen.WantSummarise:
			return t.failed("Fetch", g.Err)
		default:
			return t.failed(saving, g.Err)
		}
	}
	switch kind {
	case widen.WantAsk:
		t.box(widenedBox(t.question(), namesOf(g.Want.Invited)))
		t.pauses = true
	case widen.WantFetch:
		t.apart()
		t.write(strings.TrimRight(team.Block(t.c.Session.Widen.Decision, t.question(), g.Discussion), "\n") + "\n")
	case widen.WantRegroup:
		t.sayLine(parked(t.single))
		t.end = Parked
	case widen.WantEnd:
		t.c.See(g.Session)
		t.end = Over
	default:
	}
	return nil
}

const saving = "Saving"

// failed says what could not be done; the question stays as it was. It returns an error that ends the step: that the
// question changed elsewhere, which converse says, or that the person left.
func (t *Talk) failed(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case isChange(err):
		return errChanged
	case errors.Is(err, context.Canceled), errors.Is(err, errStopped), errors.Is(err, errEnded):
		return err
	}
	t.toned(toned{toneRed, what + " failed:", " " + say.OneLine(whyFailed(err))})
	return nil
}

// notWidened says why the team was not asked; the question is asked again.
func (t *Talk) notWidened(err error) error {
	t.c.Away()
	if err := t.failed("Widen", err); err != nil {
		return err
	}
	if !t.single {
		t.sayLine("Returning to interview prompt.")
	}
	return nil
}

// whyFailed says what failed behind words that say that it did: where the server has words for it, they are enough.
func whyFailed(err error) string {
	var f *team.Failure
	if errors.As(err, &f) && f.Said != "" {
		return f.Said
	}
	return err.Error()
}

// isChange reports whether something was refused because the question is another by now than the person was shown.
func isChange(err error) bool {
	for _, other := range []error{errChanged, queue.ErrSettled, queue.ErrFinal, queue.ErrWidened, queue.ErrNotWidened,
		queue.ErrNotFound} {
		if errors.Is(err, other) {
			return true
		}
	}
	return false
}

// Outlast repeats do while the queue's server is away, as the function Outlast does. It tells the person that it waits
// for the queue, and fails with context.Canceled if the person stops waiting.
func (t *Talk) Outlast(ctx context.Context, do func() error) error {
	err := t.outlast(ctx, do)
	if errors.Is(err, errStopped) {
		return context.Canceled
	}
	return err
}
