package gemini

import (
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/queue"
)

// ReadNotice reads the input of Gemini CLI's notification hook. ok is false if the notification needs nobody.
func ReadNotice(raw []byte, _ int, now time.Time) (n prompt.Notice, ok bool) {
	e, ok := prompt.ReadHook(raw, prompt.Hooks{Client: "gemini-cli", OneSession: true}, nil)
	if !ok {
		return n, false
	}
	n, kind, ok := e.ReadNotice(now)
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
	if title = prompt.FirstLine(title); title != "" { // the title says more than the message
		n.Notice.Says = title
		if n.Command != "" {
			n.Notice.Says += ": " + n.Command
		}
		n.Notice.Says = queue.Shorten(n.Notice.Says, prompt.MostSaid, "…")
	}
	return n, true
}

// Following finds out whether Gemini CLI has continued since a notice.
var Following = prompt.Following{Entries: []string{"user", "gemini"}}
