package desk

import (
	"context"
	"fmt"
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
	c.d.tell(LineOpened{c.seat})
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
	to := c.quote.to
	dropped := c.dropQuote()
	c.kept.save(c) // another agent may be the addressed one a moment from now
	if dropped {
		c.to = to
	}
	c.open = false
	c.seat.Guard.Appear(c.d.Now())
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
// kept for the agent before stays with it. A text that is on its way belongs to its agent: then nothing happens. It
// reports whether there is another agent.
func (c *Chat) Next() bool {
	switch {
	case c.busy != "":
		return true
	case !c.Another():
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
	switch {
	case !c.open || c.to != a.Key:
	case rest == "":
		c.Close()
	default:
		c.kept.saveSoon(c)
		c.d.tell(LineChanged{c.seat})
	}
}

// Send sends what is typed, if chat is open. Whatever goes wrong, the text stays in the composer. The error says why
// nothing is on its way; how it went comes as LineSent.
func (c *Chat) Send() error {
	a, text := c.Addressed(), c.Text()
	closing, _ := c.d.Closing()
	switch {
	case c.busy != "":
		return ErrBusy
	case closing > 0:
		return ErrClosed
	case a == nil:
		return ErrNobody
	case queue.Blank(text):
		return ErrBlank
	case c.Unreachable(a) != nil:
		return c.lookAgain(a)
	case len(text) > queue.MaxPromptBytes:
		return fmt.Errorf("%w: it takes %d bytes, at most %d fit", ErrTooLong, len(text), queue.MaxPromptBytes)
	}
	c.busy = text
	l := line{chat: c, to: a.Origin, text: text, mode: c.deliver(), bridge: c.bridged(a)}
	c.beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), sendWithin)
		defer cancel()
		s, err := l.send(ctx)
		c.d.Do(func() { c.lineSent(a, text, s, err) })
	})
	return nil
}

// lookAgain looks once more where an agent is that could not be reached; if that is still so it is told as
// LineRefused, unless the person has pressed another key by then. Else the next Send sends.
func (c *Chat) lookAgain(a *Agent) error {
	if c.ways == nil {
		return c.Unreachable(a)
	}
	typed := c.seat.lastKey
	c.look(a, func() {
		if why := c.Unreachable(a); why != nil && c.open && c.to == a.Key && c.seat.lastKey.Equal(typed) {
			c.d.tell(LineRefused{c.seat, why})
		}
	})
	return ErrLookAway
}

// lineSent ends a sending: the text goes if it arrived, and stays otherwise.
func (c *Chat) lineSent(a *Agent, text string, s queue.Session, err error) {
	c.busy = ""
	if err == nil {
		c.takeOut(a, text)
	}
	switch {
	case s.ID == "":
	case s.Final: // archived already: the watch may have said so before
		c.d.tell(Changed{Now: s})
	default:
		c.d.takeResult(s)
	}
	if err == nil {
		c.d.last.said(s)
	}
	c.d.tell(LineSent{Seat: c.seat, Err: err})
	c.d.Refresh()
}

// TakeBack takes the last line that the agent has not fetched yet back into the composer; false: there is none. How
// that went comes as LineTakenBack.
func (c *Chat) TakeBack() bool {
	a := c.Addressed()
	if a == nil {
		return true // there is nobody to take anything back from
	}
	list := c.Unfetched(a)
	if len(list) == 0 {
		return false
	}
	s := list[len(list)-1]
	do := queue.Command{By: queue.ByHuman, Surface: c.seat.surface, Do: queue.Cancel{}}
	c.d.command(s.ID, do, func(now queue.Session, err error) {
		restored := err == nil && c.open && c.to == a.Key
		if restored {
			text := s.Ask.Prompt
			if old := c.Text(); !queue.Blank(old) {
				text += "\n" + old
			}
			c.Type(text)
			c.d.tell(LineChanged{c.seat})
		}
		c.d.tell(LineTakenBack{c.seat, now, restored, err})
		c.d.Refresh()
	})
	return true
}
