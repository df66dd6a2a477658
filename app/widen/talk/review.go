package talk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	team "github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// fetch fetches the discussion and has it summed up. If the person typed a command instead of waiting for that, it is
// carried out.
func (t *Talk) fetch(ctx context.Context) error {
	t.typed = ""
	err := t.do(ctx, func(c *widen.Consult) (widen.Want, error) { return c.Fetch(true) })
	if err != nil || t.typed == "" || t.c.Stage != widen.Reviewing {
		return err
	}
	t.on = reviews
	t.apart()
	t.fresh()
	return t.takeVerdict(ctx, t.typed)
}

// summary has the discussion summed up: by the agent that asked, or where an interview asked by whoever reads and
// writes the lines. It sets typed to the command that the person typed instead of waiting for that.
func (t *Talk) summary(ctx context.Context, d widen.Discussion) (r widen.CandidateReview, err error) {
	s := t.c.Session
	if s.Origin.Dialect == queue.DialectInterview {
		return team.SummariseHere(ctx, t.o.Queue, s, d, t.o.Surface,
			func(ctx context.Context) (r widen.CandidateReview, err error) {
				r, t.typed, err = t.summarise(ctx, s.Widen.Decision, d)
				return r, err
			})
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type proposal struct {
		review widen.CandidateReview
		err    error
	}
	made, came := make(chan proposal, 1), make(chan time.Time)
	go func() {
		r, err := t.o.Team.Summarise(ctx, s.ID, d, widen.Actor{Surface: t.o.Surface})
		made <- proposal{r, err}
		close(came)
	}()
	select {
	case c := <-made:
		return c.review, c.err
	case <-time.After(saidAfter):
	case <-t.o.Interrupt:
		return r, errStopped
	}
	t.sayLine(summingUp(summaryWithin))
	t.fresh()
	if t.typed, err = t.leftAlone(ctx, came); !errors.Is(err, errLate) {
		return widen.Fallback(s.Widen.Decision, d, true), err
	}
	c := <-made
	return c.review, c.err
}

// summingUp says that the agent is given the discussion, and how long it then has to sum it up.
func summingUp(within time.Duration) string {
	return fmt.Sprintf("The agent is asked to sum this up, up to %s once it was given it; %s",
		say.Spoken(within, time.Second), insteadOfWaiting)
}

// The words for a line that is not taken while the agent sums up.
const (
	summingWaits     = "The agent has not summed this up yet; " + insteadOfWaiting
	insteadOfWaiting = "type e to write it yourself, d to defer, Enter to go on without it."
)

// leftAlone waits until the person continues without the agent's summary, or until it came: errLate. typed says what
// they want to do then.
func (t *Talk) leftAlone(ctx context.Context, came <-chan time.Time) (typed string, err error) {
	for {
		text, err := t.read(ctx, "", came)
		if err != nil {
			return "", err
		}
		switch typed = command(text); typed {
		case "", "a":
			return "", nil
		case typedEdit, typedDefer:
			return typed, nil
		}
		t.sayLine(summingWaits)
	}
}

// command writes a line as the letters of commands are written.
func command(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// summarise reads a model's summary of the discussion from the lines, within its time. A person may not wait for it:
// what they typed is returned. Once a summary has begun, no line of it is a command.
func (t *Talk) summarise(ctx context.Context, decision string, d widen.Discussion) (
	r widen.CandidateReview, typed string, err error) {
	t.apart()
	t.sayLine(awaitsSummary(summaryWithin))
	t.fresh()
	due := t.o.After(summaryWithin)
	var answer widen.SummaryReader
	for {
		text, err := t.await(ctx, due)
		words, hinted := widen.CutHint(text)
		typed := command(text)
		switch {
		case errors.Is(err, errLate), errors.Is(err, errEnded):
			return widen.Fallback(decision, d, errors.Is(err, errLate)), "", nil
		case err != nil:
			return r, "", err
		case strings.TrimSpace(text) == typedCancel:
			return r, "", errStopped
		case hinted:
			t.toned(agentsHint(words))
			continue
		case !answer.Begun() && (typed == typedEdit || typed == typedDefer):
			if time.Since(t.shown) >= t.o.Guard {
				return widen.Fallback(decision, d, false), typed, nil
			}
			t.sayLine(say.LineTooSoon(text))
			t.fresh()
			continue
		case !answer.Add(text):
			continue
		}
		s, err := answer.Summary()
		if err != nil {
			return widen.Fallback(decision, d, false), "", nil
		}
		if r := widen.NewReview(decision, d, s); len(r.Check()) == 0 {
			return r, "", nil
		}
		return widen.Fallback(decision, d, false), "", nil
	}
}

// awaitsSummary says how long the reader of the lines has for the summary.
func awaitsSummary(within time.Duration) string {
	return fmt.Sprintf("Waiting for the summary, up to %s; type e to write it yourself, d to defer.",
		say.Spoken(within, time.Second))
}

// reviewPrompt asks what to do with the answer of the review.
func (t *Talk) reviewPrompt() string {
	if queue.Blank(t.c.Answer()) {
		return "[a]ccept empty | [e]dit (blank pre-fill) | [d]efer"
	}
	return "[a]ccept | [e]dit | [d]efer:"
}

// showReview shows the answer of the review, or says that the agent made nothing of the discussion.
func (t *Talk) showReview(context.Context) {
	if answer := t.c.Answer(); !queue.Blank(answer) {
		t.box(candidateBox(t.question(), t.c.Summary(), answer))
	} else {
		t.apart()
		t.toned(noSummary)
		t.sayLine("Showing raw discussion. Please write the answer manually.")
	}
	t.apart()
}

// noSummary says that no model summed the discussion up.
var noSummary = toned{toneYellow, "Summarization timed out or produced invalid output.", ""}

// candidateBox shows a model's summary of the discussion and its proposed answer.
func candidateBox(question, summary, answer string) frame {
	return frame{"Candidate Review", []frameRow{
		{0, "Question: " + say.OneLine(question)},
		{0, ""},
		{0, "Summary:"},
		{2, strings.TrimSpace(say.Text(summary))},
		{0, ""},
		{0, "Proposed answer:"},
		{2, strings.TrimSpace(say.Text(answer))},
	}}
}

// fence may end a model's answer although it should not; it means nothing.
const fence = "```"

// takeVerdict does what the person wants of the answer of the review.
func (t *Talk) takeVerdict(ctx context.Context, typed string) (err error) {
	for err == nil && strings.TrimSpace(typed) == fence {
		typed, err = t.ask(ctx, "")
	}
	if err != nil {
		return err
	}
	switch command(typed) {
	case "a":
		return t.accept(ctx)
	case typedEdit:
		return t.edit(ctx)
	case typedDefer:
		return t.deferral(ctx)
	}
	t.sayLine("Type a, e or d.")
	return nil
}

// accept resolves the question with the answer of the review. If the person decides otherwise than the team, they may
// say why; where that answer is no option, or the agent wants a confirmation, they are asked for it.
func (t *Talk) accept(ctx context.Context) error {
	given, how := t.c.Accepts()
	if how == widen.AcceptNothing {
		t.sayLine("There is no candidate to accept. Type e to write the answer, or d to defer.")
		return nil
	}
	told := t.c.Overrides()
	if told {
		if err := t.askWhy(ctx); err != nil {
			return err
		}
	}
	err := t.do(ctx, (*widen.Consult).Accept)
	if err == nil && how == widen.AcceptPicks {
		err = t.pickAnswer(ctx, given, told)
	}
	if t.end == Over {
		t.toned(decisionResolved)
	}
	return err
}

var decisionResolved = toned{toneGreen, "Decision resolved.", ""}

// askWhy asks why the person decides otherwise than the team.
func (t *Talk) askWhy(ctx context.Context) error {
	why, err := t.ask(ctx, whyPrompt)
	if err == nil {
		err = t.c.Open(widen.LineRationale)
	}
	if err != nil {
		return t.failed(saving, err)
	}
	t.c.Type(strings.TrimSpace(why))
	return t.c.Leave()
}

// pickAnswer asks which option the answer of the review means, unless it is given, and for the confirmation that the
// agent wants, and sends that; told: the person said why already. Where they go back, the review is asked about again.
func (t *Talk) pickAnswer(ctx context.Context, given queue.Answer, told bool) (err error) {
	if len(given.Replies) == 0 {
		given, err = t.answerOf(ctx, t.c.Answer(), false)
	}
	if err == nil && !told && t.c.AsksWhy(given) {
		err = t.askWhy(ctx)
	}
	do := queue.Settle{Answer: given}
	if err == nil {
		do.Confirmed, err = t.confirmed(ctx)
	}
	if err == nil {
		do.Team = t.c.Picked(given)
		err = t.finish(ctx, do)
	}
	if t.end == talking {
		_ = t.c.Reopen()
	}
	return t.unanswered(err)
}

// edit takes the text that the person makes of the answer in their editor.
func (t *Talk) edit(ctx context.Context) error {
	if t.o.Edit == nil {
		t.sayLine("There is no editor here. Resolve it with an answer of your own, or defer it.")
		return nil
	}
	saved, err := t.o.Edit(ctx, strings.TrimSpace(t.c.Answer()))
	t.forgetInterrupt()
	if err != nil {
		return t.failed("Editor", err)
	}
	t.c.Edited(strings.TrimSpace(saved))
	if _, how := t.c.Accepts(); t.c.Final == nil || how == widen.AcceptNothing {
		t.sayLine("The editor left no text, and its agent wants an answer: nothing was sent. e opens it again.")
		return nil
	}
	t.on = nil // the review is shown again with that text, where it is not sent
	return t.accept(ctx)
}
