package say

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// WhyNot says why an action of a form did nothing; empty: it did something. step is the effect of Enter on a complete
// answer there: send it, take it, or continue with the confirmation. Lines have neither cursor nor review, and write it
// as a sentence.
func WhyNot(w form.WhyNot, a keys.Action, step form.Step, in Speech) string {
	if w.OK() {
		return ""
	}
	return in.Face.sentence(in.whyNot(w, a, step))
}

func (in Speech) whyNot(w form.WhyNot, a keys.Action, step form.Step) string {
	switch w.Reason {
	case form.NothingHere:
		return nothingUnder(a)
	case form.OnOwnWords:
		return nothingUnder(a) + Keyed(": ", in.Key(deed.Text), " types your words")
	case form.FollowsCursor:
		return in.Enter + " " + enterVerb(step) + " the option under the cursor"
	case form.OneAnswerOnly:
		return in.oneOnly(a)
	case form.OptionsOnly:
		return "only the listed options are allowed" + Keyed(": ", in.Key(deed.Cancel), " cancels with a reason")
	case form.WordsOnly:
		return "this question has no options: type your own words"
	case form.NotesOff:
		return notesOrComments(a) + notesOff
	case form.NotesOffInSettings: // which lines have none of
		return notesOrComments(a) + in.Face.side(" are off in the settings"+
			Keyed(": ", in.Keys.KeyOf(keys.PlaceQuestion, keys.ActSettings), ""),
			" are off in your settings: choicetui config set annotations_enabled true")
	case form.PressAgain:
		again := Keyed("", in.Keys.KeyOf(keys.PlaceReview, deed.StartOver), " again")
		if again == "" || in.Face == FaceLines {
			again = "once more"
		}
		return again + " forgets all answers and notes"
	case form.TooLong:
		return overLong(w)
	case form.NotOffered:
		return notOffered(in, a)
	}
	if words := in.countedReason(w); words != "" {
		return words
	}
	return plainly[w.Reason]
}

const notesOff = " are off for this question"

// oneOnly says that several options were meant where one is wanted. In lines they come as numbers, or as the word for
// all of them.
func (in Speech) oneOnly(a keys.Action) string {
	const words = "only one option can be chosen here"
	if in.Face == FaceLines && a == deed.Digit {
		return words + ": type one number"
	}
	return words
}

// plainly holds the reasons that need neither key nor number.
var plainly = map[form.Reason]string{
	form.NothingRecommended:   "nothing here is recommended",
	form.NoOptions:            "there are no options to find",
	form.NothingIsHidden:      "no option is hidden here",
	form.NeverHiddenHere:      "the options of an approval cannot be hidden",
	form.LastOptions:          "the last options that an answer needs cannot be hidden",
	form.NotForApprovals:      "an approval is decided as it stands",
	form.NothingMarked:        "nothing is marked",
	form.NothingAnswered:      "nothing is answered yet",
	form.NothingMatches:       "nothing matches",
	form.NothingChosen:        "move to an option first",
	form.NothingYet:           "nothing marked yet",
	form.Unacceptable:         "this cannot be sent as it is",
	form.ConfirmationWaits:    "it is not confirmed yet",
	form.ConfirmationNotShown: "there is nothing to confirm here",
}

// countedReason returns the words of a reason with numbers in it; empty: it has no numbers.
func (in Speech) countedReason(w form.WhyNot) string {
	side, tooMany := in.Face.side, fmt.Sprintf("%d are too many: %s", w.Have, in.Wanted)
	switch w.Reason {
	case form.NoSuchOption:
		return fmt.Sprintf("there is no option %d", w.Have) + side(" here", fmt.Sprintf(": they go from 1 to %d", w.Of))
	case form.OptionHidden:
		return fmt.Sprintf("option %d is hidden", w.Have) + side("", ": the word hidden shows it first")
	case form.NoSuchQuestion:
		return fmt.Sprintf("there is no question %d", w.Have)
	case form.TooManyRecommended:
		return side(fmt.Sprintf("%d are recommended, at most %d may be marked", w.Have, w.Most), tooMany)
	case form.TooMany:
		return side(fmt.Sprintf("at most %d of %d may be marked", w.Most, w.Of), tooMany)
	case form.TooFew:
		return fmt.Sprintf("%d marked, %s needed", w.Have, spanWanted(w))
	case form.Full:
		return fmt.Sprintf("%d of %d marked: unmark one first", w.Have, w.Most)
	}
	return ""
}

// nothingUnder says that the action has no effect on the row under the cursor.
func nothingUnder(a keys.Action) string {
	switch a {
	case deed.Note:
		return "a note is on an option: move to one first"
	case deed.Hide:
		return "move to the option first"
	case deed.Allow, deed.Refuse:
		return "only what an agent asks to be allowed is allowed or refused"
	}
	return "there is nothing to mark here"
}

// enterVerb names the effect of Enter on the option under the dot.
func enterVerb(step form.Step) string {
	switch step {
	case form.StepTake:
		return "takes"
	case form.StepConfirm:
		return "goes on with"
	}
	return "sends"
}

func notesOrComments(a keys.Action) string {
	if a == deed.Comment {
		return "comments"
	}
	return "notes"
}

// overLong names the text that is too long to be sent, and by how much.
func overLong(w form.WhyNot) string {
	which := map[form.Field]string{form.FieldText: "your words: ", form.FieldNote: "a note: ",
		form.FieldComment: "the comment: "}
	return fmt.Sprintf("%s%s too many: at most %d", which[w.Field], Count(w.Have-w.Most, unitOf(w.Field)), w.Most)
}
