package gemini

import (
	"time"

	"github.com/choicetui/choicetui/mcpbridge/call"
)

// Client tells what Gemini CLI is known for as a client of MCP. It gives a call up after 600 seconds.
var Client = call.Client{Name: "gemini", SoftLimit: 570 * time.Second, Stopped: isStopped}
