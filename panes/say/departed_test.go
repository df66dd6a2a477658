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
