package desk

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// listing filters the queue as the person narrowed it at a seat.
type listing struct {
	live *live
	find string // the text that narrows it
}

// Find returns the text by which the queue is narrowed here; empty: all of it is listed.
func (l *listing) Find() string { return l.find }

// ShowAll lists all questions again after narrowing; the question on view stays.
func (l *listing) ShowAll() { l.find = "" }

// Listed returns the pending questions that match Find, in queue order.
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

// indexOf returns the index of a session in a list, or -1.
func indexOf(list []queue.Waiting, id string) int {
	return slices.IndexFunc(list, func(w queue.Waiting) bool { return w.ID == id })
}

const mostMiss = 20 // questions listed as missed

// missed lists the questions that ended without the person, here or in the agent. A question leaves the list when the
// person has seen on view that it ended, or has looked at the history.
type missed struct{ list []queue.Session }

// Missed returns the questions that ended without the person, newest first.
func (m *missed) Missed() []queue.Session { return m.list }

// ForgetMissed empties the list, and forgets the question of Closed: the person has looked at the history.
func (s *Seat) ForgetMissed() { s.missed.list, s.closed = nil, queue.Session{} }

// addMissed adds a question that ended without the person.
func (m *missed) addMissed(session queue.Session) {
	m.removeMissed(session.ID)
	m.list = append([]queue.Session{session}, m.list...)
	m.list = m.list[:min(len(m.list), mostMiss)]
}

// removeMissed takes a question off the list.
func (m *missed) removeMissed(id string) {
	m.list = slices.DeleteFunc(m.list, func(s queue.Session) bool { return s.ID == id })
}
