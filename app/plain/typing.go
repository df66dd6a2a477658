package plain

import (
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/form"
)

// typing is text of several lines under way. While it lasts, lines are text and never commands, also when the
// question ends meanwhile.
type typing struct {
	session string // whose it is
	put     func(text string)
	ask     string // what to type, and how it ends
	lines   []string
	dot     bool // it ends with a line that holds only a dot; else with the first line that has no \ at its end
}

func (a *answering) text(words string) {
	f := a.inQuestion()
	if f != nil && words != "" && !f.Here().MayWrite().OK() { // said as the reason of a cancel, which asks first
		a.refuses(f.Here().MayWrite(), keys.ActText)
		a.cancel(words)
		return
	}
	if f != nil && !a.refuses(f.Here().MayWrite(), keys.ActText) {
		a.begin(&typing{put: f.Here().Write, ask: say.TypeLines(form.FieldText, 0)}, words)
	}
}

func (a *answering) note(rest string) {
	f := a.inQuestion()
	if f == nil {
		return
	}
	number, words, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(number)
	q := f.Here()
	switch {
	case a.refuses(q.MayNote(), keys.ActNote):
	case err != nil || n < 1 || n > len(q.Options):
		a.say(say.WhichOption(a.speech()))
	default:
		id := q.Options[n-1].ID
		put := func(text string) { q.Note(id, text) }
		a.begin(&typing{put: put, ask: say.TypeLines(form.FieldNote, n)}, strings.TrimSpace(words))
	}
}

func (a *answering) comment(words string) {
	if f := a.here(); f != nil && !a.refuses(f.MayComment(), keys.ActComment) {
		a.begin(&typing{put: f.Comment, ask: say.TypeLines(form.FieldComment, 0)}, words)
	}
}

// begin takes text that follows a command on its line, or begins to take it line by line.
func (a *answering) begin(t *typing, words string) {
	t.session = a.seat.Up()
	a.seat.Form().Touch()
	a.seat.HoldClock()
	a.typing = t
	if words == "" {
		t.dot = true
		a.say(t.ask)
		return
	}
	a.typed(words)
}

// typed takes one line of the text.
func (a *answering) typed(text string) {
	t := a.typing
	a.seat.HoldClock()
	more := t.add(text)
	whole := strings.Join(t.lines, "\n")
	_, waits := a.seat.Pending()
	if waits = waits && a.seat.Up() == t.session; waits {
		t.put(whole)
		a.save()
	}
	if more {
		return
	}
	a.typing = nil
	if !waits {
		a.say(say.ClosedUnsent())
		a.block(bar, whole)
		return
	}
	if t.dot {
		a.say(say.TakenLines(len(t.lines)))
	}
	a.offer()
}

// add takes one line, and reports whether more are to come.
func (t *typing) add(text string) (more bool) {
	switch {
	case t.dot && text == ".":
		return false
	case t.dot && text == "..":
		text = "."
	case !t.dot:
		text, more = strings.CutSuffix(text, `\`)
	}
	t.lines = append(t.lines, text)
	return more || t.dot
}
