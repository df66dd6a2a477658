package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/choicetui/choicetui/app/setup"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

const (
	tripWithin = 10 * time.Second      // the limit for a round trip, with the program's start
	tripLook   = 10 * time.Millisecond // the time between two looks at the scratch queue
)

// trip plays both sides of a question: the agent at its server, and the person in a scratch queue.
type trip struct {
	q      *queue.Queue
	client *mcpClient
}

// roundTrip starts an entry's command as its agent would, asks and answers a question, and asks and withdraws another.
// The command gets a scratch queue and no tmux, so the person sees nothing of it. It returns how long all of that took.
func roundTrip(ctx context.Context, sh *shell, home string, e setup.Entry) (took time.Duration, err error) {
	began := time.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, tripWithin, errors.New("no reply within 10 seconds"))
	defer cancel()
	dir, err := os.MkdirTemp("", "choicetui-doctor-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	q, err := sh.openQueueAt(dir)
	if err != nil {
		return 0, err
	}
	q.Now = time.Now
	release, err := q.Store.Announce(ctx, queue.Presence{Instance: queue.NewToken(), Role: queue.RoleDashboard})
	if err != nil {
		return 0, err
	}
	defer func() { _ = release() }()
	var said bytes.Buffer
	if e.Dir != "" {
		home = e.Dir
	}
	cmd := exec.CommandContext(ctx, e.Command[0], append(e.Command[1:len(e.Command):len(e.Command)], "--queue", dir)...)
	cmd.Dir, cmd.Env, cmd.Stderr, cmd.WaitDelay = home, tripEnv(e.Env, dir), &said, time.Second
	if err := runTrip(ctx, cmd, q); err != nil {
		if last := lastLine(said.String()); last != "" {
			err = fmt.Errorf("%w; it said: %s", err, last)
		}
		return 0, err
	}
	return time.Since(began), nil
}

// tripEnv returns an entry's environment without the variables that would show the scratch queue in the person's tmux.
func tripEnv(env []string, dir string) (all []string) {
	for _, one := range env {
		if !strings.HasPrefix(one, "TMUX=") && !strings.HasPrefix(one, "TMUX_PANE=") {
			all = append(all, one)
		}
	}
	return append(all, "CHOICETUI_QUEUE="+dir)
}

// lastLine returns the last line that a program printed, leaving out our own hints.
func lastLine(said string) (last string) {
	for line := range strings.Lines(strings.TrimSpace(said)) {
		if !strings.HasPrefix(line, "choicetui: hint:") {
			last = strings.TrimSpace(line)
		}
	}
	return say.OneLine(last)
}

// runTrip starts the command, tries it, and waits until it has ended.
func runTrip(ctx context.Context, cmd *exec.Cmd, q *queue.Queue) error {
	client, err := startMCP(cmd)
	if err != nil {
		return fmt.Errorf("it does not start: %w", err)
	}
	err = trip{q, client}.tryAll(ctx)
	if ended := client.close(); err == nil && ended != nil {
		err = fmt.Errorf("it did not exit cleanly: %w", ended)
	}
	return err
}

func (t trip) tryAll(ctx context.Context) error {
	if err := t.client.connect(ctx, "choicetui-doctor"); err != nil {
		return err
	}
	if err := t.tryAnswer(ctx); err != nil {
		return err
	}
	return t.tryWithdraw(ctx)
}

// tryAnswer asks a question, answers it in the queue, and checks that the answer comes back.
func (t trip) tryAnswer(ctx context.Context) error {
	s, asked, err := t.ask(ctx, 1)
	if err != nil {
		return err
	}
	answer := queue.Answer{Replies: []queue.Reply{{Question: s.Ask.Questions[0].ID, Selected: []string{"yes"}}}}
	if _, err := t.q.Do(ctx, s.ID, byPerson(queue.Settle{Answer: answer})); err != nil {
		return fmt.Errorf("the answer was not taken: %w", err)
	}
	r, err := asked.reply(ctx)
	switch {
	case err != nil:
		return err
	case r.Result.IsError:
		return r.problem()
	case !bytes.Contains(r.Result.Content, []byte(`"yes"`)):
		return errors.New("a different answer came back")
	}
	return nil
}

// tryWithdraw asks a question, cancels the call, and checks that the question leaves the queue.
func (t trip) tryWithdraw(ctx context.Context) error {
	s, asked, err := t.ask(ctx, 2)
	if err != nil {
		return err
	}
	if err := t.client.notify("notifications/cancelled", object{"requestId": asked.id}); err != nil {
		return err
	}
	if _, err = t.q.Await(ctx, s.ID, 0, nil); ctx.Err() != nil {
		return errors.New("a question that was cancelled stays")
	}
	return err
}

