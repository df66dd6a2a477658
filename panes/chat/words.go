package chat

import (
	"fmt"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// Words of the line over the composer while pending questions keep chat closed. They are shown only there, because they
// mean nothing to a person who does not want to write.
const chatClosed, closed = "chat closed", "closed"

func (r *Room) desk() *desk.Desk { return r.host.View().Desk() }

func (r *Room) glyphs() ink.Glyphs { return r.host.Ink(nil).Glyphs }

func (r *Room) waiting() string {
	return say.Waiting(len(r.desk().Waiting()), r.desk().Gone(), r.host.View().Up(), r.desk().Needed())
}

// addressedWords names the addressed agent and where it is: `to shop · AGENT, tmux 2:1`.
func (r *Room) addressedWords() string { return say.LineAddressed(r.line) }

// Lower returns the words for the line over the footer which say that chat is open although questions are pending, the
// longest form first.
func (r *Room) Lower() []string {
	if closing, _ := r.desk().Closing(); r.line.Off() || len(r.desk().Waiting()) == 0 || closing > 0 {
		return []string{""}
	}
	return []string{"chat " + r.addressedWords(), "chat open", ""} // chat is open because all asking agents are gone
}

// Empty returns the words about chat for the line over the footer while nothing is pending.
func (r *Room) Empty() string {
	if r.line.Off() || !r.desk().Loaded() {
		return ""
	}
	return "chat · " + r.addressedWords()
}

// Key returns the key that opens the composer. It is empty if no agent can be written to and no text is kept.
func (r *Room) Key() string {
	a := r.line.Addressed()
	if r.line.Off() || a == nil || !r.line.Here(a) && len(r.line.Keeping()) == 0 {
		return ""
	}
	return r.host.Keys().KeyOf(action.PlaceEmpty, action.Chat)
}

// unfetchedLines returns the lines that the addressed agent has not been given yet, oldest first.
func (r *Room) unfetchedLines() []queue.Session {
	a := r.line.Addressed()
	if a == nil {
		return nil
	}
	return r.line.Unfetched(a)
}

// Kept returns the words in place of the Enter line while the composer is closed: the first words of an unsent text and
// its agent, or a sent line that is not delivered yet. told is set if the line above shows the sent line already.
func (r *Room) Kept(told bool) say.Line {
	g, list := r.glyphs(), r.line.Keeping()
	switch held := r.unfetchedLines(); {
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

// Footer returns the Enter line of the composer, and its keys.
func (r *Room) Footer() panes.Footer {
	return panes.Footer{Line: r.enterLine(), Hints: panes.Hints(r.host, action.PlaceChat, r.Table())}
}

// enterLine says what Enter does with the line that is being written, or why it does nothing.
func (r *Room) enterLine() say.Line {
	g := r.glyphs()
	if closing, first := r.desk().Closing(); closing > 0 && !r.line.Busy() {
		w, _ := r.host.Size()
		return say.Words(closedLine(g, say.Title(first.Ask), r.desk().Name(first.Origin), closing-1, w))
	}
	l, _ := say.LineEnter(r.line, &r.host.View().Guard, g.Dot, g.Ellipsis,
		say.Speech{Frontend: say.OnScreen, Keys: r.host.Keys(), Enter: g.Enter})
	return l
}

// closedLine explains, in at most w cells, why nothing can be sent: it names the first question that is pending and its
// agent, and counts the others. With little room, it only counts them.
func closedLine(g ink.Glyphs, title, agent string, more, w int) string {
	const start = "Can't send: "
	waits := closedRest(more)
	stays := waits + say.TheTextStays
	room := func(behind string) int { return w - ink.Width(start) - 2 - ink.Width(behind) } // for the title
	for _, behind := range []string{" from " + say.OneLine(agent) + stays, stays, waits} {
		if room(behind) >= ink.Width(title) {
			return start + "“" + title + "”" + behind
		}
	}
	switch { // the title has to be cut
	case room(stays) >= 8:
		return start + "“" + ink.Cut(title, room(stays), g.Ellipsis) + "”" + stays
	case more > 0:
		return start + fmt.Sprintf("%d questions wait", more+1)
	}
	return start + "“" + ink.Cut(title, max(room(waits), 4), g.Ellipsis) + "”" + waits
}

// heldLine returns the words of a closed composer while the last line is not delivered yet. more is the number of other
// undelivered lines.
func heldLine(s queue.Session, more int, prompt, dot string) say.Line {
	first := say.ShortQuoted(s.Ask.Title, 24)
	if more > 0 {
		first += fmt.Sprintf(" +%d", more)
	}
	return say.Words(prompt+" ").
		With(say.Piece{Forms: []string{first + " " + dot + " ", ""}}, say.Fixed(queue.Undelivered))
}

// closedRest returns the words after the title of the question that keeps chat closed. more is the number of other
// questions that keep it closed too.
func closedRest(more int) string {
	if more == 0 {
		return " is waiting"
	}
	return fmt.Sprintf(" and %d more are waiting", more)
}
