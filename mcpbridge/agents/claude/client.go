package claude

import (
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/call"
)

// mcpClient tells what Claude Code is known for as a client of MCP.
var mcpClient = call.Client{Name: client, WaitsOnProgress: true, ToolUse: toolUseIn}

// mostToolUse limits the bytes of Claude Code's name for a call.
const mostToolUse = 64

// toolUseIn returns Claude Code's own name for the call, which is in its transcript; empty: it gave none.
func toolUseIn(meta map[string]any) string {
	name, _ := meta["claudecode/toolUseId"].(string)
	if len(name) > mostToolUse || strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		return ""
	}
	return name
}
