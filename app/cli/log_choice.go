package cli

import (
	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// eventUserChoice is the name in `log --json` of the first event of a requestUserChoice, with the arguments that
// programs following the trail show on their own (docs/contract.md section 6).
const eventUserChoice = "user_choice_required"

// userChoice holds the question of a requestUserChoice, beside the event.
type userChoice struct {
	Question string                   `json:"question"`
	Options  []dialect.RequiredOption `json:"options"`
}

// asUserChoice names the event as such programs know it; every other event stays as it is.
func (e entry) asUserChoice(s queue.Session) entry {
	if question, options, ok := dialect.RequiredChoice(s); ok && e.Event == queue.EventAsked {
		e.Event, e.userChoice = eventUserChoice, &userChoice{Question: question, Options: options}
	}
	return e
}
