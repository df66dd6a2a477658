package desk

import (
	"cmp"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// mostProbed limits the agents that are looked for when the composer opens, because each costs a call of tmux.
const mostProbed = 24

// Choices returns the agents that Next cycles through, sorted by name: those that run, the addressed one, and those
// with a saved text.
func (c *composer) Choices() []*Agent {
	var list []*Agent
	for key, a := range c.agents.known {
		if c.agents.Here(a) || c.texts[key] != "" || c.open && key == c.to {
			list = append(list, a)
		}
	}
	sortAgents(list)
	return list
}

// Addressed returns the agent that the next line would go to; nil: no agent is known. It does not change while the
// composer is open. While it is closed, an agent that is gone is replaced by the running agent that asked last.
func (c *composer) Addressed() *Agent {
	to := c.agents.known[c.to]
	if c.open || to != nil && c.agents.Here(to) {
		return to
	}
	newest := c.agents.newest()
	if to != nil && !c.agents.Here(newest) {
		return to
	}
	return newest
}

// HasOtherAgent reports whether Next leads to another agent.
func (c *composer) HasOtherAgent() bool {
	all := c.Choices()
	return len(all) > 1 || len(all) == 1 && all[0] != c.Addressed()
}

// NameOf returns the agent's name, with what tells it apart from the others in Choices.
func (c *composer) NameOf(a *Agent) string {
	names := queue.Names{Host: c.d.o.Queue.Host}
	for _, other := range c.Choices() {
		names.Add(other.Origin)
	}
	return names.Of(a.Origin)
}

// Keeping returns the agents with an unsent text, the addressed one first.
func (c *composer) Keeping() []*Agent {
	var list []*Agent
	for key, text := range c.texts {
		if a := c.agents.known[key]; a != nil && text != "" {
			list = append(list, a)
		}
	}
	sortAgents(list)
	if at := slices.Index(list, c.Addressed()); at > 0 {
		a := list[at]
		list = slices.Insert(slices.Delete(list, at, at+1), 0, a)
	}
	return list
}

// TextFor returns the unsent text for an agent.
func (c *composer) TextFor(a *Agent) string { return c.texts[a.Key] }

// addressAgent makes the agent of a session that comes on view the recipient of the next line, unless the composer is
// open. The text for the agent before stays saved for that agent. An interview has no agent that could read a line.
func (c *composer) addressAgent(o queue.Origin, asked time.Time) {
	if o.Dialect == queue.DialectInterview {
		return
	}
	key := c.agents.meetOrigin(o, asked)
	if !c.open {
		c.to = key
	}
}

// agentsToProbe returns the agents that are worth looking for: first the addressed one, then those that asked last.
func (c *composer) agentsToProbe() []*Agent {
	var list []*Agent
	for _, a := range c.agents.known {
		list = append(list, a)
	}
	to := c.Addressed()
	slices.SortFunc(list, func(a, b *Agent) int {
		if a == to || b == to {
			return cmp.Compare(ordinal(b == to), ordinal(a == to))
		}
		return b.asked.Compare(a.asked)
	})
	return list[:min(len(list), mostProbed)]
}

// ordinal returns 1 for true and 0 for false, to sort by a condition.
func ordinal(b bool) int {
	if b {
		return 1
	}
	return 0
}
