// Package connect is how agents are told about choicetui: the lines `choicetui help connect`, the README and the
// dashboard's empty screen show. Data only; one more client is one more entry.
package connect

import "slices"

// Client is one agent program and what the person pastes where. Command is empty where the client has none;
// File and Config then are the way.
type Client struct {
	Name    string // as the person calls it
	Command string // one shell line that connects it
	File    string // where its settings live
	Config  string // what stands there; where there is a Command: only what makes long waits work
	Timeout string // how long it waits for a tool by itself, and what changes that; sentences
}

// Ask is what the person tells the agent once it is connected.
const Ask = "ask me before you decide"

// Clients lists the known agents, those with a one-line command first.
func Clients() []Client { return slices.Clone(clients) }

var clients = []Client{
	{
		Name:    "Claude Code",
		Command: "claude mcp add --scope user choicetui -- choicetui mcp",
		File:    "~/.claude/settings.json",
		Config: `{"env": {"MCP_TOOL_TIMEOUT": "86400000",
         "CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": "0"}}`,
		Timeout: "Waits as long as needed, but moves a call to the background after 2 minutes (since 2.1.212); " +
			"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS=0 keeps it in front.",
	},
	{
		Name:    "Codex",
		Command: "codex mcp add choicetui -- choicetui mcp",
		File:    "~/.codex/config.toml",
		Config: `[mcp_servers.choicetui]
command = "choicetui"
args = ["mcp"]
env_vars = ["TMUX", "TMUX_PANE", "CHOICETUI_QUEUE",
            "XDG_STATE_HOME", "XDG_CONFIG_HOME"]
tool_timeout_sec = 86400`,
		Timeout: "Gives up after 300 seconds, and progress does not extend it: tool_timeout_sec. " +
			"It hides the environment from its servers: env_vars lets these through.",
	},
	{
		Name:    "Gemini CLI",
		Command: "gemini mcp add -s user choicetui choicetui mcp",
		File:    "~/.gemini/settings.json",
		Config: `{"mcpServers": {"choicetui": {"command": "choicetui", "args": ["mcp"],
                              "timeout": 86400000, "trust": true}}}`,
		Timeout: "Gives up after 600 seconds, and progress does not extend it: timeout, in milliseconds. " +
			"trust spares a confirmation before each question.",
	},
	{
		Name: "opencode",
		File: "~/.config/opencode/opencode.json",
		Config: `{"mcp": {"choicetui": {"type": "local", "command": ["choicetui", "mcp"],
                       "enabled": true, "timeout": 86400000}}}`,
		Timeout: "Gives up after 60 seconds without progress; choicetui reports progress every 10. " +
			"timeout, in milliseconds, raises it.",
	},
	{
		Name:    "Cursor",
		File:    "~/.cursor/mcp.json",
		Config:  `{"mcpServers": {"choicetui": {"command": "choicetui", "args": ["mcp"]}}}`,
		Timeout: "Documents no timeout and no setting; some people see 60 seconds.",
	},
}

// Anyway holds for every client, whatever its timeout is.
const Anyway = "A client that gives up loses no question: before its limit choicetui tells the agent that the " +
	"person has not answered yet and to call again, and the question stays until its own deadline. Where you raised " +
	"a client's timeout, raise its entry in soft_limits in choicetui's settings too, to save those calls."
