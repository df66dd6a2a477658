package desk

import (
	"maps"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// mostAnswers limits the last answers that are kept.
const mostAnswers = 40

// Answered describes an answer in the list of the last ones.
type Answered struct {
	ID, Title, Summary string
	At                 time.Time
	Origin             queue.Origin
	TooLate            bool // its agent had been answered before, and did not take it
}

// Today adds up today's answers.
type Today struct {
	date   string
	took   map[string]time.Duration // by session: of each answer to what was asked today that counts
	last   *queue.Session           // the newest answer
	known  bool                     // a session has existed
	recent []Answered               // newest first, of whichever day
}

// add counts a settled session once, under the day it was asked, as statistics do.
func (t *Today) add(s queue.Session) {
	if s.IsMessage() || s.Outcome == nil {
		return
	}
	t.known = true
	if !s.Outcome.Answered() || s.Outcome.By == queue.ByRule {
		return
	}
	t.list(s)
	if t.last == nil || t.last.ID == s.ID || s.Outcome.At.After(t.last.Outcome.At) {
		last := s // else every session that comes is kept by reference
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

func tooLate(s queue.Session) bool {
	_, late := s.Untaken()
	return late
}

// list puts an answer among the last ones, once. That it came too late is known a while after.
func (t *Today) list(s queue.Session) {
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

// Answers returns the last answers given on the day of now, newest first.
func (t *Today) Answers(now time.Time) []Answered {
	day := now.Local().Format(time.DateOnly)
	n := slices.IndexFunc(t.recent, func(a Answered) bool { return a.At.Local().Format(time.DateOnly) != day })
	if n < 0 {
		n = len(t.recent)
	}
	return t.recent[:n]
}

// Recent returns the last answers, newest first, of whichever day.
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

// Took returns the time of each answer to a question that was asked on the day of now.
func (t *Today) Took(now time.Time) []time.Duration {
	if t.date != now.Local().Format(time.DateOnly) {
		return nil
	}
	return slices.Collect(maps.Values(t.took))
}

// Median returns the median time to answer the questions that were asked on the day of now: as in the statistics, a
// time that an answer really took.
func (t *Today) Median(now time.Time) time.Duration {
	sorted := slices.Sorted(slices.Values(t.Took(now)))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)-1)/2]
}
