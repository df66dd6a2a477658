package cli

import (
	"fmt"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/panes/say"
)

// unreadFor is how long doctor names what hooks could not read.
const unreadFor = 24 * time.Hour

// checkUnread names what the hooks of agents could not read since yesterday: for each agent, event and reason how
// often, and when last.
func checkUnread(now time.Time) (all []finding) {
	path, err := unreadPath()
	if err != nil {
		return nil // checkQueue says that there is no directory for the state
	}
	notes, err := prompt.ReadUnread(path)
	if err != nil {
		return []finding{{"hooks", isWarn, "the notes of what hooks could not read cannot be read: " + err.Error(),
			"look at " + path + ", or move it away"}}
	}
	type kind struct{ agent, event, reason string }
	times, last := map[kind]int{}, map[kind]time.Time{}
	var order []kind
	for _, n := range notes {
		k := kind{n.Agent, n.Event, n.Reason}
		if now.Sub(n.At) > unreadFor {
			continue
		}
		if times[k] == 0 {
			order = append(order, k)
		}
		times[k]++
		last[k] = n.At
	}
	for _, k := range order {
		what := k.agent
		if k.event != "" {
			what += "'s hook " + k.event
		}
		detail := fmt.Sprintf("the input of %s could not be read, %s, last at %s: %s", what,
			say.Count(times[k], "time"), say.ClockTime(last[k], now), k.reason)
		all = append(all, finding{"hooks", isWarn, detail,
			"the agent showed its own prompt, if it had one; update " + k.agent + " and choicetui if it happens again"})
	}
	return all
}
