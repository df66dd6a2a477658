package gemini

import "github.com/choicetui/choicetui/mcpbridge/agents/agent"

// Variables lists the environment variables of Gemini CLI.
var Variables = []agent.Variable{
	{Names: "GEMINI_CLI_HOME", Means: "The directory in which Gemini CLI keeps .gemini. Default: ~."},
}
