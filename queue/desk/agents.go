package desk

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

const reachWithin = 3 * time.Second // the longest time for looking for one agent

// ChatWays delivers a line to an agent at once, by typing it into the agent's terminal or through the agent's own
// server.
type ChatWays interface {
	// Reach finds out where the agent is, without changing anything.
	Reach(ctx context.Context, o queue.Origin) Reached
	// Send gives a message to its agent. The desk has claimed the message. After a *queue.Doubt it may have arrived all
	// the same. The implementation may store the result in the queue itself.
	Send(ctx context.Context, s queue.Session) (Sent, error)
}

// Sent describes the way in which a line was delivered.
type Sent struct {
	Surface string // one of the surfaces of package queue, such as queue.SurfaceTmux
	Where   string // the tmux pane, such as 2:1; empty: it was not typed into a pane
}

// Reached describes where an agent is now. The zero value: nobody has looked yet.
type Reached struct {
	Looked bool
	Alive  bool   // the agent's process runs
	Where  string // the tmux pane into which a line can be typed, such as 2:1; else empty
	Direct bool   // the agent's own server can pass a line to its session
	// the process serves several agents, so it is unknown which pane belongs to this one; Err says so
	Shared bool
	Err    error // why a line cannot be given to the agent
}

// Ready reports whether a line can be given to the agent at once.
func (r Reached) Ready() bool { return r.Where != "" || r.Direct }

// Agent is an agent that has asked something, as its newest question describes it.
type Agent struct {
	Key    string
	Origin queue.Origin
	At     Reached
	asked  time.Time
	guises map[guise]*sighting
}

// guise groups the origins of one agent that asked in the same way: through its bridge, or through its hook.
type guise struct {
	host, client, cwd, agent, thread string
	pid                              int
	itself                           bool // the agent's own program asked with its own prompt, and not its model
	oneSession                       bool
}

// guiseOf returns the guise in which an origin's agent asked.
func guiseOf(o queue.Origin) guise {
	return guise{o.Host, o.Client, o.Cwd, o.Agent, o.Thread, o.PID, o.Dialect == queue.DialectNative, o.OneSession}
}

// key returns the Agent.Key for an agent whose first question came in this guise.
func (u guise) key() string {
	return strings.Join([]string{u.host, u.agent, strconv.Itoa(u.pid), u.client, u.cwd, u.thread,
		strconv.FormatBool(u.itself)}, "\x00")
}

// sighting records when an agent was last seen in one guise.
type sighting struct {
	origin queue.Origin
	at     time.Time
}

// agents records the agents that asked something here, where they run, and whether a line can reach them. All views of
// a desk share it, so a page that is opened later knows who asked before.
type agents struct {
	d         *Desk
	ways      ChatWays // nil: no line is delivered at once
	errands   *errands
	known     map[string]*Agent   // by key
	guises    map[guise]*Agent    // by guise: the agent that was met in it
	byProcess map[string][]*Agent // by name of a process: the agents that ask from it; see processes
	listening map[string]bool     // by key: the agent has a next_message call open
}

func newAgents(d *Desk) *agents {
	return &agents{d: d, ways: d.o.Chat, errands: &errands{start: d.o.Go}, known: map[string]*Agent{},
		guises:    map[guise]*Agent{},
		byProcess: map[string][]*Agent{}, listening: map[string]bool{}}
}

// hear handles an event of the desk.
func (g *agents) hear(e Event) {
	switch e := e.(type) {
	case Changed:
		g.meetAsker(e.Now)
	case Remembered:
		g.meetAsker(e.Session)
	case Present:
		g.noteListeners(e.List)
		g.forgetGone()
	}
}

