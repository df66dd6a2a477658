package desk

import (
	"maps"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// typesFor is how long somebody counts as answering a question after the last that they typed.
const typesFor = time.Minute

// colleagues are the other people at a shared queue who are answering a question now. What they typed is theirs: it is
// never put into a form here.
type colleagues struct {
	queue *queue.Queue
	until map[string]map[string]time.Time // by session and person
}

// isOthers reports whether a draft is another person's.
func (c *colleagues) isOthers(draft queue.Draft) bool {
	return draft.Person != "" && draft.Person != c.queue.Person
}

// note notes that somebody types, and reports whether nobody knew of it yet. The clocks of two machines may differ:
// what is not plainly old counts from now.
func (c *colleagues) note(draft queue.Draft) (news bool) {
	now := c.queue.Now()
	if now.Sub(draft.At) > typesFor+queue.ClockSkew {
		return false
	}
	if c.until[draft.Session] == nil {
		c.until[draft.Session] = map[string]time.Time{}
	}
	news = !now.Before(c.until[draft.Session][draft.Person])
	c.until[draft.Session][draft.Person] = now.Add(typesFor)
	return news
}

// Answering lists who else is answering a question now, by name.
func (c *colleagues) Answering(session string) (persons []string) {
	for _, person := range slices.Sorted(maps.Keys(c.until[session])) {
		if c.queue.Now().Before(c.until[session][person]) {
			persons = append(persons, person)
		}
	}
	return persons
}

// forget forgets who answered a session that left the queue.
func (c *colleagues) forget(session string) { delete(c.until, session) }

// next is when the next of them counts as answering no more; zero: there is none.
func (c *colleagues) next() (soonest time.Time) {
	for _, persons := range c.until {
		for _, until := range persons {
			if soonest.IsZero() || until.Before(soonest) {
				soonest = until
			}
		}
	}
	return soonest
}

// dropDue forgets those who stopped, and reports whether there were any.
func (c *colleagues) dropDue(now time.Time) (dropped bool) {
	for session, persons := range c.until {
		for person, until := range persons {
			if !now.Before(until) {
				delete(persons, person)
				dropped = true
			}
		}
		if len(persons) == 0 {
			delete(c.until, session)
		}
	}
	return dropped
}
