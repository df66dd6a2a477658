package gemini

import (
	"time"

	"github.com/choicetui/choicetui/mcpbridge/call"
)

// mcpClient tells what Gemini CLI is known for as a client of MCP. It gives a call up after 600 seconds.
var mcpClient = call.Client{Name: "gemini", SoftLimit: 570 * time.Second, Stopped: isStopped}
