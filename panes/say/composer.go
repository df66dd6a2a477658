package say

import (
	"errors"
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// LineAddressed names the agent that a line would go to, and where it is: `to shop · AGENT, tmux 2:1`.
func LineAddressed(c *desk.Chat) string {
	a := c.Addressed()
	words := addressee{Known: c.Known()}
	if a != nil {
		words.Name, words.Gone = c.NameOf(a), !c.Here(a)
	}
	if a != nil && c.Delivers() != config.DeliverMCP {
		words.Where, words.Direct, words.Pane = a.At.Where, a.At.Direct, a.Origin.Pane
	}
	return words.String()
}

// addressee is the agent that a line would go to, as LineAddressed names it.
type addressee struct {
	Name   string // empty if nobody is addressed
	Where  string // the tmux pane into which the line would be typed
	Pane   string // tmux's id of that pane; Name ends with it if several agents have the same name
	Direct bool   // the line would go to the agent's own session, and into no pane
	Gone   bool   // the agent has ended
	Known  bool   // at least one agent is known
}

// String returns the words that name the agent and its place.
func (a addressee) String() string {
	switch {
	case a.Name == "" && a.Known:
		return "to nobody yet"
	case a.Name == "":
		return "no agents yet"
	}
	words := "to " + a.Name
	switch {
	case a.Direct:
		words += ", in its own session"
	case a.Where != "":
		words = strings.TrimSuffix(words, " "+a.Pane) + ", tmux " + a.Where
	}
	if a.Gone {
		words += ", gone"
	}
	return words
}

// LineEnter describes what Enter does with the line to an agent that is being written, or why it does nothing; sends:
// it sends the line. It does not say that pending questions keep chat closed: the screen and the page do that, each in
// as many words as it has room for.
func LineEnter(c *desk.Chat, g *desk.Guard, dot, ellipsis string, in Speech) (l Line, sends bool) {
	a := c.Addressed()
	switch {
	case c.TryingAgain():
		return Words("not sent yet, trying again"), false
	case c.Busy():
		return Words("sending " + ellipsis), false
	case a == nil && c.Known():
		next := in.Keys.KeyOf(action.PlaceChat, action.Area)
		if in.Frontend == OnPage {
			next = "“" + in.NextAgent + "”"
		}
		return lineRefused(c, next+" picks an agent", in), false
	case a == nil:
		return lineRefused(c, "no agent is known yet", in), false
	}
	if why := c.Unreachable(a); why != nil {
		return lineRefused(c, lineWhy(c, why), in), false
	}
	if queue.Blank(c.Text()) {
		return Words("type a line to " + c.NameOf(a)), false
	}
	held := !c.Listens(a) && c.Delivers() != config.DeliverTmux && (!a.At.Ready() || c.Delivers() == config.DeliverMCP)
	if l = Words(in.Enter + " " + in.verb("send to ")).With(Named(c.NameOf(a))); held {
		l = heldLineTo(c.NameOf(a), in, dot, a.At.Shared && c.Delivers() != config.DeliverMCP)
	}
	if doubts, asks := g.Doubts(true); asks {
		return WasMeant(OneLine(c.NameOf(a)), SendsIt, in), true
	} else if doubts {
		return Twice(l, in), true
	}
	l.Sends = true
	return l, true
}

// LineState describes an agent in the chat: whether it works or waits, and how many lines it has not been given yet.
func LineState(c *desk.Chat, a *desk.Agent) (words []string) {
	switch {
	case !c.Here(a):
	case c.WaitsFor(a):
		words = append(words, "waiting")
	default:
		words = append(words, "working")
	}
	if n := len(c.Unfetched(a)); n > 0 {
		words = append(words, fmt.Sprintf("%d not delivered", n))
	}
	return words
}

// lineRefused returns the Enter line if nothing would be sent, with the reason.
func lineRefused(c *desk.Chat, why string, in Speech) Line {
	if queue.Blank(c.Text()) {
		return Line{}.With(Nice("nothing can be sent: ", ""), Fixed(OneLine(why)))
	}
	return Words(in.verb("cannot be sent: ") + OneLine(why)).With(Nice(TheTextStays, ""))
}

// LineRefused explains why Enter has just sent nothing. It is empty if LineEnter explains it already.
func LineRefused(c *desk.Chat, err error) string {
	switch {
	case err == nil, errors.Is(err, desk.ErrBusy), errors.Is(err, desk.ErrClosed), errors.Is(err, desk.ErrNobody),
		errors.Is(err, desk.ErrLookAway):
		return ""
	case errors.Is(err, desk.ErrBlank):
		return "type a line first"
	case errors.Is(err, desk.ErrTooLong):
		return fmt.Sprintf("not sent: it has %d bytes, but at most %d fit", len(c.Text()), queue.MaxPromptBytes)
	}
	return lineNotSent(lineWhy(c, err))
}

// LineNews describes an event about a line that this view wrote: not sent, refused or taken back. It is empty for every
// other event.
func LineNews(c *desk.Chat, view *desk.View, e desk.Event) string {
	switch e := e.(type) {
	case desk.LineSent:
		if e.View == view && e.Err != nil {
			return lineUnsent(c, e.Err)
		}
	case desk.LineRefused:
		if e.View == view {
			return lineNotSent(lineWhy(c, e.Err))
		}
	case desk.LineTakenBack:
		if e.View == view {
			return lineTakenBack(e)
		}
	}
	return ""
}

// lineUnsent says why a line is not certain to have been sent.
func lineUnsent(c *desk.Chat, err error) string {
	var unsure *queue.Doubt
	switch {
	case errors.As(err, &unsure):
		return "perhaps sent; look at its pane first: " + OneLine(lineWhy(c, err))
	case errors.Is(err, desk.ErrUnconfirmed):
		return "not sent yet: the queue has not confirmed it" + TheTextStays
	}
	return lineNotSent(lineWhy(c, err))
}

// lineTakenBack says whether a line was taken back.
func lineTakenBack(e desk.LineTakenBack) string {
	switch {
	case errors.Is(e.Err, queue.ErrFinal), errors.Is(e.Err, queue.ErrSettled):
		return "too late: " + e.Session.Summary()
	case e.Err != nil:
		return "not taken back: " + OneLine(e.Err.Error())
	case e.Restored:
		return "taken back"
	}
	return ""
}

// lineWhy explains why a line did not reach the addressed agent, or is not certain to have reached it.
func lineWhy(c *desk.Chat, err error) string {
	var unnoted *desk.Unnoted
	switch {
	case errors.Is(err, desk.ErrAgentGone):
		return c.NameOf(c.Addressed()) + " is gone"
	case errors.Is(err, desk.ErrNoBridge):
		return "its choicetui mcp has ended"
	case errors.Is(err, desk.ErrNoTmux):
		return "it can only be typed into a tmux pane, and there is no tmux here"
	case errors.As(err, &unnoted):
		return "it arrived, but the queue could not record it: " + unnoted.Err.Error()
	}
	return err.Error()
}

// heldLineTo returns the Enter line for a line that will be delivered later; the words that say so are never cut.
// shared: the person may see the agent's pane and wonder why the line is not typed there, so the reason is added. dot
// separates two parts.
func heldLineTo(name string, in Speech, dot string, shared bool) Line {
	dot = " " + dot + " "
	l := Line{Pieces: []Piece{{Forms: []string{in.Enter + " ", ""}},
		wholeName(in.verb("send to ")+name+dot, in.verb("send")+dot, ""), Fixed(queue.Undelivered)}}
	if shared {
		l = l.With(Nice(" (its pane is not certain)", ""))
	}
	return l
}

// Reasons why a key for lines to agents has no effect.
const (
	NoOtherAgent     = "no other agent is known"
	NoLineToTakeBack = "there is no undelivered line to take back"
)

// TheTextStays ends a message about a line that was not sent.
const TheTextStays = ". Your text is kept."

func lineNotSent(why string) string { return "not sent: " + OneLine(why) + TheTextStays }
