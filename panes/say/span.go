package say

import (
	"fmt"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// span returns a number, or two where they differ: 2, 2 to 3.
func span(least, most int) string {
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// spanWanted says how many options are to be marked, in the words over the options.
func spanWanted(w form.WhyNot) string {
	if w.Most == w.Of && w.Least < w.Of {
		return orMore(w.Least)
	}
	return span(w.Least, w.Most)
}

// orMore returns an amount without an upper limit.
func orMore(n int) string { return fmt.Sprintf("%d or more", n) }

// Marking says on a screen how many options of a question to mark, and how many are: "Mark 2 to 3 of 12. 1 marked."
// hidden of them are not shown; shows is the key that shows them, empty if it is unbound.
func Marking(q queue.Question, marked, hidden int, shows string) string {
	want := fmt.Sprintf("Mark %s. %d marked.", amount(q), marked)
	if hidden > 0 {
		want += fmt.Sprintf(" %d of them hidden%s.", hidden, Keyed(" (", shows, ")"))
	}
	return want
}

// amount says how many options of a question an answer may have: "2 to 3 of 12", "any of 12".
func amount(q queue.Question) string {
	n := len(q.Options)
	switch {
	case q.Min == 0 && q.Max == n:
		return fmt.Sprintf("any of %d", n)
	case q.Min == 0:
		return fmt.Sprintf("up to %d of %d", q.Max, n)
	case q.Max == n && q.Min < n:
		return fmt.Sprintf("%s of %d", orMore(q.Min), n)
	}
	return fmt.Sprintf("%s of %d", span(q.Min, q.Max), n)
}

// Wanted says in lines how many options an answer takes: "choose one", "choose 2 to 3 of 12".
func Wanted(q queue.Question) string {
	count := "choose " + amount(q)
	if q.Mode == queue.ModeSingle || q.Radio() {
		count = "choose one"
	}
	switch { // text never counts towards the minimum
	case q.Mode == queue.ModeHybrid && q.Radio(), q.Mode == queue.ModeHybrid && q.Min == 0:
		count += ", or type your own words"
	case q.Mode == queue.ModeHybrid:
		count += "; you may add your own words"
	}
	return count
}
