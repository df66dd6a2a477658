package desk

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// quote is what was put into the composer for the person. If they do not touch it, it is no text of theirs, and leaves
// with the composer.
type quote struct {
	key, text string
	before    string // what was kept for that agent
	to        string // who was addressed
}

// Text is what stands in the composer.
func (c *Chat) Text() string { return c.texts[c.to] }

// Compose opens the composer to whom it would go now, and with what was typed for that agent before. From where
// nothing waits, with questions missed, it is to the agent of the last of them that still runs, with words quoted from
// that question, unless something is typed for it already.
func (c *Chat) Compose(words func(queue.Session) string) {
	if s, ok := c.MissedHere(); ok {
		if key := agentKey(s.Origin); c.texts[key] == "" {
			c.Tell(s.Origin, words(s))
		} else {
			c.compose(c.agents[key])
		}
		return
	}
	c.compose(c.Addressed())
}

// compose brings the composer up, to an agent (nil: none is known). What was typed before any agent was known is for
// the first one.
func (c *Chat) compose(a *Agent) {
	c.seat.SaveDraft()
	if a != nil {
		if c.to = a.Key; c.texts[a.Key] == "" && c.texts[""] != "" {
			c.moveText("", a.Key)
		}
	}
	c.open, c.fresh = true, false
	c.kept.bringBack(c)
	c.probe(c.recent()...)
}

// Tell opens a line to an agent with words quoted above it; what was typed for that agent before stays. The composer
// stays with that agent, also when it is gone: its line must not go to another one unseen.
func (c *Chat) Tell(o queue.Origin, words string) {
	to, key := c.to, c.meetOrigin(o, time.Time{})
	text := "> " + words + "\n"
	before := c.texts[key]
	if before != "" {
		text = before + "\n" + text
	}
	c.texts[key] = text
	c.compose(c.agents[key])
	c.quote = quote{key: key, text: text, before: before, to: to}
	c.fresh = before == "" // its agent may have come back as another one: Next takes the quote along
}

// Close leaves the composer; the text stays with its agent.
func (c *Chat) Close() {
	to, dropped := c.quote.to, c.dropQuote()
	c.kept.save(c) // another agent may be the addressed one a moment from now
	if dropped {
		c.to = to
	}
	c.open = false
	c.seat.Guard.Appear(c.d.now())
}

// Type notes what stands in the composer now.
func (c *Chat) Type(text string) {
	c.fresh = true
	c.keep(text)
	c.kept.saveSoon(c)
}

func (c *Chat) keep(text string) {
	if text != "" {
		c.texts[c.to] = text
	} else {
		delete(c.texts, c.to)
	}
}

// Next addresses the next agent. A text just typed goes along, unless there is one kept for that agent; one that was
// kept for the agent before stays with it. It reports whether there is another one.
func (c *Chat) Next() bool {
	if !c.Another() {
		return false
	}
	all := c.Choices()
	next := all[(slices.Index(all, c.Addressed())+1)%len(all)]
	typed := c.Text()
	c.kept.save(c)
	if c.fresh && typed != "" && c.texts[next.Key] == "" {
		c.moveText(c.to, next.Key)
	} else {
		c.dropQuote()
	}
	if c.to = next.Key; c.texts[next.Key] != typed {
		c.fresh = false
	}
	c.kept.saveSoon(c)
	c.kept.bringBack(c)
	c.probe(next)
	return true
}

// moveText takes what is kept for an agent to another one, for whom nothing is.
func (c *Chat) moveText(from, to string) {
	c.texts[to] = c.texts[from]
	delete(c.texts, from)
	c.kept.forget(c, from)
	if c.quote.key == from {
		c.quote.key, c.quote.before = to, ""
	}
}

// dropQuote puts back what was kept for the agent before the quote, if the person did not touch that, and reports
// whether it did.
func (c *Chat) dropQuote() bool {
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

// takeOut takes the text that was sent out of the composer. What was typed behind it meanwhile stays.
func (c *Chat) takeOut(a *Agent, text string) {
	rest := strings.TrimPrefix(c.texts[a.Key], text)
	if rest == "" {
		delete(c.texts, a.Key)
	} else {
		c.texts[a.Key] = rest
	}
	c.kept.forget(c, a.Key)
	if c.open && c.to == a.Key && rest == "" {
		c.Close()
	}
}

// keptLines keep what is typed for agents in the store, so that a crash does not lose it.
type keptLines struct {
	read   map[string][]string // by agent: the instances whose lines were read, to be dropped once it is sent
	saving *time.Timer
}

// lineName is the session's name under which what is typed for an agent is kept: a message in the making has none yet.
func lineName(agent string) string {
	sum := sha256.Sum256([]byte("chat\x00" + agent))
	return queue.IDFrom(sum[:])
}

func (k *keptLines) saveSoon(c *Chat) {
	if k.saving == nil {
		k.saving = time.AfterFunc(draftDelay, func() { c.d.Do(func() { k.save(c) }) })
	}
}

// save keeps what is typed for the addressed agent.
func (k *keptLines) save(c *Chat) {
	if k.saving == nil {
		return
	}
	k.saving.Stop()
	k.saving = nil
	if c.Text() == "" {
		k.forget(c, c.to)
		return
	}
	c.d.SaveDraft(queue.Draft{Session: lineName(c.to), Instance: c.seat.instance, Answer: queue.Answer{Comment: c.Text()}, At: c.d.now().UTC()})
}

// bringBack brings back what an earlier process kept for the addressed agent, if nothing is typed.
func (k *keptLines) bringBack(c *Chat) {
	key := c.to
	if _, read := k.read[key]; read || key == "" || c.Text() != "" {
		return
	}
	k.read[key] = []string{c.seat.instance}
	c.d.Store(func(ctx storeContext) { k.readLine(ctx, c, key) })
}

func (k *keptLines) readLine(ctx context.Context, c *Chat, key string) {
	kept, err := c.d.o.Queue.Store.Drafts(ctx, lineName(key))
	if err != nil || len(kept) == 0 {
		return
	}
	c.d.Do(func() {
		for _, draft := range kept {
			k.read[key] = append(k.read[key], draft.Instance)
		}
		if c.open && c.to == key && c.Text() == "" {
			c.keep(kept[0].Answer.Comment)
			c.d.tell(LineChanged{c.seat})
		}
	})
}

// forget drops what was kept for an agent once it was sent or taken elsewhere.
func (k *keptLines) forget(c *Chat, agent string) {
	instances := append([]string{c.seat.instance}, k.read[agent]...)
	k.read[agent] = []string{c.seat.instance}
	for _, instance := range instances {
		c.d.DropDraft(lineName(agent), instance)
	}
}
