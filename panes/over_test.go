package panes

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
)

func TestWhatIsOverSaysHowItEndedAndThatTheTextIsKept(t *testing.T) {
	answer := queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"a"}}}}
	for _, c := range []struct {
		name, typed string
		outcome     queue.Outcome
		want        []string // in 79 cells
		tight       map[int]string
	}{
		{"answered elsewhere", "my text", queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Surface: queue.SurfaceCLI, Answer: answer},
			[]string{"! Answered: Exponential backoff · on the command line", "  Your text was not sent. It is kept; y copies it."},
			map[int]string{29: "! Answered: Exponenti… · kept", 39: "! Answered: Exponential ba… · text kept", 79: "! Answered: Exponential backoff · your text is kept · on the command line"}},
		{"nothing typed", "", queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Surface: queue.SurfaceWeb, Answer: answer},
			[]string{"! Answered: Exponential backoff · in the browser"}, map[int]string{39: "! Answered: Exponential backoff"}},
		{"the clock", "my text", queue.Outcome{Status: queue.StatusTimeout, By: queue.ByClock},
			[]string{"! Timed out: no answer", "  Your text was not sent. It is kept; y copies it."}, map[int]string{29: "! Timed out: no answer · kept", 39: "! Timed out: no answer · text kept"}},
		{"cancelled with a reason", "", queue.Outcome{Status: queue.StatusCancelled, By: queue.ByHuman, Surface: queue.SurfaceDashboard, Reason: "not now"},
			[]string{"! Cancelled: “not now” · in another dashboard"}, map[int]string{39: "! Cancelled: “not now”"}},
		{"cancelled without", "", queue.Outcome{Status: queue.StatusCancelled, By: queue.ByHuman, Surface: queue.SurfaceDashboard},
			[]string{"! Cancelled in another dashboard"}, nil},
		{"withdrawn", "", queue.Outcome{Status: queue.StatusCancelled, By: queue.ByCaller}, []string{"! Withdrawn by claude"}, nil},
		{"defaults", "", queue.Outcome{Status: queue.StatusTimeout, By: queue.ByClock, Answer: answer}, []string{"! Timed out: Exponential backoff · its defaults were sent"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := asked(queue.ModeHybrid, 1, 3, nil)
			if c.typed != "" {
				f.says(FieldText, c.typed)
			}
			c.outcome.At = time.Unix(900, 0)
			f.Session.Outcome = &c.outcome
			assert.Equal(t, c.want, f.overNotice(79))
			for w, want := range c.tight {
				assert.Equal(t, want, f.overLine(w))
			}
			for _, w := range []int{29, 33, 39, 49, 79} {
				for _, l := range append(f.overNotice(w), f.overLine(w)) {
					require.LessOrEqual(t, ink.Width(l), w, l)
				}
				if c.typed != "" {
					require.Contains(t, f.overLine(w), " kept")
					require.Contains(t, strings.Join(f.overNotice(w), " "), "kept")
				}
			}
		})
	}
}
