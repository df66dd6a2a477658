// Package widen contains the rules for asking the person's team about a question. To widen a question means to ask the
// team. The teammates discuss it in a thread, for example in Slack; a model, usually the agent that asked, sums the
// discussion up and proposes an answer, the candidate; and the person, whom the schemas call the owner, accepts the
// candidate or writes another answer. The package is pure: it uses no clock, no network and no files.
//
//	audience ── Trim ──▶ members
//	thread ── NewDiscussion ──▶ Discussion; a model's text ── SummaryReader ──▶ queue.Candidate
//	the person's text ── Source ──▶ team's or person's decision; FinalAnswer ──▶ queue.Answer
//
// Consult is the state machine that uses these rules for one person and one question, from the choice of the teammates
// to the answer.
package widen

import (
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/choicetui/choicetui/queue"
)

// NewDecision returns a new decision id, under which the team's server knows a widened question. It is a ULID of that
// time, which nobody can guess.
func NewDecision(at time.Time) string {
	return ulid.MustNew(ulid.Timestamp(at), rand.Reader).String() // no panic before the year 10889
}

// IsDecision reports whether a text is a ULID in the form that NewDecision returns, so that it can be used in a path or
// a file name.
func IsDecision(s string) bool {
	id, err := ulid.ParseStrict(s)
	return err == nil && id.String() == s
}

// hint begins a line in which an agent recommends to ask the team about its question. The blank is part of the mark.
const hint = "[WIDEN-HINT] "

// CutHint removes the mark at the beginning of a hint line. ok is false if there is no mark, or more than one line.
func CutHint(line string) (words string, ok bool) {
	line = strings.TrimRight(line, "\r\n")
	if strings.ContainsAny(line, "\r\n") {
		return "", false
	}
	return strings.CutPrefix(line, hint)
}

// TakeHints removes the hint lines from a text such as a prompt, and returns them without their marks.
func TakeHints(text string) (rest string, hints []string) {
	if !strings.Contains(text, hint) { // almost always; the function is called at every key
		return text, nil
	}
	var kept []string
	for line := range strings.Lines(text) {
		if words, ok := CutHint(line); ok {
			hints = append(hints, words)
		} else {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, ""), hints
}

// Trim returns the members of the audience whose names were typed, separated by commas, in any case. Without names it
// returns the whole audience. kept has the audience's order and contains each member once; of two members with the same
// name it contains both. unknown lists, as they were typed, the names of nobody in the audience.
func Trim(audience []queue.Member, input string) (kept []queue.Member, unknown []string) {
	var names []string
	for typed := range strings.SplitSeq(input, ",") {
		if name := strings.TrimSpace(typed); name != "" {
			names = append(names, name)
		}
	}
	for _, m := range audience {
		named := slices.ContainsFunc(names, func(name string) bool { return isCalled(m, name) })
		if (named || len(names) == 0) && !slices.Contains(kept, m) {
			kept = append(kept, m)
		}
	}
	for _, name := range names {
		known := slices.ContainsFunc(audience, func(m queue.Member) bool { return isCalled(m, name) })
		if !known && !slices.ContainsFunc(unknown, func(s string) bool { return strings.EqualFold(s, name) }) {
			unknown = append(unknown, name)
		}
	}
	return kept, unknown
}

// Named returns the people who are asked if these names were typed, in place of the whole audience: the members with
// the names, and where the team takes names also the people whom no member is called. unknown lists the latter.
func (a Audience) Named(typed string) (invited []queue.Member, unknown []string) {
	if queue.Blank(typed) {
		return slices.Clone(a.Members), nil
	}
	if invited, unknown = Trim(a.Members, typed); a.ByName {
		invited = byName(invited, unknown)
	}
	return invited, unknown
}

// add adds the people whose names were typed to those who are asked.
func (a Audience) add(asked []queue.Member, typed string) []queue.Member {
	typed = strings.ReplaceAll(typed, "\n", ",")
	if strings.Trim(typed, ", \t") == "" {
		return asked
	}
	named, unknown := Trim(a.Members, typed)
	for _, m := range named {
		if !slices.Contains(asked, m) {
			asked = append(asked, m)
		}
	}
	return byName(asked, unknown)
}

// byName adds people of whom only the name is known to those who are asked, up to queue.MaxTeam people in all.
func byName(asked []queue.Member, names []string) []queue.Member {
	for _, name := range names[:min(len(names), queue.MaxTeam-len(asked))] {
		asked = append(asked, queue.Member{Name: Name(name)})
	}
	return asked
}

// isCalled reports whether a typed name is the member's name, as the server wrote it or as the person sees it.
func isCalled(m queue.Member, name string) bool {
	return strings.EqualFold(strings.TrimSpace(m.Name), name) || strings.EqualFold(Name(m.Name), name)
}
