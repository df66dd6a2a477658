package desk

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// listing gives the queue as a seat lists it.
type listing struct {
	live *live
	find string // the text that narrows it
}

// Find returns the text that narrows the queue here; empty: all is shown.
func (l *listing) Find() string { return l.find }

// Widen lists all again, without another question coming up.
func (l *listing) Widen() { l.find = "" }

// Listed returns the queue as this seat lists it: narrowed to what matches.
func (l *listing) Listed() []queue.Waiting {
	if l.find == "" {
		return l.live.waiting
	}
	want := strings.ToLower(l.find)
	var list []queue.Waiting
	for _, w := range l.live.waiting {
		words := []string{w.Ask.Title, w.Ask.Prompt, w.Ask.Approval.Text(), w.Origin.Name(), w.Origin.Host}
		text := strings.Join(words, " ")
		if strings.Contains(strings.ToLower(text), want) {
			list = append(list, w)
		}
	}
	return list
}

func indexOf(list []queue.Waiting, id string) int {
	return slices.IndexFunc(list, func(w queue.Waiting) bool { return w.ID == id })
}
