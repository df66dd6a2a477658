// Package talk holds the conversation about one question on lines: the question itself, whether the team is asked, the
// wait for the team, and the review of the proposed answer. `choicetui interview --plain` and `choicetui --plain` use
// it.
//
//	stage ─► prompt ─► a line ─► widen.Consult ─► Want ─► widen.Run ─► Got ─► widen.Consult ─► stage
//
// What the person types is in quotes. A deferral leaves the question undecided for now:
//
//	question ─┬─ an answer, a deferral ─► over
//	          └─ "w" ─► whom to ask ─► the team is asked ─► wait for it? ─┬─ "b" ─► waiting
//	                                                                      └─ "c" ─► parked
//	waiting ──┬─ an answer, a deferral ─► over
//	          └─ "f" ─► the discussion so far ─► review of the proposed answer ─► over
//
// queue/widen.Consult is the state machine with the rules about the team. Each of its steps returns a Want, a call that
// is to be made, and takes a Got, the result of that call. A conversation blocks. It reads a line only after it has
// asked for one, so that an editor can use the terminal meanwhile. It notices when the question changes elsewhere.
// While the queue's server is away, it keeps what was typed, and stores it once the server is back. A line that was not
// asked for, the end of the input and Ctrl-C never answer a question. The end of the input and Ctrl-C end the
// conversation and leave the question as it is.
package talk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	team "github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Options holds a conversation's settings. Only Interrupt and After may be nil.
type Options struct {
	Queue *queue.Queue
	Team  widen.Team
	// In brings the person's lines, and is closed at the end of the input. Want requests the next line, because lines
	// are read only on request.
	In   <-chan string
	Want func()
	// Drop discards what was typed at the terminal and has not come through In yet, including an unfinished line. It is
	// called when the question changes elsewhere, and does nothing if the input is not a terminal.
	Drop func()
	// Interrupt receives a value at Ctrl-C; nil: Ctrl-C ends the program.
	Interrupt <-chan struct{}
	Out       io.Writer
	// Echo means that the terminal shows what the person types behind the prompt. Otherwise a prompt is a line of its
	// own.
	Echo   bool
	Colour bool // tones are coloured
	// Edit gives a text to the person's editor and returns the saved text.
	Edit func(ctx context.Context, text string) (string, error)
	// Guard is the time after new output in which a line is refused: it was typed for the text before that output.
	Guard time.Duration
	// After is time.After; tests have a clock of their own.
	After   func(time.Duration) <-chan time.Time
	Surface string // where the person answers, such as queue.SurfaceCLI
}

