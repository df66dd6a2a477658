package say

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
