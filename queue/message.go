package queue

import (
	"fmt"
	"strings"
	"time"
)

// KindMessage is the kind of a line that the person sends to an agent. A message is kept as a session, so that the
// same rules apply to it: compare-and-swap, claims, deadline, audit trail.
//
//	NewMessage ─► Queue.Create ─► pending ─┬ Deliver (tmux, or a call of the agent's) ─► delivered
//	                                       ├ Cancel (taken back, or it could not be delivered) ─► cancelled
//	                                       ├ its writer died while writing it ─► delivered, perhaps
//	                                       └ a day passed ─► timeout: never fetched
//
// Its Origin is the addressed agent's. It has no questions, is not listed in the queue and does not keep chat closed.
// Any outcome makes it Final, since a message has no answer to collect.
const KindMessage = "message"

// EventSent is the first event of a message; a question begins with EventAsked.
const EventSent = "sent"

// Surfaces through which a message reaches its agent, in Outcome.Surface.
const (
	SurfaceTmux   = "tmux"   // pasted into the agent's pane
	SurfaceMCP    = "mcp"    // given with the result of one of our tools
	SurfaceNative = "native" // given to the agent's session by the agent's own server or plugin
)

// Undelivered contains the words for a message that its agent has not received yet. Every surface shows them.
const Undelivered = "delivered when it next asks"

// GoneGrace is the time for which a question keeps chat closed after its caller is gone, since the caller may come
// back.
const GoneGrace = time.Minute

// Doubt is the error of a delivery that failed although the message may have arrived, in whole or in part. It must
// not be sent again before a person has looked.
type Doubt struct{ Err error }

func (d *Doubt) Error() string { return d.Err.Error() }

// Unwrap returns the error that caused the doubt.
func (d *Doubt) Unwrap() error { return d.Err }

// NewMessage returns the draft of a message for Queue.Create. to is the origin of the addressed agent's last session.
// Its Source and CallID are left out, because they would tie the message to that session's question.
func NewMessage(to Origin, text string) Session {
	to.Source, to.CallID = "", ""
	first := Shorten(Headline(text), MaxTitle, "")
	return Session{Origin: to, Ask: Ask{
		Kind: KindMessage, Title: strings.TrimSpace(first), Prompt: text,
		TimeoutSeconds: int(MaxTimeout / time.Second), OnTimeout: OnTimeoutNone,
	}}
}

// CleanLine returns a message's text without escape sequences and other control characters, which could end a paste,
// press keys in the agent or move its cursor.
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

// Headline returns a message's title: its first line that is not a quote (`> …`), else its first line.
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

// IsMessage reports whether the session is a message to an agent and not a question.
func (s Session) IsMessage() bool { return s.Ask.Kind == KindMessage }

// MessageFor reports whether the agent may fetch this message. The message must be addressed to the agent, or to a
// bridge of the same client, host and directory that has ended or cannot be told apart from the agent's. alive
// reports whether an instance's process runs; a hook's process ends long before its agent.
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

// Unsure reports whether a process died while it was writing this message to its agent. The message may have arrived,
// so it is neither written again nor taken back; Sweep records the doubt, which the person then sees.
func (s Session) Unsure(alive func(instance string) bool) bool {
	return s.beingWritten() && !alive(s.Claim.Instance)
}

// beingWritten reports whether a process is about to write this message to its agent; see Claim.Writing.
func (s Session) beingWritten() bool {
	return s.IsMessage() && s.Outcome == nil && s.Claim != nil && s.Claim.Writing
}

// writerDied explains why a message that is Unsure may not have arrived.
const writerDied = "its choicetui mcp ended at that moment"

// checkMessage lists the problems that keep a message out of the queue.
func (a Ask) checkMessage() []Problem {
	c := checker{most: callLimits}
	c.checkText("title", a.Title, MaxTitle, required)
	c.checkPrompt("prompt", a.Prompt, WantsText)
	c.checkTimeout(a.TimeoutSeconds)
	if a.OnTimeout != OnTimeoutNone {
		c.addProblem("on_timeout", fmt.Sprintf("is %q", a.OnTimeout), OnTimeoutNone)
	}
	if len(a.Questions) > 0 || a.Confirm || a.HandOff || a.Web || a.Comment != "" {
		c.addProblem("kind", "is message, which asks nothing", "no questions, confirmation, hand-off or comment")
	}
	return c.problems
}

// fitsMessage reports whether an action is possible on a message.
func fitsMessage(a Action) bool {
	switch a.(type) {
	case Deliver, Cancel, Take, Release, TimeOut, Expire:
		return true
	}
	return false
}

// deliverMessage carries out the action Deliver.
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
		Status: StatusDelivered, By: d.command.By, Surface: a.Surface, Reason: a.deliveryReason(), At: d.now,
	}
	return s.withOutcome(delivered, d.command, d.now), nil
}

// perhaps begins the part of a message's reason that explains why it may not have arrived.
const perhaps = "perhaps: "

// deliveryReason names the place of the delivery and any doubt about it.
func (a Deliver) deliveryReason() string {
	switch {
	case a.Doubt == "":
		return a.Detail
	case a.Detail == "":
		return perhaps + a.Doubt
	}
	return a.Detail + ", " + perhaps + a.Doubt
}

// InDoubt reports whether a message has the status delivered but may not have arrived.
func (o Outcome) InDoubt() bool {
	return o.Status == StatusDelivered && strings.Contains(", "+o.Reason, ", "+perhaps)
}

// messageSummary describes on one line how a message was delivered, or why it was not.
func (s Session) messageSummary() string {
	if s.Outcome == nil {
		return "to " + s.Origin.Name() + ", " + Undelivered
	}
	o := s.Outcome
	why, _ := VisibleLine(o.Reason)
	switch o.Status {
	case StatusDelivered:
		how := "delivered with a result"
		switch o.Surface {
		case SurfaceTmux:
			how = "pasted into its tmux pane"
		case SurfaceNative:
			how = "delivered to its own session"
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
