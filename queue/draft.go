package queue

import (
	"maps"
	"reflect"
	"slices"
	"time"
)

// Draft is what a person has typed into one surface and not sent yet.
type Draft struct {
	Session  string    `json:"session"`
	Instance string    `json:"instance"`
	Answered []string  `json:"answered,omitempty"` // question ids already taken
	Reason   string    `json:"reason,omitempty"`   // a cancel reason being typed
	Answer   Answer    `json:"answer"`
	Person   string    `json:"person,omitempty"` // whose it is, where several people share the queue
	At       time.Time `json:"at"`
}

// Replaces reports whether a draft is offered in place of old: the later one of two instances, and whatever an instance
// has saved last, also where the clock was put back in between.
func (d Draft) Replaces(old Draft) bool {
	if d.Instance == old.Instance {
		return !d.At.Equal(old.At)
	}
	return d.At.After(old.At)
}

// Holds reports whether two drafts hold the same work, whoever saved them and when.
func (d Draft) Holds(other Draft) bool {
	d.Instance, d.At = other.Instance, other.At
	return reflect.DeepEqual(d, other)
}

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
