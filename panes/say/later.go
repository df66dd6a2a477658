package say

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Later says until when a question is set aside: "later 14:02".
func Later(s queue.Session) string {
	if s.LaterUntil == nil {
		return ""
	}
	return "later " + s.LaterUntil.Local().Format("15:04")
}

// laterWords reads the trail's own words for a question that was set aside
// (`until 2026-11-20T14:02:00Z, deadline +600s to 2026-11-20T14:08:00Z`).
func laterWords(detail string) string {
	aside, moved, _ := strings.Cut(strings.TrimPrefix(detail, "until "), ", deadline ")
	until, err := time.Parse(time.RFC3339, aside)
	if err != nil {
		return behind(detail)
	}
	words := fmt.Sprintf(": until %s", until.Local().Format("15:04:05"))
	if moved != "" {
		words += "; its time" + movedWords(moved)
	}
	return words
}
