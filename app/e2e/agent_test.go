package e2e

import (
	"context"
	"encoding/json"
	"os/exec"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"
)

type object = map[string]any

// agent is a real MCP client of a real `choicetui mcp`.
type agent struct {
	*room
	client *client.Client
	bridge *exec.Cmd
	log    locked
}

// connect starts a bridge as an agent of that name does. flags stand before `mcp`.
func (r *room) connect(name string, flags ...string) *agent {
	r.Helper()
	return r.connectIn(r.work, name, flags...)
}

func (r *room) connectIn(dir, name string, flags ...string) *agent {
	r.Helper()
	a := &agent{room: r}
	start := func(context.Context, string, []string, []string) (*exec.Cmd, error) {
		a.bridge = r.command(append(flags, "mcp")...)
		a.bridge.Dir = dir
		a.bridge.Env = append(a.bridge.Env, "PWD="+dir)
		return a.bridge, nil
	}
	var err error
	a.client, err = client.NewStdioMCPClientWithOptions(r.bin, nil, nil,
		transport.WithCommandFunc(start), transport.WithCommandStderrWriter(&a.log))
	require.NoError(r, err)
	r.Cleanup(func() { _ = a.client.Close() })
	hello := mcp.InitializeRequest{}
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: name, Version: "1"}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err = a.client.Initialize(ctx, hello)
	require.NoError(r, err)
	return a
}

// kill ends the bridge as the kernel does when memory runs out.
func (a *agent) kill() {
	a.Helper()
	require.NoError(a, a.bridge.Process.Kill())
	gone(a, a.bridge.Process.Pid, patience)
}

// call is a tool call under way.
type call struct {
	t    testing.TB
	a    *agent
	stop context.CancelFunc
	done chan outcome
}

type outcome struct {
	result *mcp.CallToolResult
	err    error
	at     time.Time
}

// ask calls provide_choice and does not wait.
func (a *agent) ask(args object) *call { return a.calls("provide_choice", args) }

// calls calls a tool and does not wait.
func (a *agent) calls(tool string, args object) *call {
	a.Helper()
	ctx, stop := context.WithCancel(context.Background())
	c := &call{t: a, a: a, stop: stop, done: make(chan outcome, 1)}
	a.Cleanup(stop)
	req := mcp.CallToolRequest{}
	req.Params.Name, req.Params.Arguments = tool, args
	go func() {
		result, err := a.client.CallTool(ctx, req)
		c.done <- outcome{result, err, time.Now()}
	}()
	return c
}

// wait is the call's result.
func (c *call) wait() outcome {
	c.t.Helper()
	select {
	case o := <-c.done:
		return o
	case <-time.After(patience):
		require.Failf(c.t, "the call did not end", "the bridge said %q", c.a.log.String())
		return outcome{}
	}
}

// answer is a provide_choice result in both its forms, which must say the same.
type answer struct {
	text       string
	structured object
}

func (c *call) answer() answer {
	c.t.Helper()
	o := c.wait()
	require.NoError(c.t, o.err)
	got := read(c.t, o.result)
	require.False(c.t, o.result.IsError, got.text)
	return got
}

// refusal is a result that is an error, in words.
func (c *call) refusal() string {
	c.t.Helper()
	o := c.wait()
	require.NoError(c.t, o.err)
	got := read(c.t, o.result)
	require.True(c.t, o.result.IsError, got.text)
	return got.text
}

func read(t testing.TB, r *mcp.CallToolResult) answer {
	t.Helper()
	require.NotEmpty(t, r.Content)
	text, ok := r.Content[0].(mcp.TextContent)
	require.True(t, ok)
	require.NotEmpty(t, text.Text)
	raw, err := json.Marshal(r.StructuredContent)
	require.NoError(t, err)
	got := answer{text: text.Text}
	require.NoError(t, json.Unmarshal(raw, &got.structured))
	return got
}

func (a answer) status() any { return a.structured["action_status"] }

func (a answer) selection() object {
	m, _ := a.structured["selection"].(object)
	return m
}

// which is the question of database() as an agent sends it.
func which() object {
	return object{
		"title": "Which database?", "prompt": "The order service needs transactions across carts and payments.",
		"selection_mode": "single", "timeout_seconds": 600,
		"options": []object{
			{"id": "pg", "label": "PostgreSQL", "description": "Transactions, JSONB, the team knows it", "recommended": true},
			{"id": "sqlite", "label": "SQLite", "description": "One file, no server"},
		},
	}
}
