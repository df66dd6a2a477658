package desk_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/queue"
)

func TestTheMedianOfTodayIsATimeThatSomebodyReallyTook(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	var today desk.Today
	require.Zero(t, today.Median(at))
	for i, took := range []time.Duration{9 * time.Second, time.Second, 40 * time.Second, 3 * time.Second} {
		today.Add(queue.Session{ID: fmt.Sprint(i), AskedAt: at,
			Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, At: at.Add(took)}})
	}
	require.Equal(t, 3*time.Second, today.Median(at))
	require.Zero(t, today.Median(at.Add(48*time.Hour)), "that was another day")
}
