// Package talk is the conversation about one question on lines: the question itself, whether the team is asked, the
// wait for it, and the review of what it came to. `choicetui interview --plain` and `choicetui --plain` have it.
//
//	Ask ─► prompt ─┬─ an answer, a deferral ─────────────────────────────────► over
//	               └─ w: audience ─► call ─► b: wait ─┬─ an answer ───────────► over
//	                                   └──── c: parked│                   (met again, or the pass over all parked)
//	                                                  └─ f: fetch ─► block ─► JSON ─► review ─► over
//
// A conversation blocks. It reads a line only when it has asked for one, so that an editor has the terminal for itself
// meanwhile, and it hears when the question changes elsewhere. Where the queue's server is away it waits with what was
// typed, and stores that once the server is back. Nothing is answered by a line that was not asked for, by
// the end of the input or by Ctrl-C: these end the conversation and leave the question as it is.
package talk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
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

// Ends of a step of the conversation.
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
	o      Options
	about  Question
	single bool // it is about one question alone, outside of an interview
	final  bool // it is in the pass over the questions that are still with the team

	now    queue.Session // the question as it was last seen here
	follow *follower
	asked  bool      // a line was asked for that has not come yet
	begun  bool      // something was written before
	shown  time.Time // when something new was written; zero: the person's own line brought it up
}

// New prepares conversations.
func New(o Options) *Talk {
	if o.After == nil {
		o.After = time.After
	}
	if o.Surface == "" {
		o.Surface = queue.SurfaceCLI
	}
	return &Talk{o: o}
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
			t.sayLine(howItEnded(t.now))
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

// howItEnded says how a question ended that was open here.
func howItEnded(s queue.Session) string {
	return "This question " + say.AlreadyEnded(s) + " (" + say.Settler(*s.Outcome) + ")."
}

// changed looks again at a question that changed elsewhere, and says so. What was meant for it as it was is refused.
// One that was parked there is parked here too.
func (t *Talk) changed(ctx context.Context) error {
	defer t.dropEarly()
	if err := t.look(ctx); err != nil {
		return err
	}
	if t.now.Outcome != nil {
		t.sayLine(howItEnded(t.now))
	} else {
		t.sayLine("The question changed elsewhere meanwhile.")
	}
	return nil
}

// step takes the next step for the state of the question.
func (t *Talk) step(ctx context.Context) error {
	switch {
	case t.now.Widen == nil:
		return t.prompt(ctx)
	case t.now.Parked():
		return t.metAgain(ctx)
	}
	return t.wait(ctx)
}

// Widen asks the team about one question outside of an interview. Where nobody is asked the conversation ends.
func (t *Talk) Widen(ctx context.Context, about Question) (End, error) {
	return t.alone(ctx, about, func(ctx context.Context) error {
		if why := t.whyNotWiden(ctx); why != "" {
			t.sayLine(notAskedNow(why))
			return errStopped
		}
		if err := t.widen(ctx); err != nil || t.now.Widen == nil {
			return orStopped(err)
		}
		return nil // the person waits
	})
}

// notAskedNow says why w asks nobody; the line is taken as no answer.
func notAskedNow(why string) string {
	return say.Capital(strings.TrimSuffix(say.OneLine(why), ".")) + ". Nothing was answered."
}

// orStopped ends a conversation that came to nothing.
func orStopped(err error) error {
	if err == nil {
		return errStopped
	}
	return err
}

// Fetch reviews the discussion of one question outside of an interview.
func (t *Talk) Fetch(ctx context.Context, about Question) (End, error) {
	return t.alone(ctx, about, t.ofTeam(t.review))
}

// Defer ends a question that the team has, or a question of an interview, without an answer.
func (t *Talk) Defer(ctx context.Context, about Question) (End, error) {
	return t.alone(ctx, about, func(ctx context.Context) error {
		if t.now.Widen == nil && t.now.MayDefer() == nil {
			return orStopped(t.deferOwn(ctx))
		}
		return t.ofTeam(func(ctx context.Context) error { return t.deferTeam(ctx, "") })(ctx)
	})
}

// ofTeam returns a step about a question that the team has, after which the conversation ends.
func (t *Talk) ofTeam(step func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if t.now.Widen == nil {
			t.sayLine("The team was not asked about this question: widen asks it.")
			return errStopped
		}
		return orStopped(step(ctx))
	}
}

