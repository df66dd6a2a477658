package form

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Hints returns the lines by which the agent says that the question on view is one for the team, each without its mark.
// A face shows them above the prompt; Text and Shared leave them out. They change nothing that can be chosen.
func Hints(f *Form) []string {
	_, hints := CutHints(f.ask.Prompt)
	if f.Several() || f.Here().Text != f.ask.Title {
		_, own := CutHints(f.Here().Text)
		hints = append(hints, own...)
	}
	return hints
}

// CutHints takes such lines out of a prompt, with the blank lines that are left at its beginning. Hints that say
// nothing are dropped.
func CutHints(prompt string) (rest string, hints []string) {
	rest, all := widen.TakeHints(prompt)
	if len(all) == 0 {
		return prompt, nil
	}
	for _, hint := range all {
		if !queue.Blank(hint) {
			hints = append(hints, strings.TrimSpace(hint))
		}
	}
	return strings.TrimLeft(rest, "\r\n"), hints
}
