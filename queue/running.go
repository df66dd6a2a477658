package queue

import (
	"context"
	"slices"
)

// Running says which processes run now, by their instances.
func (q *Queue) Running(ctx context.Context) (runs func(instance string) bool, err error) {
	present, err := q.Store.Present(ctx)
	if err != nil {
		return nil, err
	}
	return RunningAmong(present), nil
}

// RunningAmong says the same of those who were read before.
func RunningAmong(present []Presence) (runs func(instance string) bool) {
	running := make(map[string]bool, len(present))
	for _, p := range present {
		running[p.Instance] = true
	}
	return func(instance string) bool { return running[instance] }
}

// DashboardAmong reports whether one of those who were read before is a dashboard.
func DashboardAmong(present []Presence) bool {
	return slices.ContainsFunc(present, func(p Presence) bool { return p.Role == RoleDashboard })
}

// DashboardOpen reports whether a dashboard is open.
func (q *Queue) DashboardOpen(ctx context.Context) (bool, error) {
	present, err := q.Store.Present(ctx, RoleDashboard)
	return DashboardAmong(present), err
}
