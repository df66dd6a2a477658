package codex

import "github.com/choicetui/choicetui/mcpbridge/agents/agent"

// Variables lists the environment variables of Codex.
var Variables = []agent.Variable{{Names: "CODEX_HOME", Means: "Where Codex keeps its files. Default: ~/.codex."}}
