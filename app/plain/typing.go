package plain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// typing is a text of several lines that the person is typing. Until it ends every line is text and never a command,
// even if the question ends meanwhile.
type typing struct {
	session string // the id of the session that the text is for
	field   form.Field
	lines   []string
	dot     bool // the text ends with a line that holds only a dot; else with the first line that does not end in \
}

// writeText begins the answer in the person's own words. Where the question takes no words, it asks whether to cancel
// the question with the words as the reason.
func (a *answering) writeText(words string) {
	f := a.questionForm()
	if f == nil {
		return
	}
	a.reason = reason{f.Session(), f.ReasonText()}
	if !a.press(action.Text, action.Arg{}, guarded) {
		return
	}
	if a.did.Begin == form.FieldText {
		a.beginText(words, 0)
		return
	}
	// The question takes no answer in the person's own words, so the words become the reason of a cancel, which asks
	// first.
	a.sayRefusal(form.WhyNot{Reason: form.OptionsOnly}, action.Text)
	if words == "" {
		a.withdrawAsked()
		return
	}
	a.askToCancel(words)
}

// writeNote begins the note on an option; rest holds the option's number and perhaps the note.
func (a *answering) writeNote(rest string) {
	f := a.questionForm()
	if f == nil {
		return
	}
	number, words, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(number)
	switch q := f.Here(); {
	case q.Annotate && (err != nil || n < 1 || n > len(q.Options)):
		a.say("Which option is the note for? Type " + a.speech().Key(action.Note) + " 1 and the note for option 1.")
	case a.press(action.Note, action.Arg{N: n}, guarded):
		a.beginText(strings.TrimSpace(words), n)
	}
}

// writeComment begins the comment on the whole answer.
func (a *answering) writeComment(words string) {
	if a.pendingForm() != nil && a.press(action.Comment, action.Arg{}, guarded) {
		a.beginText(words, 0)
	}
}

// refuseApproval chooses the option that refuses an approval, with words as its note. If the agent offers no such
// option, it asks whether to cancel the approval instead.
func (a *answering) refuseApproval(words string) {
	f := a.questionForm()
	if f == nil {
		return
	}
	if !f.Approves() {
		a.sayRefusal(form.WhyNot{Reason: form.NothingHere}, action.Refuse)
		return
	}
	on := a.view.Up()
	a.reason = reason{f.Session(), f.ReasonText()}
	switch done := a.press(action.Refuse, action.Arg{}, guarded); {
	case !done:
	case a.did.Begin == form.FieldReason:
		a.askToCancel(words)
	case a.did.Begin == form.FieldRefusal && words != "":
		a.beginText(words, 0)
	default:
		a.sayRefusal(whyNoWords(f, words), action.Note)
		f.EndTyping()
		a.sayNext(on)
	}
}

// whyNoWords says why the words of a refusal cannot be sent with it. Without words it returns no reason.
func whyNoWords(f *form.Form, words string) form.WhyNot {
	if words == "" {
		return form.WhyNot{}
	}
	return f.Takes(form.FieldRefusal)
}

// cancelQuestion asks whether to cancel the question for a reason.
func (a *answering) cancelQuestion(words string) { a.endQuestion(action.Cancel, words) }

// askDetail asks whether to end the question because the person wants to know more first.
func (a *answering) askDetail(about string) { a.endQuestion(action.Detail, about) }

// endQuestion begins the reason for which an action ends the question, and asks whether to end it.
func (a *answering) endQuestion(do action.Name, words string) {
	f := a.pendingForm()
	if f == nil {
		return
	}
	a.reason = reason{f.Session(), f.ReasonText()}
	if a.press(do, action.Arg{}, guarded) {
		a.askToCancel(words)
	}
}

// askToCancel writes the reason into the form and asks whether to end the question with it.
func (a *answering) askToCancel(words string) {
	f, s := a.view.Form(), a.view.Session()
	f.Type(words)
	f.Attach()
	if a.asked = asksEnter; f.Typing() == form.FieldDetail {
		a.say(wantsDetail(s, words, f.Len()))
		return
	}
	a.say(asksCancel(s, words))
}

// wantsDetail returns the question whether to ask for more detail, which ends all questions of the form.
func wantsDetail(s queue.Session, about string, questions int) string {
	words := "Ask " + say.Who(s.Origin) + " for more detail"
	if about != "" {
		words += ", " + say.ShortQuoted(about, 200)
	}
	switch {
	case questions == 2:
		words += ", which ends both questions"
	case questions > 2:
		words += fmt.Sprintf(", which ends all %d questions", questions)
	}
	return words + "? Enter asks for it, anything else keeps the question."
}

// asksCancel returns the question whether to cancel a session.
func asksCancel(s queue.Session, reason string) string {
	with := "without a reason"
	if reason != "" {
		with = "with the reason " + say.ShortQuoted(reason, 200)
	}
	return fmt.Sprintf("Cancel %s and tell %s, %s? Enter cancels it, anything else keeps it.",
		say.ShortQuoted(say.Title(s.Ask), 100), say.Who(s.Origin), with)
}

// beginText takes the text that follows a command on its line. Without one it reads the text line by line. option is
// the number of the option that a note is on.
func (a *answering) beginText(words string, option int) {
	f := a.view.Form()
	f.Attach()
	a.view.HoldClock()
	a.typing = &typing{session: a.view.Up(), field: f.Typing()}
	if words == "" {
		a.typing.dot = true
		a.say(typeLines(f.Typing(), option))
		return
	}
	a.takeTyped(words)
}

// typeLines returns the line that asks for a text of several lines. option is the number of the option that a note is
// on.
func typeLines(field form.Field, option int) string {
	what := "your own words"
	switch field {
	case form.FieldNote:
		what = fmt.Sprintf("the note on option %d", option)
	case form.FieldComment:
		what = "the comment"
	}
	return "Type " + what + ". A line with only a dot ends it."
}

// takeTyped adds a line to the text that is being typed, and keeps the text in the form. After the last line it says
// what Enter does, or gives the words back if the question has ended.
func (a *answering) takeTyped(text string) {
	t := a.typing
	a.view.HoldClock()
	more := t.addLine(text)
	whole := strings.Join(t.lines, "\n")
	_, waits := a.view.Pending()
	waits = waits && a.view.Up() == t.session
	f := a.view.Form()
	takes := waits && f.Typing() == t.field // false if the settings have turned notes off
	if takes {
		f.Type(whole)
		a.saveDraft()
	}
	if more {
		return
	}
	a.typing = nil
	switch {
	case !waits:
		a.say(say.Sentence(say.Closed) + " " + writtenUnsent)
		a.block(bar, whole)
		return
	case !takes:
		a.say(writtenUnsent)
		a.block(bar, whole)
	case t.dot:
		a.say(sayRead(len(t.lines)))
	}
	f.EndTyping()
	a.offerEnter()
}

// sayRead says how many lines of a text were read.
func sayRead(n int) string {
	if n == 0 {
		return "No text was entered."
	}
	return "Read " + say.Count(n, "line") + "."
}

// addLine adds one line, and reports whether more lines follow.
func (t *typing) addLine(text string) (more bool) {
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
