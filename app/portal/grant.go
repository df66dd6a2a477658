package portal

import "github.com/choicetui/choicetui/queue"

// Grant is what somebody may do who was let in.
type Grant struct {
	Session string // the web session, for ending it; never shown
	Only    string // the one question that this link opens; empty: everything
	Given   string // to which agent the link was given; empty: the person opened it
	Device  string // the paired device's id; empty: this machine
}

// MaySettings reports whether the settings may be seen and changed.
func (g Grant) MaySettings() bool { return g.Device == "" && g.Only == "" }

// MayOpen reports whether a question may be opened and answered.
func (g Grant) MayOpen(q queue.Session) bool {
	return g.Only == "" || g.Only == q.ID && q.Ask.Kind != queue.KindApproval && !q.Ask.Confirm
}
