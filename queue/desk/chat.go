package desk

import (
	"errors"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// outlives is the time by which an agent may outlive its bridge: it is looked for once more then.
const outlives = 2 * time.Second

// Why a line to an agent would not be sent.
var (
	ErrNoTmux    = errors.New("no tmux")
	ErrNoBridge  = errors.New("no bridge")
	ErrAgentGone = errors.New("agent gone")
)

// Chat is the line to an agent: it sends the composer's text, if chat is open and there is a way.
//
//	composer ─ Send ─► closed? ─ no ─► Reach (its session, or its pane) ─┬ yes ─► Create ─► Send ─► Deliver
//	                      │ yes                                          └ no ──► Create; a result brings it
//	                      └► nothing
type Chat struct {
	*agents        // the desk's: who is known, and where they are
	*composer      // to whom a line goes, and what was typed
	*outgoingLines // what was sent and is not known to be stored

	seat   *Seat
	d      *Desk
	probed string // the addressed agent that was looked for last
	stop   func() // hears no more of the desk
	left   bool   // its seat is gone
}

// NewChat returns the seat's line to the agents. It ends with the seat; see Desk.Unseat.
func NewChat(s *Seat) *Chat {
	known := s.d.agents
	c := &Chat{agents: known, composer: newComposer(s, known), seat: s, d: s.d}
	c.outgoingLines = &outgoingLines{chat: c, unsure: map[string]*line{}}
	s.chat = c
	if on, ok := s.d.live.sessions[s.Up()]; ok {
		c.address(on.Origin, on.AskedAt)
	}
	c.stop = s.d.Subscribe(c.hear)
	return c
}

// hear follows what happens at the desk. The desk's agents have heard of it before.
func (c *Chat) hear(e Event) {
	switch e := e.(type) {
	case Changed:
		c.find(e.Now)
		c.endLeft()
	case Present:
		c.probed = ""
		c.lookLater()
	case Shown:
		if s, ok := c.d.live.sessions[e.ID]; ok && e.Seat == c.seat {
			c.address(s.Origin, s.AskedAt)
		}
	}
}

// leaveSeat ends the chat of a seat whose person has gone: the text is kept for whoever comes next.
func (c *Chat) leaveSeat() {
	c.left = true
	c.outgoingLines.leave()
	c.kept.saveLine(c.composer)
	c.endLeft()
}

// endLeft ends a chat whose seat is gone, once nothing that was sent from there is uncertain: until then a line that
// turns up in the queue is taken out again or counts as sent.
func (c *Chat) endLeft() {
	if c.left && c.going == nil && len(c.unsure) == 0 {
		c.stop()
	}
}

// Unreachable says why a line to the agent would not be sent, as far as is known; nil: it would be. It is one of the
// above, or what ChatWays found.
func (c *Chat) Unreachable(a *Agent) error {
	mode := c.Delivers()
	switch {
	case mode != config.DeliverMCP && a.At.Ready(), mode != config.DeliverTmux && c.fetches(a):
		return nil
	case !c.Here(a):
		return ErrAgentGone
	case mode == config.DeliverMCP:
		return ErrNoBridge
	case c.ways == nil:
		return ErrNoTmux
	}
	return a.At.Err // nil where nobody looked yet: sending finds out
}

// Send sends what is typed, if chat is open. Whatever goes wrong, the text stays in the composer. The error says why
// nothing is on its way; how it went comes as LineSent.
func (c *Chat) Send() error {
	a, text := c.Addressed(), c.Text()
	closing, _ := c.d.Closing()
	switch {
	case c.busy != "":
		c.going.left = c.going.left && c.going.text != text // it was left, and is wanted again
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
		return ErrTooLong
	}
	l := &line{chat: c, agent: a, to: a.Origin, text: text, mode: c.Delivers()}
	l.fetcher, l.bridge = c.bridge(a)
	c.start(l)
	return nil
}

// Close leaves the composer; the text stays with its agent, and is not tried again if the queue does not confirm it.
func (c *Chat) Close() {
	c.leave()
	c.composer.Close()
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

// lineTried ends a try to send: the text goes if it arrived, and stays otherwise.
func (c *Chat) lineTried(l *line, s queue.Session, err error) {
	var open *unkept
	if errors.As(err, &open) {
		c.tryLater(l, open)
		c.d.Refresh()
		return
	}
	if err == nil || s.ID != "" {
		c.done(l)
	} else {
		c.rest() // what may be in the queue is still the same message
	}
	if err == nil {
		c.takeOutText(l.agent, l.text)
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
	c.endLeft()
	c.d.Refresh()
}

// TakeBack takes the last line that the agent has not fetched yet back into the composer; false: there is none.
// LineTakenBack tells the result.
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

// probeAddressed looks for the addressed agent once, so that a face can say where it is.
func (c *Chat) probeAddressed() {
	if closing, _ := c.d.Closing(); closing > 0 {
		return // something else is said then
	}
	if a := c.Addressed(); a != nil && a.Key != c.probed {
		c.probed = a.Key
		c.probe(a)
	}
}

// lookLater looks for the addressed agent once more a moment from now, if its bridge has gone: it goes too, as a rule,
// and may have been there still.
func (c *Chat) lookLater() {
	if a := c.Addressed(); a == nil || c.bridged(a) || c.ways == nil {
		return
	}
	time.AfterFunc(outlives, func() {
		c.d.Do(func() {
			c.probed = ""
			c.probeAddressed()
		})
	})
}

// Settle saves what is typed and waits, not for long, for what is under way when the face has closed.
func (c *Chat) Settle() {
	c.kept.saveLine(c.composer)
	c.agents.errands.wait()
}
