package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app/plain"
	"github.com/choicetui/choicetui/app/screen"
	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
)

func demoCommand(sh *shell) *cobra.Command {
	var asLines bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Try it with a demo agent",
		Long: `demo opens the dashboard with a queue of its own. A scripted agent connects over
MCP and asks four questions within a minute. After q you see what the agent
received. Neither questions nor settings are kept.`,
		Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("queue") {
				return &failure{say: "the demo has a queue of its own", hint: "leave --queue out"}
			}
			return demo(cmd.Context(), sh, asLines)
		},
	}
	cmd.Flags().BoolVar(&asLines, "plain", false, plainFlag)
	cmd.Flags().String("queue", "", "") // in place of the flag that other commands show
	_ = cmd.Flags().MarkHidden("queue")
	return cmd
}

// demo runs a real client, a real `choicetui mcp` and the dashboard on a scratch queue, and prints at the end what the
// client received.
func demo(ctx context.Context, sh *shell, asLines bool) error {
	if err := term.Available(); err != nil && !asLines {
		return err
	}
	dir, err := os.MkdirTemp("", "choicetui-demo-")
	if err != nil {
		return fmt.Errorf("failed to make a directory for the demo: %w", err)
	}
	defer os.RemoveAll(dir)
	store, err := spool.Open(filepath.Join(dir, "queue"))
	if err != nil {
		return err
	}
	q := queue.New(store)
	agent := &demoAgent{q: q, dir: filepath.Join(dir, "queue"), config: filepath.Join(dir, "config")}
	defer agent.close()
	played := make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer close(played)
		agent.playScript(ctx)
	}()
	settings := config.Open(filepath.Join(dir, "config", "choicetui", "config.json"))
	with := sh.services(q, settings)
	with.Team, with.Rules, with.Browse = nil, nil, nil // these are for the person's own queue
	with.Alerts = newAlerts(nil)
	if asLines {
		fmt.Fprintln(sh.out, "Demo: four questions within a minute. q ends it and shows the answers.")
		_, err = plain.Run(ctx, plainOptions(sh, with, sh.out))
	} else {
		o := screenOptions(with)
		o.Scratch = true
		o.Hint = agent.hint
		_, err = screen.Run(ctx, o)
	}
	agent.awaitAnswers(ctx)
	cancel()
	<-played
	if err := screenEnd(err); err != nil {
		return err
	}
	return agent.transcript(sh.out)
}

// runBelow runs a command of this program in the terminal that the dashboard has lent it, and waits for Enter.
func runBelow(ctx context.Context, command string) {
	self, err := os.Executable()
	if err != nil {
		return
	}
	cmd := exec.CommandContext(ctx, self, command)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	ctrlC := make(chan os.Signal, 1) // never read: Ctrl-C must end the command, and not the dashboard
	signal.Notify(ctrlC, os.Interrupt)
	defer signal.Stop(ctrlC)
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		fmt.Fprintln(os.Stderr, "choicetui: "+command+" did not start:", err)
	}
	fmt.Fprint(os.Stdout, "\nEnter goes back to the dashboard. ")
	var line [1]byte
	for n, err := os.Stdin.Read(line[:]); err == nil && n == 1; n, err = os.Stdin.Read(line[:]) {
		if line[0] == '\n' {
			fmt.Fprint(os.Stdout, "\x1b[A\x1b[2K") // the shell is left without a line that is no longer true
			return
		}
	}
}

const (
	demoApart = 15 * time.Second       // the time between two questions
	demoPause = 2 * time.Second        // the time after an answer if nothing else is pending
	demoLook  = 100 * time.Millisecond // the time between two looks at the dashboard or the answers
	demoTakes = 3 * time.Second        // the time that the agent has to take the answers that were given
)

// demoAgent is the scripted agent of the demo: a real MCP client of a real `choicetui mcp`.
type demoAgent struct {
	q           *queue.Queue
	dir, config string

	mu      sync.Mutex
	client  *mcpClient
	calls   []exchange
	open    int   // the questions without an answer
	failure error // why the agent could not connect
}

// exchange records one question of the demo and its result.
type exchange struct {
	asked  time.Time
	title  string
	mode   string
	result *mcpReply
	err    error
}

