// Package goose knows Goose.
package goose

import "github.com/choicetui/choicetui/mcpbridge/agents/agent"

// Agent returns what is known of Goose.
func Agent() agent.Agent {
	return agent.Agent{Client: agent.Client{
		Name: "Goose", ID: "goose", Program: "goose",
		File: "~/.config/goose/config.yaml",
		Config: `extensions: # if the file has this line already, add the rest below it
  choicetui:
    name: choicetui
    type: stdio
    cmd: PROGRAM
    args: ["mcp"]
    enabled: true
    timeout: 86400`,
		Timeout: "Gives up after 300 seconds; timeout, in seconds, sets the limit.",
		Server: agent.Target{File: "~/.config/goose/config.yaml", Format: agent.YAML, Sets: []agent.Setting{
			{Path: []string{"extensions", "choicetui"}, Value: `{"name": "choicetui", "type": "stdio", "cmd": PROGRAM,
				"args": ["mcp"], "enabled": true, "timeout": 86400}`}}},
	}}
}
