package desk

import "github.com/choicetui/choicetui/queue"

// AbandonedSessions are those of the live sessions that belong to one call whose caller is gone. Nobody can collect
// their answer, so nobody should write one: a face has them swept at once, and does not wait for its next sweep.
func AbandonedSessions(live map[string]queue.Session, alive func(instance string) bool) []queue.Session {
	var gone []queue.Session
	for _, s := range live {
		if s.Outcome == nil && s.Bound() && s.Gone(alive) {
			gone = append(gone, s)
		}
	}
	return gone
}
