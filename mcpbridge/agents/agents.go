// Package agents lists the agents that are known. Each has a home, a folder here with all that is known of it.
package agents

import (
	"slices"
	"sync"

	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/agents/amp"
	"github.com/choicetui/choicetui/mcpbridge/agents/antigravity"
	"github.com/choicetui/choicetui/mcpbridge/agents/claude"
	"github.com/choicetui/choicetui/mcpbridge/agents/cline"
	"github.com/choicetui/choicetui/mcpbridge/agents/codex"
	"github.com/choicetui/choicetui/mcpbridge/agents/continuedev"
	"github.com/choicetui/choicetui/mcpbridge/agents/copilot"
	"github.com/choicetui/choicetui/mcpbridge/agents/crush"
	"github.com/choicetui/choicetui/mcpbridge/agents/cursor"
	"github.com/choicetui/choicetui/mcpbridge/agents/gemini"
	"github.com/choicetui/choicetui/mcpbridge/agents/goose"
	"github.com/choicetui/choicetui/mcpbridge/agents/opencode"
	"github.com/choicetui/choicetui/mcpbridge/agents/pi"
	"github.com/choicetui/choicetui/mcpbridge/agents/qwen"
	"github.com/choicetui/choicetui/mcpbridge/agents/vscode"
	"github.com/choicetui/choicetui/mcpbridge/agents/zed"
)

// homes lists the agents, those with a one-line command first. Another agent is another line.
var homes = []func() agent.Agent{
	claude.Agent,
	codex.Agent,
	gemini.Agent,
	antigravity.Agent,
	qwen.Agent,
	amp.Agent,
	pi.Agent,
	opencode.Agent,
	opencode.Second,
	opencode.Kilo,
	opencode.MiMo,
	cursor.Agent,
	vscode.Agent,
	copilot.Agent,
	cline.Agent,
	continuedev.Agent,
	crush.Agent,
	goose.Agent,
	zed.Agent,
}

// All returns the known agents, those with a one-line command first. Their values are made at the first call.
var All = sync.OnceValue(func() (all []agent.Agent) {
	for _, home := range homes {
		all = append(all, home())
	}
	return all
})

// Of returns the agent with an id, which is also its short name as a client. The zero value has nothing.
func Of(id string) agent.Agent {
	all := All()
	if i := slices.IndexFunc(all, func(a agent.Agent) bool { return a.ID == id }); i >= 0 {
		return all[i]
	}
	return agent.Agent{}
}

// Clients returns how each agent is connected. program starts this program in their lines: a name or a path from
// agent.Here, or "choicetui" if a shell finds it.
func Clients(program string) (all []agent.Client) {
	for _, a := range All() {
		all = append(all, a.Filled(program))
	}
	return all
}

// IDs returns the command-line names of the agents that fit; nil: of all.
func IDs(fits func(agent.Agent) bool) (ids []string) {
	for _, a := range All() {
		if fits == nil || fits(a) {
			ids = append(ids, a.ID)
		}
	}
	return ids
}
