package queue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAgentsAreToldApartByProcessClientAndDirectory(t *testing.T) {
	t.Parallel()
	bridge := func(change ...func(*queue.Origin)) queue.Origin {
		o := queue.Origin{Client: "claude-code", Host: "h", Cwd: "/src/shop", Agent: "7-1", PID: 7}
		for _, c := range change {
			c(&o)
		}
		return o
	}
	client := func(name string) func(*queue.Origin) { return func(o *queue.Origin) { o.Client = name } }
	dir := func(dir string) func(*queue.Origin) { return func(o *queue.Origin) { o.Cwd = dir } }
	process := func(agent string, pid int) func(*queue.Origin) {
		return func(o *queue.Origin) { o.Agent, o.PID = agent, pid }
	}
	thread := func(name string) func(*queue.Origin) { return func(o *queue.Origin) { o.Thread = name } }
	host := func(o *queue.Origin) { o.Host = "h2" }
	itself := func(o *queue.Origin) { o.Dialect = queue.DialectNative }
	one := func(o *queue.Origin) { o.OneSession = true }
	codex := client("codex-mcp-client")
	for name, c := range map[string]struct {
		one, two queue.Origin
		want     bool
	}{
		"its bridge that was started again": {bridge(), bridge(func(o *queue.Origin) { o.Instance = "b2" }), true},
		"another process":                   {bridge(), bridge(process("8-2", 8)), false},
		"the same number later":             {bridge(), bridge(process("7-9", 7)), false},
		"another client of one process":     {bridge(), bridge(client("beta")), false},
		"another directory of one process":  {bridge(), bridge(dir("/src/web")), false},
		"a directory below, of a bridge":    {bridge(), bridge(dir("/src/shop/api")), false},
		"another host":                      {bridge(), bridge(host), false},

		"a hook":                                 {bridge(), bridge(itself, thread("s1")), true},
		"a hook, after a cd":                     {bridge(), bridge(itself, thread("s1"), dir("/src/shop/api")), true},
		"a hook of a neighbour":                  {bridge(), bridge(itself, thread("s1"), dir("/src/shopping")), false},
		"a hook elsewhere":                       {bridge(), bridge(itself, thread("s1"), dir("/src/web")), false},
		"a hook of another process":              {bridge(), bridge(itself, thread("s1"), process("8-2", 8)), false},
		"a hook after /clear":                    {bridge(itself, one, thread("s1")), bridge(itself, one, thread("s2")), true},
		"another session of a process":           {bridge(itself, thread("s1")), bridge(itself, thread("s2")), false},
		"a hook in two directories of a session": {bridge(itself, thread("s1"), dir("/a")), bridge(itself, thread("s1"), dir("/b")), true},
		"gemini's hook": {bridge(client("gemini-cli-mcp-client-choicetui")),
			bridge(client("gemini-cli"), itself, thread("s1")), true},
		"qwen's hook": {bridge(client("qwen-cli-mcp-client-choicetui")),
			bridge(client("qwen-code"), itself, thread("s1")), true},
		"codex's hook": {bridge(codex, thread("t1")), bridge(client("codex"), itself, thread("t1")), true},

		"a session of Codex's server and its bridge": {bridge(codex, thread("t1"), process("9-1", 5)),
			bridge(client("codex"), itself, thread("t1"), process("", 5), dir("/other")), true},
		"another session of it": {bridge(codex, thread("t1"), process("9-1", 5)),
			bridge(client("codex"), itself, thread("t2"), process("", 5)), false},
		"a bridge of it that names no session": {bridge(codex, process("9-1", 5)),
			bridge(client("codex"), itself, thread("t1"), process("", 5)), false},
		"the same session at another server": {bridge(codex, thread("t1"), process("9-1", 5)),
			bridge(client("codex"), itself, thread("t1"), process("", 6)), false},
		"two bridges of one session": {bridge(codex, thread("t1"), process("9-1", 5)),
			bridge(codex, thread("t1"), process("9-2", 5)), true},
		"two bridges of a server": {bridge(codex, process("9-1", 5)), bridge(codex, process("9-2", 5)), false},

		"opencode's plugin": {bridge(client("opencode")), bridge(client("opencode"), itself, thread("s1")), true},
		"two sessions of opencode": {bridge(client("opencode"), itself, thread("s1")),
			bridge(client("opencode"), itself, thread("s2")), false},
		"two MCP sessions over HTTP":     {bridge(process("http:1", 0), dir("")), bridge(process("http:2", 0), dir("")), false},
		"one MCP session over HTTP":      {bridge(process("http:1", 0), dir("")), bridge(process("http:1", 0), dir("")), true},
		"where the system says no start": {bridge(process("", 7)), bridge(process("", 7)), true},
		"nor anything else":              {bridge(process("", 7)), bridge(process("", 8)), false},
	} {
		require.Equal(t, c.want, c.one.SameAgent(c.two), name)
		require.Equal(t, c.want, c.two.SameAgent(c.one), "%s, the other way", name)
	}
}
