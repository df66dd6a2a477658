package opencode

import "github.com/choicetui/choicetui/mcpbridge/call"

// Client tells what opencode is known for as a client of MCP.
var Client = call.Client{Name: client, WaitsOnProgress: true}
