package codex

import (
	"regexp"
	"sync"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/call"
)

// mcpClient tells what Codex is known for as a client of MCP. It gives a call up after 300 seconds, and sends the name
// of its session with every call.
var mcpClient = call.Client{Name: "codex", SoftLimit: 280 * time.Second, Thread: threadIn}

// threadIn returns Codex's own name for its session; empty: it gave none.
func threadIn(meta map[string]any) string {
	if name, _ := meta["threadId"].(string); threadName().MatchString(name) {
		return name
	}
	return ""
}

// threadName matches the names of sessions. It is compiled at its first use, because compiling it takes long and most
// processes never need it.
var threadName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z_.:-]{0,127}$`)
})
