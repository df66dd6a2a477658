package desk

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	mostProbed  = 24              // agents looked for when the composer opens; each costs a call of tmux
	reachWithin = 3 * time.Second // what looking for one may take
)

// bridged reports whether the agent can fetch messages: its bridge runs.
func (c *Chat) bridged(a *Agent) bool {
	return c.d.Alive(a.Origin.Instance) || c.listen[a.Key]
}

// Here reports whether the agent still runs, as far as is known: its bridge does, or its process.
func (c *Chat) Here(a *Agent) bool {
	return c.bridged(a) || a.At.Alive || c.ways != nil && !a.At.Looked && a.Origin.PID > 1
}

// Unreachable says why a line to the agent would not be sent, as far as is known; nil: it would be. ErrAgentGone comes
// behind the agent's name.
func (c *Chat) Unreachable(a *Agent) error {
	mode := c.deliver()
	switch {
	case mode != deliverMCP && a.At.Where != "", mode != deliverTmux && c.bridged(a):
		return nil
	case !c.Here(a):
		return fmt.Errorf("%s %w", c.NameOf(a), ErrAgentGone)
	case mode == deliverMCP:
		return ErrNoBridge
	case c.ways == nil:
		return ErrNoTmux
	}
	return a.At.Err // nil where nobody looked yet: sending finds out
}

// Choices are the agents that Next goes through, in an order that stays: those that run, the addressed one, and those
// for whom a text is kept.
func (c *Chat) Choices() []*Agent {
	var list []*Agent
	for key, a := range c.agents {
		if c.Here(a) || c.texts[key] != "" || c.open && key == c.to {
			list = append(list, a)
		}
	}
	sortAgents(list)
	return list
}

// Known reports whether any agent is known.
func (c *Chat) Known() bool { return len(c.agents) > 0 }

// Addressed is whom a line would go to now; nil: none is known. While the composer is open it stays the same one.
// Before, one that is gone gives way to the one that asked last of those that run.
func (c *Chat) Addressed() *Agent {
	to := c.agents[c.to]
	if c.open || to != nil && c.Here(to) {
		return to
	}
	var newest *Agent
	for _, a := range c.agents {
		switch {
		case newest == nil, c.Here(a) && !c.Here(newest):
			newest = a
		case c.Here(newest) && !c.Here(a):
		case a.asked.After(newest.asked), a.asked.Equal(newest.asked) && a.Key < newest.Key:
			newest = a
		}
	}
	if to != nil && !c.Here(newest) {
		return to
	}
	return newest
}

// Another reports whether Next leads to another agent.
func (c *Chat) Another() bool {
	all := c.Choices()
	return len(all) > 1 || len(all) == 1 && all[0] != c.Addressed()
}

// NameOf is the agent's name, made distinct among those a line can go to.
func (c *Chat) NameOf(a *Agent) string {
	var names queue.Names
	for _, other := range c.Choices() {
		names.Add(other.Origin)
	}
	return names.Of(a.Origin)
}

// Keeping are the agents for whom a text is kept, the addressed one first.
func (c *Chat) Keeping() []*Agent {
	var list []*Agent
	for key, text := range c.texts {
		if a := c.agents[key]; a != nil && text != "" {
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

// TextFor is what is kept for an agent.
func (c *Chat) TextFor(a *Agent) string { return c.texts[a.Key] }

// MissedHere is the last question of those listed as missed whose agent still runs: what the person would have said is
// worth something to it.
func (c *Chat) MissedHere() (s queue.Session, ok bool) {
	if c.seat.covered || c.seat.up != nil || c.Off() {
		return s, false
	}
	for _, s := range c.seat.Missed() {
		if a := c.agents[agentKey(s.Origin)]; a != nil && c.Here(a) {
			return s, true
		}
	}
	return s, false
}

// recent are the agents worth looking for: the addressed one, then the one that asked last first.
func (c *Chat) recent() []*Agent {
	var list []*Agent
	for _, a := range c.agents {
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

// probe looks where agents are: their process, their tmux pane, what is in front in it.
func (c *Chat) probe(list ...*Agent) {
	if c.ways == nil || c.Off() {
		return
	}
	for _, a := range list {
		c.look(a, func() {})
	}
}

// look looks where one agent is, then has then run by the owner.
func (c *Chat) look(a *Agent, then func()) {
	o := a.Origin
	c.beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), reachWithin)
		defer cancel()
		at := c.ways.Reach(ctx, o)
		at.Looked = true
		c.d.Do(func() {
			a.At = at
			then()
		})
	})
}

// probeAddressed looks for the addressed agent once, so that a face can say where it is.
func (c *Chat) probeAddressed() {
	if closing, _ := c.d.Closing(); closing > 0 {
		return // something else is said then
	}
	if a := c.Addressed(); a != nil && a.Key != c.probed {
		c.probed = a.Key
		c.probe(a)
	}
}

// lookLater looks for the addressed agent once more a moment from now, if its bridge has gone: it goes too, as a rule,
// and may have been there still.
func (c *Chat) lookLater() {
	if a := c.Addressed(); a == nil || c.bridged(a) || c.ways == nil {
		return
	}
	time.AfterFunc(outlives, func() {
		c.d.Do(func() {
			c.probed = ""
			c.probeAddressed()
		})
	})
}

func sortAgents(list []*Agent) {
	slices.SortFunc(list, func(a, b *Agent) int {
		return cmp.Or(cmp.Compare(a.Origin.Name(), b.Origin.Name()), cmp.Compare(a.Key, b.Key))
	})
}

func ordinal(b bool) int {
	if b {
		return 1
	}
	return 0
}

func sortByAge(list []queue.Session) {
	slices.SortFunc(list, func(a, b queue.Session) int {
		return cmp.Or(a.AskedAt.Compare(b.AskedAt), cmp.Compare(a.ID, b.ID))
	})
}
