package desk

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// quote is a text that the program put into the composer. If the person does not change it, closing the composer
// removes it again.
type quote struct {
	key, text string
	before    string // the unsent text for that agent before
	to        string // the key of the agent that was addressed before
}

// composer holds the unsent texts for each agent, and the agent to which the next line goes.
//
// The composer opens with the agent whose question was last on view, or with a named agent. It stays with that agent
// even if the agent is gone; then nothing can be sent. Only the method Next, which the person calls with a key, moves a
// text to another agent.
type composer struct {
	view   *View
	d      *Desk
	agents *agents
	open   bool
	to     string            // the addressed agent's key, even if the agent is gone; empty: no agent is addressed
	texts  map[string]string // by agent: the unsent text
	fresh  bool              // the text was typed since the composer was opened, so Next moves it to the next agent
	quote  quote             // the text that the program put in
	busy   string            // the text that is being sent; empty: none is
	kept   keptLines
}

func newComposer(s *View, known *agents) *composer {
	return &composer{view: s, d: s.d, agents: known, texts: map[string]string{},
		kept: keptLines{read: map[string][]string{}}}
}

// holds reports whether an agent is addressed or has an unsent text at this view. c may be nil: a view without a line
// to agents.
func (c *Chat) holds(key string) bool { return c != nil && (c.to == key || c.texts[key] != "") }

// Open reports whether the composer is open.
func (c *composer) Open() bool { return c.open }

// Busy reports whether a line is being sent.
func (c *composer) Busy() bool { return c.busy != "" }

// Text returns the unsent text for the addressed agent.
func (c *composer) Text() string { return c.texts[c.to] }

// Compose opens the composer with the addressed agent and its unsent text.
func (c *composer) Compose() { c.openTo(c.Addressed()) }

// openTo opens the composer with an agent; nil: no agent is known. A text that was typed before any agent was known
// goes to the first one.
func (c *composer) openTo(a *Agent) {
	c.view.SaveDraft()
	if a != nil {
		if c.to = a.Key; c.texts[a.Key] == "" && c.texts[""] != "" {
			c.moveText("", a.Key)
		}
	}
	c.open, c.fresh = true, false
	c.d.tell(LineOpened{c.view})
	c.kept.bringLineBack(c)
	c.agents.probeAgents(c.agentsToProbe()...)
}

// Tell opens the composer with an agent and quotes words in it, below the text that was typed for that agent before.
// The composer stays with that agent even if it is gone, so that the line cannot reach another agent unnoticed.
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
	c.fresh = before == "" // the agent may have restarted as another one, so Next moves the quote there
}

// Close closes the composer; the text stays saved for its agent.
func (c *composer) Close() {
	to := c.quote.to
	dropped := c.dropQuote()
	c.kept.saveLine(c) // before the recipient changes
	if dropped {
		c.to = to
	}
	c.open = false
	c.d.tell(LineClosed{c.view})
	c.view.CameUp()
}

// Type notes the composer's new text.
func (c *composer) Type(text string) {
	c.fresh = true
	c.keepText(text)
	c.kept.saveLineSoon(c)
}

// keepText sets the unsent text for the addressed agent.
func (c *composer) keepText(text string) {
	if text != "" {
		c.texts[c.to] = text
	} else {
		delete(c.texts, c.to)
	}
}

// Next addresses the next agent, and reports whether there is another one. A text that was just typed moves along,
// unless that agent has an unsent text already; an older text stays with its agent. While a line is being sent Next
// does nothing and returns true.
func (c *composer) Next() bool {
	switch {
	case c.busy != "":
		return true
	case !c.HasOtherAgent():
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
	c.agents.probeAgents(next)
	return true
}

// moveText moves the unsent text of one agent to another one, which has none.
func (c *composer) moveText(from, to string) {
	c.texts[to] = c.texts[from]
	delete(c.texts, from)
	c.kept.forgetLine(c, from)
	if c.quote.key == from {
		c.quote.key, c.quote.before = to, ""
	}
}

// dropQuote removes the quote if the person did not change it, and restores the text from before. It reports whether it
// removed the quote.
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

// takeOutText removes the text that was sent from the composer. Text that was typed after it meanwhile stays.
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
		c.d.tell(LineChanged{c.view})
	}
}

// keptLines saves the lines that are being typed for agents as drafts in the store, so that a crash does not lose them.
type keptLines struct {
	read   map[string][]string // by agent: the instances whose drafts were read; they are dropped once the line is sent
	saving *time.Timer
}

// lineName returns the session id under which the line for an agent is saved, because a message that is still being
// typed has no session.
func lineName(agent string) string {
	sum := sha256.Sum256([]byte("chat\x00" + agent))
	return queue.IDFrom(sum[:])
}

// saveLineSoon saves the line after draftDelay.
func (k *keptLines) saveLineSoon(c *composer) {
	if k.saving == nil {
		k.saving = time.AfterFunc(draftDelay, func() { c.d.Do(func() { k.saveLine(c) }) })
	}
}

// saveLine saves the line for the addressed agent, if it changed.
func (k *keptLines) saveLine(c *composer) {
	if k.saving == nil {
		return
	}
	k.saving.Stop()
	k.saving = nil
	if c.Text() == "" {
		k.forgetLine(c, c.to)
		return
	}
	c.d.saveDraft(queue.Draft{Session: lineName(c.to), Instance: c.view.instance,
		Answer: queue.Answer{Comment: c.Text()}, At: c.d.Now().UTC()})
}

// bringLineBack restores the line that an earlier process saved for the addressed agent, if nothing is typed.
func (k *keptLines) bringLineBack(c *composer) {
	key := c.to
	if _, read := k.read[key]; read || key == "" || c.Text() != "" {
		return
	}
	k.read[key] = []string{c.view.instance}
	names := c.agents.keys(key)
	c.d.Store(func(ctx storeContext) { k.readLine(ctx, c, key, names) })
}

// readLine reads the lines that were saved for an agent. names are the keys of all its guises, because an earlier
// process may have met the agent in another one.
func (k *keptLines) readLine(ctx context.Context, c *composer, key string, names []string) {
	var kept []queue.Draft
	for _, name := range names {
		drafts, err := c.d.o.Queue.Store.Drafts(ctx, lineName(name))
		if err != nil {
			return
		}
		kept = append(kept, drafts...)
	}
	if len(kept) == 0 {
		return
	}
	slices.SortStableFunc(kept, func(a, b queue.Draft) int { return b.At.Compare(a.At) })
	c.d.Do(func() {
		for _, draft := range kept {
			k.read[key] = append(k.read[key], draft.Instance)
		}
		if c.open && c.to == key && c.Text() == "" {
			c.keepText(kept[0].Answer.Comment)
			c.d.tell(LineChanged{c.view})
		}
	})
}

// forgetLine drops the saved line of an agent after it was sent or moved to another agent.
func (k *keptLines) forgetLine(c *composer, agent string) {
	instances := append([]string{c.view.instance}, k.read[agent]...)
	k.read[agent] = []string{c.view.instance}
	for _, name := range c.agents.keys(agent) {
		for _, instance := range instances {
			c.d.dropDraft(lineName(name), instance)
		}
	}
}
