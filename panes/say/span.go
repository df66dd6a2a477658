package say

import (
	"fmt"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// span is a number, or two where they differ: 2, 2 to 3.
func span(least, most int) string {
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// spanWanted is how many are to be marked.
func spanWanted(w form.WhyNot) string { return span(w.Least, w.Most) }

// Marking says on a screen how many options of a question to mark, and how many are: "Mark 2 to 3 of 12. 1 marked."
// hidden of them are not shown; shows is the key that shows them, empty where there is none.
func Marking(q queue.Question, marked, hidden int, shows string) string {
	n := len(q.Options)
	want := fmt.Sprintf("Mark %s of %d.", span(q.Min, q.Max), n)
	switch {
	case q.Min == 0 && q.Max == n:
		want = fmt.Sprintf("Mark any of %d.", n)
	case q.Min == 0:
		want = fmt.Sprintf("Mark up to %d of %d.", q.Max, n)
	case q.Max == n:
		want = fmt.Sprintf("Mark %d or more of %d.", q.Min, n)
	}
	want += fmt.Sprintf(" %d marked.", marked)
	if hidden > 0 {
		want += fmt.Sprintf(" %d of them hidden%s.", hidden, Keyed(" (", shows, ")"))
	}
	return want
}

// Wanted says in lines how many options an answer takes: "one is wanted", "2 to 3 of 12 are wanted".
func Wanted(q queue.Question) string {
	count := fmt.Sprintf("%s of %d are wanted", span(q.Min, q.Max), len(q.Options))
	if q.Mode == queue.ModeSingle || q.Radio() {
		count = "one is wanted"
	}
	switch { // text never counts towards the minimum
	case q.Mode == queue.ModeHybrid && q.Radio(), q.Mode == queue.ModeHybrid && q.Min == 0:
		count += ", or your own words"
	case q.Mode == queue.ModeHybrid:
		count += ", your own words may go with them"
	}
	return count
}
