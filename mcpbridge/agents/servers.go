package agents

import "github.com/choicetui/choicetui/queue"

// Servers returns the servers of many agents.
func Servers() (all queue.SharedServers) {
	for _, a := range All() {
		if a.Shared != nil {
			all = append(all, *a.Shared)
		}
	}
	return all
}
