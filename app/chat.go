package app

import (
	"context"
	"sync"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
)

// How a line reaches an agent, as the setting chat.deliver says.
const (
	deliverTmux = config.DeliverTmux
	deliverMCP  = config.DeliverMCP
	deliverOff  = config.DeliverOff
)

// chat is the line to an agent. Only the event loop touches it, apart from under.
//
//	i ─► composer ─ Enter ─► closed? ─ no ─► Reach (its pane, its foreground) ─┬ yes ─► Create ─► Paste ─► Deliver
//	                            │ yes                                          └ no ──► Create; next_message fetches it
//	                            └► nothing, and says who waits
type chat struct {
	open   bool
	to     string                // the addressed agent's key; it may be gone meanwhile. Empty: nobody yet
	texts  map[string]string     // by agent: what was typed for it and not sent
	editor *editor.Field         // while open
	fresh  bool                  // its text was typed since it was opened: Tab takes it along to another agent
	quote  quote                 // put in by ourselves
	agents map[string]*chatAgent // by key: every origin seen in the queue
	listen map[string]bool       // by key: a next_message call is open
	gone   map[string]time.Time  // question → since when its caller is gone; nil: the queue was not seen yet
	shut   shut
	probed string              // the addressed agent that was looked for last
	drafts map[string][]string // by agent: the instances whose drafts were read, to be dropped once it is sent
	saving *time.Timer
	busy   string         // the text being sent; empty: none
	under  sync.WaitGroup // what goes on beside the event loop
}

// chatAgent is an agent that asked something, as its newest question says.
type chatAgent struct {
	key    string
	origin queue.Origin
	asked  time.Time
	at     Reached
}

// Reached says where an agent is now. The zero value: nobody looked yet.
type Reached struct {
	Looked bool
	Alive  bool   // its process runs
	Where  string // its tmux pane, such as 2:1, if a line can be typed there; else empty
	Err    error  // why not
	Shared bool   // its process serves several agents, so which pane is its own cannot be told; Err says so
}

// ChatWays is how a line is typed into an agent's terminal; see package tmux.
type ChatWays interface {
	// Reach looks where the agent is, and changes nothing.
	Reach(ctx context.Context, o queue.Origin) Reached
	// Paste types the text into the agent's pane. After a *queue.Doubt it may have arrived all the same.
	Paste(ctx context.Context, o queue.Origin, text string) (where string, err error)
}

func newChat() chat {
	return chat{texts: map[string]string{}, agents: map[string]*chatAgent{}, listen: map[string]bool{}, drafts: map[string][]string{}}
}

// agentKey tells agents apart: by the running agent, else by client, host and directory.
func agentKey(o queue.Origin) string {
	if o.Agent != "" {
		return o.Host + "\x00" + o.Agent
	}
	return o.Host + "\x00" + o.Client + "\x00" + o.Cwd
}

// meet notes whose session this is.
func (d *Dashboard) meet(s queue.Session) {
	if !s.IsMessage() {
		d.meetOrigin(s.Origin, s.AskedAt)
	}
}

func (d *Dashboard) meetOrigin(o queue.Origin, at time.Time) string {
	key := agentKey(o)
	a := d.chat.agents[key]
	if a == nil {
		a = &chatAgent{key: key}
		d.chat.agents[key] = a
	}
	if !at.Before(a.asked) {
		a.origin, a.asked = o, at
	}
	return key
}

// chatAbout makes the agent of a session that comes on screen the one a line would go to, unless the composer is open.
// What was typed for another one waits under that one.
func (d *Dashboard) chatAbout(s queue.Session) {
	key := d.meetOrigin(s.Origin, s.AskedAt)
	if !d.chat.open {
		d.chat.to = key
	}
}

// meetListeners notes who has a next_message call open.
func (d *Dashboard) meetListeners(present []queue.Presence) {
	d.chat.listen = map[string]bool{}
	for _, p := range present {
		if p.Role == queue.RoleListener && p.Origin != nil {
			d.chat.listen[d.meetOrigin(*p.Origin, d.now())] = true
		}
	}
	d.chat.probed = "" // look anew: somebody came or went
	d.lookLater()
	for key, a := range d.chat.agents {
		if !d.alive(a.origin.Instance) && !d.chat.listen[key] && d.chat.texts[key] == "" && key != d.chat.to && d.now().Sub(a.asked) > queue.KeptFor {
			delete(d.chat.agents, key)
			delete(d.chat.drafts, key)
		}
	}
}

