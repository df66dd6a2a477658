package talk

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// answer takes a typed text as the answer.
func (t *Talk) answer(ctx context.Context, text string) error {
	do, withTeam := queue.Settle{}, t.c.Session.Widen != nil
	var err error
	if do.Answer, err = t.typedAnswer(ctx, text); err == nil {
		do.Confirmed, err = t.confirmed(ctx)
	}
	if err != nil {
		return t.unanswered(err)
	}
	if withTeam {
		do.Team = &queue.Resolution{Summary: queue.Summary{Source: queue.SourceManual}}
	}
	if err = t.finish(ctx, do); withTeam && t.end == Over {
		t.sayLine("Resolved locally. SaaS will close the Slack thread shortly.")
	}
	return err
}

// unanswered handles a text that is no answer: the person goes back, or is told why it cannot be one.
func (t *Talk) unanswered(err error) error {
	if errors.Is(err, errBack) {
		return nil
	}
	return t.failed(saving, err)
}

// typedAnswer returns the answer of a text that the person typed, as answerOf does. It refuses a number that no option
// has; in quotes it is the person's own words.
func (t *Talk) typedAnswer(ctx context.Context, text string) (queue.Answer, error) {
	questions := t.c.Session.Ask.Questions
	if len(questions) != 1 {
		return t.answerOf(ctx, text)
	}
	r, err := t.typedReply(ctx, questions[0], text)
	return queue.Answer{Replies: []queue.Reply{r}}, err
}

// typedReply returns the reply to one question, as typedAnswer does. It fails with errBack if a number was refused.
func (t *Talk) typedReply(ctx context.Context, q queue.Question, text string) (queue.Reply, error) {
	if len(q.Options) == 0 || !q.TakesText() {
		return t.replyOf(ctx, q, text)
	}
	if inside := strings.Trim(text, `"`); len(inside) == len(text)-2 && isNumber(inside) {
		return queue.Reply{Question: q.ID, Text: inside}, nil
	}
	r, err := t.replyOf(ctx, q, text)
	if err == nil && len(r.Selected) == 0 && isNumber(text) {
		t.sayLine(noSuchOption(text, len(q.Options)))
		return r, errBack
	}
	return r, err
}

// noSuchOption refuses a number that no option has.
func noSuchOption(number string, options int) string {
	number = say.Short(number, 20)
	which := "type a number from 1 to " + strconv.Itoa(options)
	if options == 1 {
		which = "type 1"
	}
	return fmt.Sprintf("There is no option %[1]s: %[2]s, or \"%[1]s\" in quotes as your own words.", number, which)
}

// isNumber reports whether a text is nothing but digits.
func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// answerOf turns a text into an answer to the question. If the text is not one of its options, and it takes no other,
// the person picks one. Several questions are asked one at a time.
func (t *Talk) answerOf(ctx context.Context, text string) (queue.Answer, error) {
	questions := t.c.Session.Ask.Questions
	if len(questions) == 1 {
		r, err := t.replyOf(ctx, questions[0], text)
		return queue.Answer{Replies: []queue.Reply{r}}, err
	}
	var given queue.Answer
	for _, q := range questions {
		t.apart()
		t.sayLine(oneQuestion(q))
		typed, err := t.ask(ctx, "Its answer, or Enter to go back:")
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

// oneQuestion returns one of several questions with its options.
func oneQuestion(q queue.Question) string {
	head := q.Text
	if queue.Blank(head) {
		head = q.Header
	}
	return strings.Join(append([]string{say.OneLine(head)}, numberedOptions(q)...), "\n")
}

// replyOf returns the reply to one question, as answerOf does. The number of an option means it, unless the number is a
// label itself.
func (t *Talk) replyOf(ctx context.Context, q queue.Question, text string) (queue.Reply, error) {
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

func (t *Talk) pick(ctx context.Context, q queue.Question, text string) (queue.Reply, error) {
	t.sayLine(pickOption(text, q))
	for {
		typed, err := t.ask(ctx, "Number of the option, or Enter to go back:")
		if err != nil {
			return queue.Reply{}, err
		}
		if strings.TrimSpace(typed) == "" {
			return queue.Reply{}, errBack
		}
		if id, ok := optionAt(q, typed); ok {
			return chosen(q, id), nil
		}
		t.sayLine("That is no number of an option.")
	}
}

// pickOption asks for the option that is meant by an answer which is not an option.
func pickOption(answer string, q queue.Question) string {
	rows := []string{"This question takes one of its options, and " + say.ShortQuoted(answer, titleMost) +
		" is none. Which one is it?"}
	return strings.Join(append(rows, numberedOptions(q)...), "\n")
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
func (t *Talk) confirmed(ctx context.Context) (bool, error) {
	if !t.c.Session.Ask.Confirm {
		return false, nil
	}
	t.sayLine(confirmRequest(t.c.Session.Ask))
	typed, err := t.ask(ctx, "Type yes to confirm, or Enter to go back:")
	if err == nil && !strings.EqualFold(strings.TrimSpace(typed), "yes") {
		err = errBack
	}
	return err == nil, err
}

// confirmRequest returns the confirmation that the agent asks for.
func confirmRequest(a queue.Ask) string {
	if words := say.OneLine(a.ConfirmMessage); words != "" {
		return "The agent wants a confirmation: " + words
	}
	return "The agent wants an explicit confirmation."
}
