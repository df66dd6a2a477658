package say

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Addressee is whom a line to an agent would go to.
type Addressee struct {
	Name  string // empty: nobody is addressed
	Where string // the tmux pane it would be typed into
	Pane  string // how tmux itself calls that pane: it tells agents of one name apart where nothing better is known
	// Direct says that it would go to the agent's own session, and into no pane.
	Direct bool
	Gone   bool
	Known  bool // some agent is known
}

// String says to whom: `to shop · claude, tmux 2:1`, `to shop · codex, in its own session`.
func (a Addressee) String() string {
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

// Why a key in the composer does nothing, and what one has done.
const (
	NoAgentKnown     = "no agent is known yet"
	NoOtherAgent     = "no other agent is known"
	NothingTyped     = "type a line first"
	NoLineToTakeBack = "there is no undelivered line to take back"
	LineTakenBack    = "taken back"
)

// Why no line can reach an agent.
const (
	NoTmuxHere = "it can only be typed into a tmux pane, and there is no tmux here"
	NoBridge   = "its choicetui mcp has ended"
)

// AgentGone says that an agent does not run any more.
func AgentGone(name string) string { return name + " is gone" }

// LineUnnoted says that a line arrived, though the queue does not say so.
func LineUnnoted(why string) string { return "it arrived, but the queue could not note it: " + why }

const theTextStays = ". The text stays."

// LineTooLong says why a line of so many bytes is not sent.
func LineTooLong(bytes, most int) string {
	return fmt.Sprintf("not sent: it takes %d bytes, at most %d fit", bytes, most)
}

// LineNotSent says why a line to an agent did not go out.
func LineNotSent(why string) string { return "not sent: " + OneLine(why) + theTextStays }

// LineTriedAgain says that the queue has not confirmed a line that is on its way.
const LineTriedAgain = "not sent yet, trying again"

// LineLeft says that the queue has not confirmed a line that the person has left.
const LineLeft = "not sent yet: the queue has not confirmed it" + theTextStays

// LineInDoubt says that a line may have arrived although something went wrong.
func LineInDoubt(why string) string { return "perhaps sent, look at its pane first: " + OneLine(why) }

// LineFetched says what became of a line that could not be taken back any more.
func LineFetched(s queue.Session) string { return "too late: " + s.Summary() }

// LineNotTakenBack says why a line was not taken back.
func LineNotTakenBack(why string) string { return "not taken back: " + OneLine(why) }

// LineTo returns the Enter line of the composer: it sends. enter is how Enter is written.
func LineTo(name, enter string) Line { return Words(enter + " send to ").With(Named(name)) }

// TypeALine returns the Enter line of an empty composer.
func TypeALine(name string) Line { return Words("type a line to " + name) }

// NothingToSend returns the Enter line of an empty composer that would send nothing.
func NothingToSend(why string) Line {
	return Line{}.With(Nice("nothing can be sent: ", ""), Fixed(OneLine(why)))
}

// WouldNotSend returns the Enter line of a composer whose text would not be sent.
func WouldNotSend(why, enter string) Line {
	return Words(enter + " not sent: " + OneLine(why)).With(Nice(theTextStays, ""))
}

// HeldLineTo is LineTo for a line that is not delivered at once, which is said in full at every width. If shared, the
// person may see the agent's pane and wonder why the line is not typed there, so the line gives the reason. dot
// separates two parts.
func HeldLineTo(name, enter, dot string, shared bool) Line {
	dot = " " + dot + " "
	l := Line{Pieces: []Piece{{Forms: []string{enter + " ", ""}}, Whole("send to "+name+dot, "send"+dot, ""),
		Fixed(queue.Held)}}
	if shared {
		l = l.With(Nice(": its pane is not certain", ""))
	}
	return l
}

// HeldLine returns the line of a closed composer whose agent has not been given what was written last; more is how many
// lines beside it.
func HeldLine(s queue.Session, more int, prompt, dot string) Line {
	first := ShortQuoted(s.Ask.Title, 24)
	if more > 0 {
		first += fmt.Sprintf(" +%d", more)
	}
	return Words(prompt+" ").With(Piece{Forms: []string{first + " " + dot + " ", ""}}, Fixed(queue.Held))
}

// ClosedRest returns the words after the title of the question that keeps chat closed, in the Enter line, and shorter
// ones for little room; more counts the other questions that do.
func ClosedRest(more int) (long, short string) {
	if more == 0 {
		return " waits" + theTextStays, " waits"
	}
	return fmt.Sprintf(" and %d more wait%s", more, theTextStays), fmt.Sprintf(" and %d more", more)
}

// ChatOpens says when chat that so many questions keep closed opens.
func ChatOpens(closing int) string {
	if closing == 1 {
		return "opens when it is answered"
	}
	return "opens when they are answered"
}
