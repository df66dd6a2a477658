package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
)

// Notice holds the words of an agent that needs its person in its own pane, and the places that show whether the agent
// continues.
//
//	a hook's stdin ─► ClaudeNotice, GeminiNotice (pure) ─► Notice ─► Show: announced in the queue
//	the agent's process, its own word on its state, its transcript, its command ─► over ─► taken back
type Notice struct {
	Origin queue.Origin
	Notice queue.Notice
	// State is the file in which Claude Code says what its process does; empty: there is no such file.
	State string
	// Wants is the state that the notice is about. Sure: in another one the notice is over from the beginning.
	Wants string
	Sure  bool
	// Transcript is the file in which the agent writes down what is said and done.
	Transcript string
	// Command is the shell command that the agent asks for.
	Command string
}

const eventNotification = "Notification"

// mostSaid limits the characters of a notice that are kept.
const mostSaid = 300

// What Claude Code says of its process.
const (
	claudeWaits = "waiting" // a dialog is open
	claudeIdles = "idle"    // it waits for the next prompt
)

// claudeNotices are the notifications of Claude Code that need its person, and the state of its process meanwhile.
var claudeNotices = map[string]string{"permission_prompt": claudeWaits, "elicitation_dialog": claudeWaits,
	"elicitation_url_dialog": claudeWaits, "agent_needs_input": claudeWaits, "idle_prompt": claudeIdles}

// ClaudeNotice reads a notification of Claude Code; false where it needs nobody. pid is the process of Claude Code.
func ClaudeNotice(raw []byte, pid int, now time.Time) (n Notice, ok bool) {
	e, ok := readHook(raw, hookAgent{client: "claude-code"}, Words{}, nil)
	if !ok {
		return n, false
	}
	n, kind, ok := e.readNotice(now)
	if !ok {
		return n, false
	}
	if n.Wants = claudeNotices[kind]; n.Wants == "" {
		return n, false
	}
	n.Notice.Idle = n.Wants == claudeIdles
	n.Sure = kind != "agent_needs_input" // that may be about another process
	if n.Transcript != "" {
		n.State = claudeStateFile(n.Transcript, pid)
	}
	return n, true
}

// GeminiNotice reads a notification of Gemini CLI; false where it needs nobody.
func GeminiNotice(raw []byte, _ int, now time.Time) (n Notice, ok bool) {
	e, ok := readHook(raw, hookAgent{client: "gemini-cli"}, Words{}, nil)
	if !ok {
		return n, false
	}
	n, kind, ok := e.readNotice(now)
	if !ok || kind != "ToolPermission" {
		return n, false
	}
	if said, isText := e.text("timestamp"); isText {
		if at, err := time.Parse(time.RFC3339, said); err == nil && at.Before(now) {
			n.Notice.At = at // what it has said before may be written down only later
		}
	}
	details, _ := e.object.object("details")
	title, _ := details.text("title")
	n.Command, _ = details.text("command")
	if title = firstLine(title); title != "" { // the message names the same with less
		n.Notice.Says = title
		if n.Command != "" {
			n.Notice.Says += ": " + n.Command
		}
		n.Notice.Says = queue.Shorten(n.Notice.Says, mostSaid, "…")
	}
	return n, true
}

// readNotice reads what every notification has, and its type.
func (e hookEvent) readNotice(now time.Time) (n Notice, kind string, ok bool) {
	message, isText := e.text("message")
	kind, isKind := e.text("notification_type", "notificationType")
	path, isPath := e.text("transcript_path", "transcriptPath")
	if !isText || !isKind || !isPath || e.name != eventNotification || e.subagent != "" {
		return n, "", false
	}
	n.Origin = queue.Origin{Client: e.agent.client, Cwd: e.dir, Thread: e.session}
	n.Notice = queue.Notice{Says: queue.Shorten(message, mostSaid, "…"), At: now.UTC().Truncate(time.Millisecond)}
	if filepath.IsAbs(path) {
		n.Transcript = path
	}
	return n, kind, true
}

// From returns the notice with all that this process, which the agent started, knows of the agent.
func (n Notice) From() Notice {
	o := call.ProcessOrigin()
	o.Dialect = queue.DialectNative
	if n.Wants == claudeWaits {
		n.Origin.Subagent = waitingSubagent(n.Transcript)
	}
	n.Origin = mergeOrigin(o, n.Origin, false)
	return n
}

// Show announces the notice until the agent continues or is gone, or ctx ends. It announces nothing where the same is
// asked in the queue: the agent's hook brought it there before.
func (n Notice) Show(ctx context.Context, q *queue.Queue) error {
	pending, _, err := q.Store.Pending(ctx)
	if err != nil {
		return fmt.Errorf("failed to read the queue: %w", err)
	}
	if slices.ContainsFunc(pending, func(s queue.Session) bool {
		return s.Origin.Native() && s.Perhaps == "" &&
			s.Origin.Thread == n.Origin.Thread && s.Origin.SameAgent(n.Origin)
	}) {
		return nil
	}
	look := noticeWatch{Notice: n, transcript: tail{path: n.Transcript, first: behindNotice},
		started: children{pid: n.Origin.PID}}
	if look.isOver() {
		return nil
	}
	n.Origin.Instance = queue.NewToken()
	release, err := q.Store.Announce(ctx, queue.Presence{Instance: n.Origin.Instance, Role: queue.RoleNotice,
		Origin: &n.Origin, Notice: &n.Notice})
	if err != nil {
		return fmt.Errorf("failed to announce what the agent says: %w", err)
	}
	for again := time.NewTicker(lookEvery); ; {
		select {
		case <-ctx.Done():
		case <-again.C:
			if !look.isOver() {
				continue
			}
		}
		again.Stop()
		return release()
	}
}

