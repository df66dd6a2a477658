package roomtest

import (
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
)

// Foot returns a room's two lines at the bottom, in w cells.
func Foot(r panes.Room, w int) string {
	foot := r.Foot()
	var hints []ink.Hint
	for _, h := range foot.Hints {
		if h.Keys != "" { // unbound
			hints = append(hints, ink.Hint{Text: h.Text(), Short: h.Shorter().Text(), Rank: h.Rank})
		}
	}
	return ink.Fit(foot.Line, w, ink.Unicode) + "\n" + ink.HintLine(hints, w).String() + "\n"
}
