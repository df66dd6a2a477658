package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

const (
	demoApart = 15 * time.Second // between two questions of the demo
	demoPause = 2 * time.Second  // after an answer, when nothing else waits
	demoTurn  = 100 * time.Millisecond
)

// agent is the scripted agent of the demo: a real MCP client of a real `choicetui mcp`.
type agent struct {
	q           *queue.Queue
	dir, config string

	mu      sync.Mutex
	client  *client.Client
	calls   []exchange
	open    int
	failure error
}

// exchange records one question of the demo and its result.
type exchange struct {
	asked  time.Time
	title  string
	mode   string
	result *mcp.CallToolResult
	err    error
	calls  int // how often the agent had to call until the answer came
}

func newAgent(q *queue.Queue, dir, config string) *agent {
	return &agent{q: q, dir: dir, config: config}
}

// play connects once the dashboard is open and asks the script's questions, without waiting for answers in between.
func (a *agent) play(ctx context.Context) {
	if err := a.connect(ctx); err != nil {
		a.mu.Lock()
		a.failure = err
		a.mu.Unlock()
		return
	}
	var asks sync.WaitGroup
	for i, args := range demoQuestions {
		if i > 0 {
			a.pause(ctx)
		}
		if ctx.Err() != nil {
			break
		}
		at := a.begin(args)
		asks.Go(func() { a.ask(ctx, at, args) })
	}
	asks.Wait()
}

func (a *agent) connect(ctx context.Context) error {
	if err := a.dashboardOpen(ctx); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("failed to find choicetui's own program: %w", err)
	}
	c, err := client.NewStdioMCPClient(self, []string{"XDG_CONFIG_HOME=" + a.config}, "--queue", a.dir, "mcp")
	if err != nil {
		return fmt.Errorf("failed to start choicetui mcp: %w", err)
	}
	a.mu.Lock()
	a.client = c
	a.mu.Unlock()
	hello := mcp.InitializeRequest{}
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "demo-agent", Version: "1"}
	if _, err := c.Initialize(ctx, hello); err != nil {
		return fmt.Errorf("failed to connect to choicetui mcp: %w", err)
	}
	return nil
}

// dashboardOpen waits for the dashboard: an agent that asks before is handed a command instead.
func (a *agent) dashboardOpen(ctx context.Context) error {
	for ctx.Err() == nil {
		open, err := a.q.DashboardOpen(ctx)
		if err != nil || open {
			return err
		}
		sleep(ctx, demoTurn)
	}
	return ctx.Err()
}

func (a *agent) begin(args map[string]any) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open++
	a.calls = append(a.calls, exchange{
		asked: time.Now(), title: args["title"].(string), mode: args["selection_mode"].(string),
	})
	return len(a.calls) - 1
}

// pause lets the next question come in its time, or a moment after the person has answered all there is.
func (a *agent) pause(ctx context.Context) {
	end := time.Now().Add(demoApart)
	for time.Now().Before(end) && ctx.Err() == nil {
		a.mu.Lock()
		idle := a.open == 0
		a.mu.Unlock()
		if idle {
			sleep(ctx, demoPause)
			return
		}
		sleep(ctx, demoTurn)
	}
}

// ask calls the tool, and again with the session's id as long as it says that the person has not answered yet.
func (a *agent) ask(ctx context.Context, at int, args map[string]any) {
	for {
		req := mcp.CallToolRequest{}
		req.Params.Name, req.Params.Arguments = "provide_choice", args
		result, err := a.client.CallTool(ctx, req)
		id, again := stillWaiting(result)
		a.mu.Lock()
		e := &a.calls[at]
		e.result, e.err = result, err
		e.calls++
		if err != nil || !again {
			a.open--
			a.mu.Unlock()
			return
		}
		a.mu.Unlock()
		args = map[string]any{"session_id": id}
	}
}

func stillWaiting(r *mcp.CallToolResult) (id string, again bool) {
	if r == nil || r.IsError {
		return "", false
	}
	m, _ := r.StructuredContent.(map[string]any)
	id, _ = m["session_id"].(string)
	return id, m["action_status"] == "pending_terminal_launch" && id != ""
}

func (a *agent) close() {
	a.mu.Lock()
	c := a.client
	a.mu.Unlock()
	if c != nil {
		_ = c.Close() // the child ends at end of input; there is nothing left to lose
	}
}

// transcript prints what the agent sent and received.
func (a *agent) transcript(w io.Writer) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var b strings.Builder
	if a.failure != nil && len(a.calls) == 0 {
		fmt.Fprintf(&b, "The demo agent could not ask: %v\n", a.failure)
	} else {
		for _, e := range a.calls {
			fmt.Fprintf(&b, "%s\n", e.line())
		}
		fmt.Fprintf(&b, "\nThe same as the agent received it from the tool provide_choice, over MCP:\n")
	}
	for _, e := range a.calls {
		fmt.Fprintf(&b, "\n%s  %s (%s)\n", e.asked.Format("15:04:05"), e.title, say.Mode(e.mode))
		switch {
		case e.err != nil || e.result == nil:
			fmt.Fprintf(&b, "    not answered: you left the demo first\n")
		default:
			raw, err := json.MarshalIndent(e.result.StructuredContent, "    ", "  ")
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "    %s\n", raw)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// line returns the question and its answer as a person reads them: `Which database? → PostgreSQL`.
func (e exchange) line() string {
	answer := "not answered: you left the demo first"
	if e.err == nil && e.result != nil {
		var got struct {
			Selection struct{ Summary string }
		}
		raw, err := json.Marshal(e.result.StructuredContent)
		if err == nil && json.Unmarshal(raw, &got) == nil && got.Selection.Summary != "" {
			answer = got.Selection.Summary
		}
	}
	return say.OneLine(e.title) + " → " + say.OneLine(answer)
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
