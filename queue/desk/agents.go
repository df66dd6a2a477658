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

const reachWithin = 3 * time.Second // what looking for one agent may take

// ChatWays deliver a line to an agent at once: they type it into its terminal, or its own server gives it to the
// session.
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
	guises map[guise]*sighting
}

// guise identifies the origins of one agent that asked in the same way: through its bridge, or through its hook.
type guise struct {
	host, client, cwd, agent, thread string
	pid                              int
	itself                           bool // the agent asked and no model of its
}

func guiseOf(o queue.Origin) guise {
	return guise{o.Host, o.Client, o.Cwd, o.Agent, o.Thread, o.PID, o.Dialect == queue.DialectNative}
}

// key names an agent that was met in this guise first.
func (u guise) key() string {
	return strings.Join([]string{u.host, u.agent, strconv.Itoa(u.pid), u.client, u.cwd, u.thread,
		strconv.FormatBool(u.itself)}, "\x00")
}

// sighting is an agent in one guise as it was seen last.
type sighting struct {
	origin queue.Origin
	at     time.Time
}

// agents holds the agents that asked something here, where they run, and whether a line can reach them. All seats of a
// desk share them: a page that is opened later knows who asked before.
type agents struct {
	d       *Desk
	ways    ChatWays // nil: nothing is typed into terminals
	errands *errands
	known   map[string]*Agent   // by key: every agent seen in the queue
	guises  map[guise]*Agent    // each guise of theirs
	near    map[string][]*Agent // by process: those who may be the same; see processes
	listen  map[string]bool     // by key: a next_message call is open
}

func newAgents(d *Desk) *agents {
	return &agents{d: d, ways: d.o.Chat, errands: &errands{start: d.o.Go}, known: map[string]*Agent{}, guises: map[guise]*Agent{},
		near: map[string][]*Agent{}, listen: map[string]bool{}}
}

// hear follows what happens at the desk.
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

// forgetGone forgets the agents that are long gone, but those that a seat addresses or keeps a text for.
func (g *agents) forgetGone() {
	for key, a := range g.known {
		if !g.longGone(a) || slices.ContainsFunc(g.d.seats.list, func(s *Seat) bool { return s.chat.holds(key) }) {
			continue
		}
		g.forget(a)
		for _, s := range g.d.seats.list {
			if s.chat != nil {
				delete(s.chat.kept.read, key)
			}
		}
	}
}

// processes returns the two names of a process, one of which two origins of an agent share.
func processes(o queue.Origin) [2]string {
	return [2]string{o.Host + "\x00" + o.Agent, o.Host + "\x00" + strconv.Itoa(o.PID)}
}

// meetAsker notes whose session this is. An interview is no agent: nobody there reads a line.
func (g *agents) meetAsker(s queue.Session) {
	if !s.IsMessage() && s.Origin.Dialect != queue.DialectInterview {
		g.meetOrigin(s.Origin, s.AskedAt)
	}
}

// meetOrigin notes an origin, and returns the key of its agent.
func (g *agents) meetOrigin(o queue.Origin, at time.Time) string {
	o.Subagent = "" // a line goes to the agent
	u := guiseOf(o)
	a := g.whose(o)
	if a == nil {
		a = &Agent{Key: u.key(), guises: map[guise]*sighting{}}
		g.known[a.Key] = a
	}
	if g.guises[u] == nil {
		g.guises[u] = a
		for _, p := range processes(o) {
			if !slices.Contains(g.near[p], a) {
				g.near[p] = append(g.near[p], a)
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

// whose returns the known agent that an origin belongs to; nil if it matches none, or more than one.
func (g *agents) whose(o queue.Origin) (found *Agent) {
	if a := g.guises[guiseOf(o)]; a != nil {
		return a
	}
	for _, p := range processes(o) {
		for _, a := range g.near[p] {
			switch {
			case a == found || !a.is(o):
			case found != nil:
				return nil
			default:
				found = a
			}
		}
	}
	return found
}

// is reports whether an origin is this agent. Of two sessions of one process at most one is.
func (a *Agent) is(o queue.Origin) bool {
	same := false
	for _, seen := range a.guises {
		if seen.origin.Apart(o) {
			return false
		}
		same = same || seen.origin.SameAgent(o)
	}
	return same
}

// keys returns the names of an agent in each of its guises, by one of them.
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

// forget forgets an agent.
func (g *agents) forget(a *Agent) {
	delete(g.known, a.Key)
	for u, seen := range a.guises {
		delete(g.guises, u)
		for _, p := range processes(seen.origin) {
			if g.near[p] = slices.DeleteFunc(g.near[p], func(b *Agent) bool { return a == b }); len(g.near[p]) == 0 {
				delete(g.near, p)
			}
		}
	}
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

// newest returns the agent that asked last, among the running ones if any still run; nil if no agent is known.
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

// Delivers returns the setting that says how a line reaches an agent.
func (g *agents) Delivers() string { return g.d.settings.Chat.Deliver }

// Known reports whether any agent is known.
func (g *agents) Known() bool { return len(g.known) > 0 }

// Listens reports whether the agent has a next_message call open.
func (g *agents) Listens(a *Agent) bool { return g.listen[a.Key] }

// bridged reports whether the process that asks for the agent runs: its bridge, or the hook or plugin of its own
// prompts.
func (g *agents) bridged(a *Agent) bool {
	if g.listen[a.Key] {
		return true
	}
	for _, seen := range a.guises {
		if g.d.Alive(seen.origin.Instance) {
			return true
		}
	}
	return false
}

// bridge returns the bridge that can fetch messages for the agent, as it asked last; ok false: none runs. Where a
// process has several sessions, a bridge of it that names none is each one's.
func (g *agents) bridge(a *Agent) (newest queue.Origin, ok bool) {
	var at time.Time
	for _, p := range processes(a.Origin) {
		for _, other := range g.near[p] {
			for u, seen := range other.guises {
				runs := !u.itself && (g.d.Alive(seen.origin.Instance) || other == a && g.listen[a.Key])
				if runs && (other == a || seen.origin.SameAgent(a.Origin)) && (!ok || seen.at.After(at)) {
					newest, at, ok = seen.origin, seen.at, true
				}
			}
		}
	}
	return newest, ok
}

// fetches reports whether the agent can fetch messages.
func (g *agents) fetches(a *Agent) bool {
	_, ok := g.bridge(a)
	return ok
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
		if w := &g.d.live.waiting[i]; g.whose(w.Origin) == a && !w.Gone(g.d.Alive) {
			return true
		}
	}
	return false
}

// Unfetched returns the messages to the agent that it has not fetched yet, oldest first.
func (g *agents) Unfetched(a *Agent) []queue.Session {
	var list []queue.Session
	for _, s := range g.d.live.sessions {
		if s.IsMessage() && s.At(g.d.Now()).Pending() && g.whose(s.Origin) == a {
			list = append(list, *s)
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
