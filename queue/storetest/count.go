package storetest

import "context"

// CountHistory counts the archived sessions.
func (m *Memory) CountHistory(ctx context.Context) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.done), ctx.Err()
}
