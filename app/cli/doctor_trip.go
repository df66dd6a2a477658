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
	"time"

	"github.com/choicetui/choicetui/app/setup"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

const (
	tripWithin = 10 * time.Second      // the limit for a round trip, with the program's start
	tripTurn   = 10 * time.Millisecond // the time between two looks at the scratch queue
)

// trip plays both sides of a question: the agent's end of the pipes to its server, and the person in a scratch queue.
type trip struct {
	q       *queue.Queue
	to      io.Writer
	replies chan tripReply
}

// tripReply is the server's reply to one JSON-RPC request.
type tripReply struct {
	ID     int `json:"id"`
	Result struct {
		IsError bool            `json:"isError"`
		Content json.RawMessage `json:"structuredContent"`
	} `json:"result"`
	Error *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// roundTrip starts an entry's command as its agent would, asks and answers a question, and asks and withdraws another.
// The command gets a scratch queue and no tmux, so the person sees nothing of it. It returns how long all of that took.
func roundTrip(ctx context.Context, sh *shell, home string, e setup.Entry) (took time.Duration, err error) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, tripWithin)
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

// runTrip starts the command, makes the trip, and closes the command's input, at which it has to end.
func runTrip(ctx context.Context, cmd *exec.Cmd, q *queue.Queue) error {
	to, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("it does not start: %w", err)
	}
	t := trip{q: q, to: to, replies: make(chan tripReply, 4)} // more than there are requests, so listen never blocks
	read := make(chan struct{})
	go func() {
		defer close(read)
		t.listen(from)
	}()
	err = t.tryAll(ctx)
	_ = to.Close()
	<-read // before Wait, which closes the pipe
	if ended := cmd.Wait(); err == nil && ended != nil {
		err = fmt.Errorf("it did not exit cleanly: %w", ended)
	}
	return err
}

// listen passes replies on until the program closes its output.
func (t trip) listen(from io.Reader) {
	defer close(t.replies)
	for d := json.NewDecoder(from); ; {
		var r tripReply
		if d.Decode(&r) != nil {
			return
		}
		if r.ID > 0 { // a notification has no id
			t.replies <- r
		}
	}
}

// tryAll connects as an agent does, and tries both kinds of question: one that is answered, and one that is withdrawn.
func (t trip) tryAll(ctx context.Context) error {
	hello := map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "choicetui-doctor", "version": version()}}
	if err := t.send(1, "initialize", hello); err != nil {
		return err
	}
	if _, err := t.reply(ctx); err != nil {
		return err
	}
	if err := t.send(0, "notifications/initialized", map[string]any{}); err != nil {
		return err
	}
	if err := t.tryAnswer(ctx); err != nil {
		return err
	}
	return t.tryWithdraw(ctx)
}

// tryAnswer asks, answers as a person would, and checks that the agent receives that answer.
func (t trip) tryAnswer(ctx context.Context) error {
	s, err := t.ask(ctx, 2)
	if err != nil {
		return err
	}
	answer := queue.Answer{Replies: []queue.Reply{{Question: s.Ask.Questions[0].ID, Selected: []string{"yes"}}}}
	if _, err := t.q.Do(ctx, s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI,
		Do: queue.Settle{Answer: answer}}); err != nil {
		return fmt.Errorf("the answer was not taken: %w", err)
	}
	r, err := t.reply(ctx)
	if err == nil && !bytes.Contains(r.Result.Content, []byte(`"yes"`)) {
		err = errors.New("a different answer came back")
	}
	return err
}

// tryWithdraw asks, cancels the call, and waits until the question has ended.
func (t trip) tryWithdraw(ctx context.Context) error {
	s, err := t.ask(ctx, 3)
	if err != nil {
		return err
	}
	if err := t.send(0, "notifications/cancelled", map[string]any{"requestId": 3}); err != nil {
		return err
	}
	if _, err = t.q.Await(ctx, s.ID, 0, nil); ctx.Err() != nil {
		return errors.New("a question that was cancelled stays")
	}
	return err
}

// ask calls the tool, and returns the question once it is pending.
func (t trip) ask(ctx context.Context, id int) (s queue.Session, err error) {
	asks := map[string]any{"title": fmt.Sprint("Does this work? ", id), "prompt": "choicetui doctor asks.",
		"selection_mode": "single", "options": []map[string]any{{"id": "yes", "recommended": true}, {"id": "no"}}}
	if err := t.send(id, "tools/call", map[string]any{"name": "provide_choice", "arguments": asks}); err != nil {
		return s, err
	}
	for ctx.Err() == nil {
		live, _, err := t.q.Store.Live(ctx)
		if err != nil {
			return s, err
		}
		for _, s := range live {
			if s.Pending() {
				return s, nil
			}
		}
		select {
		case r, open := <-t.replies:
			return s, fmt.Errorf("the question did not stay pending: %w", r.problem(open))
		case <-time.After(tripTurn):
		}
	}
	return s, errors.New("the question did not arrive within 10 seconds")
}

// send writes a request; with the id 0 a notification.
func (t trip) send(id int, method string, params any) error {
	message := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
	if id > 0 {
		message["id"] = id
	}
	if err := json.NewEncoder(t.to).Encode(message); err != nil {
		return errors.New("it ended before it could ask")
	}
	return nil
}

// reply returns the next reply. It fails if the reply is an error.
func (t trip) reply(ctx context.Context) (tripReply, error) {
	select {
	case r, open := <-t.replies:
		if !open || r.Error != nil || r.Result.IsError {
			return r, r.problem(open)
		}
		return r, nil
	case <-ctx.Done():
		return tripReply{}, errors.New("no reply within 10 seconds")
	}
}

// problem describes an error reply, or a missing one if open is false.
func (r tripReply) problem(open bool) error {
	switch {
	case !open:
		return errors.New("it ended without a reply")
	case r.Error != nil:
		return errors.New(say.OneLine(r.Error.Message))
	}
	return errors.New("the tool says " + say.OneLine(string(r.Result.Content)))
}
