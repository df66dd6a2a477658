package say

import "github.com/choicetui/choicetui/queue"

// ownSent limits the characters that are repeated of an answer that did not count.
const ownSent = 80

// TooLate says what the person sent for a question that had ended by then, and that it does not count.
func TooLate(s queue.Session, sent queue.Action) string {
	const doesNotCount = " It came too late and does not count."
	switch do := sent.(type) {
	case queue.Settle:
		if words := s.Ask.Summary(do.Answer); words != "" {
			return "You had sent “" + Short(words, ownSent) + "”." + doesNotCount
		}
	case queue.Cancel:
		return "You had cancelled it. That came too late and does not count."
	}
	return "You had sent an answer." + doesNotCount
}

// CameTooLate says in the list of answers that an answer did not count because the agent had been answered before.
const CameTooLate = "too late"

// AnswerTooLate returns an answer that did not count.
func AnswerTooLate(answer string) string { return CameTooLate + ": " + answer }
