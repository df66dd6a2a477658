package plain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// heard shortens a sentence that a screen reader reads out; its full text was written above it.
func heard(s string) string {
	const most = 300
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + fmt.Sprintf("… (%d characters in all)", len(r))
	}
	return s
}

// answerWords summarizes the answer that would be sent: labels, own words, notes and comment.
func answerWords(f *form.Form) string {
	a := f.Answer()
	words, n := f.Ask().Summary(a), 0
	for _, r := range a.Replies {
		n += len(r.Notes)
	}
	switch {
	case n == 1:
		words += " + note"
	case n > 1:
		words += " + " + say.Count(n, "note")
	}
	if !queue.Blank(a.Comment) {
		words += " + comment"
	}
	return words
}

// What is not sent with the answer, although the person wrote it.
const (
	wordsStay = "Your own words are kept but not sent: send either an option or your words."
	notesStay = "Your notes are kept but not sent, because notes are off."
)

// draftCame says that another process has changed the draft of the question on view. role is the role of that process,
// empty if it is not known.
func draftCame(role string, f *form.Form) string {
	if role == "" {
		return "Draft from elsewhere: " + heard(draftWords(f)) + "."
	}
	return draftLine(role, f)
}

// draftLine repeats the draft of the question on view and names the process that keeps it, by its role.
func draftLine(role string, f *form.Form) string {
	return say.Drafted(role, say.InLines) + ": " + heard(draftWords(f)) + "."
}

// draftWords summarizes a draft. Unlike answerWords it names what was written first if nothing is marked.
func draftWords(f *form.Form) string {
	if a := f.Answer(); f.Several() || len(a.Replies[0].Selected) > 0 || a.Replies[0].Text != "" {
		return answerWords(f)
	}
	nothing, added, ok := strings.Cut(answerWords(f), " + ")
	if !ok {
		return nothing
	}
	written := strings.Split(added, " + ")
	for i, what := range written {
		if what == "note" || what == "comment" {
			written[i] = "a " + what
		}
	}
	return strings.Join(append(written, nothing), ", ")
}

// isBlank reports whether nothing is marked and nothing is written.
func isBlank(f *form.Form) bool {
	a := f.Answer()
	return queue.Blank(a.Comment) && !slices.ContainsFunc(a.Replies, func(r queue.Reply) bool {
		return len(r.Selected) > 0 || len(r.Notes) > 0 || !queue.Blank(r.Text)
	})
}

// clockEnds says what happens when the question's time is up.
func clockEnds(end form.Piece) string {
	if end.Kind == form.PieceClockSends {
		return "this is sent: " + heard(end.Text)
	}
	return "no answer is given"
}

// writtenUnsent precedes the person's text for a question that ended before it was sent.
const writtenUnsent = "What you wrote was not sent:"

// timeLine returns the line about the time that a question has left. afterwards says what happens when the time is up;
// it may be empty.
func timeLine(s queue.Session, now time.Time, afterwards string) string {
	words := "Time: " + timeLeft(s, now) + "."
	if afterwards == "" || !s.HasClock() {
		return words
	}
	return words + " Then " + afterwards + "."
}

// timeLeft returns the time left and its end: "5 minutes left, until 14:07:00".
func timeLeft(s queue.Session, now time.Time) string {
	switch {
	case s.Deadline.IsZero():
		return "the clock is paused"
	case !s.HasClock():
		return "as long as the agent's own prompt is open"
	}
	return say.Spoken(s.Deadline.Sub(now), time.Hour) + " left, until " + s.Deadline.Local().Format(time.TimeOnly)
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
	text := quotedKey(in, action.Text, "TEXT")
	asked := "Type a number"
	switch {
	case f.Reviewing():
		asked = "Enter asks once more and then sends; a number changes that answer"
	case f.Ask().Grants():
		asked = `Type "allow", "refuse REASON" or the numbers of all your choices, such as 1 3`
	case f.Approves():
		asked = `Type "allow", "refuse REASON" or a number`
	case q.Mode == queue.ModeText:
		asked = "Type " + text + " to answer in your own words"
	case q.Mode == queue.ModeMulti || q.Mode == queue.ModeHybrid && !q.Question.Radio():
		asked = "Type the numbers of all your choices, such as 1 3"
	case q.TakesText():
		asked += ", or " + text + " to answer in your own words"
	}
	var adds []string
	if q.Mode == queue.ModeHybrid && !q.Question.Radio() && !f.Reviewing() {
		adds = append(adds, text+" adds your own words")
	}
	if q.Annotate && len(q.Options) > 0 && !f.Reviewing() {
		adds = append(adds, quotedKey(in, action.Note, "1 NOTE")+" adds a note to option 1")
	}
	if f.Takes(form.FieldComment).OK() {
		adds = append(adds, quotedKey(in, action.Comment, "COMMENT")+" adds a comment")
	}
	for i := 1; i < len(adds); i++ {
		adds[i] = strings.Replace(adds[i], "\" adds ", "\" ", 1)
	}
	var acts []string
	if len(adds) > 0 {
		acts = append(acts, strings.Join(adds, ", "))
	}
	if in.AsksTeam {
		acts = append(acts, widensWith(in))
	}
	acts = append(acts, quotedKey(in, action.Cancel, "")+" cancels, \"help\" lists the rest")
	return asked + ". " + strings.Join(acts, "; ") + "."
}

// quotedKey returns the word for an action with what follows it, in quotation marks: `"n 1 NOTE"`.
func quotedKey(in say.Speech, a action.Name, follows string) string {
	return `"` + strings.TrimRight(in.Key(a)+" "+follows, " ") + `"`
}

// widensWith returns the hint that the team can be asked.
func widensWith(in say.Speech) string {
	return bracketLetter(in, action.AskTeam, "widen", " asks your team")
}

// bracketLetter returns a command with its short form: `[w]iden` if the word begins with that letter, else `w=widen`.
// rest follows.
func bracketLetter(in say.Speech, a action.Name, word, rest string) string {
	key := in.Key(a)
	if len(key) == 1 && strings.HasPrefix(word, key) {
		return "[" + key + "]" + word[1:] + rest
	}
	return key + "=" + word + rest
}
