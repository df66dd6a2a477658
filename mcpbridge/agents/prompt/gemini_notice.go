package prompt

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// GeminiNotice reads the input of Gemini CLI's notification hook. ok is false if the notification needs nobody.
func GeminiNotice(raw []byte, _ int, now time.Time) (n Notice, ok bool) {
	e, ok := readHook(raw, hookAgent{client: "gemini-cli"}, nil)
	if !ok {
		return n, false
	}
	n, kind, ok := e.readNotice(now)
	if !ok || kind != "ToolPermission" {
		return n, false
	}
	if said, isText := e.Text("timestamp"); isText {
		if at, err := time.Parse(time.RFC3339, said); err == nil && at.Before(now) {
			n.Notice.At = at // Gemini may write older entries down only after it has started the hook
		}
	}
	details, _ := e.Object.Child("details")
	title, _ := details.Text("title")
	n.Command, _ = details.Text("command")
	if title = firstLine(title); title != "" { // the title says more than the message
		n.Notice.Says = title
		if n.Command != "" {
			n.Notice.Says += ": " + n.Command
		}
		n.Notice.Says = queue.Shorten(n.Notice.Says, mostSaid, "…")
	}
	return n, true
}

// GeminiFollowing finds out whether Gemini CLI has continued since a notice.
var GeminiFollowing = Following{Entries: []string{"user", "gemini"}}
