package queue

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Origin says who asks. It is empty where unknown: over HTTP there is no directory, pid or pane.
type Origin struct {
	Dialect  string `json:"dialect,omitempty"`
	Client   string `json:"client,omitempty"`
	Version  string `json:"version,omitempty"`
	Host     string `json:"host,omitempty"`
	Cwd      string `json:"cwd,omitempty"`
	Branch   string `json:"branch,omitempty"`
	Pane     string `json:"pane,omitempty"` // tmux pane id, such as %3
	CallID   string `json:"call_id,omitempty"`
	Agent    string `json:"agent,omitempty"`    // one running agent: pid and start time; over HTTP its token or session
	Instance string `json:"instance,omitempty"` // the bridge's Presence
	PID      int    `json:"pid,omitempty"`      // the agent's process, never the bridge's
	// Thread is the agent's own name for the session that asks, where one process of it has several. Codex gives it
	// with every call.
	Thread string `json:"thread,omitempty"`
	// Subagent is the role of what asks on behalf of the agent, such as reviewer; empty: the agent itself asks.
	Subagent string `json:"subagent,omitempty"`
	// Source is the agent's own name for a prompt of its own, such as codex:<thread>/<request>. Empty: the ask came
	// from one of our tools, or from a command.
	Source string `json:"source,omitempty"`
}

// ClientAsk is the client of a question that a script asked with `choicetui ask`.
const ClientAsk = "ask"

// ClientName returns the agent's short name: claude-code is claude, codex-mcp-client is codex, @cline/core is cline. It
// is made visible.
func (o Origin) ClientName() string {
	name, _ := VisibleLine(unscoped(o.Client))
	if at := strings.Index(name, "-mcp-client"); at > 0 { // gemini and its kin add what they call this server
		name = name[:at]
	}
	for _, suffix := range []string{"-cli", "-code", "-vscode", "-client"} {
		if short := strings.TrimSuffix(name, suffix); short != "" {
			name = short
		}
	}
	return name
}

// unscoped returns the telling part of a name such as npm packages have: the package's, or where that says nothing the
// scope's.
func unscoped(client string) string {
	scope, name, scoped := strings.Cut(strings.TrimPrefix(client, "@"), "/")
	switch {
	case !scoped || client[0] != '@' || scope == "" || name == "":
		return client
	case slices.Contains([]string{"core", "cli", "client", "mcp", "agent", "sdk"}, name):
		return scope
	}
	return name
}

// Dir returns the last part of the agent's directory, empty where that is unknown. It is made visible.
func (o Origin) Dir() string {
	if o.Cwd == "" {
		return ""
	}
	dir, _ := VisibleLine(path.Base(strings.ReplaceAll(o.Cwd, `\`, "/")))
	return dir
}

// Asker returns the agent's program, and the subagent that asks on its behalf: `claude › reviewer`. It is made visible.
func (o Origin) Asker() string {
	client := o.ClientName()
	if o.Subagent != "" {
		role, _ := VisibleLine(o.Subagent)
		client += " › " + role
	}
	return client
}

// Name returns an agent's name: directory and client, `shop · claude`, and then the subagent that asks on its behalf:
// `shop · claude › reviewer`. It is made visible.
func (o Origin) Name() string {
	dir, client := o.Dir(), o.Asker()
	switch {
	case dir == "" && client == "":
		return "an agent"
	case dir == "":
		return client
	case client == "":
		return dir
	}
	return dir + " · " + client
}

// Names tells agents apart that have the same name, or run on another machine.
type Names struct {
	Host  string            // this machine, where several share the queue; empty: all agents are on it
	last  map[string]Origin // name → who had it last
	alike map[string]bool   // names that more than one agent has
}

// Add takes an agent's origin into account.
func (n *Names) Add(o Origin) {
	if n.last == nil {
		n.last, n.alike = map[string]Origin{}, map[string]bool{}
	}
	name := o.Name()
	other, known := n.last[name]
	apart := o.Host != other.Host || o.Agent != other.Agent || o.Pane != other.Pane || o.PID != other.PID
	if known && apart && !o.SameAgent(other) {
		n.alike[name] = true
	}
	n.last[name] = o
}

// Elsewhere returns the other machine that an agent runs on, made visible; empty: it is this one, or the queue is of
// this machine alone.
func (n *Names) Elsewhere(o Origin) string {
	if n.Host == "" || o.Host == n.Host {
		return ""
	}
	host, _ := VisibleLine(o.Host)
	return host
}

// Of returns the agent's name; on another machine with that; where two are alike with its tmux pane, else its pid, else
// its host. Agents of one process have the pid that tells them apart: their bridge's.
func (n *Names) Of(o Origin) string {
	name := o.Name()
	if host := n.Elsewhere(o); host != "" {
		return name + " on " + host
	}
	if !n.alike[name] {
		return name
	}
	mark := o.Host
	switch {
	case o.Pane != "":
		mark = o.Pane
	case o.PID != 0:
		mark = fmt.Sprint(o.PID)
		if pid, _, ok := strings.Cut(o.Agent, "-"); ok {
			mark = pid
		}
	}
	if mark, _ = VisibleLine(mark); mark == "" {
		return name
	}
	return name + " " + mark
}
