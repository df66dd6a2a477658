package say

import (
	"fmt"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// NumberRange returns one number, or two if they differ: 2, 2 or 3, 2 to 4.
func NumberRange(least, most int) string {
	switch most - least {
	case 0:
		return fmt.Sprint(least)
	case 1:
		return fmt.Sprintf("%d or %d", least, most)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// spanWanted returns how many options are to be marked: `2 or 3`, `2 or more`.
func spanWanted(w form.WhyNot) string {
	if w.Most == w.Of && w.Least < w.Of {
		return orMore(w.Least)
	}
	return NumberRange(w.Least, w.Most)
}

// orMore returns a number without an upper limit: `2 or more`.
func orMore(n int) string { return fmt.Sprintf("%d or more", n) }

// Marking returns the row above the options on a screen: "Mark 2 or 3 of 12. 1 marked." hidden counts the marked
// options that are hidden, and shows is the key that shows them, empty if it is unbound.
// rows is the number of options on screen.
func Marking(q queue.Question, rows, marked, hidden int, shows string) string {
	want := fmt.Sprintf("Mark %s. %d marked.", wantedOf(q, rows), marked)
	if hidden > 0 {
		want += fmt.Sprintf(" %d of them hidden%s.", hidden, Keyed(" (", shows, ")"))
	}
	return want
}

// wantedOptions returns how many options an answer to a question may have: "2 or 3 of 12", "any of 12".
func wantedOptions(q queue.Question) string { return wantedOf(q, len(q.Options)) }

// wantedOf does the same where only n of the options are listed.
func wantedOf(q queue.Question, n int) string {
	most := min(q.Max, n)
	switch {
	case q.Min == 0 && most == n:
		return fmt.Sprintf("any of %d", n)
	case q.Min == 0:
		return fmt.Sprintf("up to %d of %d", most, n)
	case most == n && q.Min < n:
		return fmt.Sprintf("%s of %d", orMore(q.Min), n)
	}
	return fmt.Sprintf("%s of %d", NumberRange(q.Min, most), n)
}

// Wanted returns, for lines, how many options an answer takes: "choose one", "choose 2 or 3 of 12".
func Wanted(q queue.Question) string {
	count := "choose " + wantedOptions(q)
	if q.Mode == queue.ModeSingle || q.Radio() {
		count = "choose one"
	}
	switch { // own words never count towards the minimum
	case q.Mode == queue.ModeHybrid && q.Radio(), q.Mode == queue.ModeHybrid && q.Min == 0:
		count += ", or type your own words"
	case q.Mode == queue.ModeHybrid:
		count += "; you may add your own words"
	}
	return count
}

// WhyNot explains why an action on a form did nothing. It is empty if the action had an effect. step is what Enter
// would do with a complete answer: send it, take it, or continue with the confirmation. For lines the result is a
// sentence.
func WhyNot(w form.WhyNot, a action.Name, step form.Step, in Speech) string {
	if w.OK() {
		return ""
	}
	return in.Frontend.sentence(in.whyNot(w, a, step))
}

// whyNot returns the words of WhyNot, not yet as a sentence.
func (in Speech) whyNot(w form.WhyNot, a action.Name, step form.Step) string {
	switch w.Reason {
	case form.NothingHere:
		return nothingUnder(a)
	case form.OnOwnWords:
		return nothingUnder(a) + Keyed("; ", in.Key(action.Text), " types your words")
	case form.FollowsCursor:
		return in.Enter + " " + enterVerb(step) + " the option under the cursor"
	case form.OneAnswerOnly:
		return in.oneOnly(a)
	case form.OptionsOnly:
		return "only the listed options are allowed" + Keyed("; ", in.Key(action.Cancel), " cancels with a reason")
	case form.WordsOnly:
		return "this question has no options; type your own words"
	case form.NotesOff:
		return notesOrComments(a) + notesOff
	case form.NotesOffInSettings: // lines have no settings page, so the command is named
		return notesOrComments(a) + in.Frontend.screenOrLines(" are off in the settings"+
			Keyed(": ", in.Keys.KeyOf(action.PlaceQuestion, action.Settings), ""),
			" are off in your settings: choicetui config set annotations_enabled true")
	case form.TooLong:
		return overLong(w)
	case form.NotOffered:
		return notOffered(in, a)
	}
	if words := in.countedReason(w); words != "" {
		return words
	}
	return fixedReasons[w.Reason]
}

// onlyDecides explains why a key of other questions has no effect on an approval.
const onlyDecides = "you can only allow or refuse"

const notesOff = " are off for this question"

// oneOnly says that only one option can be chosen. In the line mode, the person has typed several numbers, or the word
// for all options.
func (in Speech) oneOnly(a action.Name) string {
	const words = "only one option can be chosen here"
	if in.Frontend == InLines && a == action.Digit {
		return words + "; type one number"
	}
	return words
}

// fixedReasons has the words for the reasons that name no key and no number.
var fixedReasons = map[form.Reason]string{
	form.NothingRecommended:   "nothing here is recommended",
	form.NoOptions:            "there are no options to find",
	form.NothingIsHidden:      "no option is hidden here",
	form.NeverHiddenHere:      "the options of an approval cannot be hidden",
	form.LastOptions:          "the last options that an answer needs cannot be hidden",
	form.NotForApprovals:      onlyDecides,
	form.NothingMarked:        "nothing is marked",
	form.NothingAnswered:      "nothing is answered yet",
	form.NothingMatches:       "nothing matches",
	form.NothingChosen:        "move to an option first",
	form.NothingTyped:         "nothing typed yet",
	form.NothingYet:           "nothing marked yet",
	form.Unacceptable:         "this cannot be sent as it is",
	form.ConfirmationWaits:    "it is not confirmed yet",
	form.ConfirmationNotShown: "there is nothing to confirm here",
}

// countedReason returns the words for the reasons that name a number. It is empty for every other reason.
func (in Speech) countedReason(w form.WhyNot) string {
	side, tooMany := in.Frontend.screenOrLines, fmt.Sprintf("%d are too many: %s", w.Have, in.Wanted)
	switch w.Reason {
	case form.NoSuchOption:
		return fmt.Sprintf("there is no option %d", w.Have) + side(" here", "; "+ChooseOne(w.Of))
	case form.OptionHidden:
		return fmt.Sprintf("option %d is hidden", w.Have) + side("", "; type hidden to show it")
	case form.NoSuchQuestion:
		return fmt.Sprintf("there is no question %d", w.Have)
	case form.TooManyRecommended:
		return side(fmt.Sprintf("%d are recommended, at most %d may be marked", w.Have, w.Most), tooMany)
	case form.TooMany:
		return side(fmt.Sprintf("at most %d of %d may be marked", w.Most, w.Of), tooMany)
	case form.TooFew:
		return fmt.Sprintf("mark %s (%d marked)", spanWanted(w), w.Have)
	case form.Full:
		return fmt.Sprintf("%d of %d are marked; unmark one first", w.Have, w.Most)
	}
	return ""
}

// ChooseOne says which numbers of options can be typed if there are n: "choose 1 or 2".
func ChooseOne(n int) string {
	switch n {
	case 1:
		return "choose 1"
	case 2:
		return "choose 1 or 2"
	}
	return fmt.Sprintf("choose 1 to %d", n)
}

// nothingUnder says why an action has no effect on the row under the cursor.
func nothingUnder(a action.Name) string {
	switch a {
	case action.Note:
		return "a note belongs to an option; move to one first"
	case action.Hide:
		return "move to the option first"
	case action.Allow, action.Refuse:
		return "only an approval can be allowed or refused"
	}
	return "there is nothing to mark here"
}

// enterVerb names the effect of Enter on the option under the cursor.
func enterVerb(step form.Step) string {
	switch step {
	case form.StepTake:
		return "takes"
	case form.StepConfirm:
		return "continues with"
	}
	return "sends"
}

// notesOrComments names what an action writes: comments on the whole answer, or notes on an option.
func notesOrComments(a action.Name) string {
	if a == action.Comment {
		return "comments"
	}
	return "notes"
}

// overLong names the text that is too long, and by how much.
func overLong(w form.WhyNot) string {
	which := map[form.Field]string{form.FieldText: "your words are ", form.FieldNote: "a note is ",
		form.FieldComment: "the comment is "}
	return fmt.Sprintf("%s%s too long (at most %d)", which[w.Field], Count(w.Have-w.Most, unitOf(w.Field)), w.Most)
}
