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

// FinalAnswer returns the answer that a final text gives to a whole ask, as Final does. One text answers one question:
// of several questions the person picks each answer.
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

// MaterialDistance is the distance beyond which a change of the candidate is material.
const MaterialDistance = 0.30

// Source says where the text comes from that the person saved over a candidate. Empty text is manual, and so is any
// text where there was no candidate.
func Source(saved, candidate string) string {
	switch {
	case queue.Blank(saved), queue.Blank(candidate):
		return queue.SourceManual
	case Distance(saved, candidate) > MaterialDistance:
		return queue.SourceOwner
	}
	return queue.SourceTeam
}

// Distance returns the number of characters to insert, delete or replace between the two texts, over the length of the
// candidate: 0 is the same, and it may be more than 1. White space around a text does not count, since editors add a
// newline, and neither does how lines end. From an empty candidate anything but nothing is 1 away.
func Distance(saved, candidate string) float64 {
	a, b := compared(saved), compared(candidate)
	if len(b) == 0 {
		return float64(min(len(a), 1))
	}
	return float64(Edits(a, b)) / float64(len(b))
}

func compared(s string) []rune {
	return []rune(strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")))
}

// Edits returns the Levenshtein distance. It goes over the matrix 64 rows at a time (Myers 1999 in Hyyrö's form of
// 2003), so that two texts of 32 KiB take a moment and no second.
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
	blocks := (len(a) + 63) / 64
	places := placesOf(a, blocks)
	nowhere := make([]uint64, blocks)
	column := make([]strip, blocks)
	for i := range column {
		column[i].up = ^uint64(0)
	}
	last := uint(len(a)-1) % 64
	score := len(a)
	for _, r := range b {
		at, ok := places[r]
		if !ok {
			at = nowhere
		}
		carry := 1 // the first row of the matrix grows by one each column
		for i := range column {
			edge := uint(63)
			if i == blocks-1 {
				edge = last
			}
			carry = column[i].advance(at[i], carry, edge)
		}
		score += carry
	}
	return score
}

// placesOf returns for each character its positions in the text, as bits.
func placesOf(text []rune, blocks int) map[rune][]uint64 {
	places := map[rune][]uint64{}
	for i, r := range text {
		if places[r] == nil {
			places[r] = make([]uint64, blocks)
		}
		places[r][i/64] |= 1 << (uint(i) % 64)
	}
	return places
}

// strip holds 64 rows of a column of the matrix: those in which the value is one more than in the row above, and those
// in which it is one less.
type strip struct{ up, down uint64 }

// advance goes to the next column. carry is the change of the value in the row above the strip: 1, 0 or -1. advance
// returns the change in the row of the strip that edge names.
func (s *strip) advance(equal uint64, carry int, edge uint) int {
	var above uint64
	if carry < 0 {
		above = 1
	}
	vertical := equal | s.down
	equal |= above
	diagonal := (((equal & s.up) + s.up) ^ s.up) | equal
	rises := s.down | ^(diagonal | s.up)
	falls := s.up & diagonal
	out := int(rises>>edge&1) - int(falls>>edge&1)
	rises, falls = rises<<1, falls<<1|above
	if carry > 0 {
		rises |= 1
	}
	s.up, s.down = falls|^(vertical|rises), rises&vertical
	return out
}
