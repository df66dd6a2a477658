// Package connect is how agents are told about choicetui: the lines `choicetui help connect`, the README and the
// dashboard's empty screen show, and how they start this very program. One more client is one more entry.
package connect

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Client is one agent program and what the person pastes where. Command is empty where the client has none;
// File and Config then are the way.
type Client struct {
	Name    string // as the person calls it
	Command string // one shell line that connects it
	File    string // where its settings live
	Place   string // where in File the Config goes, in words that follow its name; empty: anywhere
	Config  string // what stands there; where there is a Command: only what makes long waits work, unless Instead
	Instead bool   // Config does what the Command does, so one of them is enough
	Timeout string // how long it waits for a tool by itself, and what changes that; sentences
}

// Lead leads up to Config, in words that end with a colon; file is how File is written there.
func (c Client) Lead(file string) string {
	switch {
	case c.Command == "":
		return "In " + file + ":"
	case c.Instead:
		return "Or in " + file + ":"
	case c.Place != "":
		return "For long waits, in " + file + " " + c.Place + ":"
	}
	return "For long waits, in " + file + ":"
}

// Ask is what the person tells the agent once it is connected.
const Ask = "ask me before you decide"

// Clients lists the known agents, those with a one-line command first. The lines start this program by a name or a
// path: as Here says, or "choicetui" where a shell finds it.
func Clients(program string) []Client {
	inShell := strings.NewReplacer("PROGRAM", ShellQuoted(program))
	inFile := strings.NewReplacer("PROGRAM", quoted(program))
	all := make([]Client, len(clients))
	for i, c := range clients {
		c.Command, c.Config = inShell.Replace(c.Command), inFile.Replace(c.Config)
		all[i] = c
	}
	return all
}

// quoted is a word as JSON and TOML have it.
func quoted(word string) string {
	var raw bytes.Buffer
	e := json.NewEncoder(&raw)
	e.SetEscapeHTML(false)
	if e.Encode(word) != nil { // a string always can
		return `""`
	}
	return strings.TrimSuffix(raw.String(), "\n")
}

// clients are the known agents; PROGRAM stands for this program, as a shell or a file reads it.
var clients = []Client{
	{
		Name:    "Claude Code",
		Command: "claude mcp add --scope user choicetui -- PROGRAM mcp",
		File:    "~/.claude/settings.json",
		Config: `{"env": {"MCP_TOOL_TIMEOUT": "86400000",
         "CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": "0"}}`,
		Timeout: "Waits as long as needed, but moves a call to the background after 2 minutes (since 2.1.212); " +
			"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS=0 keeps it in front.",
	},
	{
		Name:    "Codex",
		Command: "codex mcp add choicetui -- PROGRAM mcp",
		File:    "~/.codex/config.toml",
		Place:   "below the line args that the command wrote",
		Config: `env_vars = ["TMUX", "TMUX_PANE", "CHOICETUI_QUEUE",
            "XDG_STATE_HOME", "XDG_CONFIG_HOME"]
tool_timeout_sec = 86400`,
		Timeout: "Gives up after 300 seconds, and progress does not extend it: tool_timeout_sec. " +
			"It hides the environment from its servers: env_vars lets these through.",
	},
	{
		Name:    "Gemini CLI",
		Command: "gemini mcp add -s user choicetui PROGRAM mcp",
		File:    "~/.gemini/settings.json",
		Config: `{"mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"],
                              "timeout": 86400000, "trust": true}}}`,
		Timeout: "Gives up after 600 seconds, and progress does not extend it: timeout, in milliseconds. " +
			"trust spares a confirmation before each question.",
	},
	{
		Name:    "Antigravity",
		Command: "agy mcp add choicetui PROGRAM mcp",
		File:    "~/.gemini/config/mcp_config.json",
		Config:  `{"mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"]}}}`,
		Instead: true,
		Timeout: "Has followed Gemini CLI for most people. Some report that it gives up after 180 seconds, and it " +
			"documents no setting for that.",
	},
	{
		Name: "opencode 1",
		File: "~/.config/opencode/opencode.json",
		Config: `{"mcp": {"choicetui": {"type": "local", "command": [PROGRAM, "mcp"],
                       "enabled": true, "timeout": 86400000}}}`,
		Timeout: "Gives up after 60 seconds without progress; choicetui reports progress every 10. " +
			"timeout, in milliseconds, raises it.",
	},
	{
		Name: "opencode 2",
		File: "~/.config/opencode/opencode.json",
		Config: `{"mcp": {"servers": {"choicetui": {"type": "local",
                                   "command": [PROGRAM, "mcp"],
                                   "timeout": {"request": 86400000}}}}}`,
		Timeout: "Wants its servers below mcp.servers, and leaves one out whose timeout is a number as in version 1.",
	},
	{
		Name:    "Cursor",
		File:    "~/.cursor/mcp.json",
		Config:  `{"mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"]}}}`,
		Timeout: "Documents no timeout and no setting; some people see 60 seconds.",
	},
}

// Anyway holds for every client, whatever its timeout is.
const Anyway = "A client that gives up loses no question: before its limit choicetui tells the agent that the " +
	"person has not answered yet and to call again, and the question stays until its own deadline. Where you raised " +
	"a client's timeout, raise its entry in soft_limits in choicetui's settings too, to save those calls."
