package say

// The states of a question as a person reads them, in every place. Code and JSON have finer ones.
const (
	stateWaiting   = "waiting"
	stateAnswered  = "answered"
	stateDelivered = "delivered"
	stateCancelled = "cancelled"
	stateTimedOut  = "timed out"
	stateWithdrawn = "withdrawn" // cancelled by the agent that asked
	stateLost      = "gone"      // no longer in the queue, though nobody ended it
)

// Closed says of a question on screen that it has ended, however it did.
const Closed = "this question is closed"

// ClosedQuestion is the Enter line of such a question; back is the key that leaves it.
func ClosedQuestion(back string) Line {
	return Words(Closed).With(Piece{Forms: []string{Keyed(": ", back, " goes on"), ""}})
}