// noticeWatch finds out whether the agent of a notice continues.
type noticeWatch struct {
	Notice
	looked  bool
	session string // by the state at the first look; empty: the state says nothing

	transcript tail
	started    children // by the agent
}

// behindNotice limits the part of a transcript that is read at the first look, in bytes.
const behindNotice = 64 << 10

// isOver reports whether the agent continues, or is gone.
func (c *noticeWatch) isOver() bool {
	first := !c.looked
	c.looked = true
	if !call.AgentRuns(c.Origin) {
		return true
	}
	session, state := claudeState(c.State)
	if first && (state == c.Wants || c.Sure) {
		c.session = session
	}
	if c.session != "" {
		// A turn may end between two looks. Where a dialog is open, other calls of its turn may be written down.
		return session != c.session || state != c.Wants || c.Notice.Notice.Idle && c.hasNewEntry(first)
	}
	return c.commandRuns() || c.hasNewEntry(first)
}

// claudeStateFile returns the file in which a process of Claude Code says what it does, by the transcript of its
// session.
func claudeStateFile(transcript string, pid int) string {
	home := filepath.Dir(filepath.Dir(filepath.Dir(transcript))) // its projects are below it
	return filepath.Join(home, "sessions", strconv.Itoa(pid)+".json")
}

// claudeState returns what Claude Code says of its process; empty: nothing.
func claudeState(file string) (session, state string) {
	var said struct {
		SessionID string `json:"sessionId"`
		Status    string `json:"status"`
	}
	for range 5 {
		raw, err := os.ReadFile(file)
		if err != nil {
			return "", ""
		}
		if json.Unmarshal(raw, &said) == nil {
			break
		}
		time.Sleep(lookEvery / 100) // it is being written
	}
	if said.Status == "" {
		return "", ""
	}
	return said.SessionID, said.Status
}

// commandRuns reports whether the agent runs the command that it asked for.
func (c *noticeWatch) commandRuns() bool {
	return c.Command != "" && c.started.startedCommand(c.Command)
}

// hasNewEntry reports whether something was said since the notice, by the transcript: by the person, the agent or a
// tool.
func (c *noticeWatch) hasNewEntry(first bool) bool {
	lines, err := c.transcript.lines()
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) && !first // it was removed
	}
	for _, line := range lines {
		var said struct {
			Type      string    `json:"type"`
			Timestamp time.Time `json:"timestamp"`
		}
		if json.Unmarshal(line, &said) == nil && said.Timestamp.After(c.Notice.Notice.At) &&
			slices.Contains([]string{"user", "assistant", "gemini"}, said.Type) {
			return true
		}
	}
	return false
}

// waitingSubagent returns the role of the subagent of Claude Code whose prompt is open, by the transcripts: Claude does
// not name it in its notification. It is empty where the agent itself may be asking, or more than one of them.
func waitingSubagent(transcript string) (role string) {
	// The agent itself also waits while it runs a subagent in the foreground.
	if hasOpenCall(transcript, "Agent", "Task") {
		return ""
	}
	files, _ := filepath.Glob(filepath.Join(strings.TrimSuffix(transcript, ".jsonl"), "subagents", "agent-*.meta.json"))
	for _, file := range files {
		var is struct {
			AgentType string `json:"agentType"`
			Finished  bool   `json:"finished"`
		}
		raw, err := os.ReadFile(file)
		if err != nil || json.Unmarshal(raw, &is) != nil || is.Finished || is.AgentType == "" ||
			!hasOpenCall(strings.TrimSuffix(file, ".meta.json")+".jsonl") {
			continue
		}
		if role != "" {
			return ""
		}
		role = queue.Shorten(is.AgentType, mostRole, "…")
	}
	return role
}

// hasOpenCall reports whether a transcript has a call without a result, of another tool than these.
func hasOpenCall(transcript string, but ...string) bool {
	file := tail{path: transcript, first: mostTranscript}
	lines, _ := file.lines()
	open := map[string]bool{}
	for _, line := range lines {
		for _, p := range partsOf(line) {
			switch {
			case p.Type == "tool_use" && !slices.Contains(but, p.Name):
				open[p.ID] = true
			case p.Type == "tool_result":
				delete(open, p.Of)
			}
		}
	}
	return len(open) > 0
}

// partsOf returns the parts of a line of a transcript that have to do with calls.
func partsOf(line []byte) (parts []transcriptPart) {
	var said struct {
		Type    string
		Message struct{ Content json.RawMessage }
	}
	if json.Unmarshal(line, &said) != nil || said.Type != "assistant" && said.Type != "user" ||
		json.Unmarshal(said.Message.Content, &parts) != nil {
		return nil
	}
	return parts
}
