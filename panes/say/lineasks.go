package say

import (
	"github.com/choicetui/choicetui/queue"
)

// Confirmations that lines ask for, and their results.

// RunsAt says where it runs; agent is what the agent is called beside others.
func RunsAt(agent string, o queue.Origin, home string) string {
	return "It runs in: " + placed(agent, o, home) + "."
}
