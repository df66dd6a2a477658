package desk

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestALetterActsAPauseLaterUnlessAnotherKeyOvertakesIt(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	done := 0
	do := func() { done++ }
	var late Late
	guard := Guard{drawn: true} // since long ago
	require.Zero(t, late.Due())

	late.Postpone("o", false, do, at)
	require.Equal(t, at.Add(Pause), late.Due())
	require.False(t, late.Act(at.Add(Pause-1)))
	require.True(t, late.Act(at.Add(Pause)))
	require.Equal(t, 1, done)
	require.False(t, late.Act(at.Add(time.Hour)), "once")

	late.Postpone("o", false, do, at)
	late.Overtake("p", &guard, at.Add(Pause/2))
	require.False(t, late.Act(at.Add(time.Hour)))
	require.Equal(t, 1, done)
	require.ErrorIs(t, guard.Refuses(Press{Effect: Sending}, at.Add(Settle/2)), ErrStray, "it was typing")

	late.Postpone("o", false, do, at)
	late.Overtake("p", &guard, at.Add(Pause))
	require.Equal(t, 2, done, "its time had come before the other key")
}

func TestALetterThatRepeatsActsOnceForEachPress(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	for repeats, want := range map[bool]int{true: 3, false: 1} {
		done := 0
		var late Late
		var guard Guard
		for n := range 3 {
			now := at.Add(time.Duration(n) * Pause / 2)
			late.Overtake("+", &guard, now)
			late.Postpone("+", repeats, func() { done++ }, now)
		}
		require.False(t, late.Act(at.Add(Pause)), "it waits anew with each press")
		require.True(t, late.Act(at.Add(2*Pause)))
		require.Equal(t, want, done)
	}
}
