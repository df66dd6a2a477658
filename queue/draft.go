package queue

import (
	"maps"
	"slices"
)

// Unsent lists what a draft holds that did not go out with the session's outcome and was not the agent's own: texts,
// notes, the comment, the reason. It is kept as long as drafts are, since nothing typed is lost.
func (d Draft) Unsent(s Session) []string {
	known := map[string]bool{}
	keep := func(text string) { known[text] = true }
	StartAnswer(s.Ask).eachText(keep)
	if s.Outcome != nil {
		s.Outcome.Answer.eachText(keep)
		keep(s.Outcome.Reason)
	}
	var unsent []string
	add := func(text string) {
		if !Blank(text) && !known[text] {
			unsent = append(unsent, text)
			known[text] = true
		}
	}
	d.Answer.eachText(add)
	add(d.Reason)
	return unsent
}

// eachText gives every text of an answer to see.
func (a Answer) eachText(see func(string)) {
	for _, r := range a.Replies {
		see(r.Text)
		for _, id := range slices.Sorted(maps.Keys(r.Notes)) {
			see(r.Notes[id])
		}
	}
	see(a.Comment)
}
