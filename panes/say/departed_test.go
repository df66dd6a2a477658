package say

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestTheTrailTellsForWhichQueueASessionLeft(t *testing.T) {
	t.Parallel()
	e := queue.Event{Kind: queue.EventDeparted, By: queue.ByHuman, Person: "ana@laptop", Surface: queue.SurfaceCLI,
		Detail: "/srv/queue"}
	what, how := Trail{}.Told(e)
	require.Equal(t, "left by ana@laptop, on the command line, for /srv/queue", what+" "+how)
}

func TestTheTrailTellsWhoWroteALineWhereSeveralShareTheQueue(t *testing.T) {
	t.Parallel()
	e := queue.Event{Kind: queue.EventSent, By: queue.ByHuman, Person: "ana", Surface: queue.SurfaceCLI}
	what, how := Trail{}.Told(e)
	require.Equal(t, "written by ana, on the command line", what+" "+how)
	e.Person = ""
	_, how = Trail{}.Told(e)
	require.Empty(t, how)
}