// alone begins a conversation with one step.
func (t *Talk) alone(ctx context.Context, about Question, first func(context.Context) error) (End, error) {
	t.single = true
	defer func() { t.single = false }()
	begun := false
	return t.converse(ctx, about, func(ctx context.Context) error {
		if begun {
			return t.step(ctx)
		}
		begun = true
		return first(ctx)
	})
}

// BeginPass says that so many questions are still with the team.
func (t *Talk) BeginPass(n int) { t.box(pendingBox(n)) }

// pendingBox heads the pass over the questions that are still with the team.
func pendingBox(n int) frame {
	are, them := "are", "them"
	if n == 1 {
		are, them = "is", "it"
	}
	words := fmt.Sprintf("%s %s still pending. Resolve %s before finalizing the interview.",
		say.Count(n, "widened question"), are, them)
	return frame{"Pending Widened Questions", []frameRow{{0, words}}}
}

// Pass reviews the nth of so many questions that are still with the team. It does not end with Parked.
func (t *Talk) Pass(ctx context.Context, about Question, n, of int) (End, error) {
	t.final = true
	defer func() { t.final = false }()
	begun := false
	return t.converse(ctx, about, func(ctx context.Context) error {
		if begun || t.now.Widen == nil {
			return t.step(ctx)
		}
		begun = true
		t.apart()
		w := *t.now.Widen
		if at, ok := widen.ResponseTime(w.Response, t.o.Queue.Now()); ok {
			w.At = at
		}
		t.sayLine(pendingOne(n, of, t.question(), w))
		return t.review(ctx)
	})
}

