package desk

import (
	"context"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// A dashboard on another machine asks this host's desk for what only this host can do: to find out whether a line would
// reach an agent, and to deliver one. Any goroutine but the owner may call these methods, and they wait for the owner.

// ReachFor finds out how a line would get to an agent that a dashboard elsewhere names by its origin. The error is
// ErrAgentGone if no such agent is known here, or the reason why no line reaches it.
func (c *Chat) ReachFor(ctx context.Context, o queue.Origin) (Reached, error) {
	a, err := c.agentFor(ctx, o)
	if err != nil {
		return Reached{}, err
	}
	at := Reached{Looked: true}
	if c.ways != nil {
		at = c.ways.Reach(ctx, a.origin)
	}
	switch {
	case a.mode == config.DeliverOff:
		return at, ErrNoBridge
	case a.mode != config.DeliverMCP && at.Ready(), a.mode != config.DeliverTmux && a.bridged:
		return at, nil
	case at.Err != nil:
		return at, at.Err
	}
	return at, ErrNoBridge
}

// DeliverFor delivers a line for a dashboard elsewhere, and returns its message as stored. Its errors are those of
// sending a line here.
func (c *Chat) DeliverFor(ctx context.Context, o queue.Origin, text string) (queue.Session, error) {
	a, err := c.agentFor(ctx, o)
	switch {
	case err != nil:
		return queue.Session{}, err
	case a.mode == config.DeliverOff:
		return queue.Session{}, ErrNoBridge
	case queue.Blank(text):
		return queue.Session{}, ErrBlank
	case len(text) > queue.MaxPromptBytes:
		return queue.Session{}, ErrTooLong
	}
	return line{chat: c, to: a.origin, text: text, mode: a.mode, bridge: a.bridged, fetcher: a.fetcher}.deliver(ctx)
}

// namedAgent is what the owner knows of an agent.
type namedAgent struct {
	origin, fetcher queue.Origin
	bridged         bool
	mode            string
}

// agentFor returns the agent that a dashboard elsewhere names. That dashboard has its own name for this host, so the
// host is not compared.
func (c *Chat) agentFor(ctx context.Context, o queue.Origin) (named namedAgent, err error) {
	found := make(chan bool, 1)
	c.d.Do(func() {
		wanted := guiseOf(o)
		for u, a := range c.agents.guises {
			wanted.host = u.host
			if u != wanted {
				continue
			}
			named = namedAgent{origin: a.Origin, mode: c.Delivers()}
			named.fetcher, named.bridged = c.newestBridge(a)
			found <- true
			return
		}
		found <- false
	})
	select {
	case ok := <-found:
		if !ok {
			return named, ErrAgentGone
		}
		return named, nil
	case <-ctx.Done():
		return named, ctx.Err()
	}
}
