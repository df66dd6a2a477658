package queue

import "context"

// Counter is a Store that can say how many sessions History holds without reading them. Stores need not be one: who
// asks does without the number otherwise.
type Counter interface {
	CountHistory(ctx context.Context) (int, error)
}
