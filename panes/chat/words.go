package chat

import (
	"errors"
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// The rule over the composer begins with it while questions keep it closed. Nowhere else is it said: it means nothing
// to a person who does not want to write.
const chatClosed, closed = "chat closed", "closed"

const theTextStays = ". The text stays."

func (r *Room) desk() *desk.Desk { return r.host.Seat().Desk() }

func (r *Room) glyphs() ink.Glyphs { return r.host.Ink(nil).Glyphs }

func (r *Room) waiting() string { return say.Waiting(len(r.desk().Waiting()), r.desk().Gone()) }

// to names the addressed agent and where it is: `to shop · claude, tmux 2:1`.
func (r *Room) to() string {
	a := r.line.Addressed()
	words := addressee{Known: r.line.Known()}
	if a != nil {
		words.Name, words.Gone = r.line.NameOf(a), !r.line.Here(a)
	}
	if a != nil && r.line.Delivers() != config.DeliverMCP {
		words.Where, words.Direct, words.Pane = a.At.Where, a.At.Direct, a.Origin.Pane
	}
	return words.String()
}

// addressee names the agent that a line would go to.
type addressee struct {
	Name  string // empty: nobody is addressed
	Where string // the tmux pane it would be typed into
	Pane  string // tmux's id of that pane, which may be part of Name to tell agents with one name apart
	// Direct: the line would go to the agent's own session, and into no pane.
	Direct bool
	Gone   bool
	Known  bool // some agent is known
}

// String returns the words: `to shop · claude, tmux 2:1`, `to shop · codex, in its own session`.
func (a addressee) String() string {
	switch {
	case a.Name == "" && a.Known:
		return "to nobody yet"
	case a.Name == "":
		return "no agent known yet"
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

// Lower returns the words about chat in the rule over the foot while questions are pending, longest first: they say
// that it is open all the same.
func (r *Room) Lower() []string {
	closing, _ := r.desk().Closing()
	switch {
	case r.line.Off() || len(r.desk().Waiting()) == 0 || closing > 0:
		return []string{""}
	}
	return []string{"chat " + r.to(), "chat open", ""} // everybody who asked is gone
}

// Empty returns those words while nothing is pending.
func (r *Room) Empty() string {
	if r.line.Off() || !r.desk().Loaded() {
		return ""
	}
	return "chat · " + r.to()
}

// Key returns the written form of the key that opens the composer; empty: nobody can be written to, and nothing was
// written.
func (r *Room) Key() string {
	a := r.line.Addressed()
	if r.line.Off() || a == nil || !r.line.Here(a) && len(r.line.Keeping()) == 0 {
		return ""
	}
	return r.host.Keys().KeyOf(keys.PlaceEmpty, keys.ActChat)
}

// held returns the lines that the addressed agent has not been given yet, oldest first.
func (r *Room) held() []queue.Session {
	a := r.line.Addressed()
	if a == nil {
		return nil
	}
	return r.line.Unfetched(a)
}

// Kept returns the composer's line while it is closed, in place of an Enter line: the first words that were typed and
// not sent, and for whom, or what was sent and is not delivered yet, unless the rule above has told that.
func (r *Room) Kept(told bool) say.Line {
	g, list := r.glyphs(), r.line.Keeping()
	switch held := r.held(); {
	case r.line.Off(), len(list) == 0 && (told || len(held) == 0):
		return say.Words(g.Prompt)
	case len(list) == 0:
		return heldLine(held[len(held)-1], len(held)-1, g.Prompt, g.Dot)
	}
	a := list[0]
	w, _ := r.host.Size()
	tail := " " + g.Note + " " + r.line.NameOf(a)
	if ink.Width(tail) > w/2 {
		tail = " " + g.Note + " " + a.Origin.Dir()
	}
	if n := len(list) - 1; n > 0 {
		tail += fmt.Sprintf(" +%d", n)
	}
	text := say.OneLine(queue.Headline(r.line.TextFor(a)))
	return say.Words(g.Prompt + " " + ink.Cut(text, max(w-ink.Width(g.Prompt+" "+tail), 4), g.Ellipsis) + tail)
}

// Foot says what Enter would do in the composer, or why nothing, and its keys.
func (r *Room) Foot() panes.Foot {
	m := r.host.Keys()
	return panes.Foot{Line: r.enter(), Hints: panes.Hints(m, keys.PlaceChat, r.Table())}
}

func (r *Room) enter() say.Line {
	g, a := r.glyphs(), r.line.Addressed()
	closing, first := r.desk().Closing()
	switch {
	case r.line.TryingAgain():
		return say.Words("not sent yet, trying again")
	case r.line.Busy():
		return say.Words("sending " + g.Ellipsis)
	case closing > 0:
		w, _ := r.host.Size()
		return say.Words(closedLine(g, say.Title(first.Ask), r.desk().Name(first.Origin), closing-1, w))
	case a == nil && r.line.Known():
		return r.refused(g, r.host.Keys().KeyOf(keys.PlaceChat, keys.ActChatNext)+" picks an agent")
	case a == nil:
		return r.refused(g, "no agent is known yet")
	}
	if why := r.line.Unreachable(a); why != nil {
		return r.refused(g, r.why(why))
	}
	if queue.Blank(r.line.Text()) {
		return say.Words("type a line to " + r.line.NameOf(a))
	}
	if ranOn, asked := r.host.Seat().Guard.RanOn(); asked {
		return lineNotSentYet(r.line.NameOf(a), say.Speech{Face: say.FaceScreen, Keys: r.host.Keys()})
	} else if ranOn {
		return say.Twice(r.sends(a), say.Speech{Enter: g.Enter})
	}
	return r.sends(a)
}

// sends says to whom Enter sends the line, and whether that is given it at once.
func (r *Room) sends(a *desk.Agent) say.Line {
	g, mode := r.glyphs(), r.line.Delivers()
	if r.line.Listens(a) || mode == config.DeliverTmux || a.At.Ready() && mode != config.DeliverMCP {
		return say.Words(g.Enter + " send to ").With(say.Named(r.line.NameOf(a)))
	}
	return heldLineTo(r.line.NameOf(a), g.Enter, g.Dot, a.At.Shared && mode != config.DeliverMCP)
}

// why says why a line does not reach the addressed agent, or may have.
func (r *Room) why(err error) string {
	var unnoted *desk.Unnoted
	switch {
	case errors.Is(err, desk.ErrAgentGone):
		return r.line.NameOf(r.line.Addressed()) + " is gone"
	case errors.Is(err, desk.ErrNoBridge):
		return "its choicetui mcp has ended"
	case errors.Is(err, desk.ErrNoTmux):
		return "it can only be typed into a tmux pane, and there is no tmux here"
	case errors.As(err, &unnoted):
		return "it arrived, but the queue could not note it: " + unnoted.Err.Error()
	}
	return err.Error()
}

// refused returns the Enter line where nothing would be sent.
func (r *Room) refused(g ink.Glyphs, why string) say.Line {
	if queue.Blank(r.line.Text()) {
		return say.Line{}.With(say.Nice("nothing can be sent: ", ""), say.Fixed(say.OneLine(why)))
	}
	return say.Words(g.Enter + " not sent: " + say.OneLine(why)).With(say.Nice(theTextStays, ""))
}

// closedLine says in at most w cells why nothing is sent: which question of which agent waits first, and how many more.
func closedLine(g ink.Glyphs, title, agent string, more, w int) string {
	start := g.Enter + " not sent: “"
	long, short := closedRest(more)
	room := func(rest string) int { return w - ink.Width(start) - 1 - ink.Width(rest) }
	if of := " of " + say.OneLine(agent) + long; room(of) >= ink.Width(title) {
		return start + title + "”" + of
	}
	if room(long) >= 8 {
		return start + ink.Cut(title, room(long), g.Ellipsis) + "”" + long
	}
	return start + ink.Cut(title, max(w-ink.Width(start)-1-ink.Width(short), 4), g.Ellipsis) + "”" + short
}

// heldLineTo returns the Enter line for a line that is not delivered at once; the words for that are never cut. If
// shared, the person may see the agent's pane and wonder why the line is not typed there, so the Enter line gives the
// reason. dot separates two parts.
func heldLineTo(name, enter, dot string, shared bool) say.Line {
	dot = " " + dot + " "
	l := say.Line{Pieces: []say.Piece{{Forms: []string{enter + " ", ""}},
		say.Whole("send to "+name+dot, "send"+dot, ""), say.Fixed(queue.Held)}}
	if shared {
		l = l.With(say.Nice(": its pane is not certain", ""))
	}
	return l
}

// heldLine returns the line of a closed composer whose agent has not been given the last line yet. more counts the other
// undelivered lines.
func heldLine(s queue.Session, more int, prompt, dot string) say.Line {
	first := say.ShortQuoted(s.Ask.Title, 24)
	if more > 0 {
		first += fmt.Sprintf(" +%d", more)
	}
	return say.Words(prompt+" ").With(say.Piece{Forms: []string{first + " " + dot + " ", ""}}, say.Fixed(queue.Held))
}

// closedRest returns the words after the title of the question that keeps chat closed, in full and for little room. more
// counts the other questions that do.
func closedRest(more int) (long, short string) {
	if more == 0 {
		return " waits" + theTextStays, " waits"
	}
	return fmt.Sprintf(" and %d more wait%s", more, theTextStays), fmt.Sprintf(" and %d more", more)
}

// lineNotSentYet says that the typed line may be meant for another pane, and what the next Enter does with it.
func lineNotSentYet(agent string, in say.Speech) say.Line {
	return say.Words("Not sent: "+in.EnterName()+" sends it to ").With(say.Named(say.OneLine(agent)),
		say.Nice(say.Keyed(", ", in.Key(keys.ActBack), " keeps it"), ""))
}
