package say

import (
	"fmt"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// secondsLeft returns a time in seconds, rounded up, so that 0 means that the time is over.
func secondsLeft(left time.Duration) int {
	if left <= 0 {
		return 0
	}
	return int((left-1)/time.Second) + 1
}

// Left returns a time left in few cells: 4:12 below ten minutes, then 14m, 2h.
func Left(left time.Duration) string {
	switch secs := secondsLeft(left); {
	case secs >= 3600:
		return fmt.Sprintf("%dh", secs/3600)
	case secs >= 600:
		return fmt.Sprintf("%dm", secs/60)
	default:
		return fmt.Sprintf("%d:%02d", secs/60, secs%60)
	}
}

// TimeLeft returns a session's time left in at most five cells: with "!" if at most warn is left, and as – while its
// clock is stopped.
func TimeLeft(s queue.Session, now time.Time, warn time.Duration) string {
	if !s.HasClock() {
		return "–"
	}
	left := ShownLeft(s, now)
	if secs := secondsLeft(left); secs < 600 && time.Duration(secs)*time.Second <= warn {
		return "!" + Left(left)
	}
	return Left(left)
}

// Urgent reports whether a session's time left is at most warn.
func Urgent(s queue.Session, now time.Time, warn time.Duration) bool {
	return s.HasClock() && ShownLeft(s, now) <= warn
}

// ShownLeft returns the time left as the whole screen shows it: counted from the whole second of wall time before now,
// so that a draw between two seconds moves no countdown. A question that was asked or moved within this second counts
// from that moment, so that it never shows more time than it was given.
func ShownLeft(s queue.Session, now time.Time) time.Duration {
	if !now.Before(s.Deadline) {
		return 0
	}
	at := now.Truncate(time.Second)
	if s.CountdownFrom.After(at) && !s.CountdownFrom.After(now) {
		at = s.CountdownFrom
	}
	return s.Deadline.Sub(at)
}

// NextTick returns the next whole second of wall time at which something on screen changes: the shown time, its style
// at warn, or the bar of the given number of cells that shows the share of the time left (the countdown; see Lit). It
// is zero if nothing will change.
func NextTick(s queue.Session, now time.Time, warn time.Duration, cells int) time.Time {
	if !s.HasClock() || !now.Before(s.Deadline) {
		return time.Time{}
	}
	secs := secondsLeft(ShownLeft(s, now))
	then := secs - 1 // the seconds that are shown next
	switch {
	case secs >= 3600:
		then = secs/3600*3600 - 1
	case secs >= 600:
		then = secs/60*60 - 1
	}
	if w := int(warn / time.Second); secs > w {
		then = max(then, w)
	}
	next := wholeSecond(s.Deadline).Add(-time.Duration(then) * time.Second)
	if lit := Lit(s, now, cells); lit > 0 {
		burnt := s.Deadline.Sub(s.CountdownFrom) * time.Duration(lit-1) / time.Duration(cells)
		if at := wholeSecond(s.Deadline.Add(-burnt)); at.Before(next) {
			return at
		}
	}
	return next
}

// wholeSecond returns the first whole second of wall time from t on.
func wholeSecond(t time.Time) time.Time {
	if at := t.Truncate(time.Second); at.Before(t) {
		return at.Add(time.Second)
	}
	return t
}

// Lit returns how many of the given cells show the time left, in a bar that gets shorter like a burning countdown. The
// whole bar is the time that the question was given when it was asked or its deadline last moved.
func Lit(s queue.Session, now time.Time, cells int) int {
	if !s.HasClock() {
		return 0
	}
	given, left := s.Deadline.Sub(s.CountdownFrom), ShownLeft(s, now)
	if given <= 0 || left <= 0 {
		return 0
	}
	return min(int((int64(left)*int64(cells)+int64(given)-1)/int64(given)), cells)
}

// Spoken returns a time in words, without units that do not matter. largest is the largest unit to use: time.Hour or
// time.Second.
func Spoken(left, largest time.Duration) string {
	n := secondsLeft(left)
	h, m, s := n/3600, n/60%60, n%60
	switch {
	case largest < time.Minute:
		return Count(n, "second")
	case h > 0 && m > 0:
		return Count(h, "hour") + " " + Count(m, "minute")
	case h > 0:
		return Count(h, "hour")
	case m >= 10 || m > 0 && s == 0:
		return Count(m, "minute")
	case m > 0:
		return Count(m, "minute") + " " + Count(s, "second")
	}
	return Count(s, "second")
}

// Units returns a number of seconds as hours or minutes: 90 as 1:30, 300 as 5 min. It is empty for less than a minute.
func Units(n int) string {
	switch {
	case n < 60:
		return ""
	case n%3600 == 0:
		return fmt.Sprintf("%d h", n/3600)
	case n >= 3600:
		return fmt.Sprintf("%d:%02d:%02d", n/3600, n/60%60, n%60)
	case n%60 == 0:
		return fmt.Sprintf("%d min", n/60)
	}
	return fmt.Sprintf("%d:%02d", n/60, n%60)
}

// Clock returns a duration as minutes and seconds, from an hour on with hours: 4:12, 1:02:03.
func Clock(d time.Duration) string {
	s := int(d.Round(time.Second) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Took returns a duration in at most five cells, rounded down to seconds: 0:09, 59:59, 2h05, 23h.
func Took(d time.Duration) string {
	switch s := int(max(d, 0) / time.Second); {
	case s < 3600:
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	case s < 36000:
		return fmt.Sprintf("%dh%02d", s/3600, s/60%60)
	default:
		return fmt.Sprintf("%dh", s/3600)
	}
}

// Day returns a day, with its year if that is another one: `Thu 19 Nov`.
func Day(at time.Time, year int) string {
	at = at.Local()
	if at.Year() != year {
		return at.Format("Mon 2 Jan 2006")
	}
	return at.Format("Mon 2 Jan")
}

// Stamp returns a time of day to the second, with its date unless that is today: 14:02:11, 2026-11-19 14:02:11.
func Stamp(at, now time.Time) string {
	if sameDay(at, now) {
		return at.Local().Format(time.TimeOnly)
	}
	return at.Local().Format(time.DateTime)
}

func sameDay(a, b time.Time) bool {
	return a.Local().Format(time.DateOnly) == b.Local().Format(time.DateOnly)
}

// ClockTime returns a time of day, with its day unless that is today: 14:02, Thu 19 Nov 14:02.
func ClockTime(at, now time.Time) string {
	if sameDay(at, now) {
		return at.Local().Format("15:04")
	}
	return Day(at, now.Local().Year()) + " " + at.Local().Format("15:04")
}
