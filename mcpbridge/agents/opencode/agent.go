package opencode

import (
	"context"
	_ "embed"
	"io"
	"path"

	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
)

// Agent returns what is known of opencode 1.
func Agent() agent.Agent {
	a := likeFirst(agent.Client{
		Name: "opencode 1", ID: "opencode", Program: "opencode", Project: "opencode.json",
		Timeout: "Gives up after 60 seconds without progress; choicetui reports progress every 10 " +
			"seconds. To raise the limit, set \"timeout\" (in milliseconds).",
	}, "~/.config/opencode/opencode", "plugins")
	a.Plugin, a.Shared, a.Calls = serve, shared, mcpClient
	return a
}

// likeFirst completes what is known of an agent that has the settings of opencode 1. file is the file of its settings,
// without its ending, and plugins the directory of plugins beside it.
func likeFirst(c agent.Client, file, plugins string) agent.Agent {
	c.File, c.Config = file+".json", pastedServer
	c.Server = agent.Target{File: c.File, Others: []string{path.Base(file) + ".jsonc"},
		Sets: []agent.Setting{{Path: []string{"mcp", "choicetui"}, Value: entry}}}
	c.Also = []agent.Target{{File: path.Join(path.Dir(file), plugins, "choicetui.js"), Whole: plugin, Brings: brings}}
	return agent.Agent{Client: c, Sessions: sessions}
}

// Second returns what is known of opencode 2.
func Second() agent.Agent {
	return agent.Agent{
		Client: agent.Client{
			Name: "opencode 2", ID: "opencode2", Program: "opencode", Project: "opencode.json",
			File: "~/.config/opencode/opencode.json",
			Config: `{"mcp": {"servers": {"choicetui": {"type": "local",
                                   "command": [PROGRAM, "mcp"],
                                   "timeout": {"request": 86400000}}}}}`,
			Timeout: "Expects servers under mcp.servers, and ignores one whose timeout is a number as in version 1.",
			Server: agent.Target{File: "~/.config/opencode/opencode.json", Others: []string{"opencode.jsonc"},
				Sets: []agent.Setting{{Path: []string{"mcp", "servers", "choicetui"},
					Value: `{"type": "local", "command": [PROGRAM, "mcp"], "timeout": {"request": 86400000}}`},
					{Path: []string{"mcp", "choicetui"}, Value: entry, Before: true}}},
			Also: []agent.Target{{File: "~/.config/opencode/plugins/choicetui.js", Whole: plugin,
				Brings: brings, Loads: "export default "}},
			Newer: agent.Newer{Than: "opencode", Version: "2.", Has: []string{"mcp", "servers"}},
		},
		Sessions: sessions,
	}
}

// heirTimeout says how long the agents wait that are built on opencode 1.
const heirTimeout = "It is built on opencode 1, and has its settings; timeout, in milliseconds, sets the limit."

// Kilo returns what is known of Kilo Code, which is built on opencode 1.
func Kilo() agent.Agent {
	return likeFirst(agent.Client{Name: "Kilo Code", ID: "kilo", Program: "kilo", Project: "kilo.json",
		Timeout: heirTimeout}, "~/.config/kilo/kilo", "plugin")
}

// MiMo returns what is known of MiMo Code, which is built on opencode 1.
func MiMo() agent.Agent {
	return likeFirst(agent.Client{Name: "MiMo Code", ID: "mimo", Program: "mimo", Project: ".mimocode/mimocode.json",
		Timeout: heirTimeout}, "~/.config/mimocode/mimocode", "plugins")
}

// pastedServer is the server entry for opencode 1, and for agents built on it, as the person pastes it.
const pastedServer = `{"mcp": {"choicetui": {"type": "local", "command": [PROGRAM, "mcp"],
                       "enabled": true, "timeout": 86400000}}}`

// entry is the same entry as `choicetui setup` writes it, below mcp.choicetui.
const entry = `{"type": "local", "command": [PROGRAM, "mcp"], "enabled": true, "timeout": 86400000}`

// brings names what the plugin brings here.
const brings = "its own prompts"

// plugin is the source of the plugin that brings the own questions and permission prompts of opencode, and of agents
// built on it, to the dashboard.
//
//go:embed plugin.js
var plugin string

// sessions says that opencode, and each agent built on it, is asked for what it was doing.
var sessions = agent.Sessions{Reader: Transcripts{}, Ask: ReadSession}

// serve serves the plugin until in ends.
func serve(ctx context.Context, h prompt.Host, in io.Reader, out io.Writer) {
	p := Plugin{Host: h}
	p.Serve(ctx, in, out)
}
