package queue

import (
	"fmt"
	"strings"
	"time"
)

// KindMessage is no question: a line the person sends to an agent. It is kept as a session so that one set of rules
// (compare-and-swap, claims, deadline, audit trail) holds for it too:
//
//	NewMessage ─► Queue.Create ─► pending ─┬ Deliver (tmux, or a call of the agent's) ─► delivered
//	                                       ├ Cancel (taken back, or it could not be delivered) ─► cancelled
//	                                       ├ it was being written when its writer died ─► delivered, perhaps
//	                                       └ a day passed ─► timeout: never fetched
//
// Its Origin is the addressed agent's. It has no questions, is in no queue order, closes nothing, and whatever ends it
// makes it Final: nobody collects it.
const KindMessage = "message"

// EventSent is a message's first event, where a question has EventAsked.
const EventSent = "sent"

// Surfaces through which a message reaches its agent, in Outcome.Surface.
const (
	SurfaceTmux   = "tmux"   // pasted into the agent's pane
	SurfaceMCP    = "mcp"    // given with the result of one of our tools
	SurfaceNative = "native" // given to the agent's session by the agent's own server or plugin
)

// Held says, wherever a message is shown, that its agent has not received it yet.
const Held = "delivered when it next asks"

// GoneGrace is the time for which a question keeps chat closed after its caller is gone: the caller may come back.
const GoneGrace = time.Minute

// Doubt says that a message may have reached its agent, in whole or in part, although sending it went wrong: it must
// not be sent again before somebody has looked.
type Doubt struct{ Err error }

func (d *Doubt) Error() string { return d.Err.Error() }

// Unwrap returns the error that caused the doubt.
func (d *Doubt) Unwrap() error { return d.Err }

// NewMessage returns the draft of a message for Queue.Create: to is the addressed agent, as its last session names it.
// What that one was asked by stays out: a source would give the message the name of its question, and its end.
func NewMessage(to Origin, text string) Session {
	to.Source, to.CallID = "", ""
	first := Shorten(Headline(text), MaxTitle, "")
	return Session{Origin: to, Ask: Ask{
		Kind: KindMessage, Title: strings.TrimSpace(first), Prompt: text,
		TimeoutSeconds: int(MaxTimeout / time.Second), OnTimeout: OnTimeoutNone,
	}}
}

// CleanLine returns the text of a line as an agent receives it. Escape sequences are removed, because they could end a
// paste and press keys, or move the cursor of a screen.
func CleanLine(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, text)
	return strings.TrimRight(text, "\n")
}

// Headline returns a message's title: its first line that is no quote (`> …`), else its first line.
func Headline(text string) string {
	text = strings.TrimSpace(text)
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, ">") {
			return l
		}
	}
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(first)
}

// IsMessage reports whether the session is a line to an agent, and no question.
func (s Session) IsMessage() bool { return s.Ask.Kind == KindMessage }

// MessageFor reports whether the session is a message that this agent may fetch: it is addressed to it, or over a
// bridge to one of the same client, host and directory that does not run any more or cannot be told apart. alive says
// whether an instance's process runs; that of a hook is over long before its agent is.
func (s Session) MessageFor(o Origin, alive func(instance string) bool) bool {
	to := s.Origin
	switch {
	case !s.IsMessage() || s.Outcome != nil:
		return false
	case to.SameAgent(o):
		return true
	case to.Host != o.Host || to.Client != o.Client || to.Cwd != o.Cwd || to.asksItself():
		return false
	}
	return !to.Apart(o) && (to.Agent == "" || o.Agent == "") || !alive(to.Instance)
}

// Unsure reports whether a message was being written to its agent by a process that has died since: it may have
// arrived, so it is neither written again nor taken back. Sweep says so in the queue, and the person reads it.
func (s Session) Unsure(alive func(instance string) bool) bool {
	return s.beingWritten() && !alive(s.Claim.Instance)
}

func (s Session) beingWritten() bool {
	return s.IsMessage() && s.Outcome == nil && s.Claim != nil && s.Claim.Writing
}

// writerDied explains why such a message may not have arrived.
const writerDied = "its choicetui mcp ended at that moment"

// checkMessage lists what keeps a message out of the queue.
func (a Ask) checkMessage() []Problem {
	var c checker
	c.checkText("title", a.Title, MaxTitle, true)
	c.checkPrompt("prompt", a.Prompt, "some text")
	c.checkTimeout(a.TimeoutSeconds)
	if a.OnTimeout != OnTimeoutNone {
		c.addProblem("on_timeout", fmt.Sprintf("is %q", a.OnTimeout), OnTimeoutNone)
	}
	if len(a.Questions) > 0 || a.Confirm || a.HandOff || a.Web || a.Comment != "" {
		c.addProblem("kind", "is message, which asks nothing", "no questions, confirmation, hand-off or comment")
	}
	return c.problems
}

// takesMessage reports whether an action means anything to a message.
func takesMessage(a Action) bool {
	switch a.(type) {
	case Deliver, Cancel, Take, Release, Expire, Lapse, Depart:
		return true
	}
	return false
}

func (d decision) deliverMessage(a Deliver) (Session, error) {
	s := d.session
	switch {
	case !s.IsMessage():
		return s, invalid("", "a question is answered, not delivered", "")
	case s.Outcome != nil:
		return s, ErrSettled
	case s.Claim == nil || *s.Claim != a.Claim:
		return s, ErrUsed
	case a.Surface != SurfaceTmux && a.Surface != SurfaceMCP && a.Surface != SurfaceNative:
		return s, invalid("surface", "is "+Quote(a.Surface), "tmux, mcp or native")
	}
	delivered := Outcome{
		Status: StatusDelivered, By: d.command.By, Surface: a.Surface, Reason: a.reason(), At: d.now,
	}
	return s.withOutcome(delivered, d.command, d.now), nil
}

// perhaps precedes the cause of a doubt in the reason of a message that may not have arrived.
const perhaps = "perhaps: "

// reason returns where a message was delivered, and any doubt about the delivery.
func (a Deliver) reason() string {
	switch {
	case a.Doubt == "":
		return a.Detail
	case a.Detail == "":
		return perhaps + a.Doubt
	}
	return a.Detail + ", " + perhaps + a.Doubt
}

// InDoubt reports whether a message is called delivered that may not have arrived.
func (o Outcome) InDoubt() bool {
	return o.Status == StatusDelivered && strings.Contains(", "+o.Reason, ", "+perhaps)
}

// messageSummary says on one line how a message went.
func (s Session) messageSummary() string {
	if s.Outcome == nil {
		return "to " + s.Origin.Name() + ", " + Held
	}
	o := s.Outcome
	why, _ := VisibleLine(o.Reason)
	switch o.Status {
	case StatusDelivered:
		how := "given with a result"
		switch o.Surface {
		case SurfaceTmux:
			how = "pasted into its tmux pane"
		case SurfaceNative:
			how = "given to its own session"
		}
		if why != "" {
			how += " (" + why + ")"
		}
		return "sent to " + s.Origin.Name() + ", " + how
	case StatusCancelled, StatusLost:
		if why == "" {
			why = "taken back"
		}
		return "not sent to " + s.Origin.Name() + ": " + why
	}
	return "not sent to " + s.Origin.Name() + ": it never fetched it"
}
