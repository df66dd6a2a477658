package app

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/queue"
)

// How a line reaches an agent, as the setting chat.deliver says.
const (
	deliverTmux = "tmux"
	deliverMCP  = "mcp"
	deliverOff  = "off"
)

// chat is the line to an agent. Only the event loop touches it, apart from under.
//
//	i ─► composer ─ Enter ─► closed? ─ no ─► Reach (its pane, its foreground) ─┬ yes ─► Create ─► Paste ─► Deliver
//	                            │ yes                                          └ no ──► Create; next_message fetches it
//	                            └► nothing, and says who waits
type chat struct {
	open   bool
	to     string                // the addressed agent's key; it may be gone meanwhile
	texts  map[string]string     // by agent: what was typed for it and not sent
	editor *panes.Editor         // while open
	fresh  bool                  // its text was typed since it was opened: it goes along to another agent
	agents map[string]*chatAgent // by key: every origin seen in the queue
	listen map[string]bool       // by key: a next_message call is open
	gone   map[string]time.Time  // question → since when its caller is gone; nil: the queue was not seen yet
	shut   shut
	probed string              // the addressed agent that was looked for last
	missed []queue.Session     // beside Dashboard.missed: whose question it was
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
}

// ChatWays is how a line is typed into an agent's terminal; see package tmux.
type ChatWays interface {
	// Reach looks where the agent is, and changes nothing.
	Reach(ctx context.Context, o queue.Origin) Reached
	// Paste types the text into the agent's pane. maybe: after an error it may have arrived all the same.
	Paste(ctx context.Context, o queue.Origin, text string) (where string, maybe bool, err error)
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

// chatAbout makes the agent of a session that comes on screen the one a line would go to, unless a line to another
// one is being written.
func (d *Dashboard) chatAbout(s queue.Session) {
	key := d.meetOrigin(s.Origin, s.AskedAt)
	if !d.chat.open && d.chat.texts[d.chat.to] == "" {
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

// here reports whether the agent still runs, as far as is known: its bridge does, or its process.
func (d *Dashboard) here(a *chatAgent) bool {
	return d.alive(a.origin.Instance) || d.chat.listen[a.key] || a.at.Alive || d.o.Chat != nil && !a.at.Looked && a.origin.PID > 1
}

// reachable are the agents that still run, in an order that stays.
func (d *Dashboard) reachable() []*chatAgent {
	var list []*chatAgent
	for _, a := range d.chat.agents {
		if d.here(a) {
			list = append(list, a)
		}
	}
	sortAgents(list)
	return list
}

// addressed is whom a line would go to now: the agent whose question was last on screen or that was picked, else the
// one that asked last. nil: none is known. While the composer is open it stays the same one, also when that is gone.
func (d *Dashboard) addressed() *chatAgent {
	if a := d.chat.agents[d.chat.to]; d.chat.open && a != nil {
		return a
	}
	var newest *chatAgent
	for _, a := range d.reachable() {
		if a.key == d.chat.to {
			return a
		}
		if newest == nil || a.asked.After(newest.asked) {
			newest = a
		}
	}
	return newest
}

// chatTo names the addressed agent and where it is: `to shop · claude, tmux 2:1`.
func (d *Dashboard) chatTo() string {
	a := d.addressed()
	if a == nil {
		return "no agent known yet"
	}
	words := "to " + d.agentName(a)
	if a.at.Where != "" && d.settings.Chat.Deliver != deliverMCP {
		words += ", tmux " + a.at.Where
	}
	if !d.here(a) {
		words += ", gone"
	}
	return words
}

// agentName is the agent's name, made distinct among those a line can go to.
func (d *Dashboard) agentName(a *chatAgent) string {
	var names queue.Names
	for _, other := range d.reachable() {
		names.Add(other.origin)
	}
	return names.Of(a.origin)
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

// lowerChat is what the rule over the foot says of chat while questions wait.
func (d *Dashboard) lowerChat(wide bool) string {
	n := waits(len(d.waiting))
	closing, _ := d.closing()
	switch {
	case d.chatOff() || len(d.waiting) == 0:
		return n
	case closing == 0: // everybody who asked is gone
		return n + " · chat " + d.chatTo()
	case wide:
		return "chat closed: " + n
	case d.size.w < 34:
		return n + " closed"
	case d.size.w < 40:
		return n + " · closed"
	}
	return n + " · chat closed"
}

// emptyChat is what it says while nothing waits.
func (d *Dashboard) emptyChat() string {
	if d.chatOff() || !d.loaded {
		return ""
	}
	return "chat · " + d.chatTo()
}

// drawChat draws the composer over the lower rows.
func (d *Dashboard) drawChat(c panes.Canvas, w, h int) {
	v := panes.ChatView{Editor: d.chat.editor}
	if n, _ := d.closing(); n == 0 {
		v.Name, v.Right = "chat · "+d.chatTo(), d.chatRight()
	} else {
		v.Name, v.Right = "chat closed: "+waits(n), "opens when they are answered"
		if n == 1 {
			v.Right = "opens when it is answered"
		}
		if a := d.addressed(); a != nil && panes.Width(v.Name)+panes.Width(v.Right)+panes.Width(d.agentName(a))+16 < w {
			v.Name += " · to " + d.agentName(a)
		}
	}
	if d.page == nil && d.form != nil && d.o.Attach == "" {
		v.Tee = panes.ListWidth(w)
	}
	v.Draw(c, panes.ChatRect(d.chat.editor, w, h))
}

func (d *Dashboard) chatRight() string {
	a := d.addressed()
	if a == nil {
		return ""
	}
	state := "working"
	if d.waitsFor(a) {
		state = "waiting"
	}
	if n := len(d.unfetched(a)); n > 0 {
		state += fmt.Sprintf(" · %d not fetched", n)
	}
	all := d.reachable()
	if len(all) < 2 {
		return state
	}
	at := 0
	for i, other := range all {
		if other == a {
			at = i
		}
	}
	return fmt.Sprintf("%s · %d of %d agents", state, at+1, len(all))
}

// chatFoot says what Enter would do in the composer, or why nothing, and its keys.
func (d *Dashboard) chatFoot() panes.FootView {
	v := panes.FootView{Line: d.chatEnter()}
	a := d.addressed()
	v.Keys = d.keys.Hints(panes.PlaceChat, func(b panes.Binding) string {
		switch {
		case b.Action == panes.ActChatNext && len(d.reachable()) < 2, b.Action == panes.ActTakeBack && (a == nil || len(d.unfetched(a)) == 0):
			return ""
		}
		return b.Hint
	})
	v.Keys = append(v.Keys, d.escHint(panes.PlaceChat, "leave, text kept"))
	if n, _ := d.closing(); a != nil && n == 0 && d.chat.busy == "" && !queue.Blank(d.chat.editor.Text()) {
		v.Tails = d.chatTails(a)
	}
	return v
}

func (d *Dashboard) chatEnter() string {
	g, a := d.glyphs, d.addressed()
	closing, first := d.closing()
	switch {
	case d.chat.busy != "":
		return "sending …"
	case closing > 0:
		return panes.ChatRefusal(g, first, closing-1, d.size.w)
	case a == nil:
		return g.Enter + " not sent: no agent is known yet. The text stays."
	case queue.Blank(d.chat.editor.Text()):
		return "type a line to " + d.agentName(a)
	}
	return g.Enter + " send to " + d.agentName(a)
}

// chatTails say that the line is not typed into the agent's pane, and why.
func (d *Dashboard) chatTails(a *chatAgent) []panes.Tail {
	mode := d.settings.Chat.Deliver
	if d.chat.listen[a.key] || a.at.Where != "" && mode != deliverMCP {
		return nil
	}
	if mode == deliverTmux {
		if a.at.Err == nil {
			return nil
		}
		return []panes.Tail{{oneLine(a.at.Err.Error())}}
	}
	return []panes.Tail{{"kept until it calls next_message", "kept for next_message"}}
}
