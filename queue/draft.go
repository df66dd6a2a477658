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
	Answered []string  `json:"answered,omitempty"` // ids of the questions already answered
	Reason   string    `json:"reason,omitempty"`   // a cancel reason being typed
	Answer   Answer    `json:"answer"`
	Aside    []Aside   `json:"aside,omitempty"`  // typed text that is not part of the answer
	Person   string    `json:"person,omitempty"` // whose draft it is, if several people share the queue
	At       time.Time `json:"at"`
}

// Aside is a text that may have been meant for another terminal pane. The form puts it aside, and sends it only after
// the person has attached it.
type Aside struct {
	Question string `json:"question,omitempty"`
	Field    string `json:"field"`            // text, note, comment, reason, detail or refusal
	Option   string `json:"option,omitempty"` // option id, for a note and a refusal
	Text     string `json:"text"`
}

// Compare orders asides by question, field and option.
func (a Aside) Compare(b Aside) int {
	return cmp.Or(strings.Compare(a.Question, b.Question), strings.Compare(a.Field, b.Field),
		strings.Compare(a.Option, b.Option))
}

// Replaces reports whether d is offered in place of old. Between two instances the later draft is offered. Of one
// instance any other draft than old counts as newer, because the clock may have been put back in between.
func (d Draft) Replaces(old Draft) bool {
	if d.Instance == old.Instance {
		return !d.At.Equal(old.At)
	}
	return d.At.After(old.At)
}

// Holds reports whether two drafts have the same content, whoever saved them and when.
func (d Draft) Holds(other Draft) bool {
	d.Instance, d.At = other.Instance, other.At
	return reflect.DeepEqual(d, other)
}

// Unsent lists the person's texts in the draft that the outcome does not contain: replies, notes, the comment, the
// reason and asides. Texts that came from the agent are left out. The history offers them as long as drafts are kept,
// since nothing typed may be lost.
func (d Draft) Unsent(s Session) []string {
	known := map[string]bool{}
	keep := func(text string) { known[text] = true }
	StartAnswer(s.Ask).eachText(keep)
	if s.Outcome != nil {
		s.Outcome.Answer.eachText(keep)
		s.Outcome.Said.eachText(keep)
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

// eachText calls see with every text of an answer.
func (a Answer) eachText(see func(string)) {
	for _, r := range a.Replies {
		see(r.Text)
		for _, id := range slices.Sorted(maps.Keys(r.Notes)) {
			see(r.Notes[id])
		}
	}
	see(a.Comment)
}
