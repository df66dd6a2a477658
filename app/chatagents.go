package app

import (
	"errors"
	"slices"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// Whom a line goes to. The composer opens to the agent whose question was last on screen, or the one that was named
// (history, a question that was missed), and stays on that one, also when it is gone: then nothing is sent. Only the
// person's Tab takes a text to another agent.

var (
	errNoTmux   = errors.New("it can only be typed into a tmux pane, and there is no tmux here")
	errNoBridge = errors.New("its choicetui mcp does not run any more")
)

// bridged reports whether the agent can fetch messages: its bridge runs.
func (d *Dashboard) bridged(a *chatAgent) bool {
	return d.alive(a.origin.Instance) || d.chat.listen[a.key]
}

// here reports whether the agent still runs, as far as is known: its bridge does, or its process.
func (d *Dashboard) here(a *chatAgent) bool {
	return d.bridged(a) || a.at.Alive || d.o.Chat != nil && !a.at.Looked && a.origin.PID > 1
}

// unreachable says why a line to the agent would not be sent, as far as is known; empty: it would be.
func (d *Dashboard) unreachable(a *chatAgent) string {
	mode := d.settings.Chat.Deliver
	switch {
	case mode != deliverMCP && a.at.Where != "", mode != deliverTmux && d.bridged(a):
		return ""
	case !d.here(a):
		return d.agentName(a) + " is gone"
	case mode == deliverMCP:
		return errNoBridge.Error()
	case d.o.Chat == nil:
		return errNoTmux.Error()
	case a.at.Err != nil:
		return say.OneLine(a.at.Err.Error())
	}
	return "" // nobody looked yet: sending finds out
}

// choices are the agents Tab goes through, in an order that stays: those that run, the addressed one, and those for
// whom a text is kept.
func (d *Dashboard) choices() []*chatAgent {
	var list []*chatAgent
	for key, a := range d.chat.agents {
		if d.here(a) || d.chat.texts[key] != "" || d.chat.open && key == d.chat.to {
			list = append(list, a)
		}
	}
	sortAgents(list)
	return list
}

// addressed is whom a line would go to now; nil: none is known. While the composer is open it stays the same one.
// Before, one that is gone gives way to the one that asked last of those that run.
func (d *Dashboard) addressed() *chatAgent {
	to := d.chat.agents[d.chat.to]
	if d.chat.open || to != nil && d.here(to) {
		return to
	}
	var newest *chatAgent
	for _, a := range d.chat.agents {
		switch {
		case newest == nil, d.here(a) && !d.here(newest):
			newest = a
		case d.here(newest) && !d.here(a):
		case a.asked.After(newest.asked), a.asked.Equal(newest.asked) && a.key < newest.key:
			newest = a
		}
	}
	if to != nil && !d.here(newest) {
		return to
	}
	return newest
}

// chatTo names the addressed agent and where it is: `to shop · claude, tmux 2:1`.
func (d *Dashboard) chatTo() string {
	a := d.addressed()
	switch {
	case a == nil && len(d.chat.agents) > 0:
		return "to nobody yet"
	case a == nil:
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
	for _, other := range d.choices() {
		names.Add(other.origin)
	}
	return names.Of(a.origin)
}

// keeping are the agents for whom a text is kept, the addressed one first.
func (d *Dashboard) keeping() []*chatAgent {
	var list []*chatAgent
	for key, text := range d.chat.texts {
		if a := d.chat.agents[key]; a != nil && text != "" {
			list = append(list, a)
		}
	}
	sortAgents(list)
	if at := slices.Index(list, d.addressed()); at > 0 {
		a := list[at]
		list = slices.Insert(slices.Delete(list, at, at+1), 0, a)
	}
	return list
}

// quote is what was put into the composer for the person. If they do not touch it, it is no text of theirs, and leaves
// with the composer.
type quote struct {
	key, text string
	before    string // what was kept for that agent
	to        string // who was addressed
}

// dropQuote puts back what was kept for the agent before the quote, if the person did not touch that, and reports
// whether it did.
func (d *Dashboard) dropQuote() bool {
	q := d.chat.quote
	d.chat.quote = quote{}
	if q.text == "" || d.chat.texts[q.key] != q.text {
		return false
	}
	delete(d.chat.texts, q.key)
	if q.before != "" {
		d.chat.texts[q.key] = q.before
	}
	return true
}

// missedHere is the last question of those listed as missed whose agent still runs: what the person would have said is
// worth something to it.
func (d *Dashboard) missedHere() (s queue.Session, ok bool) {
	if d.page != nil || d.form != nil || d.chatOff() {
		return s, false
	}
	for _, s := range d.missed {
		if a := d.chat.agents[agentKey(s.Origin)]; a != nil && d.here(a) {
			return s, true
		}
	}
	return s, false
}

// missedKey is how the key is written that tells the agent of what was missed; empty: none of them is here any more.
func (d *Dashboard) missedKey() string {
	if _, ok := d.missedHere(); !ok {
		return ""
	}
	return d.chatKey()
}
