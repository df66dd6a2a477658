package say

// The states of a question as a person reads them, in every place. queue.Endings has a word for each way to end.
const (
	stateWaiting   = "waiting"
	stateAnswered  = "answered"
	stateDelivered = "delivered"
	stateCancelled = "cancelled"
)

// Closed says of a question on screen that it has ended, however it did.
const Closed = "this question is closed"

// Back holds the effect of the key that leaves a closed question: behind the key's name, and in the foot.
type Back struct{ Does, Foot string }

// ClosedBack says what that key does: it brings up the next pending question, or leaves the screen that ends with the
// question.
func ClosedBack(ends bool) Back {
	if ends {
		return Back{Does: "leaves", Foot: Leave}
	}
	return Back{Does: "goes on", Foot: "go on"}
}