// Times of a conversation.
const (
	// Reminded is the time without a line after which the person is reminded that the question still waits.
	Reminded = 60 * time.Minute
	// saidAfter is the time after which the person is told that the conversation waits for the agent's summary.
	saidAfter = 300 * time.Millisecond
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

// Reasons why there is no line, or why the person does not continue with it.
var (
	errStopped = fmt.Errorf("stopped: %w", context.Canceled) // the person left
	errEnded   = errors.New("ended")                         // the input has ended
	errChanged = errors.New("changed elsewhere")
	errLate    = errors.New("late")
	errBack    = errors.New("back") // the person goes back to the prompt before
)

// Talk holds conversations, one after the other, on the same lines. It belongs to one goroutine.
type Talk struct {
	o      Options
	single bool // it is about one question alone, outside of an interview
	final  bool // it is in the pass over the questions that are still with the team

	id     string         // the id of the question's session
	c      *widen.Consult // its Session is the question as it was last seen here
	end    End
	on     *stage // the stage whose head was written last
	pauses bool   // the team was just asked, and the person has to say whether they wait for it
	typed  string // the command that the person typed instead of waiting for a summary
	noTeam string // why the team could not be asked when the question was last written; empty: it could

	changes <-chan queue.Session // the latest state of the question
	asked   bool                 // a line was asked for that has not come yet
	begun   bool                 // something was written before
	shown   time.Time            // when noteNew was called last
}

// New returns a Talk for conversations on the lines of o.
func New(o Options) *Talk {
	if o.After == nil {
		o.After = time.After
	}
	return &Talk{o: o, c: &widen.Consult{}}
}

// Ask holds the conversation about one question until the question is over or parked, or the person leaves. The error
// is that of the queue or of the output. ErrNotFound means that the question was removed meanwhile.
func (t *Talk) Ask(ctx context.Context, session string) (End, error) {
	return t.converse(ctx, session, t.step)
}

// Widen asks the team about one question outside of an interview. If the person decides to ask nobody, the conversation
// ends.
func (t *Talk) Widen(ctx context.Context, session string) (End, error) {
	return t.converseAlone(ctx, session, func(ctx context.Context) error {
		if why := t.whyNotWiden(ctx); why != "" {
			t.sayLine(notAskedNow(why))
			return nil
		}
		return t.perform(ctx, (*widen.Consult).Begin)
	})
}

// Fetch reviews the discussion of one question outside of an interview.
func (t *Talk) Fetch(ctx context.Context, session string) (End, error) {
	return t.converseAlone(ctx, session, t.fetchAndReview)
}

// Defer ends a question that the team has, or a question of an interview, without an answer.
func (t *Talk) Defer(ctx context.Context, session string) (End, error) {
	return t.converseAlone(ctx, session, t.deferQuestion)
}

// converseAlone holds a conversation outside of an interview. It ends after its first step, unless that step opens a
// stage.
func (t *Talk) converseAlone(ctx context.Context, session string, first func(context.Context) error) (End, error) {
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

// BeginPass says that n questions are still with the team.
func (t *Talk) BeginPass(n int) {
	are, them := "are", "them"
	if n == 1 {
		are, them = "is", "it"
	}
	t.writeBox("Pending Widened Questions", fmt.Sprintf(
		"%s %s still pending. Resolve %s before finalizing the interview.", say.Count(n, "widened question"), are,
		them))
}

// Pass reviews the n-th of the questions that are still with the team; of is their number. It does not end with Parked.
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
		t.separate()
		t.sayLine(fmt.Sprintf("(%d/%d) Question: %s\n      Widened at: %s UTC\n      Participants: %s\n"+
			"      Fetching discussion...", n, of, t.questionText(), w.At.UTC().Format("2006-01-02 15:04"), w.Names()))
		return t.fetchAndReview(ctx)
	})
}

// converse takes the first step and then further ones until the conversation ends.
func (t *Talk) converse(ctx context.Context, session string, step func(context.Context) error) (End, error) {
	t.id, t.c, t.end, t.on, t.pauses = session, &widen.Consult{}, talking, nil, false
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	err := t.readQuestion(ctx)
	t.changes = follow(ctx, t.o.Queue, session)
	if t.c.Session.Outcome != nil {
		t.sayEnd()
	}
	for err == nil && t.end == talking {
		err = step(ctx)
		if step = t.step; errors.Is(err, errChanged) {
			err = t.handleChange(ctx)
		}
	}
	switch {
	case errors.Is(err, errStopped), errors.Is(err, errEnded):
		return Stopped, nil
	case err != nil:
		return Stopped, err
	}
	return t.end, nil
}

// handleChange reads a question again that changed elsewhere, and says so. It refuses lines that were typed for the
// question as it was. If the question was parked elsewhere, the conversation ends as parked.
func (t *Talk) handleChange(ctx context.Context) error {
	defer t.refuseEarly()
	if err := t.readQuestion(ctx); err != nil {
		return err
	}
	t.c.Away()
	t.on, t.pauses = nil, false
	switch s := t.c.Session; {
	case s.Outcome != nil:
		t.sayEnd()
		return nil
	case s.Parked() && !t.final:
		t.end = Parked
	}
	t.sayLine("The question changed elsewhere meanwhile.")
	return nil
}

// sayEnd says how the question ended elsewhere, and ends the conversation.
func (t *Talk) sayEnd() {
	s := t.c.Session
	t.sayLine("This question " + say.AlreadyEnded(s) + " (" + say.Settler(*s.Outcome) + ").")
	t.end = Over
}

// readQuestion reads the present state of the question from the queue.
func (t *Talk) readQuestion(ctx context.Context) error {
	return t.Outlast(ctx, func() error {
		s, err := t.o.Queue.Get(ctx, t.id)
		if err == nil {
			t.c.See(s.At(t.o.Queue.Now()))
		}
		return err
	})
}

// questionText returns the text of the question on one line.
func (t *Talk) questionText() string { return team.QuestionText(t.c.Session) }

