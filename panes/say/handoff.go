package say

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// HandOff names the form that attach opened on a session, longest form first: how many others wait, what is wrong in
// place of what the person knows from the start. Empty parts are left out.
func HandOff(id string, others int, trouble, dot string) []string {
	named, once, more := "attach "+id, "works once", ""
	if others > 0 {
		more = fmt.Sprintf("%d more waiting", others)
	}
	if others == 1 {
		more = "1 more waiting"
	}
	if trouble != "" {
		once = trouble
	}
	var forms []string
	for _, parts := range [][]string{
		{named, once, more}, {"attach", once, more}, {once, more}, {once},
	} {
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
		forms = append(forms, strings.Join(parts, " "+dot+" "))
	}
	return forms
}

// HandOffEndedAt says on a page how and when the question ended that attach was opened on.
func HandOffEndedAt(o queue.Outcome) string {
	words, _ := EndedAt(o)
	if o.WantsDetail() { // the person asked, not the question
		return words
	}
	return "question " + words
}

// HandOffEnded says that the question which attach was opened on has ended, and which key leaves.
func HandOffEnded(key, dot string) string {
	return "this question ended " + dot + " " + key + " leaves"
}
