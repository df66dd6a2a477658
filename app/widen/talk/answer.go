package talk

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// takeAnswer answers the question with a typed text.
func (t *Talk) takeAnswer(ctx context.Context, text string) (err error) {
	do, withTeam := queue.Settle{}, t.c.Session.Widen != nil
	if do.Answer, err = t.answerOf(ctx, text, true); err == nil {
		do.Confirmed, err = t.askConfirmation(ctx)
	}
	if err != nil {
		return t.reportFailure(saving, err)
	}
	if withTeam {
		do.Team = &queue.Resolution{Summary: queue.Summary{Source: queue.SourceManual}}
	}
	if err = t.finish(ctx, do); withTeam && t.end == Over {
		t.sayLine("Resolved locally. SaaS will close the Slack thread shortly.")
	}
	return err
}

// isNumber reports whether a text consists of digits.
func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// answerOf turns a text into an answer to the session. typed is set if the person typed the text. If the text is not an
// option and the question accepts no other text, answerOf asks the person to pick an option. If the session has several
// questions, it ignores the text and asks for a reply to each question in turn.
func (t *Talk) answerOf(ctx context.Context, text string, typed bool) (given queue.Answer, err error) {
	questions := t.c.Session.Ask.Questions
	for _, q := range questions {
		if len(questions) > 1 {
			t.separate()
			t.sayLine(say.OneLine(cmp.Or(strings.TrimSpace(q.Text), q.Header)))
			t.sayOptions(q)
			text, err = t.ask(ctx, "Its answer, or Enter to go back:")
			if typed = true; err == nil && queue.Blank(text) {
				err = errBack
			}
		}
		if err != nil {
			return given, err
		}
		r, err := t.replyOf(ctx, q, strings.TrimSpace(text), typed)
		if err != nil {
			return given, err
		}
		given.Replies = append(given.Replies, r)
	}
	return given, nil
}

// replyOf returns the reply to one question, as answerOf does. A number chooses the option with that number, unless the
// number is the label of an option. A typed number that no option has is refused with errBack. A number in quotes is
// the person's own words.
func (t *Talk) replyOf(ctx context.Context, q queue.Question, text string, typed bool) (queue.Reply, error) {
	typed = typed && len(q.Options) > 0
	if inside := strings.Trim(text, `"`); typed && q.TakesText() && len(inside) == len(text)-2 && isNumber(inside) {
		return queue.Reply{Question: q.ID, Text: inside}, nil
	}
	r, ok := widen.Final(q, text)
	id, numbered := optionAt(q, text)
	switch {
	case ok && len(r.Selected) > 0:
		return r, nil
	case numbered:
		return queue.Reply{Question: q.ID, Selected: []string{id}}, nil
	case ok && typed && isNumber(text):
		t.sayLine(fmt.Sprintf("There is no option %[1]s; %[2]s, or type \"%[1]s\" in quotes as your own words.",
			say.Short(text, 20), say.ChooseOne(len(q.Options))))
		return r, errBack
	case ok:
		return r, nil
	case len(q.Options) == 0: // the question does not accept the text, for example because it is too long
		return r, &queue.Invalid{Problems: q.Check(queue.Reply{Question: q.ID, Text: text})}
	}
	return t.askOption(ctx, q, text)
}

// askOption asks the person which option is meant by a text that is not an option.
func (t *Talk) askOption(ctx context.Context, q queue.Question, text string) (queue.Reply, error) {
	t.sayLine("This question takes one of its options, and " + say.ShortQuoted(text, titleMost) +
		" is not one of them. Which one do you mean?")
	t.sayOptions(q)
	for {
		typed, err := t.ask(ctx, "Number of the option, or Enter to go back:")
		if err != nil {
			return queue.Reply{}, err
		}
		if strings.TrimSpace(typed) == "" {
			return queue.Reply{}, errBack
		}
		if id, ok := optionAt(q, typed); ok {
			return queue.Reply{Question: q.ID, Selected: []string{id}}, nil
		}
		t.sayLine("That is not the number of an option.")
	}
}

// optionAt returns the id of the option with a typed number, counted from 1.
func optionAt(q queue.Question, number string) (id string, ok bool) {
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || n < 1 || n > len(q.Options) {
		return "", false
	}
	return q.Options[n-1].ID, true
}

// askConfirmation asks for the confirmation that an agent wants. It fails with errBack if the person does not confirm.
func (t *Talk) askConfirmation(ctx context.Context) (bool, error) {
	if !t.c.Session.Ask.Confirm {
		return false, nil
	}
	if words := say.OneLine(t.c.Session.Ask.ConfirmMessage); words != "" {
		t.sayLine("The agent wants a confirmation: " + words)
	} else {
		t.sayLine("The agent wants an explicit confirmation.")
	}
	typed, err := t.ask(ctx, "Type yes to confirm, or Enter to go back:")
	if err == nil && !strings.EqualFold(strings.TrimSpace(typed), "yes") {
		err = errBack
	}
	return err == nil, err
}
