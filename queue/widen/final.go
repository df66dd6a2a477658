package widen

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue"
)

// Final returns the reply that a final text gives to a question: the option whose label or id it is, as written or else
// in any case; else the text itself if the question takes text. ok is false if it is neither, or if several options are
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

// FinalText returns an answer as the team is told: labels, and the words as they were typed. Several questions are told
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

// PickedSource says where an answer comes from that the person picked in the form with a candidate before them. It is
// the team's where the candidate is what was picked, or close to it, or says just that first and then more. Of several
// questions the candidate must name each answer.
func PickedSource(a queue.Ask, ans queue.Answer, candidate string) string {
	if queue.Blank(candidate) {
		return queue.SourceManual
	}
	if Source(FinalText(a, ans), candidate) == queue.SourceTeam {
		return queue.SourceTeam
	}
	if len(a.Questions) > 1 {
		if namesAll(a, ans, candidate) {
			return queue.SourceTeam
		}
		return queue.SourceOwner
	}
	q := a.Questions[0]
	r, _ := ans.Reply(q.ID)
	if r.Text == "" && len(r.Selected) == 1 && saysFirst(q, r.Selected[0], candidate) {
		return queue.SourceTeam
	}
	return queue.SourceOwner
}

// namesAll reports whether a text holds what was answered to each question.
func namesAll(a queue.Ask, ans queue.Answer, text string) bool {
	text = strings.ToLower(text)
	for _, q := range a.Questions {
		answer := FinalText(queue.Ask{Questions: []queue.Question{q}}, ans)
		if answer == "" || !strings.Contains(text, strings.ToLower(answer)) {
			return false
		}
	}
	return true
}

// saysFirst reports whether a text is an option's label or id, or begins with its label and names no other option.
func saysFirst(q queue.Question, id, text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	o, ok := q.Option(id)
	if !ok {
		return false
	}
	label := strings.ToLower(strings.TrimSpace(o.Label))
	if text == strings.ToLower(id) || text == label {
		return true
	}
	if rest, begins := strings.CutPrefix(text, label); !begins || label == "" || !endsWord(rest) {
		return false
	}
	return !slices.ContainsFunc(q.Options, func(other queue.Option) bool {
		name := strings.ToLower(strings.TrimSpace(other.Label))
		return other.ID != id && name != "" && !strings.Contains(label, name) && strings.Contains(text, name)
	})
}

// endsWord reports whether a word can end before this text.
func endsWord(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
