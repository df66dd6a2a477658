package say

import (
	"errors"
	"fmt"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// LineAddressed names the agent that a line would go to, and where it is: `to shop · claude, tmux 2:1`.
func LineAddressed(c *desk.Chat) string {
	a := c.Addressed()
	words := Addressee{Known: c.Known()}
	if a != nil {
		words.Name, words.Gone = c.NameOf(a), !c.Here(a)
	}
	if a != nil && c.Delivers() != config.DeliverMCP {
		words.Where, words.Direct, words.Pane = a.At.Where, a.At.Direct, a.Origin.Pane
	}
	return words.String()
}

// LineEnter says what Enter does with the line that is being written, or why nothing; sends: it sends it. It says
// nothing of chat that is closed, for which a face has more or less room: see ClosedRest.
func LineEnter(c *desk.Chat, g *desk.Guard, dot, ellipsis string, in Speech) (l Line, sends bool) {
	a := c.Addressed()
	switch {
	case c.TryingAgain():
		return Words(LineTriedAgain), false
	case c.Busy():
		return Words("sending " + ellipsis), false
	case a == nil && c.Known():
		next := in.Keys.KeyOf(keys.PlaceChat, keys.ActChatNext)
		if in.Face == FacePage {
			next = "“" + Page.NextAgent + "”"
		}
		return lineRefused(c, next+" picks an agent", in), false
	case a == nil:
		return lineRefused(c, NoAgentKnown, in), false
	}
	if why := c.Unreachable(a); why != nil {
		return lineRefused(c, LineWhy(c, why), in), false
	}
	if queue.Blank(c.Text()) {
		return TypeALine(c.NameOf(a)), false
	}
	held := !c.Listens(a) && c.Delivers() != config.DeliverTmux && (!a.At.Ready() || c.Delivers() == config.DeliverMCP)
	if l = LineTo(c.NameOf(a), in.Enter); held {
		l = HeldLineTo(c.NameOf(a), in.Enter, dot, a.At.Shared && c.Delivers() != config.DeliverMCP)
	}
	if ranOn, asked := g.RanOn(); asked {
		return LineNotSentYet(c.NameOf(a), in), true
	} else if ranOn {
		return Twice(l, in), true
	}
	return l, true
}

// LineClosed says why nothing is sent while questions are pending: which question of which agent waits first, and how
// many more.
func LineClosed(title, agent string, more int, enter string) Line {
	rest, _ := ClosedRest(more)
	return Words(enter + " not sent: “" + title + "” of " + OneLine(agent) + rest)
}

// LineState says what an agent does, and how many lines it has not been given yet.
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

// lineRefused returns the Enter line where nothing would be sent.
func lineRefused(c *desk.Chat, why string, in Speech) Line {
	if queue.Blank(c.Text()) {
		return NothingToSend(why)
	}
	return WouldNotSend(why, in.Enter)
}

// LineRefused says why Enter has just sent nothing; empty: LineEnter has said it already.
func LineRefused(c *desk.Chat, err error) string {
	switch {
	case err == nil, errors.Is(err, desk.ErrBusy), errors.Is(err, desk.ErrClosed), errors.Is(err, desk.ErrNobody),
		errors.Is(err, desk.ErrLookAway):
		return ""
	case errors.Is(err, desk.ErrBlank):
		return NothingTyped
	case errors.Is(err, desk.ErrTooLong):
		return LineTooLong(len(c.Text()), queue.MaxPromptBytes)
	}
	return LineNotSent(LineWhy(c, err))
}

// LineNews says what became of a line of this seat; empty: there is nothing to say.
func LineNews(c *desk.Chat, seat *desk.Seat, e desk.Event) string {
	switch e := e.(type) {
	case desk.LineSent:
		if e.Seat == seat && e.Err != nil {
			return lineUnsent(c, e.Err)
		}
	case desk.LineRefused:
		if e.Seat == seat {
			return LineNotSent(LineWhy(c, e.Err))
		}
	case desk.LineTakenBack:
		if e.Seat == seat {
			return lineTakenBack(e)
		}
	}
	return ""
}

func lineUnsent(c *desk.Chat, err error) string {
	var unsure *queue.Doubt
	switch {
	case errors.As(err, &unsure):
		return LineInDoubt(LineWhy(c, err))
	case errors.Is(err, desk.ErrUnconfirmed):
		return LineLeft
	}
	return LineNotSent(LineWhy(c, err))
}

func lineTakenBack(e desk.LineTakenBack) string {
	switch {
	case errors.Is(e.Err, queue.ErrFinal), errors.Is(e.Err, queue.ErrSettled):
		return LineFetched(e.Session)
	case e.Err != nil:
		return LineNotTakenBack(e.Err.Error())
	case e.Restored:
		return LineTakenBack
	}
	return ""
}

// LineWhy says why a line does not reach the addressed agent, or may have.
func LineWhy(c *desk.Chat, err error) string {
	var unnoted *desk.Unnoted
	switch {
	case errors.Is(err, desk.ErrAgentGone):
		return AgentGone(c.NameOf(c.Addressed()))
	case errors.Is(err, desk.ErrNoBridge):
		return NoBridge
	case errors.Is(err, desk.ErrNoTmux):
		return NoTmuxHere
	case errors.As(err, &unnoted):
		return LineUnnoted(unnoted.Err.Error())
	}
	return err.Error()
}
