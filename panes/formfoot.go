package panes

import (
	"fmt"
	"slices"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
)

// SubmitsAtOnce reports whether choosing an option answers with it.
func (f *Form) SubmitsAtOnce() bool { return f.q().SingleSubmit && f.Radio() }

// Offers reports whether a key of the table has something to do on this form, for the foot.
func (f *Form) Offers(a keys.Action) bool {
	q := f.q()
	options := len(q.Options)
	switch a {
	case keys.ActMark, keys.ActAll:
		return !f.Radio() && options > 1
	case keys.ActDigit:
		return options > 0
	case keys.ActRecommended:
		return !f.Radio() && options > 0
	case keys.ActFind:
		return options > 9
	case keys.ActNote:
		return q.Annotate && options > 0
	case keys.ActComment:
		return f.annotates()
	case keys.ActText:
		return q.TakesText()
	case keys.ActTabNext, keys.ActAllRec:
		return f.Several()
	case keys.ActHidden:
		return f.HiddenRows() > 0
	}
	return true
}

// Digits is how the keys are written that reach an option, or in the review a question.
func (f *Form) Digits() string {
	if f.Reviewing() {
		return f.rules.Keys.FirstKeys(keys.PlaceReview, keys.ActChangeOne, len(f.tabs))
	}
	return f.rules.Keys.FirstKeys(keys.PlaceQuestion, keys.ActDigit, len(f.q().Options))
}

// CutOption reports whether the title, or the option under the cursor, was drawn with less than its whole text and
// has not been read at full height.
func (f *Form) CutOption() bool { return f.cut || f.cutTitle }

// Drafted reports whether the form holds work worth a sign in the queue: text, marks or answers taken; a cursor that
// was moved is none.
func (f *Form) Drafted() bool {
	if !f.touched {
		return false
	}
	if f.Typed() != "" || f.Several() && f.Progress() != fmt.Sprintf("0 of %d answered", len(f.tabs)) {
		return true
	}
	start := queue.StartAnswer(f.Session.Ask)
	for i, r := range f.replies() {
		if q := f.Session.Ask.Questions[i]; !radio(q) && !slices.Equal(r.Selected, start.Replies[i].Selected) {
			return true
		}
	}
	return false
}

// verb is what Enter does with the option under the dot.
func (f *Form) verb() string {
	switch {
	case f.Several():
		return "takes it"
	case f.Session.Ask.Confirm:
		return "goes on to the confirmation"
	}
	return "sends it"
}