// chatGone notes since when the callers of waiting questions are gone.
func (d *Dashboard) chatGone(now time.Time) {
	was := d.chat.gone
	gone := map[string]time.Time{}
	for i := range d.waiting {
		w := &d.waiting[i]
		if !w.Gone(d.alive) {
			continue
		}
		since, known := was[w.ID]
		switch {
		case known:
		case was == nil || w.DroppedAt != nil: // before this dashboard looked: as the session says
			since = w.GoneSince()
		default:
			since = now
		}
		gone[w.ID] = since
	}
	d.chat.gone = gone
	d.chat.shut = shut{}
}

func (d *Dashboard) goneSince(s queue.Session) time.Time { return d.chat.gone[s.ID] }

// closing is how many questions keep chat closed, and the title of the most urgent of them. It looks at them again
// only when the queue or, for a caller that is gone, the time has changed something.
func (d *Dashboard) closing() (n int, first string) {
	c, now := &d.chat.shut, d.now()
	if c.known && (c.until.IsZero() || now.Before(c.until)) {
		return c.n, c.first
	}
	*c = shut{known: true, until: d.nextOpening(now)}
	for i := range d.waiting {
		if w := &d.waiting[i]; w.ClosesChat(d.alive, d.goneSince, now) {
			if c.n++; c.n == 1 {
				c.first = w.Ask.Title
			}
		}
	}
	return c.n, c.first
}

// shut is what closing found, and until when that holds.
type shut struct {
	known bool
	n     int
	first string
	until time.Time
}

// nextOpening is when the clock alone next opens chat a little: a caller is gone for a minute. Zero: never.
func (d *Dashboard) nextOpening(now time.Time) (next time.Time) {
	for _, since := range d.chat.gone {
		if at := since.Add(queue.GoneGrace); at.After(now) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

// chatOff reports whether there is no chat here: it is switched off, or this is a form alone.
func (d *Dashboard) chatOff() bool {
	return d.o.Attach != "" || d.settings.Chat.Deliver == deliverOff
}

// waitsFor reports whether the agent waits for the person: for an answer, or for a line.
func (d *Dashboard) waitsFor(a *chatAgent) bool {
	if d.chat.listen[a.key] {
		return true
	}
	for i := range d.waiting {
		if agentKey(d.waiting[i].Origin) == a.key && !d.waiting[i].Gone(d.alive) {
			return true
		}
	}
	return false
}

// unfetched are the messages to the agent that it has not fetched yet, oldest first.
func (d *Dashboard) unfetched(a *chatAgent) []queue.Session {
	var list []queue.Session
	for _, s := range d.live {
		if s.IsMessage() && s.At(d.now()).Pending() && agentKey(s.Origin) == a.key {
			list = append(list, s)
		}
	}
	sortByAge(list)
	return list
}

const chatClosed = "chat closed"

// lowerChat is what the rule over the foot says of chat while questions wait, longest first.
func (d *Dashboard) lowerChat() []string {
	closing, _ := d.closing()
	switch {
	case d.chatOff() || len(d.waiting) == 0:
		return []string{""}
	case closing == 0: // everybody who asked is gone
		return []string{"chat " + d.chatTo(), "chat open", ""}
	}
	return []string{chatClosed, "closed", ""}
}

// emptyChat is what it says while nothing waits.
func (d *Dashboard) emptyChat() string {
	if d.chatOff() || !d.loaded {
		return ""
	}
	return "chat · " + d.chatTo()
}

// drawChat draws the composer over the lower rows.
func (d *Dashboard) drawChat(c ink.Canvas, w, h int) {
	v := panes.ChatView{Editor: d.chat.editor}
	if n, _ := d.closing(); n == 0 {
		v.Name = "chat · " + d.chatTo()
		v.Right = d.chatRight(w - ink.Width(v.Name) - 9)
	} else {
		v.Name, v.Right = d.closedName(w-4), "opens when they are answered"
		if n == 1 {
			v.Right = "opens when it is answered"
		}
	}
	if d.page == nil && d.form != nil && d.o.Attach == "" {
		v.Tee = panes.ListWidth(w)
	}
	v.Draw(c, panes.ChatRect(d.chat.editor, w, h))
}
