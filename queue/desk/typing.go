package desk

import (
	"maps"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// typesFor is the time for which somebody counts as answering a question after their last typing.
const typesFor = time.Minute

// colleagues are the other people at a shared queue who are answering a question now. What they typed is theirs: it is
// never put into a form here.
type colleagues struct {
	queue *queue.Queue
	typed map[string]map[string]typed // by session and person
	left  map[string]time.Time        // when processes were seen to end; what they saved may be read after that
}

// typed is the last that somebody typed.
type typed struct {
	process string    // where they did
	until   time.Time // when they count as answering no more
}

func newColleagues(q *queue.Queue) *colleagues {
	return &colleagues{queue: q, typed: map[string]map[string]typed{}, left: map[string]time.Time{}}
}

// isOthers reports whether a draft is another person's.
func (c *colleagues) isOthers(draft queue.Draft) bool {
	return draft.Person != "" && draft.Person != c.queue.Person
}

// note notes that somebody types, and reports whether nobody knew of it yet. The clocks of two machines may differ:
// what is not plainly old counts from now.
func (c *colleagues) note(draft queue.Draft) (news bool) {
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

// notePresent forgets those whose process has ended since the last time, and reports whether there were any.
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
	return c.drop(func(t typed) bool { return c.hasLeft(t.process) })
}

func (c *colleagues) hasLeft(process string) bool {
	_, left := c.left[process]
	return left
}

// Answering lists who else is answering a question now, by name.
func (c *colleagues) Answering(session string) (persons []string) {
	for _, person := range slices.Sorted(maps.Keys(c.typed[session])) {
		if c.queue.Now().Before(c.typed[session][person].until) {
			persons = append(persons, person)
		}
	}
	return persons
}

// AnsweringIn lists by name who is answering a question, as its drafts say: those who typed within the last minute and
// whose process runs.
func AnsweringIn(drafts []queue.Draft, alive func(instance string) bool, now time.Time) (persons []string) {
	for _, d := range drafts {
		if d.Person != "" && alive(processOf(d.Instance)) && now.Sub(d.At) <= typesFor {
			persons = append(persons, d.Person)
		}
	}
	slices.Sort(persons)
	return slices.Compact(persons)
}

// MeantFor lists for whom a question is meant, by name, where several people share the queue; else nobody: it is the
// person's in any case.
func (c *colleagues) MeantFor(s queue.Session) []string {
	if c.queue.Person == "" {
		return nil
	}
	return s.Ask.Audience
}

// forget forgets who answered a session that left the queue.
func (c *colleagues) forget(session string) { delete(c.typed, session) }

// next returns when the next of them stops counting as answering; zero: there is none.
func (c *colleagues) next() (soonest time.Time) {
	for _, persons := range c.typed {
		for _, t := range persons {
			if soonest.IsZero() || t.until.Before(soonest) {
				soonest = t.until
			}
		}
	}
	return soonest
}

// dropDue forgets those who stopped, and reports whether there were any.
func (c *colleagues) dropDue(now time.Time) (dropped bool) {
	return c.drop(func(t typed) bool { return !now.Before(t.until) })
}

func (c *colleagues) drop(which func(typed) bool) (dropped bool) {
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
