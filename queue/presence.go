package queue

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Roles of a running process.
const (
	RoleDashboard = "dashboard"
	RoleAttach    = "attach"
	RoleBridge    = "bridge"
	RolePortal    = "portal"
	RoleListener  = "listener" // the agent in Origin has a next_message call open
	RoleTaker     = "taker"    // accepts messages for the sessions whose Origin.Instance is its own
	RoleVisitor   = "visitor"  // a command on another host that looks at this queue for a moment
	RoleServer    = "server"   // an MCP server whose tools its agent knows; Origin.PID is the agent
)

// Presence announces that a process runs now.
type Presence struct {
	Instance string  `json:"instance"`
	Role     string  `json:"role"`
	Origin   *Origin `json:"origin,omitempty"` // the agent of a listener, a notice or a server
	Notice   *Notice `json:"notice,omitempty"` // only for RoleNotice
	Remote   bool    `json:"-"`                // the process works on another host's queue
}

// Running returns a function that reports whether an instance's process runs now.
func (q *Queue) Running(ctx context.Context) (runs func(instance string) bool, err error) {
	present, err := q.Store.Present(ctx)
	if err != nil {
		return nil, err
	}
	return RunningAmong(present), nil
}

// RunningAmong returns the function of Running for presences that were read before.
func RunningAmong(present []Presence) (runs func(instance string) bool) {
	running := make(map[string]bool, len(present))
	for _, p := range present {
		running[p.Instance] = true
	}
	return func(instance string) bool { return running[instance] }
}

// DashboardAmong reports whether one of the presences is a dashboard's.
func DashboardAmong(present []Presence) bool {
	return slices.ContainsFunc(present, func(p Presence) bool { return p.Role == RoleDashboard })
}

// DashboardOpen reports whether a dashboard is open.
func (q *Queue) DashboardOpen(ctx context.Context) (bool, error) {
	present, err := q.Store.Present(ctx, RoleDashboard)
	return DashboardAmong(present), err
}

// RoleNotice announces that an agent needs its person in its own pane. The process that follows the agent announces
// it, until the agent continues or is gone. A notice is not a question, and nothing can be answered here.
const RoleNotice = "notice"

// KindNotice is the Ask.Kind of a notice in the code that notifies the person of questions. It is never stored.
const KindNotice = "notice"

// Notice describes why an agent waits for its person in its own pane. The Origin of the same Presence names the
// agent.
type Notice struct {
	Says string    `json:"says,omitempty"` // the agent's words, or the title of its prompt
	Idle bool      `json:"idle,omitempty"` // the agent has finished and waits for the next prompt
	At   time.Time `json:"at"`
	// Why says why a prompt that came here cannot be answered here; empty: the agent only said that it needs its
	// person.
	Why Unfit `json:"why,omitempty"`
	// Unasked means that the agent has no dialog, so that it refuses what it wanted to ask.
	Unasked bool `json:"unasked,omitempty"`
}

// Unfit is the reason why a prompt of an agent cannot be answered here. The list is closed.
type Unfit string

// Values of Unfit.
const (
	UnfitAnswer Unfit = "answer" // the agent takes no answer of this kind from another program
	UnfitSecret Unfit = "secret" // it asks for a secret, and the queue is stored on disk
	UnfitLarge  Unfit = "large"  // what would be decided takes more than MaxDecided bytes
	UnfitShown  Unfit = "shown"  // what would be decided cannot be shown whole
)

// NeededAmong counts the notices of agents that need the person now, without those that wait for the next prompt.
func NeededAmong(notices []Presence) (n int) {
	for _, one := range notices {
		if !one.Notice.Idle {
			n++
		}
	}
	return n
}

// isNotice reports whether the presence is a complete notice.
func (p Presence) isNotice() bool { return p.Role == RoleNotice && p.Notice != nil && p.Origin != nil }

// NoticesAmong returns, among the running processes, each notice with a reason, and of each other agent the newest
// notice. Notices that need a decision come first, then idle agents; each group begins with the oldest.
func NoticesAmong(present []Presence) (notices []Presence) {
	for _, p := range present {
		if p.isNotice() && p.Notice.Why != "" {
			notices = append(notices, p)
		}
	}
	for _, p := range present {
		if !p.isNotice() || p.Notice.Why != "" {
			continue
		}
		same := func(other Presence) bool { return other.Origin.SameAgent(*p.Origin) }
		switch at := slices.IndexFunc(notices, same); {
		case at < 0:
			notices = append(notices, p)
		case notices[at].Notice.Why == "" && p.Notice.At.After(notices[at].Notice.At):
			notices[at] = p
		}
	}
	slices.SortFunc(notices, func(a, b Presence) int {
		return cmp.Or(-compareBool(!a.Notice.Idle, !b.Notice.Idle), a.Notice.At.Compare(b.Notice.At),
			cmp.Compare(a.Instance, b.Instance))
	})
	return notices
}
