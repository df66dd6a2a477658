package desk

import (
	"maps"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// mostAnswers limits the list of the last answers.
const mostAnswers = 40

// Today keeps how long the answers to the questions asked today took, the last answers, and the person's last phrases.
type Today struct {
	Phrases Phrases

	person string // the person at this desk, if several share the queue
	date   string
	took   map[string]time.Duration // by session asked today: how long its answer took, unless that came too late
	known  bool                     // any session has ever been settled here
	recent []queue.Session          // the last answers, newest first, of any day
}

// addSession counts a settled session once, on the day when it was asked, as `log --stats` does.
func (t *Today) addSession(s queue.Session) {
	if s.IsMessage() || s.Outcome == nil {
		return
	}
	t.known = true
	t.Phrases.addSession(s, t.person)
	if !s.Outcome.Answered() || s.Outcome.By == queue.ByRule {
		return
	}
	t.listAnswer(s)
	asked := s.AskedAt.Local().Format(time.DateOnly)
	if asked < t.date {
		return
	}
	if asked > t.date {
		t.date, t.took = asked, map[string]time.Duration{}
	}
	t.took[s.ID] = s.Took()
	if _, late := s.Untaken(); late {
		delete(t.took, s.ID)
	}
}

// listAnswer adds an answer to the last ones. One that is listed already is replaced, because it may be known only
// later that it came too late.
func (t *Today) listAnswer(s queue.Session) {
	isIt := func(a queue.Session) bool { return a.ID == s.ID }
	if at := slices.IndexFunc(t.recent, isIt); at >= 0 {
		t.recent[at] = s
		return
	}
	older := func(a queue.Session) bool { return a.Outcome.At.Before(s.Outcome.At) }
	at := slices.IndexFunc(t.recent, older)
	if at < 0 {
		at = len(t.recent)
	}
	if at == mostAnswers {
		return
	}
	t.recent = slices.Insert(t.recent, at, s)
	t.recent = t.recent[:min(len(t.recent), mostAnswers)]
}

// Answers returns the last answers that were given on the day of now, newest first.
func (t *Today) Answers(now time.Time) []queue.Session {
	day := now.Local().Format(time.DateOnly)
	other := func(a queue.Session) bool { return a.Outcome.At.Local().Format(time.DateOnly) != day }
	n := slices.IndexFunc(t.recent, other)
	if n < 0 {
		n = len(t.recent)
	}
	return t.recent[:n]
}

// Recent returns the last answers of any day, newest first.
func (t *Today) Recent() []queue.Session { return t.recent }

// Known reports whether any session ever ended here.
func (t *Today) Known() bool { return t.known }

// Took returns how long each answer to a question asked on the day of now took.
func (t *Today) Took(now time.Time) []time.Duration {
	if t.date != now.Local().Format(time.DateOnly) {
		return nil
	}
	return slices.Collect(maps.Values(t.took))
}

// Median returns the median of Took. Of an even number it takes the lower middle value, as `log --stats` does:
// a time that an answer really took.
func (t *Today) Median(now time.Time) time.Duration {
	sorted := slices.Sorted(slices.Values(t.Took(now)))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)-1)/2]
}
