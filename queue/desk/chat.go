package desk

import (
	"errors"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// outlives is the time by which an agent usually outlives its bridge; after that it is looked for again, and then as
// often as that while the composer is open.
const outlives = 2 * time.Second

// Errors of Chat.Unreachable.
var (
	ErrNoTmux    = errors.New("no tmux")
	ErrNoBridge  = errors.New("no bridge")
	ErrAgentGone = errors.New("agent gone")
)

// Chat sends the composer's text to an agent, if chat is open and the agent can be reached.
//
//	composer ─ Send ─► closed? ─ no ─► Reach (its session, or its pane) ─┬ yes ─► Create ─► Send ─► Deliver
//	                      │ yes                                          └ no ──► Create; a result brings it
//	                      └► nothing
type Chat struct {
	*agents        // the desk's: the known agents, and where they run
	*composer      // the recipient, and the unsent texts
	*outgoingLines // lines that were sent and are not known to be stored

	view   *View
	d      *Desk
	probed string      // the key of the addressed agent that was looked for last
	later  *time.Timer // looks for the addressed agent again
	stop   func()      // ends the subscription to the desk's events
	left   bool        // the chat's view was removed
}

// NewChat returns the view's chat. It ends with the view; see Desk.CloseView.
func NewChat(s *View) *Chat {
	known := s.d.agents
	c := &Chat{agents: known, composer: newComposer(s, known), view: s, d: s.d}
	c.outgoingLines = &outgoingLines{chat: c, unsure: map[string]*line{}}
	s.chat = c
	if on, ok := s.d.live.sessions[s.Up()]; ok {
		c.addressAgent(on.Origin, on.AskedAt)
	}
	c.stop = s.d.Subscribe(c.hear)
	c.probeAddressed()
	return c
}

// hear handles an event of the desk. The desk's agents have handled it before.
func (c *Chat) hear(e Event) {
	switch e := e.(type) {
	case Changed:
		if len(c.unsure) > 0 || c.left {
			c.findLine(e.Now)
			c.endLeft()
		}
	case Present:
		c.probed = ""
		c.lookLater()
	case LineOpened:
		if e.View == c.view {
			c.lookLater()
		}
	case Shown:
		if s, ok := c.d.live.sessions[e.ID]; ok && e.View == c.view {
			c.addressAgent(s.Origin, s.AskedAt)
			c.probeAddressed()
		}
	case Ordered:
		c.probeAddressed()
	}
}

// leaveView ends the chat of a view that was removed, and saves the unsent text for the next frontend.
func (c *Chat) leaveView() {
	c.left = true
	c.outgoingLines.leaveLine()
	c.kept.saveLine(c.composer)
	c.endLeft()
}

// endLeft ends the subscription of a removed view's chat once the result of every line is known. Until then findLine
// must see the lines that turn up in the queue.
func (c *Chat) endLeft() {
	if c.left && c.going == nil && len(c.unsure) == 0 {
		c.stop()
	}
}

// Unreachable returns the reason why a line to the agent would not be sent, as far as is known: ErrNoTmux, ErrNoBridge,
// ErrAgentGone or an error of ChatWays. nil: it would be sent.
func (c *Chat) Unreachable(a *Agent) error {
	mode := c.Delivers()
	switch {
	case a.Origin.Remote: // its own host knows
		return a.At.Err
	case mode != config.DeliverMCP && a.At.Ready(), mode != config.DeliverTmux && c.fetches(a):
		return nil
	case !c.Here(a):
		return ErrAgentGone
	case mode == config.DeliverMCP:
		return ErrNoBridge
	case c.ways == nil:
		return ErrNoTmux
	}
	return a.At.Err // nil if nobody has looked yet: sending finds out
}

// Send sends the text, if chat is open. On any failure the text stays in the composer. The error says why nothing is
// being sent; otherwise the result comes as LineSent.
func (c *Chat) Send() error {
	a, text := c.Addressed(), c.Text()
	closing, _ := c.d.Closing()
	switch {
	case c.busy != "":
		c.going.left = c.going.left && c.going.text != text // the person had left the line and now sends it again
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
	l.fetcher, l.bridge = c.newestBridge(a)
	c.startLine(l)
	return nil
}

// Close closes the composer. The text stays saved for its agent, and a line that the queue did not confirm is not tried
// again.
func (c *Chat) Close() {
	c.leaveLine()
	c.composer.Close()
}

// lookAgain looks again for an agent that could not be reached. If it is still unreachable LineRefused reports that,
// unless the person has pressed another key by then. If it was found, the next Send sends.
func (c *Chat) lookAgain(a *Agent) error {
	if c.ways == nil {
		return c.Unreachable(a)
	}
	typed := c.view.lastKey
	c.lookFor(a, func() {
		if why := c.Unreachable(a); why != nil && c.open && c.to == a.Key && c.view.lastKey.Equal(typed) {
			c.d.tell(LineRefused{c.view, why})
		}
	})
	return ErrLookAway
}

// lineTried handles the result of an attempt to send a line. If the line arrived, its text is removed from the
// composer.
func (c *Chat) lineTried(l *line, s queue.Session, err error) {
	var unsure *maybeStored
	if errors.As(err, &unsure) {
		c.retryLater(l, unsure)
		c.d.Refresh()
		return
	}
	if err == nil || s.ID != "" {
		c.forgetSent(l)
	} else {
		c.giveLineUp() // the next Send of this text uses the same message
	}
	if err == nil {
		c.takeOutText(l.agent, l.text)
	}
	switch {
	case s.ID == "":
	case s.Final: // it is archived already, so the watch does not report it again
		c.d.tell(Changed{Now: s})
	default:
		c.d.takeResult(s)
	}
	if err == nil {
		c.d.last.noteLine(s)
	}
	c.d.tell(LineSent{View: c.view, Err: err})
	c.endLeft()
	c.d.Refresh()
}

// TakeBack cancels the last line that the agent has not fetched, and puts its text back into the composer. It returns
// false if there is no such line; else LineTakenBack reports the result.
func (c *Chat) TakeBack() bool {
	a := c.Addressed()
	if a == nil {
		return true // no agent is addressed, so there is no line
	}
	list := c.Unfetched(a)
	if len(list) == 0 {
		return false
	}
	s := list[len(list)-1]
	do := queue.Command{By: queue.ByHuman, Surface: c.view.surface, Do: queue.Cancel{}}
	c.d.runCommand(s.ID, do, func(now queue.Session, err error) {
		restored := err == nil && c.open && c.to == a.Key
		if restored {
			text := s.Ask.Prompt
			if old := c.Text(); !queue.Blank(old) {
				text += "\n" + old
			}
			c.Type(text)
			c.d.tell(LineChanged{c.view})
		}
		c.d.tell(LineTakenBack{c.view, now, restored, err})
		c.d.Refresh()
	})
	return true
}

// probeAddressed looks for the addressed agent once, so that a frontend can show where it is. If that one is gone, it
// looks for the agent that is addressed in its place.
func (c *Chat) probeAddressed() {
	if closing, _ := c.d.Closing(); closing > 0 {
		return // the frontend shows that chat is closed instead
	}
	a := c.Addressed()
	if a == nil || a.Key == c.probed {
		return
	}
	if c.probed = a.Key; c.ways == nil || c.Off() {
		return
	}
	c.lookFor(a, func() {
		if next := c.Addressed(); next != nil && !next.At.Looked {
			c.probeAddressed()
		}
	})
}

// lookLater looks for the addressed agent again after a moment, if its bridge is gone: the agent usually ends too, but
// a little later. While the composer is open, it goes on looking.
func (c *Chat) lookLater() {
	if a := c.Addressed(); a == nil || c.hasAsker(a) || c.ways == nil || c.left {
		return
	}
	if c.later != nil {
		c.later.Stop()
	}
	c.later = time.AfterFunc(outlives, func() {
		c.d.Do(func() {
			c.probed = ""
			c.probeAddressed()
			if c.open {
				c.lookLater()
			}
		})
	})
}

// Settle saves the text when the frontend has closed, and waits a few seconds at most for running errands.
func (c *Chat) Settle() {
	c.kept.saveLine(c.composer)
	c.agents.errands.waitForErrands()
}