// pendingOne describes the n-th of these questions.
func pendingOne(n, of int, question string, w queue.Widened) string {
	const indent = "\n      "
	return fmt.Sprintf("(%d/%d) Question: %s", n, of, say.OneLine(question)) +
		indent + "Widened at: " + w.At.UTC().Format("2006-01-02 15:04") + " UTC" +
		indent + "Participants: " + w.Names() +
		indent + "Fetching discussion..."
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

// look reads the present state of the question.
func (t *Talk) look(ctx context.Context) error {
	s, err := t.store(ctx, func() (queue.Session, error) { return t.o.Queue.Store.Get(ctx, t.about.Session) })
	if err != nil {
		return err
	}
	t.now = s.At(t.o.Queue.Now())
	return nil
}

// actor returns the person at this surface as the actor.
func (t *Talk) actor() team.Actor { return team.Actor{Surface: t.o.Surface} }

// question returns the text of what is asked.
func (t *Talk) question() string { return team.QuestionText(t.now) }

// mission returns the name of what the question belongs to.
func (t *Talk) mission() string {
	if t.about.Mission != "" {
		return t.about.Mission
	}
	return team.Mission(t.now)
}

// command does what the person wants of the question here.
func (t *Talk) command(ctx context.Context, do queue.Action) (queue.Session, error) {
	c := queue.Command{ID: queue.NewToken(), By: queue.ByHuman, Surface: t.o.Surface, Do: do}
	return t.store(ctx, func() (queue.Session, error) { return t.o.Queue.Do(ctx, t.now.ID, c) })
}

// finish returns errOver if a command that ends the question succeeded, and otherwise what comes of its error.
func (t *Talk) finish(s queue.Session, err error) error {
	if err != nil && !errors.Is(err, queue.ErrInDoubt) {
		return t.failed(saving, err)
	}
	t.now = s
	return errOver
}

// failed says what could not be done; the question stays as it was. That it changed elsewhere is said by converse.
func (t *Talk) failed(what string, err error) error {
	switch {
	case isChange(err):
		return errChanged
	case errors.Is(err, context.Canceled), errors.Is(err, errStopped):
		return err
	}
	t.toned(toned{toneRed, what + " failed:", " " + say.OneLine(whyFailed(err))})
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

// isChange reports whether a command was refused because the question is another by now than the person was shown.
func isChange(err error) bool {
	for _, other := range []error{queue.ErrSettled, queue.ErrFinal, queue.ErrWidened, queue.ErrNotWidened,
		queue.ErrNotFound} {
		if errors.Is(err, other) {
			return true
		}
	}
	return false
}

// unanswered handles a text that is no answer: the person goes back, or is told why it cannot be one.
func (t *Talk) unanswered(err error) error {
	var bad *queue.Invalid
	if errors.As(err, &bad) {
		return t.failed(saving, err)
	}
	return t.orBack(err)
}

// Commands at a prompt that also takes text: lower case alone, so that D may be an answer.
const (
	typedWiden = "w"
	typedFetch = "f"
	typedDefer = "d"
	typedEdit  = "e" // at a review alone
)

// prompt asks the question itself.
func (t *Talk) prompt(ctx context.Context) error {
	t.apart()
	_, hints := widen.TakeHints(t.now.Ask.Prompt)
	for _, words := range hints {
		t.toned(agentsHint(words))
	}
	q := t.now.Ask.Questions[0]
	if len(q.Options) > 0 {
		t.sayLine(strings.Join(numberedOptions(q), "\n"))
	}
	why := t.whyNotWiden(ctx)
	t.fresh()
	text, err := t.ask(ctx, questionPrompt(t.question(), startOf(q), why == ""))
	if err != nil {
		return err
	}
	switch typed := strings.TrimSpace(text); {
	case typed == "":
		return t.takeDefault(ctx)
	case typed == typedWiden && why == "":
		return t.widen(ctx)
	case typed == typedWiden:
		t.sayLine(notAskedNow(why))
		return nil
	case typed == typedDefer:
		return t.deferOwn(ctx)
	default:
		return t.answer(ctx, typed)
	}
}

// questionPrompt asks a question of an interview; offered: the team can be asked.
func questionPrompt(question, start string, offered bool) string {
	widen := ""
	if offered {
		widen = " | [w]iden"
	}
	if start = say.OneLine(start); start != "" {
		start = " [" + start + "]"
	}
	return say.OneLine(question) + start + ":\n" +
		"[enter]=accept default | [text]=type answer" + widen + " | [d]efer | [!cancel]"
}

// whyNotWiden returns why the team cannot be asked; empty: it can. The backend is called only for a question that could
// go to the team.
func (t *Talk) whyNotWiden(ctx context.Context) string {
	if err := t.now.MayWiden(); err != nil {
		return err.Error()
	}
	if err := t.o.Team.Ready(ctx); err != nil {
		return err.Error()
	}
	return ""
}

// startOf returns the answer that Enter takes, as shown in brackets.
func startOf(q queue.Question) string {
	if q.DefaultText != "" {
		return q.DefaultText
	}
	var labels []string
	for _, id := range q.Defaults {
		if o, ok := q.Option(id); ok {
			labels = append(labels, o.Label)
		}
	}
	return strings.Join(labels, ", ")
}

func (t *Talk) takeDefault(ctx context.Context) error {
	start := queue.StartAnswer(t.now.Ask)
	if _, err := t.now.Ask.Accept(start); err != nil {
		t.sayLine("There is no default. Type an answer, or d to defer.")
		return nil
	}
	return t.settle(ctx, queue.Settle{Answer: start})
}

// answer takes a typed text as the answer of a question that nobody else was asked.
func (t *Talk) answer(ctx context.Context, text string) error {
	given, err := t.typedAnswer(ctx, text)
	if err != nil {
		return t.unanswered(err)
	}
	return t.settle(ctx, queue.Settle{Answer: given})
}

func (t *Talk) settle(ctx context.Context, do queue.Settle) error {
	return t.finish(t.command(ctx, do))
}

func (t *Talk) deferOwn(ctx context.Context) error {
	why, err := t.ask(ctx, whyPrompt)
	if err != nil {
		return err
	}
	if err := t.finish(t.command(ctx, queue.Defer{Rationale: strings.TrimSpace(why)})); !errors.Is(err, errOver) {
		return err
	}
	t.toned(decisionDeferred)
	return errOver
}
