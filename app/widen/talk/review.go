package talk

import (
	"context"
	"errors"
	"strings"
	"time"

	team "github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// fetchAndReview fetches the discussion and obtains a summary of it. If the person typed a command instead of waiting
// for the summary, it carries out the command.
func (t *Talk) fetchAndReview(ctx context.Context) error {
	t.typed = ""
	err := t.perform(ctx, (*widen.Consult).FetchAgain)
	if err != nil || t.typed == "" || t.c.Stage != widen.Reviewing {
		return err
	}
	t.on = reviews
	t.separate()
	t.noteNew()
	return t.takeVerdict(ctx, t.typed)
}

// sumUp obtains a summary of the discussion: from the agent that asked or, in an interview, from the program that reads
// and writes the lines. It sets typed to the command that the person typed instead of waiting for the summary.
func (t *Talk) sumUp(ctx context.Context, d widen.Discussion) (candidate queue.Candidate, err error) {
	s := t.c.Session
	if s.Origin.Dialect == queue.DialectInterview {
		return team.SummariseHere(ctx, t.o.Queue, s, d, t.o.Surface, t.readSummary)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var made queue.Candidate
	var failed error
	came := make(chan time.Time) // closed once made and failed are set
	go func() {
		defer close(came)
		made, failed = t.o.Team.Summarise(ctx, s.ID, d, widen.Actor{Surface: t.o.Surface})
	}()
	select {
	case <-came:
		return made, failed
	case <-time.After(saidAfter):
	case <-t.o.Interrupt:
		return candidate, errStopped
	}
	t.sayLine("The agent has " + summaryTime + " to sum this up, from when it receives it; " + insteadOfWaiting)
	t.noteNew()
	if err = t.awaitOrSkip(ctx, came); errors.Is(err, errLate) {
		return made, failed
	}
	return candidate, err
}

// summaryTime is the time that a model has for the summary, in words.
var summaryTime = say.Spoken(queue.SummaryWithin, time.Second)

// insteadOfWaiting says what can be typed while the agent sums up.
const insteadOfWaiting = "type e to write it yourself, d to defer, Enter to continue without it."

// awaitOrSkip waits until the person decides to continue without the agent's summary, and sets typed to the command
// that they typed. It fails with errLate when the summary arrives, of which came tells.
func (t *Talk) awaitOrSkip(ctx context.Context, came <-chan time.Time) error {
	for {
		text, err := t.read(ctx, "", came)
		if err != nil {
			return err
		}
		switch typed := command(text); typed {
		case "", "a":
			return nil
		case typedEdit, typedDefer:
			t.typed = typed
			return nil
		}
		t.sayLine("The agent has not summed this up yet; " + insteadOfWaiting)
	}
}

// command returns a line in the spelling of commands: in lower case and without white space around it.
func command(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// readSummary reads a model's summary of the discussion from the lines, within summaryTime; zero: it did not come. If
// a person who does not want to wait types a command, readSummary sets typed to it. Once a summary has begun, none of
// its lines counts as a command.
func (t *Talk) readSummary(ctx context.Context) (candidate queue.Candidate, err error) {
	t.separate()
	t.sayLine("Waiting for the summary, up to " + summaryTime + "; type e to write it yourself, d to defer.")
	t.noteNew()
	due := t.o.After(queue.SummaryWithin)
	var answer widen.SummaryReader
	for {
		text, err := t.await(ctx, due)
		words, hinted := widen.CutHint(text)
		typed := command(text)
		switch {
		case errors.Is(err, errLate), errors.Is(err, errEnded):
			return candidate, nil
		case err != nil:
			return candidate, err
		case strings.TrimSpace(text) == typedCancel:
			return candidate, errStopped
		case hinted:
			t.sayToned(toneDim, say.OneLine(words), "")
			continue
		case !answer.Begun() && (typed == typedEdit || typed == typedDefer):
			if time.Since(t.shown) >= t.o.Guard {
				t.typed = typed
				return candidate, nil
			}
			t.sayLine(say.LineTooSoon(text))
			t.noteNew()
			continue
		case !answer.Add(text):
			continue
		}
		candidate, _ = answer.Summary()
		return candidate, nil
	}
}

// reviewPrompt returns the prompt that asks what to do with the answer of the review.
func (t *Talk) reviewPrompt() string {
	if queue.Blank(t.c.Answer()) {
		return "[a]ccept empty | [e]dit (blank pre-fill) | [d]efer"
	}
	return "[a]ccept | [e]dit | [d]efer:"
}

// showReview shows the answer of the review, or says that there is no summary of the discussion.
func (t *Talk) showReview(context.Context) {
	if answer := t.c.Answer(); !queue.Blank(answer) {
		t.writeBox("Candidate Review", "Question: "+t.questionText(), "", "Summary:",
			"  "+strings.TrimSpace(say.Text(t.c.Candidate.Summary)), "", "Proposed answer:",
			"  "+strings.TrimSpace(say.Text(answer)))
	} else {
		t.separate()
		t.sayToned(toneYellow, "Summarization timed out or produced invalid output.", "")
		t.sayLine("Showing raw discussion. Please write the answer manually.")
	}
	t.separate()
}

// fence is the end of a code block. A model may write it after its answer although it should not, so it is ignored.
const fence = "```"

// takeVerdict carries out the person's command about the answer of the review: accept, edit or defer.
func (t *Talk) takeVerdict(ctx context.Context, typed string) (err error) {
	for err == nil && strings.TrimSpace(typed) == fence {
		typed, err = t.ask(ctx, "")
	}
	if err != nil {
		return err
	}
	switch command(typed) {
	case "a":
		return t.acceptAnswer(ctx)
	case typedEdit:
		return t.editAnswer(ctx)
	case typedDefer:
		return t.deferQuestion(ctx)
	}
	t.sayLine("Type a, e or d.")
	return nil
}

// acceptAnswer resolves the question with the answer of the review. If the person decides otherwise than the team, it
// asks why. If the answer is not an option, it asks which option is meant. If the agent wants a confirmation, it asks
// for that.
func (t *Talk) acceptAnswer(ctx context.Context) error {
	accepts, picks, err := t.c.Accepts()
	if err != nil {
		t.sayLine("There is no candidate to accept. Type e to write the answer, or d to defer.")
		return nil
	}
	why, told := "", t.c.Overrides()
	if told {
		if why, err = t.ask(ctx, whyPrompt); err != nil {
			return t.reportFailure(saving, err)
		}
	}
	err = t.perform(ctx, func(c *widen.Consult) (widen.Want, error) { return c.Accept(strings.TrimSpace(why)) })
	if err == nil && picks {
		err = t.pickAnswer(ctx, accepts.Answer, why, told)
	}
	if t.end == Over {
		t.sayToned(toneGreen, "Decision resolved.", "")
	}
	return err
}

// pickAnswer asks which option the answer of the review means, unless given has it already, asks for the confirmation
// that the agent wants, and sends the answer. told means that the person has already said why they decide otherwise
// than the team. If the person goes back, the review is shown again.
func (t *Talk) pickAnswer(ctx context.Context, given queue.Answer, why string, told bool) (err error) {
	if len(given.Replies) == 0 {
		given, err = t.answerOf(ctx, t.c.Answer(), false)
	}
	if err == nil && !told && t.c.AsksWhy(given) {
		why, err = t.ask(ctx, whyPrompt)
	}
	do := queue.Settle{Answer: given}
	if err == nil {
		do.Confirmed, err = t.askConfirmation(ctx)
	}
	if err == nil {
		do.Team = t.c.Picked(given, strings.TrimSpace(why))
		err = t.finish(ctx, do)
	}
	if t.end == talking {
		_, _ = t.c.Reopen()
	}
	return t.reportFailure(saving, err)
}

// editAnswer opens the answer of the review in the person's editor, and sends the saved text.
func (t *Talk) editAnswer(ctx context.Context) error {
	saved, err := t.o.Edit(ctx, strings.TrimSpace(t.c.Answer()))
	select {
	case <-t.o.Interrupt: // a Ctrl-C that was typed in the editor
	default:
	}
	if err != nil {
		return t.reportFailure("Editor", err)
	}
	t.c.Edited(strings.TrimSpace(saved))
	if _, _, err = t.c.Accepts(); t.c.Final == nil || err != nil {
		t.sayLine("The editor left no text, and its agent wants an answer: nothing was sent. e opens it again.")
		return nil
	}
	t.on = nil // if the text is not sent, the review is shown again with it
	return t.acceptAnswer(ctx)
}
