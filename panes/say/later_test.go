package say

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestTheTrailSaysUntilWhenAQuestionWasSetAside(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	s := queue.Session{Deadline: now.Add(5 * time.Minute)}
	s, _, err := queue.Transition(s, queue.Command{ID: "later", By: queue.ByHuman, Surface: queue.SurfaceDashboard,
		Do: queue.Later{}}, now)
	require.NoError(t, err)
	label, words := Trail{Session: s}.Event(s.Events[0])
	require.Equal(t, "Set aside", label)
	require.Equal(t, " by you, in the dashboard: until 14:12:00; its time: 10:00 more, until 14:17:00", words)
	require.Equal(t, "later 14:12", Idle(queue.Waiting{Session: &s, Standing: queue.StandingLater}, FaceCommand))
}
