package say

import "time"

// The portal's words for somebody whom it does not let in. A wrong token, a used one and a missing one sound the same:
// the words tell a stranger nothing.
const (
	LinkNeeded  = "This page needs a new link"
	LinkHow     = "A link works once, and not for long. On the machine where choicetui runs, type"
	LinkCommand = "choicetui web"
	LinkWanted  = "this page needs a new link: run " + LinkCommand
)

// PairClosed says that no device is paired for so long, and why.
func PairClosed(left time.Duration) string {
	return "five wrong tokens came within a minute, so no device is let in for another " + Spoken(left, time.Second)
}
