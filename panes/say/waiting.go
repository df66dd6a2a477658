package say

import (
	"fmt"
	"strings"
)

// Waiting says how many questions are pending, and how many of them have no caller any more: every screen uses this
// count.
func Waiting(n, gone int) string {
	words := fmt.Sprintf("%d waiting", n)
	switch n {
	case 0:
		words = nothingElse
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

// NothingWaits is said in lines and by commands where the queue is empty.
const NothingWaits = "Nothing is waiting."

const nothingElse = "nothing else is waiting"

// NothingWaiting is said where no question is on view either.
const NothingWaiting = "nothing waiting"

// Stay says what quitting leaves behind.
func Stay(n int) string {
	if n == 1 {
		return "1 question stays in the queue"
	}
	return fmt.Sprintf("%d questions stay in the queue", n)
}

// NothingFound is said where a narrowed queue has no row; empty: it is not narrowed.
func NothingFound(find string) string {
	if find == "" {
		return ""
	}
	return "nothing matches /" + OneLine(find)
}

// NoStep says why there is no question to step to, n from the one on view: of those listed, out of those that wait,
// narrowed by find. That it was the last of them is said only behind what Enter does, which has not changed.
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
		return NoOther(FaceScreen), nil
	}
	return "", Tail{"this is " + end + of, end + of, end, ""}
}

// NoOther says that there is nothing to step to.
func NoOther(f Face) string { return f.sentence(nothingElse) }

// PasteWhere says which keys open a field that pasted text may go into. question: there is one to write into.
func PasteWhere(open []string, question bool) string {
	const words = "paste goes into text"
	n := len(open)
	switch {
	case n == 0, !question:
		return words
	case n > 1:
		open = []string{strings.Join(open[:n-1], ", "), open[n-1]}
	}
	return words + ": press " + strings.Join(open, " or ") + " first"
}

// The way back from a narrowed list, and the same where room is short.
const ShowAll, ShowAllShort = "show all again", "show all"