// playScript waits for the dashboard, connects, and asks the script's questions without waiting for the answers in
// between.
func (a *demoAgent) playScript(ctx context.Context) {
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
		at := a.noteAsked(args)
		asks.Go(func() { a.askQuestion(ctx, at, args) })
	}
	asks.Wait()
}

// hint returns what the screen says while nothing is pending.
func (a *demoAgent) hint() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.calls) == len(demoQuestions) {
		return "the demo is done · q shows what the agent received"
	}
	return "demo: four questions within a minute · q ends the demo and shows the answers"
}

// connect starts `choicetui mcp` once the dashboard is open, and introduces the demo agent to it.
func (a *demoAgent) connect(ctx context.Context) error {
	if err := a.awaitDashboard(ctx); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("failed to find choicetui's own program: %w", err)
	}
	cmd := exec.Command(self, "--queue", a.dir, "mcp")
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+a.config)
	c, err := startMCP(cmd)
	if err != nil {
		return fmt.Errorf("failed to start choicetui mcp: %w", err)
	}
	a.mu.Lock()
	a.client = c
	a.mu.Unlock()
	if err := c.connect(ctx, "demo-agent"); err != nil {
		return fmt.Errorf("failed to connect to choicetui mcp: %w", err)
	}
	return nil
}

// awaitDashboard waits until the dashboard is open. Without a dashboard an agent would get a command instead of an
// answer.
func (a *demoAgent) awaitDashboard(ctx context.Context) error {
	for ctx.Err() == nil {
		open, err := a.q.DashboardOpen(ctx)
		if err != nil || open {
			return err
		}
		queue.Sleep(ctx, demoLook)
	}
	return ctx.Err()
}

// noteAsked records a question that is about to be asked, and returns its index in calls.
func (a *demoAgent) noteAsked(args map[string]any) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open++
	a.calls = append(a.calls, exchange{
		asked: time.Now(), title: args["title"].(string), mode: args["selection_mode"].(string),
	})
	return len(a.calls) - 1
}

// pause returns when the next question is due: after demoApart, or after demoPause if the person has answered
// everything.
func (a *demoAgent) pause(ctx context.Context) {
	end := time.Now().Add(demoApart)
	for time.Now().Before(end) && ctx.Err() == nil {
		a.mu.Lock()
		idle := a.open == 0
		a.mu.Unlock()
		if idle {
			queue.Sleep(ctx, demoPause)
			return
		}
		queue.Sleep(ctx, demoLook)
	}
}

// askQuestion calls the tool until the person has answered. A reply that says they have not carries a session id, with
// which the agent calls again.
func (a *demoAgent) askQuestion(ctx context.Context, at int, args map[string]any) {
	for {
		result, err := a.client.request(ctx, "tools/call", object{"name": "provide_choice", "arguments": args})
		id, again := stillWaiting(result)
		a.mu.Lock()
		e := &a.calls[at]
		e.result, e.err = result, err
		if err != nil || !again {
			a.open--
			a.mu.Unlock()
			return
		}
		a.mu.Unlock()
		args = map[string]any{"session_id": id}
	}
}

// stillWaiting reports whether a reply says that the person has not answered yet. id is the session with which the
// agent calls again.
func stillWaiting(r *mcpReply) (id string, again bool) {
	var got struct {
		Session string `json:"session_id"`
		Status  string `json:"action_status"`
	}
	if r == nil || r.Result.IsError || json.Unmarshal(r.Result.Content, &got) != nil {
		return "", false
	}
	return got.Session, got.Status == "pending_terminal_launch" && got.Session != ""
}

// awaitAnswers waits until the agent has taken all answers that the person gave. Where the file system reports no
// changes, the agent looks once a second, and the person may have left by then.
func (a *demoAgent) awaitAnswers(ctx context.Context) {
	for end := time.Now().Add(demoTakes); ctx.Err() == nil && time.Now().Before(end); queue.Sleep(ctx, demoLook) {
		live, _, err := a.q.Store.Live(ctx)
		if err != nil || !slices.ContainsFunc(live, func(s queue.Session) bool { return s.Outcome != nil }) {
			return
		}
	}
}

// close ends the connection, if there is one.
func (a *demoAgent) close() {
	a.mu.Lock()
	c := a.client
	a.mu.Unlock()
	if c != nil {
		_ = c.close()
	}
}

