package opencode

import "github.com/choicetui/choicetui/mcpbridge/call"

// mcpClient tells what opencode is known for as a client of MCP.
var mcpClient = call.Client{Name: client, WaitsOnProgress: true}
