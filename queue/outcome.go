package queue

import (
	"time"
)

// Outcome is how a session ended: one of the statuses, by whom, through which surface, when.
type Outcome struct {
	Status  string    `json:"status"`
	By      string    `json:"by"`
	Surface string    `json:"surface,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	Answer  Answer    `json:"answer"`
	At      time.Time `json:"at"` // of a timeout: the deadline, whoever noticed
}

// Answered reports whether a person chose or wrote something.
func (o Outcome) Answered() bool {
	return o.Status == StatusSelected || o.Status == StatusCustom
}

// statusOf is selected for any id or an empty multi whose min is 0, custom_input for text alone.
func statusOf(ans Answer) string {
	text := false
	for _, r := range ans.Replies {
		if len(r.Selected) > 0 {
			return StatusSelected
		}
		text = text || r.Text != ""
	}
	if text {
		return StatusCustom
	}
	return StatusSelected
}
