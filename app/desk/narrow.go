package desk

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Find is what narrows the queue here; empty: nothing does.
func (s *Seat) Find() string { return s.find }

// Listed is the queue as this seat lists it: narrowed to what matches.
func (s *Seat) Listed() []queue.Waiting {
	if s.find == "" {
		return s.d.live.waiting
	}
	want := strings.ToLower(s.find)
	var list []queue.Waiting
	for _, w := range s.d.live.waiting {
		text := w.Ask.Title + " " + w.Ask.Prompt + " " + w.Origin.Name()
		if strings.Contains(strings.ToLower(text), want) {
			list = append(list, w)
		}
	}
	return list
}

// Narrow lists what matches. What is on view stays there while it matches, as seen from the session where narrowing
// began; else the first match comes up.
func (s *Seat) Narrow(text, from string) {
	s.find = text
	list, was := s.Listed(), s.Up()
	switch {
	case indexOf(list, from) >= 0, text == "", len(list) == 0:
		s.Show(from)
	default:
		s.ShowAt(0)
	}
	if s.Up() != was {
		s.Guard.Appear(s.d.Now())
	}
}

// Widen lists all again, without another question coming up.
func (s *Seat) Widen() { s.find = "" }
