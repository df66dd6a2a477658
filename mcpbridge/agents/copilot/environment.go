package copilot

import "github.com/choicetui/choicetui/mcpbridge/agents/agent"

// Variables lists the environment variables of Copilot CLI.
var Variables = []agent.Variable{
	{Names: "COPILOT_HOME", Means: "Where Copilot CLI keeps its files. Default: ~/.copilot."},
}