// transcript prints what the agent sent and received.
func (a *demoAgent) transcript(w io.Writer) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var b strings.Builder
	if a.failure != nil && len(a.calls) == 0 {
		fmt.Fprintf(&b, "The demo agent could not ask: %v\n", a.failure)
	} else {
		for _, e := range a.calls {
			fmt.Fprintf(&b, "%s\n", e.summaryLine())
		}
		fmt.Fprintf(&b, "\nThis is what the agent received from the tool provide_choice over MCP:\n")
	}
	for _, e := range a.calls {
		fmt.Fprintf(&b, "\n%s  %s (%s)\n", e.asked.Format("15:04:05"), e.title, answerKind(e.mode))
		switch {
		case e.err != nil || e.result == nil:
			fmt.Fprintf(&b, "    no answer (you left the demo)\n")
		default:
			raw, err := json.MarshalIndent(e.result.Result.Content, "    ", "  ")
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "    %s\n", raw)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// answerKind returns the kind of answer that a question of this mode takes.
func answerKind(mode string) string {
	switch mode {
	case queue.ModeSingle:
		return "one option"
	case queue.ModeMulti:
		return "several options"
	case queue.ModeHybrid:
		return "options, your own words, or both"
	}
	return "your own words"
}

// summaryLine returns the question and its answer for a person: `Which database? → PostgreSQL`.
func (e exchange) summaryLine() string {
	answer := "no answer (you left the demo)"
	if e.err == nil && e.result != nil {
		var got struct {
			Selection struct{ Summary string }
		}
		if json.Unmarshal(e.result.Result.Content, &got) == nil && got.Selection.Summary != "" {
			answer = got.Selection.Summary
		}
	}
	return say.OneLine(e.title) + " → " + say.OneLine(answer)
}

// demoQuestions holds the questions of the demo, one for each selection mode.
var demoQuestions = []object{
	{
		"title": "Which database?",
		"prompt": "The order service needs transactions across carts and payments. The choice decides the " +
			"migration path. There are three options.",
		"selection_mode": "single",
		"options": []object{
			{"id": "pg", "label": "PostgreSQL",
				"description": "Transactions, JSONB, the team knows it", "recommended": true},
			{"id": "sqlite", "label": "SQLite", "description": "One file, no server, no replicas"},
			{"id": "dynamo", "label": "DynamoDB", "description": "Auto-scaling, a separate bill"},
		},
	},
	{
		"title": "Which endpoints get a rate limit?",
		"prompt": "Traffic has doubled since Monday and the checkout database is at 85%. A limit of 60 requests a " +
			"minute per client buys time to add an index. Limits can hurt partners. Which " +
			"endpoints should go first?",
		"selection_mode": "multi",
		"min_selections": 2, "max_selections": 3,
		"default_selection_ids": []string{"checkout"},
		"options": []object{
			{"id": "checkout", "label": "POST /checkout",
				"description": "Card payments; 40% of the database load", "recommended": true},
			{"id": "search", "label": "GET /search",
				"description": "Unindexed filters, slow above 20 requests a second", "recommended": true},
			{"id": "login", "label": "POST /login",
				"description": "Brute force seen on Tuesday from two networks",
				"annotation":  "per network, not per client"},
			{"id": "orders", "label": "GET /orders", "description": "Customers poll it every 5 s from the old app"},
			{"id": "prices", "label": "GET /prices",
				"description": "Partners with contracts call it; a limit breaks their nightly sync"},
			{"id": "health", "label": "GET /health", "description": "The load balancer calls it every second"},
		},
	},
	{
		"title": "How fast should the new checkout roll out?",
		"prompt": "All tests pass, and it has run on staging for two days. A rollback takes ten minutes, and " +
			"Friday is the busiest day. You may also describe another plan.",
		"selection_mode": "hybrid",
		"max_selections": 1,
		"options": []object{
			{"id": "ten", "label": "10% today, the rest on Monday",
				"description": "A day of real traffic before the weekend", "recommended": true},
			{"id": "all", "label": "Everyone now",
				"description": "Done before lunch; the only way back is the rollback"},
			{"id": "wait", "label": "Wait until Monday", "description": "Nothing can go wrong at the weekend"},
		},
		"placeholder": "another plan, in your own words",
	},
	{
		"title":          "Name the design-token package",
		"prompt":         "It is published to npm under our scope, so the name cannot change later.",
		"selection_mode": "text_input",
		"placeholder":    "@acme/…",
	},
}
