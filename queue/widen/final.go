package widen

import (
	"math/big"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue"
)

// Final turns the person's final text into a reply to a question. If the text is an option's label or id, in the same
// or else in any case, the reply selects that option; else the reply is the text itself, if the question accepts text.
// ok is false if neither is possible or if several options match; then the person has to pick an option in the form.
func Final(q queue.Question, text string) (reply queue.Reply, ok bool) {
	reply = queue.Reply{Question: q.ID}
	option, matches := findOption(q, strings.TrimSpace(text))
	switch {
	case matches == 1:
		reply.Selected = []string{option}
	case matches == 0 && q.TakesText():
		reply.Text = text
	default:
		return queue.Reply{}, false
	}
	return reply, len(q.Check(reply)) == 0
}

// findOption returns an option whose label or id the text is, and the number of options that match. Options in the
// same case are counted first, and options in any case only if there are none.
func findOption(q queue.Question, text string) (id string, matches int) {
	if text == "" {
		return "", 0
	}
	exact := func(s string) bool { return strings.TrimSpace(s) == text }
	folded := func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), text) }
	for _, equal := range []func(string) bool{exact, folded} {
		for _, o := range q.Options {
			if equal(o.Label) || equal(o.ID) {
				id = o.ID
				matches++
			}
		}
		if matches > 0 {
			return id, matches
		}
	}
	return "", 0
}

// FinalAnswer turns the person's final text into an answer to the ask, as Final does. ok is false for an ask with
// several questions, because one text answers one question only.
func FinalAnswer(a queue.Ask, text string) (answer queue.Answer, ok bool) {
	if len(a.Questions) != 1 {
		return queue.Answer{}, false
	}
	reply, ok := Final(a.Questions[0], text)
	if !ok {
		return queue.Answer{}, false
	}
	return queue.Answer{Replies: []queue.Reply{reply}}, true
}

// FinalText returns the text in which the team is told of an answer: the labels of the options, and the person's words
// as they were typed. With several questions, each reply follows the question's header, if it has one.
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

// PickedSource returns the source (see queue.SourceTeam) of an answer that the person picked in the form after reading
// a candidate. The source is the team if the candidate equals the answer, is close to it (see Source), or begins with
// the picked option and names no other. With several questions, the candidate must contain each reply.
func PickedSource(a queue.Ask, ans queue.Answer, candidate string) string {
	if queue.Blank(candidate) {
		return queue.SourceManual
	}
	q, single := a.Questions[0], len(a.Questions) == 1
	r, _ := ans.Reply(q.ID)
	switch {
	case Source(FinalText(a, ans), candidate) == queue.SourceTeam,
		!single && namesAll(a, ans, candidate),
		single && r.Text == "" && len(r.Selected) == 1 && saysFirst(q, r.Selected[0], candidate):
		return queue.SourceTeam
	}
	return queue.SourceOwner
}

// namesAll reports whether a text contains the reply to each question.
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

// saysFirst reports whether a text equals an option's label or id, or begins with its label and names no other option.
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

// endsWord reports whether the word before this text is complete: the text does not begin with a letter or a digit.
func endsWord(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// MaterialDistance is the Distance beyond which the person's text is a decision of their own and no longer the team's.
const MaterialDistance = 0.30

// Source returns the source of a text that the person saved in place of a candidate: queue.SourceTeam if it is close to
// the candidate, else queue.SourceOwner. It is queue.SourceManual if the text or the candidate is empty.
func Source(saved, candidate string) string {
	switch {
	case queue.Blank(saved), queue.Blank(candidate):
		return queue.SourceManual
	case Distance(saved, candidate) > MaterialDistance:
		return queue.SourceOwner
	}
	return queue.SourceTeam
}

// Distance returns the number of characters to insert, delete or replace between the two texts, divided by the length
// of the candidate, which is not blank. It is 0 for equal texts and may be more than 1. White space around a text does
// not count, because editors add a newline, and neither does the kind of line ends.
func Distance(saved, candidate string) float64 {
	a, b := trimmedRunes(saved), trimmedRunes(candidate)
	return float64(Edits(a, b)) / float64(len(b))
}

// trimmedRunes returns the characters of a text that Distance compares.
func trimmedRunes(s string) []rune {
	return []rune(strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")))
}

// Edits returns the Levenshtein distance: the number of characters to insert, delete or replace between two texts. It
// computes a whole column of the matrix at once, as the bits of big numbers (Myers 1999 in Hyyrö's form of 2003), so
// that two texts of 32 KiB take well under a second. up marks the rows of the column whose value is one more than in
// the row above, down those whose value is one less; score is the value in the last row.
func Edits(a, b []rune) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 || len(b) == 0 {
		return max(len(a), len(b))
	}
	places := map[rune]*big.Int{} // the rows of each character of a
	for i, r := range a {
		if places[r] == nil {
			places[r] = new(big.Int)
		}
		places[r].SetBit(places[r], i, 1)
	}
	one, last, score := big.NewInt(1), len(a)-1, len(a)
	every := new(big.Int).Lsh(one, uint(len(a)))
	every.Sub(every, one) // a bit for each row
	up, down := new(big.Int).Set(every), new(big.Int)
	var vertical, diagonal, rises, falls big.Int
	for _, r := range b {
		equal := places[r]
		if equal == nil {
			equal = new(big.Int)
		}
		vertical.Or(equal, down)
		diagonal.And(equal, up).Add(&diagonal, up).Xor(&diagonal, up).Or(&diagonal, equal)
		falls.And(up, &diagonal)
		rises.AndNot(every, rises.Or(&diagonal, up)).Or(&rises, down)
		score += int(rises.Bit(last)) - int(falls.Bit(last))
		rises.Lsh(&rises, 1).Or(&rises, one) // the first row of the matrix grows by one each column
		falls.Lsh(&falls, 1)
		down.And(&rises, &vertical)
		up.AndNot(every, up.Or(&vertical, &rises)).Or(up, falls.And(&falls, every))
	}
	return score
}