// forgetGone forgets the agents that are long gone, except those that a view addresses or has an unsent text for.
func (g *agents) forgetGone() {
	for key, a := range g.known {
		if !g.longGone(a) || slices.ContainsFunc(g.d.views.list, func(s *View) bool { return s.chat.holds(key) }) {
			continue
		}
		g.forgetAgent(a)
		for _, s := range g.d.views.list {
			if s.chat != nil {
				delete(s.chat.kept.read, key)
			}
		}
	}
}

// processes returns two names of the process that asked: by the agent's id and by its process id. Two origins of the
// same agent share at least one.
func processes(o queue.Origin) [2]string {
	return [2]string{o.Host + "\x00" + o.Agent, o.Host + "\x00" + strconv.Itoa(o.PID)}
}

// meetAsker notes the agent that asked a session. An interview has no agent that could read a line.
func (g *agents) meetAsker(s queue.Session) {
	if !s.IsMessage() && s.Origin.Dialect != queue.DialectInterview {
		g.meetOrigin(s.Origin, s.AskedAt)
	}
}

// meetOrigin notes an origin, and returns the key of its agent.
func (g *agents) meetOrigin(o queue.Origin, at time.Time) string {
	o.Subagent = "" // a line goes to the main agent
	u := guiseOf(o)
	a := g.findAgent(o)
	if a == nil {
		a = &Agent{Key: u.key(), guises: map[guise]*sighting{}}
		g.known[a.Key] = a
	}
	if g.guises[u] == nil {
		g.guises[u] = a
		for _, p := range processes(o) {
			if !slices.Contains(g.byProcess[p], a) {
				g.byProcess[p] = append(g.byProcess[p], a)
			}
		}
	}
	if seen := a.guises[u]; seen == nil || !at.Before(seen.at) {
		a.guises[u] = &sighting{o, at}
	}
	if !at.Before(a.asked) {
		a.Origin, a.asked = o, at
	}
	return a.Key
}

// mostInProcess is the number of agents of one process among which another guise of one of them is looked for. A
// process has a few; a hostile host may name any number, and each of them would be compared with all before it.
const mostInProcess = 100

// findAgent returns the known agent that an origin belongs to; nil: it matches no agent, or more than one.
func (g *agents) findAgent(o queue.Origin) (found *Agent) {
	if a := g.guises[guiseOf(o)]; a != nil {
		return a
	}
	for _, p := range processes(o) {
		if len(g.byProcess[p]) > mostInProcess {
			return nil // no agent is told from so many; each question's own guise is one
		}
		for _, a := range g.byProcess[p] {
			switch {
			case a == found || !a.matches(o):
			case found != nil:
				return nil
			default:
				found = a
			}
		}
	}
	return found
}

// matches reports whether an origin belongs to this agent. Two sessions of one process are two agents.
func (a *Agent) matches(o queue.Origin) bool {
	same := false
	for _, seen := range a.guises {
		if seen.origin.Apart(o) {
			return false
		}
		same = same || seen.origin.SameAgent(o)
	}
	return same
}

// keys returns all keys of the agent with this key, one for each of its guises. An earlier process may have met the
// agent in another guise, and stored its texts under that key.
func (g *agents) keys(key string) []string {
	list := []string{key}
	if a := g.known[key]; a != nil {
		for u := range a.guises {
			if name := u.key(); name != key {
				list = append(list, name)
			}
		}
	}
	return list
}

// forgetAgent forgets an agent and its guises.
func (g *agents) forgetAgent(a *Agent) {
	delete(g.known, a.Key)
	for u, seen := range a.guises {
		delete(g.guises, u)
		for _, p := range processes(seen.origin) {
			g.byProcess[p] = slices.DeleteFunc(g.byProcess[p], func(b *Agent) bool { return a == b })
			if len(g.byProcess[p]) == 0 {
				delete(g.byProcess, p)
			}
		}
	}
}

// noteListeners notes the agents that have a next_message call open.
func (g *agents) noteListeners(present []queue.Presence) {
	g.listening = map[string]bool{}
	for _, p := range present {
		if p.Role == queue.RoleListener && p.Origin != nil {
			g.listening[g.meetOrigin(*p.Origin, g.d.Now())] = true
		}
	}
}

