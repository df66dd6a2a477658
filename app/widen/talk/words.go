package talk

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// Words typed at the end of a line that asks.
const (
	whyPrompt   = "Optional rationale (press Enter to skip):"
	typedCancel = "!cancel" // typed at any of them it ends the interview, which can be resumed
)

// agentsHint returns an agent's reason for asking the team.
func agentsHint(words string) toned { return toned{toneDim, say.OneLine(words), ""} }

// titleMost limits the characters of a question in a sentence about it.
const titleMost = 60

const saving = "Saving"

var decisionDeferred = toned{toneYellow, "Decision deferred.", ""}

func numberedOptions(q queue.Question) (rows []string) {
	for i, o := range q.Options {
		rows = append(rows, fmt.Sprintf("  %d: %s", i+1, say.OneLine(o.Label)))
	}
	return rows
}