// perform calls a step of the consultation, and makes the calls that the step wants. If a call fails, perform says so,
// and the question stays as it was. The error is errStopped, errEnded, errChanged or ctx's.
func (t *Talk) perform(ctx context.Context, verb widen.Verb) error {
	w, err := verb(t.c)
	for err == nil && w.Kind != widen.WantNothing {
		g := t.carryOut(ctx, w)
		w, _ = t.c.Take(g)
		err = t.reportResult(g)
	}
	return t.reportFailure(saving, err)
}

// finish answers or defers the question without the consultation. It fails with the errors of perform.
func (t *Talk) finish(ctx context.Context, do queue.Action) error {
	return t.reportResult(t.carryOut(ctx, widen.Want{Kind: widen.WantEnd, Session: t.c.Session, Do: do}))
}

// carryOut makes the call that a want describes, and repeats it while the queue's server is away.
func (t *Talk) carryOut(ctx context.Context, w widen.Want) (g widen.Got) {
	by := widen.Actor{Surface: t.o.Surface, ID: queue.NewToken()}
	err := t.Outlast(ctx, func() error {
		if w.Kind == widen.WantSummarise {
			g = widen.Got{Want: w}
			g.Candidate, g.Err = t.sumUp(ctx, w.Discussion)
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

// reportResult tells the person the result of a want. It fails with the errors of perform.
func (t *Talk) reportResult(g widen.Got) error {
	switch kind := g.Want.Kind; {
	case g.Err != nil && (kind == widen.WantAudience || kind == widen.WantAsk):
		return t.reportNotAsked(g.Err)
	case g.Err != nil && (kind == widen.WantFetch || kind == widen.WantSummarise):
		return t.reportFailure("Fetch", g.Err)
	case g.Err != nil:
		return t.reportFailure(saving, g.Err)
	case kind == widen.WantAsk:
		t.writeBox("Widened ✓", fmt.Sprintf(`Slack thread created. %s been invited to discuss: "%s"`,
			haveNames(g.Want.Invited), say.Short(t.questionText(), titleMost)))
		t.pauses = true
	case kind == widen.WantFetch:
		t.separate()
		t.write(strings.TrimRight(team.Block(t.c.Session.Widen.Decision, t.questionText(), g.Discussion), "\n") + "\n")
	case kind == widen.WantRegroup:
		if t.single {
			t.sayLine("Question parked as pending. fetch brings what the team said.")
		} else {
			t.sayLine("Question parked as pending. You'll be prompted to resolve it at end of interview.")
		}
		t.end = Parked
	case kind == widen.WantEnd:
		t.c.See(g.Session)
		t.end = Over
	}
	return nil
}

// saving names the step of storing something in the queue, for reportFailure.
const saving = "Saving"

// reportFailure tells the person what could not be done, unless they went back; the question stays as it was. It
// returns an error if the step has to end: because the question changed elsewhere, which converse reports, or because
// the person left.
func (t *Talk) reportFailure(what string, err error) error {
	switch {
	case err == nil, errors.Is(err, errBack):
		return nil
	case isChange(err):
		return errChanged
	case errors.Is(err, context.Canceled), errors.Is(err, errEnded):
		return err
	case errors.Is(err, widen.ErrNotWithTeam), errors.Is(err, queue.ErrNotDeferred):
		t.sayLine("The team was not asked about this question: widen asks it.")
		return nil
	}
	t.sayToned(toneRed, what+" failed:", " "+say.OneLine(whyFailed(err)))
	return nil
}

// reportNotAsked tells the person why the team was not asked. The question is asked again.
func (t *Talk) reportNotAsked(err error) error {
	t.c.Away()
	if err := t.reportFailure("Widen", err); err != nil {
		return err
	}
	if !t.single {
		t.sayLine("Returning to interview prompt.")
	}
	return nil
}

// whyFailed returns the reason of a failure, as the end of a sentence: the server's own words if it gave some.
func whyFailed(err error) string {
	var f *team.Failure
	if errors.As(err, &f) && f.Said != "" {
		return f.Said
	}
	return err.Error()
}

// isChange reports whether an error means that the question has changed since it was shown to the person.
func isChange(err error) bool {
	changes := []error{errChanged, queue.ErrSettled, queue.ErrFinal, queue.ErrWidened, queue.ErrNotWidened,
		queue.ErrNotFound}
	return slices.ContainsFunc(changes, func(change error) bool { return errors.Is(err, change) })
}
