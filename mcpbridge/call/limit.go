package call

import (
	"time"

	"github.com/choicetui/choicetui/config"
)

// Patience is after how long at most a client hears from a call, so how long it has to wait: a client that waits
// for less gives its calls up. An agent's name is how its client's name begins.
func Patience(s config.Settings, agent string) time.Duration {
	if agent == "claude" {
		agent = "claude-code" // the name that it has as a client
	}
	if soft := softLimit(s, agent, true); soft > 0 {
		return soft
	}
	return EveryBeat // progress keeps the call alive
}
