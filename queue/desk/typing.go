package desk

import (
	"maps"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// typesFor is how long after their last typing a person counts as answering.
const typesFor = time.Minute

// colleagues records which other people at a shared queue are answering a question now. Their drafts are never put into
// a form here.
type colleagues struct {
	queue *queue.Queue
	typed map[string]map[string]typed // by session and person
	// by process: when it was seen to end, because a draft that it saved may be read after that
	left map[string]time.Time
}

// typed records the last typing of one person.
type typed struct {
	process string    // the process in which the person typed
	until   time.Time // when the person no longer counts as answering
}

func newColleagues(q *queue.Queue) colleagues {
	return colleagues{queue: q, typed: map[string]map[string]typed{}, left: map[string]time.Time{}}
}

// isOthers reports whether another person typed a draft.
func (c *colleagues) isOthers(draft queue.Draft) bool {
	return draft.Person != "" && draft.Person != c.queue.Person
}

// noteTyping records that the author of a draft is typing, and reports whether that is news. The clocks of two machines
// may differ, so a draft counts from now unless it is too old for any clock difference.
func (c *colleagues) noteTyping(draft queue.Draft) (news bool) {
	now, process := c.queue.Now(), processOf(draft.Instance)
	if c.hasLeft(process) || now.Sub(draft.At) > typesFor+queue.ClockSkew {
		return false
	}
	if c.typed[draft.Session] == nil {
		c.typed[draft.Session] = map[string]typed{}
	}
	news = !now.Before(c.typed[draft.Session][draft.Person].until)
	c.typed[draft.Session][draft.Person] = typed{process, now.Add(typesFor)}
	return news
}

// notePresent forgets the people whose process has ended since the last time, and reports whether there were any. was
// and now are the roles by instance.
func (c *colleagues) notePresent(was, now map[string]string) (dropped bool) {
	at := c.queue.Now()
	maps.DeleteFunc(c.left, func(_ string, left time.Time) bool { return at.Sub(left) > typesFor+queue.ClockSkew })
	for process := range was {
		if _, runs := now[process]; !runs {
			c.left[process] = at
		}
	}
	for process := range now {
		delete(c.left, process)
	}
	return c.dropTyping(func(t typed) bool { return c.hasLeft(t.process) })
}

// hasLeft reports whether a process ended a short time ago.
func (c *colleagues) hasLeft(process string) bool {
	_, left := c.left[process]
	return left
}

// Answering returns the names of the other people who are answering a question now.
func (c *colleagues) Answering(session string) (persons []string) {
	for _, person := range slices.Sorted(maps.Keys(c.typed[session])) {
		if c.queue.Now().Before(c.typed[session][person].until) {
			persons = append(persons, person)
		}
	}
	return persons
}

// AnsweringIn returns the names of the people who are answering a question, according to its drafts: those who typed
// within the last minute and whose process runs.
func AnsweringIn(drafts []queue.Draft, alive func(instance string) bool, now time.Time) (persons []string) {
	for _, d := range drafts {
		if d.Person != "" && alive(processOf(d.Instance)) && now.Sub(d.At) <= typesFor {
			persons = append(persons, d.Person)
		}
	}
	slices.Sort(persons)
	return slices.Compact(persons)
}

// MeantFor returns the names of the people for whom a question is meant. If only one person uses the queue it returns
// nobody.
func (c *colleagues) MeantFor(s queue.Session) []string {
	if c.queue.Person == "" {
		return nil
	}
	return s.Ask.Audience
}

// forgetSession forgets who was answering a session that left the queue.
func (c *colleagues) forgetSession(session string) { delete(c.typed, session) }

// nextStop returns when the next person stops counting as answering; zero: nobody is answering.
func (c *colleagues) nextStop() (soonest time.Time) {
	for _, persons := range c.typed {
		for _, t := range persons {
			if soonest.IsZero() || t.until.Before(soonest) {
				soonest = t.until
			}
		}
	}
	return soonest
}

// dropDue forgets the people who have stopped answering, and reports whether there were any.
func (c *colleagues) dropDue(now time.Time) (dropped bool) {
	return c.dropTyping(func(t typed) bool { return !now.Before(t.until) })
}

// dropTyping forgets the people for whom which returns true, and reports whether there were any.
func (c *colleagues) dropTyping(which func(typed) bool) (dropped bool) {
	for session, persons := range c.typed {
		before := len(persons)
		maps.DeleteFunc(persons, func(_ string, t typed) bool { return which(t) })
		dropped = dropped || len(persons) < before
		if len(persons) == 0 {
			delete(c.typed, session)
		}
	}
	return dropped
}