// longGone reports whether an agent's bridge has ended, and its last question is too old to be kept.
func (g *agents) longGone(a *Agent) bool {
	return !g.hasAsker(a) && g.d.Now().Sub(a.asked) > queue.KeptFor
}

// newest returns the agent that asked last, among the running ones if any run; nil: no agent is known.
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

// Off reports whether chat is switched off, or impossible because this is the form of one session.
func (g *agents) Off() bool {
	return !g.d.Stays() || g.Delivers() == config.DeliverOff
}

// Delivers returns the setting that says how a line reaches an agent.
func (g *agents) Delivers() string { return g.d.settings.Chat.Deliver }

// Known reports whether any agent is known.
func (g *agents) Known() bool { return len(g.known) > 0 }

// Listens reports whether the agent has a next_message call open.
func (g *agents) Listens(a *Agent) bool { return g.listening[a.Key] }

// hasAsker reports whether a process that asks for the agent runs: its bridge, or the hook or plugin for its own
// prompts.
func (g *agents) hasAsker(a *Agent) bool {
	if g.listening[a.Key] {
		return true
	}
	for _, seen := range a.guises {
		if g.d.Alive(seen.origin.Instance) {
			return true
		}
	}
	return false
}

// newestBridge returns the newest origin of the bridge that fetches messages for the agent; ok is false if no bridge
// runs. If a process has several sessions, a bridge of it that names no session serves each of them.
func (g *agents) newestBridge(a *Agent) (newest queue.Origin, ok bool) {
	var at time.Time
	for _, p := range processes(a.Origin) {
		for _, other := range g.byProcess[p] {
			for way, seen := range other.guises {
				isBridge := !way.itself
				runs := g.d.Alive(seen.origin.Instance) || other == a && g.listening[a.Key]
				serves := other == a || seen.origin.SameAgent(a.Origin)
				if isBridge && runs && serves && (!ok || seen.at.After(at)) {
					newest, at, ok = seen.origin, seen.at, true
				}
			}
		}
	}
	return newest, ok
}

// fetches reports whether the agent can fetch messages through a bridge.
func (g *agents) fetches(a *Agent) bool {
	_, ok := g.newestBridge(a)
	return ok
}

// Here reports whether the agent still runs, as far as is known: its bridge or its own process.
func (g *agents) Here(a *Agent) bool {
	return g.hasAsker(a) || a.At.Alive || g.ways != nil && !a.At.Looked && a.Origin.PID > 1
}

// WaitsFor reports whether the agent waits for the person, for an answer or for a line.
func (g *agents) WaitsFor(a *Agent) bool {
	return g.listening[a.Key] || slices.ContainsFunc(g.d.live.waiting, func(w queue.Waiting) bool {
		return g.findAgent(w.Origin) == a && !w.Gone(g.d.Alive)
	})
}

// Unfetched returns the messages that the agent has not fetched yet, oldest first.
func (g *agents) Unfetched(a *Agent) []queue.Session {
	var list []queue.Session
	for _, s := range g.d.live.sessions {
		if s.IsMessage() && s.At(g.d.Now()).Pending() && g.findAgent(s.Origin) == a {
			list = append(list, *s)
		}
	}
	sortByAge(list)
	return list
}

// probeAgents finds out where agents are: whether the process runs, in which tmux pane, and which program is in front
// there.
func (g *agents) probeAgents(list ...*Agent) {
	if g.ways == nil || g.Off() {
		return
	}
	for _, a := range list {
		g.lookFor(a, func() {})
	}
}

// lookFor finds out where one agent is, outside the owner's goroutine. After that the owner calls then.
func (g *agents) lookFor(a *Agent, then func()) {
	o := a.Origin
	g.errands.runErrand(func() {
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
