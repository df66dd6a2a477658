package say

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestADayIsFoundByEveryNameThatPeopleGiveIt(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local) // a Friday
	for name, want := range map[string]time.Time{
		"today":      time.Date(2026, 11, 20, 0, 0, 0, 0, time.Local),
		"Yesterday":  time.Date(2026, 11, 19, 0, 0, 0, 0, time.Local),
		"mon":        time.Date(2026, 11, 16, 0, 0, 0, 0, time.Local),
		"Friday":     time.Date(2026, 11, 13, 0, 0, 0, 0, time.Local),
		"2026-10-31": time.Date(2026, 10, 31, 0, 0, 0, 0, time.Local),
	} {
		at, ok := StartOfDay(name, now)
		require.True(t, ok, name)
		require.True(t, want.Equal(at), "%s: %s", name, at)
		require.True(t, OnDay(strings.ToLower(name), at.Add(9*time.Hour), now), name)
	}
	for _, name := range []string{"", "mo", "tomorrow", "2026-13-01", "may"} {
		_, ok := StartOfDay(name, now)
		require.False(t, ok, name)
	}
}

func TestAWordIsTrueOfADayInEverySpelling(t *testing.T) {
	at, now := time.Date(2026, 11, 5, 23, 59, 0, 0, time.Local), time.Date(2026, 11, 6, 0, 1, 0, 0, time.Local)
	for _, word := range strings.Fields("2026-11-05 2026-11 2026 5 05 thu thursday nov november yesterday") {
		require.True(t, OnDay(word, at, now), word)
	}
	for _, word := range strings.Fields("2026-11-06 2026-1 15 fri no today") {
		require.False(t, OnDay(word, at, now), word)
	}
}

func TestAMonthOrAWeekdayNamesADayOnlyBesideItsNumber(t *testing.T) {
	for find, want := range map[string][]bool{
		"fri 20":                 {true, true},
		"20 nov 2026 sqlite":     {true, true, true, false},
		"sqlite nov 20":          {false, true, true},
		"yesterday may":          {true, false},
		"may":                    {false},
		"20":                     {false},
		"2026-11 2026-11-20 sun": {true, true, false},
		"port 20 open":           {false, false, false},
	} {
		require.Equal(t, want, NamesDay(strings.Fields(find)), find)
	}
}
