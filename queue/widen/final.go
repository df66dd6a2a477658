package widen

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Final is what a final text answers to a question: the option whose label or id it is, as written or else in any case;
// else the text itself where the question takes text. ok is false where it is neither, or where several options are
// meant: then the person picks the option first.
func Final(q queue.Question, text string) (reply queue.Reply, ok bool) {
	reply = queue.Reply{Question: q.ID}
	option, meant := optionOf(q, strings.TrimSpace(text))
	switch {
	case meant > 1:
		return queue.Reply{}, false
	case meant == 1:
		reply.Selected = []string{option}
	case q.TakesText():
		reply.Text = text
	default:
		return queue.Reply{}, false
	}
	if len(q.Check(reply)) > 0 {
		return queue.Reply{}, false
	}
	return reply, true
}

// optionOf finds the option that a text names, and how many it may name.
func optionOf(q queue.Question, text string) (id string, meant int) {
	if text == "" {
		return "", 0
	}
	exact := func(s string) bool { return strings.TrimSpace(s) == text }
	folded := func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), text) }
	for _, equal := range []func(string) bool{exact, folded} {
		for _, o := range q.Options {
			if equal(o.Label) || equal(o.ID) {
				id = o.ID
				meant++
			}
		}
		if meant > 0 {
			return id, meant
		}
	}
	return "", 0
}

// FinalAnswer is Final for a whole ask. One text answers one question: of several the person picks each.
func FinalAnswer(a queue.Ask, text string) (queue.Answer, bool) {
	if len(a.Questions) != 1 {
		return queue.Answer{}, false
	}
	reply, ok := Final(a.Questions[0], text)
	if !ok {
		return queue.Answer{}, false
	}
	return queue.Answer{Replies: []queue.Reply{reply}}, true
}

// FinalText is an answer as the team is told: labels, and the words as they were typed. Several questions are told
// apart by their headers, where they have one.
func FinalText(a queue.Ask, ans queue.Answer) string {
	var parts []string
	for _, q := range a.Questions {
		r, _ := ans.Reply(q.ID)
		var said []string
		for _, id := range r.Selected {
			label := id
			if o, ok := q.Option(id); ok {
				label = o.Label
			}
			said = append(said, label)
		}
		if r.Text != "" {
			said = append(said, r.Text)
		}
		part := strings.Join(said, ", ")
		if len(a.Questions) > 1 && q.Header != "" {
			part = q.Header + ": " + part
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}
