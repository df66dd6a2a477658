package say

import (
	"errors"

	"github.com/choicetui/choicetui/queue"
)

// BeforeThis is the heading for what an agent was doing when it asked.
const BeforeThis = "before this"

// BeforeOff says that nothing is shown because of the setting.
const BeforeOff = "this is switched off (setting “what the agent was doing”)"

// ErrBeforeUnknown says that no transcript is known for certain.
var ErrBeforeUnknown = errors.New("no record of what the agent was doing")

// BeforeElsewhere says on which machine the person can read what an agent was doing.
func BeforeElsewhere(host string) string {
	return RunsOn(host) + ", and what it was doing can be read only there"
}

// Before holds what an agent was doing when it asked. It was written by a model that may have read anything, so every
// frontend shows it dim, under a heading and through queue.Visible.
type Before struct {
	Where  string // the source: `AGENT transcript`
	Lines  []BeforeLine
	Awaits bool // the agent may write its words of this turn down a moment later
}

// BeforeLine is a line of a Before, with hidden characters made visible.
type BeforeLine struct {
	Text string
	Sign byte // the sign of a line of a diff: one of "+-@ "; 0: the line is no part of a diff
}

// NewBeforeLine returns a line with hidden characters made visible.
func NewBeforeLine(text string, sign byte) BeforeLine {
	shown, _ := queue.Visible(text)
	return BeforeLine{shown, sign}
}