// ask asks the nth question and returns it once it is pending.
func (t trip) ask(ctx context.Context, n int) (s queue.Session, asked mcpRequest, err error) {
	asked, err = t.client.begin("tools/call", object{"name": "provide_choice", "arguments": object{
		"title": fmt.Sprint("Does this work? ", n), "prompt": "choicetui doctor asks.",
		"selection_mode": "single", "options": []object{{"id": "yes", "recommended": true}, {"id": "no"}}}})
	for err == nil && ctx.Err() == nil {
		live, _, failed := t.q.Store.Live(ctx)
		if failed != nil {
			return s, asked, failed
		}
		for _, s := range live {
			if s.Pending() {
				return s, asked, nil
			}
		}
		select {
		case r := <-asked.came:
			return s, asked, fmt.Errorf("the question did not stay pending: %w", r.problem())
		case <-time.After(tripLook):
		}
	}
	if err == nil {
		err = errors.New("the question did not arrive within 10 seconds")
	}
	return s, asked, err
}

// object is a JSON object.
type object = map[string]any

// mcpClient is the agent's end of the pipes to an MCP server, for the demo and the doctor.
type mcpClient struct {
	cmd *exec.Cmd
	to  io.WriteCloser

	mu    sync.Mutex
	asked []chan mcpReply // the request with id n waits at index n-1; all are closed with the pipe
	read  chan struct{}   // closed when the server has closed its end
}

// mcpReply is the server's reply to one request.
type mcpReply struct {
	ID     int `json:"id"`
	Result struct {
		IsError bool            `json:"isError"`
		Content json.RawMessage `json:"structuredContent"`
	} `json:"result"`
	Error *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// mcpRequest is a request that was sent. came receives the reply, or is closed if none can come any more.
type mcpRequest struct {
	id   int
	came chan mcpReply
}

// startMCP starts the server that a command runs.
func startMCP(cmd *exec.Cmd) (*mcpClient, error) {
	to, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c := &mcpClient{cmd: cmd, to: to, read: make(chan struct{})}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go c.listen(from)
	return c, nil
}

// listen gives each reply to the request that waits for it, until the pipe is closed.
func (c *mcpClient) listen(from io.Reader) {
	defer close(c.read)
	for d := json.NewDecoder(from); ; {
		var r mcpReply
		err := d.Decode(&r)
		c.mu.Lock()
		switch {
		case err != nil:
			for _, waits := range c.asked {
				close(waits)
			}
			c.asked = nil
		case r.ID > 0 && r.ID <= len(c.asked): // a notification has no id
			c.asked[r.ID-1] <- r
		}
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// connect opens the session as an agent of this name.
func (c *mcpClient) connect(ctx context.Context, name string) error {
	hello := object{"protocolVersion": "2025-11-25", "capabilities": object{},
		"clientInfo": object{"name": name, "version": version()}}
	if _, err := c.request(ctx, "initialize", hello); err != nil {
		return err
	}
	return c.notify("notifications/initialized", object{})
}

// request sends a request and waits for its reply.
func (c *mcpClient) request(ctx context.Context, method string, params object) (*mcpReply, error) {
	r, err := c.begin(method, params)
	if err != nil {
		return nil, err
	}
	return r.reply(ctx)
}

// begin sends a request.
func (c *mcpClient) begin(method string, params object) (mcpRequest, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := mcpRequest{len(c.asked) + 1, make(chan mcpReply, 1)}
	c.asked = append(c.asked, r.came)
	return r, c.write(object{"id": r.id, "method": method, "params": params})
}

// notify sends a message that nobody replies to.
func (c *mcpClient) notify(method string, params object) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.write(object{"method": method, "params": params})
}

func (c *mcpClient) write(message object) error {
	message["jsonrpc"] = "2.0"
	if err := json.NewEncoder(c.to).Encode(message); err != nil {
		return errors.New("it ended before it could ask")
	}
	return nil
}

// close ends the server by closing its input, and returns why it did not exit cleanly.
func (c *mcpClient) close() error {
	_ = c.to.Close()
	<-c.read // before Wait, which closes the pipe
	return c.cmd.Wait()
}

// reply waits for the reply.
func (r mcpRequest) reply(ctx context.Context) (*mcpReply, error) {
	select {
	case got := <-r.came:
		if got.ID == 0 || got.Error != nil {
			return nil, got.problem()
		}
		return &got, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// problem says what is wrong with a reply. If the server ended before it could send a reply, the reply has no id.
func (r mcpReply) problem() error {
	switch {
	case r.ID == 0:
		return errors.New("it ended without a reply")
	case r.Error != nil:
		return errors.New(say.OneLine(r.Error.Message))
	}
	return errors.New("the tool says " + say.OneLine(string(r.Result.Content)))
}
