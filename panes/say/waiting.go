package say

import (
	"fmt"
)

// Waiting returns words that count the pending questions, and those whose agent does not wait any more (gone). Every
// place that shows the number uses these words.
func Waiting(n, gone int) string {
	words := fmt.Sprintf("%d waiting", n)
	switch n {
	case 0:
		words = NothingElse
	case 1:
		words = "1 waiting"
	}
	switch {
	case gone == 0:
		return words
	case n == 1:
		return words + " (agent gone)"
	}
	return fmt.Sprintf("%s (%d gone)", words, gone)
}

// NothingWaits says in lines and in commands that the queue is empty.
const NothingWaits = "Nothing is waiting."

// NothingElse says that there is no other question to go to, and no other area of the screen.
const NothingElse = "nothing else is waiting"

// NothingWaiting tells on a screen that no question is pending or on view.
const NothingWaiting = "nothing waiting"

// Stay counts the questions that are left in the queue after quitting.
func Stay(n int) string {
	if n == 1 {
		return "1 question stays in the queue"
	}
	return fmt.Sprintf("%d questions stay in the queue", n)
}

// NothingFound tells that no question matches the words that narrow the queue. It is empty if the queue is not
// narrowed.
func NothingFound(find string) string {
	if find == "" {
		return ""
	}
	return "nothing matches /" + OneLine(find)
}

// NoStep explains why there is no question n steps from the question on view. listed of the waiting questions match
// find. At the first or the last question the reason is only shown behind the Enter line (aside), because that line
// stays as it is.
func NoStep(n, listed, waiting int, find string) (message string, aside Tail) {
	end, of := "the last", fmt.Sprintf(" of %d", listed)
	if n < 0 {
		end = "the first"
	}
	if find != "" {
		of += " that match"
	}
	switch {
	case listed == 0 && find != "":
		return NothingFound(find), nil
	case waiting < 2:
		return NothingElse, nil
	}
	return "", Tail{"this is " + end + of, end + of, end, ""}
}

// ShowAll and ShowAllShort are the words for a key that lists everything again after a filter.
const ShowAll, ShowAllShort = "show all again", "show all"
