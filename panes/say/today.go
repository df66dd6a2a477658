package say

import (
	"fmt"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// AnsweredToday says how many were answered today and, from two on, the median of the times, longest form first.
func AnsweredToday(n int, median time.Duration) []string {
	switch n {
	case 0:
		return []string{"nothing answered yet"}
	case 1:
		return []string{Answered(1)}
	}
	took := Clock(median)
	return []string{fmt.Sprintf("%s, median %s", Answered(n), took), fmt.Sprintf("%d, median %s", n, took)}
}

// Answered says how many were answered.
func Answered(n int) string { return fmt.Sprintf("%d answered", n) }

// LastAnswer is an answer and when that was, with the day where it is not today's: `14:02  PostgreSQL → shop · claude`.
func LastAnswer(s queue.Session, now time.Time) string {
	at, layout := s.Outcome.At.Local(), "15:04"
	if !sameDay(at, now) {
		layout = "Mon 2 Jan 15:04"
	}
	answer := s.Summary()
	if _, late := s.Untaken(); late {
		answer = AnswerTooLate(answer)
	}
	return at.Format(layout) + "  " + answer + " → " + s.Origin.Name()
}
