package desk

import (
	"maps"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// mostAnswers limits the list of the last answers.
const mostAnswers = 40

// Answered describes one of the last answers.
type Answered struct {
	ID, Title, Summary string
	At                 time.Time
	Origin             queue.Origin
	TooLate            bool // the agent already had an answer, and did not take this one
}

// Today keeps the statistics of the questions asked today, and the last answers.
type Today struct {
	date   string
	took   map[string]time.Duration // by session asked today: how long its answer took, unless that came too late
	last   *queue.Session           // the newest answer
	known  bool                     // any session has ever been settled here
	recent []Answered               // the last answers, newest first, of any day
}

// addSession counts a settled session once, on the day when it was asked, as the statistics do.
func (t *Today) addSession(s queue.Session) {
	if s.IsMessage() || s.Outcome == nil {
		return
	}
	t.known = true
	if !s.Outcome.Answered() || s.Outcome.By == queue.ByRule {
		return
	}
	t.listAnswer(s)
	if t.last == nil || t.last.ID == s.ID || s.Outcome.At.After(t.last.Outcome.At) {
		last := s // a copy, so that only this one session escapes to the heap
		t.last = &last
	}
	asked := s.AskedAt.Local().Format(time.DateOnly)
	if asked < t.date {
		return
	}
	if asked > t.date {
		t.date, t.took = asked, map[string]time.Duration{}
	}
	if t.took[s.ID] = s.Took(); tooLate(s) {
		delete(t.took, s.ID)
	}
}

// tooLate reports whether the agent already had an answer when the person's came.
func tooLate(s queue.Session) bool {
	_, late := s.Untaken()
	return late
}

// listAnswer adds an answer to the last ones, once. If it is listed already, listAnswer updates whether it came too
// late, which is known only later.
func (t *Today) listAnswer(s queue.Session) {
	isIt := func(a Answered) bool { return a.ID == s.ID }
	if at := slices.IndexFunc(t.recent, isIt); at >= 0 {
		t.recent[at].TooLate = tooLate(s)
		return
	}
	older := func(a Answered) bool { return a.At.Before(s.Outcome.At) }
	at := slices.IndexFunc(t.recent, older)
	if at < 0 {
		at = len(t.recent)
	}
	if at == mostAnswers {
		return
	}
	title, _ := s.Ask.Visible(s.Ask.Title)
	t.recent = slices.Insert(t.recent, at, Answered{ID: s.ID, Title: title, Summary: s.Summary(),
		At: s.Outcome.At, Origin: s.Origin, TooLate: tooLate(s)})
	t.recent = t.recent[:min(len(t.recent), mostAnswers)]
}

// Answers returns the last answers that were given on the day of now, newest first.
func (t *Today) Answers(now time.Time) []Answered {
	day := now.Local().Format(time.DateOnly)
	n := slices.IndexFunc(t.recent, func(a Answered) bool { return a.At.Local().Format(time.DateOnly) != day })
	if n < 0 {
		n = len(t.recent)
	}
	return t.recent[:n]
}

// Recent returns the last answers of any day, newest first.
func (t *Today) Recent() []Answered { return t.recent }

// Known reports whether any session ever ended here.
func (t *Today) Known() bool { return t.known }

// Last returns the newest answer, and whether there is one.
func (t *Today) Last() (queue.Session, bool) {
	if t.last == nil {
		return queue.Session{}, false
	}
	return *t.last, true
}

// Took returns how long each answer to a question asked on the day of now took.
func (t *Today) Took(now time.Time) []time.Duration {
	if t.date != now.Local().Format(time.DateOnly) {
		return nil
	}
	return slices.Collect(maps.Values(t.took))
}

// Median returns the median of Took. Of an even number it takes the lower middle value, as the statistics do: a time
// that an answer really took.
func (t *Today) Median(now time.Time) time.Duration {
	sorted := slices.Sorted(slices.Values(t.Took(now)))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)-1)/2]
}
