// Package cline knows Cline.
package cline

import (
	_ "embed"

	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// Agent returns what is known of Cline.
func Agent() agent.Agent {
	return agent.Agent{
		Client: agent.Client{
			Name: "Cline", ID: "cline", Program: "cline",
			File: "~/.cline/data/settings/cline_mcp_settings.json",
			Config: `{"mcpServers": {"choicetui": {"command": PROGRAM, "args": ["mcp"],
                              "timeout": 3600}}}`,
			Timeout: "Gives up after 60 seconds; timeout, in seconds, sets the limit, to an hour at most. " +
				"Where you have switched off its auto-approval, the plugin of choicetui setup avoids a confirmation " +
				"before each question.",
			Server: agent.Target{File: "~/.cline/data/settings/cline_mcp_settings.json", Sets: []agent.Setting{
				{Path: []string{"mcpServers", "choicetui"},
					Value: `{"command": PROGRAM, "args": ["mcp"], "timeout": 3600}`}}},
			Also: []agent.Target{{File: "~/.cline/plugins/choicetui.js", Whole: plugin,
				Lack: agent.AsksFirst}},
			ByHand: "Cline inside an editor has a file of its own: add choicetui there under MCP Servers, Configure.",
		},
		Shared: shared,
	}
}

// plugin is the source of the plugin that lets Cline's model ask without a prompt of Cline's own before each question:
// no setting of Cline does that for one server.
//
//go:embed plugin.js
var plugin string
