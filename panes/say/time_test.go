package say

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// onTheSecond is a whole second of wall time.
var onTheSecond = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

func TestATimeIsRoundedUpAndChangesOnWholeSecondsOfWallTime(t *testing.T) {
	const warn = 10 * time.Second
	for _, c := range []struct {
		left, into time.Duration // left at the whole second, and how far into it somebody looks
		want       string
	}{
		{8200 * time.Millisecond, 0, "!0:09"},
		{8200 * time.Millisecond, 999 * time.Millisecond, "!0:09"},
		{7200 * time.Millisecond, 0, "!0:08"},
		{10 * time.Second, 999 * time.Millisecond, "!0:10"},
		{10001 * time.Millisecond, 500 * time.Millisecond, "0:11"},
		{300 * time.Millisecond, 200 * time.Millisecond, "!0:01"},
		{300 * time.Millisecond, 300 * time.Millisecond, "!0:00"},
		{252400 * time.Millisecond, 600 * time.Millisecond, "4:13"},
		{600 * time.Second, 900 * time.Millisecond, "10m"},
	} {
		s := queue.Session{Deadline: onTheSecond.Add(c.left), CountdownFrom: onTheSecond.Add(-time.Hour)}
		now := onTheSecond.Add(c.into)
		require.Equal(t, c.want, TimeLeft(s, now, warn), c)
		require.Equal(t, c.want[0] == '!', Urgent(s, now, warn), c)
	}
}

func TestAQuestionNeverShowsMoreTimeThanItWasGiven(t *testing.T) {
	asked := onTheSecond.Add(700 * time.Millisecond)
	s := queue.Session{Deadline: asked.Add(5 * time.Minute), CountdownFrom: asked}
	for _, c := range []struct {
		after time.Duration // the whole second
		want  string
	}{{700 * time.Millisecond, "5:00"}, {time.Second, "5:00"}, {2 * time.Second, "4:59"}} {
		require.Equal(t, c.want, TimeLeft(s, onTheSecond.Add(c.after), 0), c)
	}
	require.Equal(t, "1h", TimeLeft(s, onTheSecond.Add(-time.Hour), 0), "a clock that was put back shows what is so by it")
}

func TestTheClockTicksAtTheNextWholeSecondAtWhichACharacterOrACountdownCellChanges(t *testing.T) {
	const warn = 15 * time.Minute
	for _, given := range []time.Duration{time.Second, 61 * time.Second, 601 * time.Second, 3700 * time.Second, 7201 * time.Second} {
		for _, part := range []time.Duration{0, time.Millisecond, 500 * time.Millisecond, 999 * time.Millisecond} {
			s := queue.Session{CountdownFrom: onTheSecond.Add(part), Deadline: onTheSecond.Add(part + given)}
			for _, cells := range []int{0, 8, 61} {
				shows := func(at time.Time) [3]any {
					return [3]any{TimeLeft(s, at, warn), Urgent(s, at, warn), Lit(s, at, cells)}
				}
				for now := s.CountdownFrom; now.Before(s.Deadline); {
					next := NextTick(s, now, warn, cells)
					require.Zero(t, next.Nanosecond())
					require.True(t, next.After(now))
					before := next
					if s.Deadline.Before(next) {
						before = s.Deadline
					}
					require.Equal(t, shows(now), shows(before.Add(-time.Nanosecond)), "%s of %s: nothing before %s", now, s.Deadline, next)
					if next.Before(s.Deadline) {
						require.NotEqual(t, shows(now), shows(next), "%s of %s: a change at %s", now, s.Deadline, next)
					}
					now = next
				}
				require.Zero(t, NextTick(s, s.Deadline, warn, cells))
			}
		}
	}
}

func TestTimesAreSpoken(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0 seconds", time.Second: "1 second",
		61 * time.Second: "1 minute 1 second",
		5 * time.Minute:  "5 minutes", 12*time.Minute + 5*time.Second: "12 minutes", 2*time.Hour + 3*time.Minute: "2 hours 3 minutes"} {
		require.Equal(t, want, Spoken(d, time.Hour))
	}
	require.Equal(t, "75 seconds", Spoken(75*time.Second, time.Second), "to somebody elsewhere")
	require.Equal(t, "1 second", Spoken(time.Second, time.Second))
}

func TestLeftTakesAtMostFiveCells(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0:00", 0: "0:00", time.Nanosecond: "0:01", 7 * time.Second: "0:07",
		4*time.Minute + 11*time.Second + 900*time.Millisecond: "4:12", 10*time.Minute - time.Millisecond: "10m",
		10 * time.Minute: "10m", 59*time.Minute + 59*time.Second: "59m", time.Hour: "1h", 24 * time.Hour: "24h",
	} {
		assert.Equal(t, want, Left(d))
	}
	assert.Equal(t, "2562047h", Left(math.MaxInt64), "which a newer version may have set")
}

func TestAStampHasItsDateUnlessThatIsToday(t *testing.T) {
	at := time.Date(2026, 11, 20, 0, 2, 11, 0, time.Local)
	require.Equal(t, "00:02:11", Stamp(at, at.Add(23*time.Hour)))
	require.Equal(t, "2026-11-20 00:02:11", Stamp(at, at.Add(24*time.Hour)))
	require.Equal(t, "2026-11-20 00:02:11", Stamp(at, at.Add(-time.Hour)), "yesterday looks on")
}

func TestALongTextIsShortenedAndSaysSo(t *testing.T) {
	require.Equal(t, "äöüß", Short("äöüß", 4))
	require.Equal(t, "äö…", Short("äöüß", 3))
	require.Equal(t, `"a b…"`, ShortQuoted("a\nb c", 4), "the quotes do not count")
	by := func(text string, cells int) string { return text[:min(len(text), cells)] + "|" }
	require.Equal(t, "copied: first|", Copied("first\nsecond", by))
}

func TestANounIsAsItsNumberWantsIt(t *testing.T) {
	require.Equal(t, "1 process", Count(1, "process"))
	require.Equal(t, "3 processes", Count(3, "process"))
	require.Equal(t, "0 questions", Count(0, "question"))
}

func TestTheCauseIsTheInnermostErrorAlsoOfJoinedOnes(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "/queue/tmp/h", Err: errors.New("no space left on device")}
	require.Equal(t, "no space left on device", Cause(fmt.Errorf("failed to stage: %w", full)))
	require.Equal(t, "no space left on device", Cause(fmt.Errorf("failed: %w", errors.Join(full, errors.New("close")))))
}
