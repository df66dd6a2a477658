package desk

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// How a line reaches an agent, as the setting chat.deliver says.
const (
	deliverTmux = config.DeliverTmux
	deliverMCP  = config.DeliverMCP
	deliverOff  = config.DeliverOff
)

// outlives is how long an agent may outlive its bridge: it is looked for once more then.
const outlives = 2 * time.Second

// Why a line to an agent would not be sent.
var (
	ErrNoTmux    = errors.New("it can only be typed into a tmux pane, and there is no tmux here")
	ErrNoBridge  = errors.New("its choicetui mcp does not run any more")
	ErrAgentGone = errors.New("is gone")
)

// ChatWays is how a line is typed into an agent's terminal; see package tmux.
type ChatWays interface {
	// Reach looks where the agent is, and changes nothing.
	Reach(ctx context.Context, o queue.Origin) Reached
	// Paste types the text into the agent's pane. After a *queue.Doubt it may have arrived all the same.
	Paste(ctx context.Context, o queue.Origin, text string) (where string, err error)
}

// Reached says where an agent is now. The zero value: nobody looked yet.
type Reached struct {
	Looked bool
	Alive  bool   // its process runs
	Where  string // its tmux pane, such as 2:1, if a line can be typed there; else empty
	Shared bool   // its process serves several agents, so which pane is its own cannot be told; Err says so
	Err    error  // why not
}

// Agent is an agent that asked something, as its newest question says.
type Agent struct {
	Key    string
	Origin queue.Origin
	At     Reached
	asked  time.Time
}

// Chat is the line to an agent: whom it goes to, what was typed for each of them, and what is on its way.
//
//	composer ─ Send ─► closed? ─ no ─► Reach (its pane, its foreground) ─┬ yes ─► Create ─► Paste ─► Deliver
//	                      │ yes                                          └ no ──► Create; next_message fetches it
//	                      └► nothing
//
// The composer opens to the agent whose question was last on view, or the one that was named, and stays on that one,
// also when it is gone: then nothing is sent. Only the person's Next takes a text to another agent.
type Chat struct {
	seat    *Seat
	d       *Desk
	ways    ChatWays // nil: nothing is typed into terminals
	open    bool
	to      string            // the addressed agent's key; it may be gone meanwhile. Empty: nobody yet
	texts   map[string]string // by agent: what was typed for it and not sent
	fresh   bool              // the text was typed since the composer was opened: Next takes it along
	quote   quote             // put in by ourselves
	agents  map[string]*Agent // by key: every origin seen in the queue
	listen  map[string]bool   // by key: a next_message call is open
	probed  string            // the addressed agent that was looked for last
	kept    keptLines
	busy    string          // the text being sent; empty: none
	running *sync.WaitGroup // what goes on beside the owner
}

// NewChat is the seat's line to the agents.
func NewChat(s *Seat, ways ChatWays) *Chat {
	c := &Chat{seat: s, d: s.d, ways: ways, texts: map[string]string{}, agents: map[string]*Agent{},
		listen: map[string]bool{}, kept: keptLines{read: map[string][]string{}}, running: &sync.WaitGroup{}}
	s.chat = c
	s.d.Sessions(c.meet)
	s.d.Subscribe(c.hear)
	return c
}

// hear follows what happens at the desk.
func (c *Chat) hear(e Event) {
	switch e := e.(type) {
	case Changed:
		c.meet(e.Now)
	case Remembered:
		c.meet(e.Session)
	case Present:
		c.meetListeners(e.List)
	case Shown:
		if s, ok := c.d.live.sessions[e.ID]; ok && e.Seat == c.seat {
			c.about(s)
		}
	}
}

// agentKey tells agents apart: by the running agent, else by client, host and directory.
func agentKey(o queue.Origin) string {
	if o.Agent != "" {
		return o.Host + "\x00" + o.Agent
	}
	return o.Host + "\x00" + o.Client + "\x00" + o.Cwd
}

// meet notes whose session this is.
func (c *Chat) meet(s queue.Session) {
	if !s.IsMessage() {
		c.meetOrigin(s.Origin, s.AskedAt)
	}
}

func (c *Chat) meetOrigin(o queue.Origin, at time.Time) string {
	key := agentKey(o)
	a := c.agents[key]
	if a == nil {
		a = &Agent{Key: key}
		c.agents[key] = a
	}
	if !at.Before(a.asked) {
		a.Origin, a.asked = o, at
	}
	return key
}

// about makes the agent of a session that comes on view the one a line would go to, unless the composer is open. What
// was typed for another one waits under that one.
func (c *Chat) about(s queue.Session) {
	key := c.meetOrigin(s.Origin, s.AskedAt)
	if !c.open {
		c.to = key
	}
}

// meetListeners notes who has a next_message call open, and forgets who is gone for long.
func (c *Chat) meetListeners(present []queue.Presence) {
	c.listen = map[string]bool{}
	for _, p := range present {
		if p.Role == queue.RoleListener && p.Origin != nil {
			c.listen[c.meetOrigin(*p.Origin, c.d.Now())] = true
		}
	}
	c.probed = "" // look anew: somebody came or went
	c.lookLater()
	for key, a := range c.agents {
		if !c.bridged(a) && c.texts[key] == "" && key != c.to && c.d.Now().Sub(a.asked) > queue.KeptFor {
			delete(c.agents, key)
			delete(c.kept.read, key)
		}
	}
}

// Off reports whether there is no chat here: it is switched off, or this is a form alone.
func (c *Chat) Off() bool {
	return c.d.o.Attach != "" || c.deliver() == deliverOff
}

func (c *Chat) deliver() string { return c.d.settings.Chat.Deliver }

// Delivers is the setting that says how a line reaches an agent.
func (c *Chat) Delivers() string { return c.deliver() }

// Open reports whether the composer is open.
func (c *Chat) Open() bool { return c.open }

// Busy reports whether a line is on its way.
func (c *Chat) Busy() bool { return c.busy != "" }

// Listens reports whether the agent has a next_message call open.
func (c *Chat) Listens(a *Agent) bool { return c.listen[a.Key] }

// WaitsFor reports whether the agent waits for the person: for an answer, or for a line.
func (c *Chat) WaitsFor(a *Agent) bool {
	if c.listen[a.Key] {
		return true
	}
	for i := range c.d.live.waiting {
		if w := &c.d.live.waiting[i]; agentKey(w.Origin) == a.Key && !w.Gone(c.d.Alive) {
			return true
		}
	}
	return false
}

// Unfetched are the messages to the agent that it has not fetched yet, oldest first.
func (c *Chat) Unfetched(a *Agent) []queue.Session {
	var list []queue.Session
	for _, s := range c.d.live.sessions {
		if s.IsMessage() && s.At(c.d.Now()).Pending() && agentKey(s.Origin) == a.Key {
			list = append(list, s)
		}
	}
	sortByAge(list)
	return list
}

// beside runs f beside the owner and the worker: tmux may take seconds, and answers must not wait for it.
func (c *Chat) beside(f func()) {
	c.running.Add(1)
	c.d.o.Go(func() {
		defer c.running.Done()
		f()
	})
}

// Settle waits, not for long, for what is under way when the face has closed.
func (c *Chat) Settle() {
	c.kept.save(c)
	done := make(chan struct{})
	go func() {
		c.running.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(flushWithin):
	}
}
