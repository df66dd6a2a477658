package panes

import (
	"fmt"
)

// SubmitsAtOnce reports whether choosing an option answers with it.
func (f *Form) SubmitsAtOnce() bool { return f.q().SingleSubmit && f.Radio() }

// Offers reports whether a key of the table has something to do on this form, for the foot.
func (f *Form) Offers(a Action) bool {
	q := f.q()
	options := len(q.Options)
	switch a {
	case ActMark, ActAll:
		return !f.Radio() && options > 1
	case ActDigit:
		return options > 0
	case ActRecommended:
		return !f.Radio() && options > 0
	case ActFind:
		return options > 9
	case ActNote:
		return q.Annotate && options > 0
	case ActComment:
		return f.annotates()
	case ActText:
		return q.TakesText()
	case ActTabNext, ActAllRec:
		return f.Several()
	}
	return true
}

// Digits is the range of digits that reach an option, or in the review a question; own keys stay as they are.
func (f *Form) Digits(shown string) string {
	n := min(len(f.q().Options), 9)
	if f.Reviewing() {
		n = min(len(f.tabs), 9)
	}
	switch {
	case shown != "1-9":
		return shown
	case n == 1:
		return "1"
	}
	return fmt.Sprintf("1-%d", n)
}

// CutOption reports whether the option under the cursor was drawn with less than its whole text.
func (f *Form) CutOption() bool { return f.cut }
