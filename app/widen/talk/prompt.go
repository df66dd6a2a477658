package talk

import (
	"context"
	"errors"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// What is typed at a prompt that also takes text: lower case alone, so that D may be an answer.
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
		t.toned(say.TalkHint(words))
	}
	q := t.now.Ask.Questions[0]
	if len(q.Options) > 0 {
		t.sayLine(say.TalkOptions(q))
	}
	why := t.whyNotWiden(ctx)
	t.fresh()
	text, err := t.ask(ctx, say.TalkQuestion(t.question(), startOf(q), why == ""))
	if err != nil {
		return err
	}
	switch typed := strings.TrimSpace(text); {
	case typed == "":
		return t.takeDefault(ctx)
	case typed == typedWiden && why == "":
		return t.invite.widen(ctx)
	case typed == typedWiden:
		t.sayLine(say.TalkNotNow(why))
		return nil
	case typed == typedDefer:
		return t.deferOwn(ctx)
	default:
		return t.answer(ctx, typed)
	}
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
		t.sayLine(say.TalkNoDefault)
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
	why, err := t.ask(ctx, say.TalkWhy)
	if err != nil {
		return err
	}
	if err := t.finish(t.command(ctx, queue.Defer{Rationale: strings.TrimSpace(why)})); !errors.Is(err, errOver) {
		return err
	}
	t.toned(say.TalkDeferred)
	return errOver
}
