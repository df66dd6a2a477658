package rules

import (
	"path/filepath"

	"github.com/choicetui/choicetui/queue"
)

// Alike reports whether two approvals are of one kind: the same agent wants to use the same tool in the same directory.
// What exactly it wants may be another each time. Neither says whether it is marked; see Plain.
func Alike(a, b queue.Session) bool {
	if a.Ask.Kind != queue.KindApproval || b.Ask.Kind != queue.KindApproval { // most sessions are no approvals
		return false
	}
	x, y := a.Ask.Approval, b.Ask.Approval
	return x != nil && y != nil && a.Origin.Native() && b.Origin.Native() && !queue.Blank(x.Tool) && x.Tool == y.Tool &&
		a.Origin.Client != "" && a.Origin.Client == b.Origin.Client &&
		filepath.IsAbs(x.Dir) && filepath.Clean(x.Dir) == filepath.Clean(y.Dir)
}

// Plain reports whether an approval is decided by one choice and has no marks: an approval with marks is confirmed
// separately.
func Plain(s queue.Session) bool {
	a := s.Ask
	return a.Kind == queue.KindApproval && a.Approval != nil && len(a.Approval.Marks) == 0 && !a.Confirm &&
		len(a.Questions) == 1 && a.Questions[0].Mode == queue.ModeSingle
}
