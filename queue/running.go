package queue

import "context"

// Running says which processes run now, by their instances.
func (q *Queue) Running(ctx context.Context) (runs func(instance string) bool, err error) {
	present, err := q.Store.Present(ctx)
	if err != nil {
		return nil, err
	}
	running := make(map[string]bool, len(present))
	for _, p := range present {
		running[p.Instance] = true
	}
	return func(instance string) bool { return running[instance] }, nil
}

// DashboardOpen reports whether a dashboard is open.
func (q *Queue) DashboardOpen(ctx context.Context) (bool, error) {
	present, err := q.Store.Present(ctx, RoleDashboard)
	return len(present) > 0, err
}
