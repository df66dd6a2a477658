package cli

import (
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
)

// processOrigin describes the agent that started this process.
func processOrigin() queue.Origin { return call.ProcessOrigin(agents.Servers()) }
