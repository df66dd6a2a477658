package agents

import (
	"github.com/choicetui/choicetui/mcpbridge/agents/cline"
	"github.com/choicetui/choicetui/mcpbridge/agents/codex"
	"github.com/choicetui/choicetui/mcpbridge/agents/opencode"
	"github.com/choicetui/choicetui/queue"
)

// Servers returns the servers of many agents.
func Servers() queue.SharedServers {
	return queue.SharedServers{codex.Server, cline.Server, opencode.Server}
}
