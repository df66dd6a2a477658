package plain

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// refusal says why a choice was not taken.
func refusal(q *form.Question, why form.WhyNot) string {
	switch why.Reason {
	case form.WordsOnly:
		return "This question has no options: it wants your words."
	case form.NoSuchOption:
		return fmt.Sprintf("There is no option %d: they go from 1 to %d.", why.Have, why.Of)
	case form.OptionHidden:
		return fmt.Sprintf("Option %d is hidden: the word hidden shows it first.", why.Have)
	case form.NothingRecommended:
		return "Nothing here is recommended."
	case form.OneAnswerOnly:
		return "Only one can be chosen here."
	}
	return fmt.Sprintf("%d are too many: %s.", why.Have, wanted(q.Question))
}

// lacks says what keeps Enter from doing anything; empty: nothing.
func lacks(f *form.Form, p form.Plan) string {
	q, why := f.Here(), p.WhyNot
	switch {
	case p.Step == form.StepType:
		return "No words yet."
	case p.Step != form.StepNothing:
		return ""
	case why.Reason == form.TooFew && why.Have > 0, why.Reason == form.TooFew && !queue.Blank(q.Words()),
		why.Reason == form.TooMany:
		return fmt.Sprintf("%d chosen, %s.", why.Have, wanted(q.Question))
	case why.Reason == form.NothingChosen, why.Reason == form.NothingYet, why.Reason == form.TooFew:
		return "Nothing is chosen yet, " + wanted(q.Question) + "."
	}
	problems := q.Problems()
	if why.Field == form.FieldComment {
		problems = append(problems, queue.Problem{Path: "comment", Wrong: fmt.Sprintf("has %d characters", why.Have),
			Want: fmt.Sprintf("at most %d", why.Most)})
	}
	words := make([]string, len(problems))
	for i, p := range problems {
		words[i] = p.String()
	}
	return "This cannot be sent: " + strings.Join(words, "; ") + "."
}

// summary is what goes out, in words: labels, own words, and what goes with them.
func summary(f *form.Form) string {
	a := f.Answer()
	words := f.Ask().Summary(a)
	notes := 0
	for _, r := range a.Replies {
		notes += len(r.Notes)
	}
	switch {
	case notes == 1:
		words += " + note"
	case notes > 1:
		words += fmt.Sprintf(" + %d notes", notes)
	}
	if !queue.Blank(a.Comment) {
		words += " + comment"
	}
	return words
}

// wanted says how many options an answer takes: "one is wanted", "2 to 3 of 12 are wanted".
func wanted(q queue.Question) string {
	count := fmt.Sprintf("%d to %d of %d are wanted", q.Min, q.Max, len(q.Options))
	switch {
	case q.Mode == queue.ModeSingle || q.Radio():
		count = "one is wanted"
	case q.Min == q.Max:
		count = fmt.Sprintf("%d of %d are wanted", q.Min, len(q.Options))
	}
	switch { // text never counts towards the minimum
	case q.Mode == queue.ModeHybrid && q.Radio(), q.Mode == queue.ModeHybrid && q.Min == 0:
		count += ", or your own words"
	case q.Mode == queue.ModeHybrid:
		count += ", your own words may go with them"
	}
	return count
}
