package say

import "github.com/choicetui/choicetui/queue"

// draftedIn says where a draft was made that another running process keeps, by the role of that process.
var draftedIn = map[string]string{
	queue.RoleDashboard: "drafted in another dashboard",
	queue.RoleAttach:    "drafted with choicetui attach",
	queue.RolePortal:    "drafted in the browser",
}

// Drafted says where the answer on view comes from, by the role of the process that keeps it as a draft. Without a role
// that process has ended, or the draft is this seat's own, which a screen does not mention.
func Drafted(role string, f Face) string {
	words := draftedIn[role]
	if words == "" {
		return f.side("drafted before", "From your draft")
	}
	if role == queue.RoleDashboard && f == FacePage {
		words = "drafted in the dashboard"
	}
	return f.side(words, Capital(words))
}
