package queue

import (
	"cmp"
	"slices"
	"time"
)

// RoleNotice is announced for an agent that needs its person in its own pane, by a process that follows the agent. The
// announcement ends once the agent continues or is gone. Who does not know the role sees a process that runs, and no
// question: nothing waits here for an answer.
const RoleNotice = "notice"

// KindNotice is the kind of a notice where it is handled as a question is: told to a person who looks elsewhere. It is
// never stored.
const KindNotice = "notice"

// Notice says that an agent waits for its person in its own pane, as its Presence announces it. The Origin beside it
// says which agent.
type Notice struct {
	Says string    `json:"says,omitempty"` // in the agent's words
	Idle bool      `json:"idle,omitempty"` // it has finished, and waits for the next prompt
	At   time.Time `json:"at"`
}

// NoticesAmong returns the notices among those who run: the newest of each agent, first those that ask for something,
// then the oldest.
func NoticesAmong(present []Presence) (notices []Presence) {
	for _, p := range present {
		if p.Role != RoleNotice || p.Notice == nil || p.Origin == nil {
			continue
		}
		same := func(other Presence) bool { return other.Origin.SameAgent(*p.Origin) }
		switch at := slices.IndexFunc(notices, same); {
		case at < 0:
			notices = append(notices, p)
		case p.Notice.At.After(notices[at].Notice.At):
			notices[at] = p
		}
	}
	slices.SortFunc(notices, func(a, b Presence) int {
		return cmp.Or(-compareBool(!a.Notice.Idle, !b.Notice.Idle), a.Notice.At.Compare(b.Notice.At),
			cmp.Compare(a.Instance, b.Instance))
	})
	return notices
}
