package desk

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

const mostMiss = 20 // questions listed as missed

// missed lists the questions that ended without the person, here or in the agent. Each stays listed until it was seen
// over on view, or until the person looks at the history.
type missed struct{ list []queue.Session }

// Missed returns the questions that ended without the person, newest first.
func (m *missed) Missed() []queue.Session { return m.list }

// ForgetMissed forgets them, and what closed before its words were sent: the person has looked.
func (s *Seat) ForgetMissed() { s.missed.list, s.closed = nil, queue.Session{} }

// miss lists a question that ended without the person.
func (m *missed) miss(session queue.Session) {
	m.unmiss(session.ID)
	m.list = append([]queue.Session{session}, m.list...)
	m.list = m.list[:min(len(m.list), mostMiss)]
}

// unmiss takes a question off the list.
func (m *missed) unmiss(id string) {
	m.list = slices.DeleteFunc(m.list, func(s queue.Session) bool { return s.ID == id })
}
