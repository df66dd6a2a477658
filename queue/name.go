package queue

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// Origin identifies the caller of a question: agent, machine, directory, terminal. Unknown fields are empty: over
// HTTP there is no directory, pid or pane.
type Origin struct {
	Dialect  string `json:"dialect,omitempty"`
	Client   string `json:"client,omitempty"`
	Version  string `json:"version,omitempty"`
	Host     string `json:"host,omitempty"`
	Cwd      string `json:"cwd,omitempty"`
	Branch   string `json:"branch,omitempty"`
	Pane     string `json:"pane,omitempty"` // tmux pane id, such as %3
	CallID   string `json:"call_id,omitempty"`
	ToolUse  string `json:"tool_use,omitempty"` // the agent's own name for the call, which is in its transcript
	Agent    string `json:"agent,omitempty"`    // id of the running agent: pid and start time, or HTTP token or session
	Instance string `json:"instance,omitempty"` // instance of the bridge's Presence
	PID      int    `json:"pid,omitempty"`      // pid of the agent, never of the bridge
	// Thread is the agent's own name for the session that asks, if one process of the agent has several. A tool
	// call may name it too.
	Thread string `json:"thread,omitempty"`
	// OneSession means that the agent's process has one session at a time: its hooks name another Thread after /clear,
	// although the agent is still the same. It is set only for the agent's own prompts.
	OneSession bool `json:"one_session,omitempty"`
	// Subagent is the role of the subagent that asks, such as reviewer. It is empty if the agent itself asks.
	Subagent string `json:"subagent,omitempty"`
	// Source is the agent's own name for one of its prompts, such as AGENT:<thread>/<request>. It is empty if the ask
	// came from one of our tools or from a command.
	Source string `json:"source,omitempty"`
	// Far means that the question is in another host's queue, under the name in Host. It is never stored.
	Remote bool `json:"-"`
}

// ClientAsk is the client name of questions that a script asks with `choicetui ask`.
const ClientAsk = "ask"

// ClientName returns the agent's short name, cleaned by VisibleLine: NAME for NAME-code, NAME-mcp-client and
// @NAME/core.
func (o Origin) ClientName() string {
	name, _ := VisibleLine(unscopedClient(o.Client))
	if at := strings.Index(name, "-mcp-client"); at > 0 { // some append the name of our MCP server
		name = name[:at]
	}
	for _, suffix := range []string{"-cli", "-code", "-vscode", "-client"} {
		if short := strings.TrimSuffix(name, suffix); short != "" {
			name = short
		}
	}
	return name
}

// unscopedClient returns the telling part of a scoped name such as @NAME/core: the package, or the scope if the
// package has a general name like core.
func unscopedClient(client string) string {
	scope, name, scoped := strings.Cut(strings.TrimPrefix(client, "@"), "/")
	switch {
	case !scoped || client[0] != '@' || scope == "" || name == "":
		return client
	case slices.Contains([]string{"core", "cli", "client", "mcp", "agent", "sdk"}, name):
		return scope
	}
	return name
}

// Dir returns the last part of the agent's directory, cleaned by VisibleLine. It is empty if the directory is
// unknown.
func (o Origin) Dir() string {
	if o.Cwd == "" {
		return ""
	}
	dir, _ := VisibleLine(path.Base(strings.ReplaceAll(o.Cwd, `\`, "/")))
	return dir
}

// Place returns Dir, and the host of an agent on another host: `shop @build1`. It is empty if the directory is unknown.
func (o Origin) Place() string {
	dir := o.Dir()
	if host, _ := VisibleLine(o.Host); o.Remote && dir != "" {
		dir += " @" + host
	}
	return dir
}

// Asker returns the agent's short name and the subagent that asks on its behalf, `AGENT › reviewer`, cleaned by
// VisibleLine.
func (o Origin) Asker() string {
	client := o.ClientName()
	if o.Subagent != "" {
		role, _ := VisibleLine(o.Subagent)
		client += " › " + role
	}
	return client
}

// Name returns the agent's name for people, directory and Asker: `shop · AGENT › reviewer`. It is cleaned by
// VisibleLine.
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

// Names tells agents apart that have the same name or run on different machines.
type Names struct {
	Host  string            // name of this machine, if several share the queue; else empty
	last  map[string]Origin // name → the last agent that had it
	alike map[string]bool   // names that more than one agent has
}

// Add records an agent's origin, so that Of can tell it from the others.
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

// Elsewhere returns the name of the other machine on which an agent runs, cleaned by VisibleLine. It is empty for an
// agent on this machine.
func (n *Names) Elsewhere(o Origin) string {
	if !o.Remote && (n.Host == "" || o.Host == n.Host) {
		return ""
	}
	host, _ := VisibleLine(o.Host)
	return host
}

// Of returns the agent's name, followed by its machine if that is another one. Agents on this machine that have the
// same name are followed by their tmux pane, else their pid, else their host. Below a server process that serves
// several agents PID is the same for all of them, so the pid in Agent, which is that of the bridge, is used.
func (n *Names) Of(o Origin) string {
	name := o.Name()
	if host := n.Elsewhere(o); host != "" {
		return name + " @" + host
	}
	if !n.alike[name] {
		return name
	}
	suffix := o.Host
	switch {
	case o.Pane != "":
		suffix = o.Pane
	case o.PID != 0:
		suffix = fmt.Sprint(o.PID)
		if pid, _, ok := strings.Cut(o.Agent, "-"); ok {
			suffix = pid
		}
	}
	if suffix, _ = VisibleLine(suffix); suffix == "" {
		return name
	}
	return name + " " + suffix
}

// ClockSkew is the tolerated difference between the clocks of two machines that share a queue.
const ClockSkew = 30 * time.Second

// Limits of an ask's audience.
const (
	MaxPerson   = 200 // characters of a name
	MaxAudience = 20
)

// NamePerson returns the name of a person who shares a queue and whom no credentials file names: `ana@laptop`.
func NamePerson(user, host string) string {
	if user == "" || host == "" {
		return user + host
	}
	return user + "@" + host
}

// Called reports whether name means this person: their whole name, or the part before the host, in any case. A
// person's name without a host comes from a credentials file and is the same on all machines; then a host in name is
// ignored.
func Called(person, name string) bool {
	name = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "@"))
	user, _, onHost := strings.Cut(person, "@")
	if !onHost {
		name, _, _ = strings.Cut(name, "@")
	}
	return name != "" && (strings.EqualFold(name, person) || strings.EqualFold(name, user))
}

// checkAudience lists the problems of an ask's audience.
func checkAudience(c *checker, names []string) {
	if n := len(names); n > MaxAudience {
		c.addProblem("audience", fmt.Sprintf("has %d names", n), fmt.Sprintf("at most %d", MaxAudience))
		return
	}
	for i, name := range names {
		c.checkText(fmt.Sprintf("audience[%d]", i), name, MaxPerson, required)
	}
}
