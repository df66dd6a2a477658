package desk

import (
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// quote holds a text that was put into the composer for the person. If they do not touch it, it does not count as their
// text, and leaves with the composer.
type quote struct {
	key, text string
	before    string // what was kept for that agent
	to        string // who was addressed
}

// composer lets the person write lines to agents. It keeps the recipient of the next line, and the unsent text for each
// agent.
//
// It opens to the agent whose question was last on view, or to a named one, and stays on that agent even when it is
// gone: then nothing is sent. Only the person's Next takes a text to another agent.
type composer struct {
	seat   *Seat
	d      *Desk
	agents *agents
	open   bool
	to     string            // the addressed agent's key; it may be gone meanwhile. Empty: nobody yet
	texts  map[string]string // by agent: what was typed for it and not sent
	fresh  bool              // the text was typed since the composer was opened: Next takes it along
	quote  quote             // put in by ourselves
	busy   string            // what is being sent of it; empty: nothing
	kept   keptLines
}

func newComposer(s *Seat, known *agents) *composer {
	return &composer{seat: s, d: s.d, agents: known, texts: map[string]string{},
		kept: keptLines{read: map[string][]string{}}}
}

// holds reports whether an agent is addressed, or has a text kept for it. A seat without a line to agents holds none.
func (c *Chat) holds(key string) bool { return c != nil && (c.to == key || c.texts[key] != "") }

// Open reports whether the composer is open.
func (c *composer) Open() bool { return c.open }

// Busy reports whether a line is on its way.
func (c *composer) Busy() bool { return c.busy != "" }

// Text returns the composer's text.
func (c *composer) Text() string { return c.texts[c.to] }

// Compose opens the composer to the addressed agent, which the face names before, and with what was typed for it.
func (c *composer) Compose() { c.openTo(c.Addressed()) }

// openTo brings the composer up, to an agent (nil: none is known). What was typed before any agent was known is for
// the first one.
func (c *composer) openTo(a *Agent) {
	c.seat.SaveDraft()
	if a != nil {
		if c.to = a.Key; c.texts[a.Key] == "" && c.texts[""] != "" {
			c.moveText("", a.Key)
		}
	}
	c.open, c.fresh = true, false
	c.d.tell(LineOpened{c.seat})
	c.kept.bringLineBack(c)
	c.agents.probe(c.recent()...)
}

// Tell opens a line to an agent with words quoted above it; what was typed for that agent before stays. The composer
// stays with that agent, also when it is gone: its line must not go to another one unseen.
func (c *composer) Tell(o queue.Origin, words string) {
	to, key := c.to, c.agents.meetOrigin(o, time.Time{})
	text := "> " + words + "\n"
	before := c.texts[key]
	if before != "" {
		text = before + "\n" + text
	}
	c.texts[key] = text
	c.openTo(c.agents.known[key])
	c.quote = quote{key: key, text: text, before: before, to: to}
	c.fresh = before == "" // its agent may have come back as another one: Next takes the quote along
}

// Close leaves the composer; the text stays with its agent.
func (c *composer) Close() {
	to := c.quote.to
	dropped := c.dropQuote()
	c.kept.saveLine(c) // another agent may be the addressed one a moment from now
	if dropped {
		c.to = to
	}
	c.open = false
	c.seat.CameUp()
}

// Type notes the composer's new text.
func (c *composer) Type(text string) {
	c.fresh = true
	c.keepText(text)
	c.kept.saveLineSoon(c)
}

func (c *composer) keepText(text string) {
	if text != "" {
		c.texts[c.to] = text
	} else {
		delete(c.texts, c.to)
	}
}

// Next addresses the next agent. A text just typed moves along, unless a text is kept for that agent; a text that was
// kept for the agent before stays with it. A text that is on its way belongs to its agent: then nothing happens. Next
// reports whether there is another agent.
func (c *composer) Next() bool {
	switch {
	case c.busy != "":
		return true
	case !c.Another():
		return false
	}
	all := c.Choices()
	next := all[(slices.Index(all, c.Addressed())+1)%len(all)]
	typed := c.Text()
	c.kept.saveLine(c)
	if c.fresh && typed != "" && c.texts[next.Key] == "" {
		c.moveText(c.to, next.Key)
	} else {
		c.dropQuote()
	}
	if c.to = next.Key; c.texts[next.Key] != typed {
		c.fresh = false
	}
	c.kept.saveLineSoon(c)
	c.kept.bringLineBack(c)
	c.agents.probe(next)
	return true
}

// moveText takes what is kept for an agent to another one, for whom nothing is.
func (c *composer) moveText(from, to string) {
	c.texts[to] = c.texts[from]
	delete(c.texts, from)
	c.kept.forgetLine(c, from)
	if c.quote.key == from {
		c.quote.key, c.quote.before = to, ""
	}
}

// dropQuote puts back what was kept for the agent before the quote, if the person did not touch that, and reports
// whether it did.
func (c *composer) dropQuote() bool {
	q := c.quote
	c.quote = quote{}
	if q.text == "" || c.texts[q.key] != q.text {
		return false
	}
	delete(c.texts, q.key)
	if q.before != "" {
		c.texts[q.key] = q.before
	}
	return true
}

// takeOutText takes the text that was sent out of the composer. What was typed behind it meanwhile stays.
func (c *composer) takeOutText(a *Agent, text string) {
	rest, same := strings.CutPrefix(c.texts[a.Key], text)
	if !same { // the person has written something else
		return
	}
	if rest == "" {
		delete(c.texts, a.Key)
	} else {
		c.texts[a.Key] = rest
	}
	c.kept.forgetLine(c, a.Key)
	switch {
	case !c.open || c.to != a.Key:
	case rest == "":
		c.Close()
	default:
		c.kept.saveLineSoon(c)
		c.d.tell(LineChanged{c.seat})
	}
}
