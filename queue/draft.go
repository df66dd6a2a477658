package queue

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Draft holds a person's unsent input in one surface.
type Draft struct {
	Session  string    `json:"session"`
	Instance string    `json:"instance"`
	Answered []string  `json:"answered,omitempty"` // question ids already taken
	Reason   string    `json:"reason,omitempty"`   // a cancel reason being typed
	Answer   Answer    `json:"answer"`
	Aside    []Aside   `json:"aside,omitempty"`  // what was typed and is not part of the answer
	Person   string    `json:"person,omitempty"` // whose it is, where several people share the queue
	At       time.Time `json:"at"`
}

// Aside is a text that may have been meant for another pane. It was put aside from a field of the form, and is sent
// only once the person attaches it.
type Aside struct {
	Question string `json:"question,omitempty"`
	Field    string `json:"field"`            // text, note, comment, reason, detail or refusal
	Option   string `json:"option,omitempty"` // of a note and a refusal
	Text     string `json:"text"`
}

// Compare orders texts that are aside by where they belong.
func (a Aside) Compare(b Aside) int {
	return cmp.Or(strings.Compare(a.Question, b.Question), strings.Compare(a.Field, b.Field),
		strings.Compare(a.Option, b.Option))
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
// notes, the comment, the reason, and what is aside. It is kept as long as drafts are, since nothing typed is lost.
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
	for _, a := range d.Aside {
		add(a.Text)
	}
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
