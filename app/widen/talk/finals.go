package talk

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// errBack means that the person goes back to the prompt before.
var errBack = errors.New("back")

// orBack returns an error of a step within another: going back repeats that.
func (t *matter) orBack(err error) error {
	if errors.Is(err, errBack) {
		return nil
	}
	return err
}

// typedAnswer is answerOf for what the person typed. A number that no option has is refused; in quotes it is their own
// words.
func (t *matter) typedAnswer(ctx context.Context, text string) (queue.Answer, error) {
	questions := t.now.Ask.Questions
	if len(questions) != 1 {
		return t.answerOf(ctx, text)
	}
	r, err := t.typedReply(ctx, questions[0], text)
	return queue.Answer{Replies: []queue.Reply{r}}, err
}

// typedReply is typedAnswer for one question. It fails with errBack where a number was refused.
func (t *matter) typedReply(ctx context.Context, q queue.Question, text string) (queue.Reply, error) {
	if len(q.Options) == 0 || !q.TakesText() {
		return t.replyOf(ctx, q, text)
	}
	if inside := strings.Trim(text, `"`); len(inside) == len(text)-2 && isNumber(inside) {
		return queue.Reply{Question: q.ID, Text: inside}, nil
	}
	r, err := t.replyOf(ctx, q, text)
	if err == nil && len(r.Selected) == 0 && isNumber(text) {
		t.sayLine(say.TalkNoNumber(text, len(q.Options)))
		return r, errBack
	}
	return r, err
}

// isNumber reports whether a text is nothing but digits.
func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// answerOf turns a text into an answer to the question. If the text is not one of its options, and it takes no other,
// the person picks one. Several questions are asked one at a time.
func (t *matter) answerOf(ctx context.Context, text string) (queue.Answer, error) {
	questions := t.now.Ask.Questions
	if len(questions) == 1 {
		r, err := t.replyOf(ctx, questions[0], text)
		return queue.Answer{Replies: []queue.Reply{r}}, err
	}
	var given queue.Answer
	for _, q := range questions {
		t.apart()
		t.sayLine(say.TalkOneOf(q))
		typed, err := t.ask(ctx, say.TalkAnswer)
		if err == nil && queue.Blank(typed) {
			err = errBack
		}
		if err != nil {
			return given, err
		}
		r, err := t.typedReply(ctx, q, strings.TrimSpace(typed))
		if err != nil {
			return given, err
		}
		given.Replies = append(given.Replies, r)
	}
	return given, nil
}

// replyOf is answerOf for one question. The number of an option means it, unless the number is a label itself.
func (t *matter) replyOf(ctx context.Context, q queue.Question, text string) (queue.Reply, error) {
	r, ok := widen.Final(q, text)
	if ok && len(r.Selected) > 0 {
		return r, nil
	}
	if id, numbered := optionAt(q, text); numbered {
		return chosen(q, id), nil
	}
	if ok {
		return r, nil
	}
	if len(q.Options) == 0 { // a text that no question takes, as one that is too long
		return r, &queue.Invalid{Problems: q.Check(queue.Reply{Question: q.ID, Text: text})}
	}
	return t.pick(ctx, q, text)
}

func (t *matter) pick(ctx context.Context, q queue.Question, text string) (queue.Reply, error) {
	t.sayLine(say.TalkPick(text, q))
	for {
		typed, err := t.ask(ctx, say.TalkPickOne)
		if err != nil {
			return queue.Reply{}, err
		}
		if strings.TrimSpace(typed) == "" {
			return queue.Reply{}, errBack
		}
		if id, ok := optionAt(q, typed); ok {
			return chosen(q, id), nil
		}
		t.sayLine(say.TalkNoOption)
	}
}

func optionAt(q queue.Question, number string) (id string, ok bool) {
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || n < 1 || n > len(q.Options) {
		return "", false
	}
	return q.Options[n-1].ID, true
}

func chosen(q queue.Question, option string) queue.Reply {
	return queue.Reply{Question: q.ID, Selected: []string{option}}
}

// confirmed asks for the confirmation that an agent wants.
func (t *matter) confirmed(ctx context.Context) (bool, error) {
	if !t.now.Ask.Confirm {
		return false, nil
	}
	t.sayLine(say.TalkConfirmWords(t.now.Ask))
	typed, err := t.ask(ctx, say.TalkConfirm)
	if err == nil && !strings.EqualFold(strings.TrimSpace(typed), say.TalkYes) {
		err = errBack
	}
	return err == nil, err
}
