package plain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// typing is text of several lines under way. While it lasts, lines are text and never commands, also when the
// question ends meanwhile.
type typing struct {
	session string // whose it is
	field   form.Field
	lines   []string
	dot     bool // it ends with a line that holds only a dot; else with the first line that has no \ at its end
}

func (a *answering) text(words string) {
	f := a.inQuestion()
	if f == nil {
		return
	}
	a.reason = reason{f.Session(), f.ReasonText()}
	if !a.press(deed.Text, deed.Arg{}, true) {
		return
	}
	if a.did.Begin == form.FieldText {
		a.begin(words, 0)
		return
	}
	// It takes none: they are the reason of a cancel, which asks first.
	a.refuses(form.WhyNot{Reason: form.OptionsOnly}, deed.Text)
	if words == "" {
		a.takeBack()
		return
	}
	a.asksCancel(words)
}

func (a *answering) note(rest string) {
	f := a.inQuestion()
	if f == nil {
		return
	}
	number, words, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(number)
	switch q := f.Here(); {
	case q.Annotate && (err != nil || n < 1 || n > len(q.Options)):
		a.say("Which option is the note for? " + a.speech().Key(deed.Note) + " 1 and the note, for option 1.")
	case a.press(deed.Note, deed.Arg{N: n}, true):
		a.begin(strings.TrimSpace(words), n)
	}
}

func (a *answering) comment(words string) {
	if a.here() != nil && a.press(deed.Comment, deed.Arg{}, true) {
		a.begin(words, 0)
	}
}

// refuse marks the refusal of an approval, with the words that go with it. Where its agent offers none, a cancel is
// one.
func (a *answering) refuse(words string) {
	f := a.inQuestion()
	if f == nil {
		return
	}
	if !f.Approves() {
		a.refuses(form.WhyNot{Reason: form.NothingHere}, deed.Refuse)
		return
	}
	on := a.seat.Up()
	a.reason = reason{f.Session(), f.ReasonText()}
	switch done := a.press(deed.Refuse, deed.Arg{}, true); {
	case !done:
	case a.did.Begin == form.FieldReason:
		a.asksCancel(words)
	case a.did.Begin == form.FieldRefusal && words != "":
		a.begin(words, 0)
	default:
		a.refuses(untaken(f, words), deed.Note)
		f.EndTyping()
		a.after(on)
	}
}

// untaken says why a refusal does not take words; there may be none.
func untaken(f *form.Form, words string) form.WhyNot {
	if words == "" {
		return form.WhyNot{}
	}
	return f.Here().MayNote()
}

func (a *answering) cancel(words string) { a.ends(deed.Cancel, words) }

// moreDetail asks whether to end the question because the person wants to know more first.
func (a *answering) moreDetail(about string) { a.ends(deed.Detail, about) }

// ends begins a text that ends the question, and asks first.
func (a *answering) ends(do deed.Action, words string) {
	f := a.here()
	if f == nil {
		return
	}
	a.reason = reason{f.Session(), f.ReasonText()}
	if a.press(do, deed.Arg{}, true) {
		a.asksCancel(words)
	}
}

// asksCancel asks whether to end the question on view for a reason.
func (a *answering) asksCancel(words string) {
	f, s := a.seat.Form(), a.seat.Session()
	f.Type(words)
	f.Attach()
	if a.asked = asksEnter; f.Typing() == form.FieldDetail {
		a.say(wantsDetail(s, words, f.Len()))
		return
	}
	a.say(asksCancel(s, words))
}

// wantsDetail asks whether to ask for more detail, which ends all questions of the form.
func wantsDetail(s queue.Session, about string, questions int) string {
	words := "Ask " + say.Who(s.Origin) + " for more detail"
	if about != "" {
		words += ", " + say.ShortQuoted(about, 200)
	}
	if questions > 1 {
		words += fmt.Sprintf(", which ends all %d questions", questions)
	}
	return words + "? Enter asks for it, anything else keeps the question."
}

// asksCancel asks whether to cancel a question.
func asksCancel(s queue.Session, reason string) string {
	with := "without a reason"
	if reason != "" {
		with = "with the reason " + say.ShortQuoted(reason, 200)
	}
	return fmt.Sprintf("Cancel %s and tell %s, %s? Enter cancels it, anything else keeps it.",
		say.ShortQuoted(say.Title(s.Ask), 100), say.Who(s.Origin), with)
}

// begin takes text that follows a command on its line, or begins to take it line by line; option is that of a note.
func (a *answering) begin(words string, option int) {
	f := a.seat.Form()
	f.Attach()
	a.seat.HoldClock()
	a.typing = &typing{session: a.seat.Up(), field: f.Typing()}
	if words == "" {
		a.typing.dot = true
		a.say(typeLines(f.Typing(), option))
		return
	}
	a.typed(words)
}

// typeLines asks for text of several lines; option is the number of the option that a note is on.
func typeLines(field form.Field, option int) string {
	what := "your own words"
	switch field {
	case form.FieldNote:
		what = fmt.Sprintf("the note on option %d", option)
	case form.FieldComment:
		what = "the comment"
	}
	return "Type " + what + ". A line that holds only a dot ends it."
}

// typed takes one line of the text.
func (a *answering) typed(text string) {
	t := a.typing
	a.seat.HoldClock()
	more := t.add(text)
	whole := strings.Join(t.lines, "\n")
	_, waits := a.seat.Pending()
	waits = waits && a.seat.Up() == t.session
	f := a.seat.Form()
	takes := waits && f.Typing() == t.field // the settings may have turned notes off
	if takes {
		f.Type(whole)
		a.save()
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
		a.say("Taken: " + say.Count(len(t.lines), "line") + ".")
	}
	f.EndTyping()
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
