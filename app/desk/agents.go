package desk

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

const reachWithin = 3 * time.Second // what looking for one agent may take

// ChatWays is how a line reaches an agent at once: typed into its terminal, or given to its session by its own server.
type ChatWays interface {
	// Reach looks where the agent is, and changes nothing.
	Reach(ctx context.Context, o queue.Origin) Reached
	// Send gives a message to its agent, or to nobody; the desk has its claim. After a *queue.Doubt it may have arrived
	// all the same. Whoever gave it to the agent may have noted in the queue how that went.
	Send(ctx context.Context, s queue.Session) (Sent, error)
}

// Sent says how a line went.
type Sent struct {
	Surface string // of queue, such as queue.SurfaceTmux
	Where   string // its tmux pane, such as 2:1; empty: it went into none
}

// Reached says where an agent is now. The zero value: nobody looked yet.
type Reached struct {
	Looked bool
	Alive  bool   // its process runs
	Where  string // its tmux pane, such as 2:1, if a line can be typed there; else empty
	Direct bool   // a line goes to its own session, by its own server, and into no pane
	Shared bool   // its process serves several agents, so which pane is its own cannot be told; Err says so
	Err    error  // why not
}

// Ready reports whether a line can be given to the agent at once.
func (r Reached) Ready() bool { return r.Where != "" || r.Direct }

// Agent is an agent that asked something, as its newest question says.
type Agent struct {
	Key    string
	Origin queue.Origin
	At     Reached
	asked  time.Time
}

// agents are those that asked something here, where they are and whether a line can reach them.
type agents struct {
	d       *Desk
	ways    ChatWays // nil: nothing is typed into terminals
	errands *errands
	known   map[string]*Agent // by key: every origin seen in the queue
	listen  map[string]bool   // by key: a next_message call is open
}

// agentKey tells agents apart: by the running agent and its session that asks, else by client, host and directory.
func agentKey(o queue.Origin) string {
	if o.Agent != "" {
		return strings.TrimSuffix(o.Host+"\x00"+o.Agent+"\x00"+o.Thread, "\x00")
	}
	return o.Host + "\x00" + o.Client + "\x00" + o.Cwd
}

// meetAsker notes whose session this is. An interview is no agent: nobody there reads a line.
func (g *agents) meetAsker(s queue.Session) {
	if !s.IsMessage() && s.Origin.Dialect != queue.DialectInterview {
		g.meetOrigin(s.Origin, s.AskedAt)
	}
}

func (g *agents) meetOrigin(o queue.Origin, at time.Time) string {
	key := agentKey(o)
	a := g.known[key]
	if a == nil {
		a = &Agent{Key: key}
		g.known[key] = a
	}
	if !at.Before(a.asked) {
		a.Origin, a.asked = o, at
	}
	return key
}

// noteListeners notes who has a next_message call open.
func (g *agents) noteListeners(present []queue.Presence) {
	g.listen = map[string]bool{}
	for _, p := range present {
		if p.Role == queue.RoleListener && p.Origin != nil {
			g.listen[g.meetOrigin(*p.Origin, g.d.Now())] = true
		}
	}
}

// longGone reports whether an agent's bridge has gone, and nothing is kept any more of what it asked.
func (g *agents) longGone(a *Agent) bool {
	return !g.bridged(a) && g.d.Now().Sub(a.asked) > queue.KeptFor
}

// newest is the one that asked last of those that still run, else of all; nil: none is known.
func (g *agents) newest() *Agent {
	var newest *Agent
	for _, a := range g.known {
		switch {
		case newest == nil, g.Here(a) && !g.Here(newest):
			newest = a
		case g.Here(newest) && !g.Here(a):
		case a.asked.After(newest.asked), a.asked.Equal(newest.asked) && a.Key < newest.Key:
			newest = a
		}
	}
	return newest
}

// Off reports whether there is no chat here: it is switched off, or this is the form of one session.
func (g *agents) Off() bool {
	return !g.d.Stays() || g.Delivers() == config.DeliverOff
}

// Delivers is the setting that says how a line reaches an agent.
func (g *agents) Delivers() string { return g.d.settings.Chat.Deliver }

// Known reports whether any agent is known.
func (g *agents) Known() bool { return len(g.known) > 0 }

// Listens reports whether the agent has a next_message call open.
func (g *agents) Listens(a *Agent) bool { return g.listen[a.Key] }

// bridged reports whether whoever asked for the agent runs: its bridge, or what asks for it where it asks by itself.
func (g *agents) bridged(a *Agent) bool {
	return g.d.Alive(a.Origin.Instance) || g.listen[a.Key]
}

// fetches reports whether the agent can fetch messages: a bridge of it runs. One that asks by itself has none for that;
// where a model in the same process asked by a tool of ours, the bridge of that one is it.
func (g *agents) fetches(a *Agent) bool {
	if g.listen[a.Key] || a.Origin.Dialect != queue.DialectNative {
		return g.bridged(a)
	}
	for _, other := range g.known {
		o := other.Origin
		bridge := o.Dialect != queue.DialectNative && g.d.Alive(o.Instance)
		if bridge && a.Origin.Agent != "" && o.Agent == a.Origin.Agent {
			return true
		}
	}
	return false
}

// Here reports whether the agent still runs, as far as is known: its bridge does, or its process.
func (g *agents) Here(a *Agent) bool {
	return g.bridged(a) || a.At.Alive || g.ways != nil && !a.At.Looked && a.Origin.PID > 1
}

// WaitsFor reports whether the agent waits for the person: for an answer, or for a line.
func (g *agents) WaitsFor(a *Agent) bool {
	if g.listen[a.Key] {
		return true
	}
	for i := range g.d.live.waiting {
		if w := &g.d.live.waiting[i]; agentKey(w.Origin) == a.Key && !w.Gone(g.d.Alive) {
			return true
		}
	}
	return false
}

// Unfetched are the messages to the agent that it has not fetched yet, oldest first.
func (g *agents) Unfetched(a *Agent) []queue.Session {
	var list []queue.Session
	for _, s := range g.d.live.sessions {
		if s.IsMessage() && s.At(g.d.Now()).Pending() && agentKey(s.Origin) == a.Key {
			list = append(list, s)
		}
	}
	sortByAge(list)
	return list
}

// probe looks where agents are: their process, their tmux pane, what is in front in it.
func (g *agents) probe(list ...*Agent) {
	if g.ways == nil || g.Off() {
		return
	}
	for _, a := range list {
		g.look(a, func() {})
	}
}

// look looks where one agent is, then has then run by the owner.
func (g *agents) look(a *Agent, then func()) {
	o := a.Origin
	g.errands.run(func() {
		ctx, cancel := context.WithTimeout(context.Background(), reachWithin)
		defer cancel()
		at := g.ways.Reach(ctx, o)
		at.Looked = true
		g.d.Do(func() {
			a.At = at
			then()
		})
	})
}

func sortAgents(list []*Agent) {
	slices.SortFunc(list, func(a, b *Agent) int {
		return cmp.Or(cmp.Compare(a.Origin.Name(), b.Origin.Name()), cmp.Compare(a.Key, b.Key))
	})
}

func sortByAge(list []queue.Session) {
	slices.SortFunc(list, func(a, b queue.Session) int {
		return cmp.Or(a.AskedAt.Compare(b.AskedAt), cmp.Compare(a.ID, b.ID))
	})
}
