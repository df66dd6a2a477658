package say

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue/form"
)

// WhyNot says why an action of a form did nothing; empty: it did. step is what Enter would do with a complete answer
// there: send it, take it, or go on to the confirmation.
func WhyNot(w form.WhyNot, a keys.Action, step form.Step, in Speech) string {
	key := func(of keys.Action) string { return in.Keys.KeyOf(keys.PlaceQuestion, of) }
	switch w.Reason {
	case form.Free:
		return ""
	case form.NothingHere:
		return nothingUnder(a)
	case form.OnOwnWords:
		return nothingUnder(a) + Keyed(": ", key(keys.ActText), " types your words")
	case form.FollowsCursor:
		return "the dot follows the cursor: " + in.Enter + " " + enterVerb(step)
	case form.OneAnswerOnly:
		return "one answer only here" + Keyed(": ", key(keys.ActAll), " marks several")
	case form.OptionsOnly:
		return "this one takes its options only" + Keyed(": ", key(keys.ActCancel), " cancels it and tells why")
	case form.NotesOff:
		return notesOrComments(a) + " are off for this question"
	case form.NotesOffInSettings:
		return notesOrComments(a) + " are off in the settings" + Keyed(": ", key(keys.ActSettings), "")
	case form.PressAgain:
		return in.Keys.KeyOf(keys.PlaceReview, keys.ActStartOver) + " again forgets all answers and notes"
	case form.TooLong:
		return overLong(w)
	}
	if words := countedReason(w); words != "" {
		return words
	}
	return plainly[w.Reason]
}

// plainly are the reasons that need neither key nor number.
var plainly = map[form.Reason]string{
	form.WordsOnly:            "this one takes your own words only",
	form.NothingRecommended:   "nothing here is recommended",
	form.NoOptions:            "there are no options to find",
	form.NothingIsHidden:      "no option is hidden here",
	form.NeverHiddenHere:      "nothing is hidden in an approval",
	form.LastOptions:          "the last options an answer needs are never hidden",
	form.NothingAnswered:      "nothing is answered yet",
	form.NothingMatches:       "nothing matches",
	form.NothingChosen:        "move to an option first",
	form.NothingYet:           "nothing marked yet",
	form.Unacceptable:         "this cannot be sent as it is",
	form.ConfirmationWaits:    "it is not confirmed yet",
	form.ConfirmationNotShown: "there is nothing to confirm here",
}

// countedReason says the reasons that have numbers; empty: it is none of these.
func countedReason(w form.WhyNot) string {
	switch w.Reason {
	case form.NoSuchOption:
		return fmt.Sprintf("there is no option %d here", w.Have)
	case form.OptionHidden:
		return fmt.Sprintf("option %d is hidden", w.Have)
	case form.NoSuchQuestion:
		return fmt.Sprintf("there is no question %d", w.Have)
	case form.TooManyRecommended:
		return fmt.Sprintf("%d are recommended, at most %d may be marked", w.Have, w.Most)
	case form.TooMany:
		return fmt.Sprintf("at most %d of %d may be marked", w.Most, w.Of)
	case form.TooFew:
		return fmt.Sprintf("%d marked, %s wanted", w.Have, spanWanted(w))
	case form.Full:
		return fmt.Sprintf("%d of %d marked: unmark one first", w.Have, w.Most)
	}
	return ""
}

// nothingUnder says that the cursor is on nothing that an action is for.
func nothingUnder(a keys.Action) string {
	switch a {
	case keys.ActNote:
		return "a note is on an option: move to one first"
	case keys.ActHide:
		return "move to the option first"
	}
	return "there is nothing to mark here"
}

// enterVerb is what Enter does with the option under the dot.
func enterVerb(step form.Step) string {
	switch step {
	case form.StepTake:
		return "takes it"
	case form.StepConfirm:
		return "goes on to the confirmation"
	}
	return "sends it"
}

func notesOrComments(a keys.Action) string {
	if a == keys.ActComment {
		return "comments"
	}
	return "notes"
}

// overLong says which text is too long to be sent, and by how much.
func overLong(w form.WhyNot) string {
	which := map[form.Field]string{form.FieldText: "your words: ", form.FieldNote: "a note: ",
		form.FieldComment: "the comment: "}
	return fmt.Sprintf("%s%s too many: at most %d", which[w.Field], Count(w.Have-w.Most, unitOf(w.Field)), w.Most)
}
