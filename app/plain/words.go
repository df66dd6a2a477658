package plain

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// clockEnds says what happens when the question's time is up.
func clockEnds(end form.Piece) string {
	if end.Kind == form.PieceClockSends {
		return "this is sent: " + say.Heard(end.Text)
	}
	return "no answer is given"
}

// writtenUnsent precedes the person's text for a question that ended before it was sent.
const writtenUnsent = "What you wrote was not sent:"

// timeLine returns the line about the time that a question has left. afterwards says what happens when the time is up;
// it may be empty.
func timeLine(s queue.Session, now time.Time, afterwards string) string {
	words := "Time: " + say.Deadline(s, now) + "."
	if afterwards == "" || !s.HasClock() {
		return words
	}
	return words + " Then " + afterwards + "."
}

// numberedHeader returns the number of the question on view among the questions of its form. If the question has a
// header, that follows behind the separator.
func numberedHeader(f *form.Form, separator string) string {
	words := fmt.Sprintf("%d of %d", f.At()+1, f.Len())
	if header := f.Here().Header; header != "" {
		words += separator + say.OneLine(header)
	}
	return words
}

// typedHere lists what can be typed at the question on view, the most useful first.
func typedHere(f *form.Form, in say.Speech) string {
	q := f.Here()
	var parts []string
	switch {
	case f.Reviewing():
		parts = append(parts, "Enter sends after a last look, a number changes one")
	case f.Ask().Grants():
		parts = append(parts, "Type allow, refuse and why, or the numbers of all you choose, such as 1 3")
	case q.Mode == queue.ModeMulti || q.Mode == queue.ModeHybrid && !q.Question.Radio():
		parts = append(parts, "Type the numbers of all you choose, such as 1 3")
	case f.Approves():
		parts = append(parts, "Type allow, refuse and why, or a number")
	case q.Mode != queue.ModeText:
		parts = append(parts, "Type a number")
	}
	if q.TakesText() && !f.Reviewing() {
		parts = append(parts, in.Key(deed.Text)+" and your own words")
	}
	if q.Annotate && len(q.Options) > 0 && !f.Reviewing() {
		parts = append(parts, in.Key(deed.Note)+" 1 and a note on option 1")
	}
	if f.Takes(form.FieldComment).OK() {
		parts = append(parts, in.Key(deed.Comment)+" and a comment")
	}
	if in.AsksTeam {
		parts = append(parts, widensWith(in))
	}
	parts = append(parts, in.Key(deed.Cancel)+" to cancel", "help for the rest")
	return strings.Join(parts, "; ") + "."
}

// widensWith returns the hint that the team can be asked.
func widensWith(in say.Speech) string {
	return bracketLetter(in, deed.AskTeam, "widen", " asks your team")
}

// bracketLetter returns a command with its short form: `[w]iden` if the word begins with that letter, else `w=widen`.
// rest follows.
func bracketLetter(in say.Speech, a keys.Action, word, rest string) string {
	key := in.Key(a)
	if len(key) == 1 && strings.HasPrefix(word, key) {
		return "[" + key + "]" + word[1:] + rest
	}
	return key + "=" + word + rest
}
