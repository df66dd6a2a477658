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

// Notice holds the message of an agent that needs its person in its own pane, and the places that show whether the
// agent has continued since.
//
//	a hook's stdin ─► ClaudeNotice, GeminiNotice (pure) ─► Notice ─► Show: announced in the queue
//	the agent's process, its own word on its state, its transcript, its command ─► over ─► taken back
type Notice struct {
	Origin queue.Origin
	Notice queue.Notice
	// State is the path of the state file of Claude Code's process; empty if there is none.
	State string
	// Wants is the state that the notice is about. If Sure is set and the state is another one at the first look, the
	// notice is already over.
	Wants string
	Sure  bool
	// Transcript is the path of the agent's transcript; empty: it is not known.
	Transcript string
	// Command is the shell command that the agent asks about; empty: it asks about something else.
	Command string
}

const eventNotification = "Notification"

// mostSaid limits the characters of an agent's message that are shown.
const mostSaid = 300

// The states that Claude Code writes into the state file of its process.
const (
	claudeWaits = "waiting" // a dialog is open
	claudeIdles = "idle"    // it waits for the next prompt
)

// claudeNotices maps the types of Claude Code's notifications that need its person to the state of its process at that
// time.
var claudeNotices = map[string]string{"permission_prompt": claudeWaits, "elicitation_dialog": claudeWaits,
	"elicitation_url_dialog": claudeWaits, "agent_needs_input": claudeWaits, "idle_prompt": claudeIdles}

// ClaudeNotice reads the input of Claude Code's notification hook. ok is false if the notification needs nobody. pid is
// the process of Claude Code.
func ClaudeNotice(raw []byte, pid int, now time.Time) (n Notice, ok bool) {
	e, ok := readHook(raw, hookAgent{client: "claude-code"}, nil)
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
	n.Sure = kind != "agent_needs_input" // this type may be about another process
	if n.Transcript != "" {
		n.State = claudeStateFile(n.Transcript, pid)
	}
	return n, true
}

// GeminiNotice reads the input of Gemini CLI's notification hook. ok is false if the notification needs nobody.
func GeminiNotice(raw []byte, _ int, now time.Time) (n Notice, ok bool) {
	e, ok := readHook(raw, hookAgent{client: "gemini-cli"}, nil)
	if !ok {
		return n, false
	}
	n, kind, ok := e.readNotice(now)
	if !ok || kind != "ToolPermission" {
		return n, false
	}
	if said, isText := e.text("timestamp"); isText {
		if at, err := time.Parse(time.RFC3339, said); err == nil && at.Before(now) {
			n.Notice.At = at // Gemini may write older entries down only after it has started the hook
		}
	}
	details, _ := e.object.object("details")
	title, _ := details.text("title")
	n.Command, _ = details.text("command")
	if title = firstLine(title); title != "" { // the title says more than the message
		n.Notice.Says = title
		if n.Command != "" {
			n.Notice.Says += ": " + n.Command
		}
		n.Notice.Says = queue.Shorten(n.Notice.Says, mostSaid, "…")
	}
	return n, true
}

// readNotice reads the fields that every notification has, and its type.
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

// From returns the notice with the origin completed by this process, which the agent started.
func (n Notice) From() Notice {
	o := call.ProcessOrigin()
	o.Dialect = queue.DialectNative
	if n.Wants == claudeWaits {
		n.Origin.Subagent = waitingSubagent(n.Transcript)
	}
	n.Origin = mergeOrigin(o, n.Origin, false)
	return n
}

// Show announces the notice until the agent continues or is gone, or ctx ends. It announces nothing if the same prompt
// is already in the queue, put there by the agent's hook.
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

// noticeWatch finds out whether the agent of a notice has continued.
type noticeWatch struct {
	Notice
	looked  bool
	session string // the session in the state file at the first look; empty: the state file cannot be used

	transcript tail
	started    children // the processes that the agent has started
}

// behindNotice limits the bytes at the end of a transcript that the first look reads.
const behindNotice = 64 << 10

// isOver reports whether the agent has continued, or is gone.
func (c *noticeWatch) isOver() bool {
	first := !c.looked
	c.looked = true
	if !call.AgentRuns(c.Origin) {
		return true
	}
	now := readClaudeState(c.State)
	if first && (now.state == c.Wants || c.Sure) {
		c.session = now.session // the state file tells about this notice
	}
	if c.session != "" {
		// A turn may begin and end between two looks, so for an idle agent new entries count too. They do not count
		// while a dialog is open: other calls of the same turn may be written down then.
		return now.session != c.session || now.state != c.Wants || c.Notice.Notice.Idle && c.hasNewEntry(first)
	}
	return c.commandRuns() || c.hasNewEntry(first)
}

// claudeStateFile returns the path of the state file of a process of Claude Code. transcript is the transcript of its
// session.
func claudeStateFile(transcript string, pid int) string {
	home := filepath.Dir(filepath.Dir(filepath.Dir(transcript))) // the path is HOME/projects/PROJECT/SESSION.jsonl
	return filepath.Join(home, "sessions", strconv.Itoa(pid)+".json")
}

// claudeState is what Claude Code writes into the state file of its process.
type claudeState struct {
	session, state string    // empty: the file cannot be read, or contains no state
	at             time.Time // when the state began; zero: an older version does not say
}

// readClaudeState reads a state file of Claude Code.
func readClaudeState(file string) claudeState {
	var said struct {
		SessionID string `json:"sessionId"`
		Status    string `json:"status"`
		Since     int64  `json:"statusUpdatedAt"` // in milliseconds
	}
	for range 5 {
		raw, err := os.ReadFile(file)
		if err != nil {
			return claudeState{}
		}
		if json.Unmarshal(raw, &said) == nil {
			break
		}
		time.Sleep(lookEvery / 100) // Claude is writing the file
	}
	if said.Status == "" {
		return claudeState{}
	}
	s := claudeState{session: said.SessionID, state: said.Status}
	if said.Since != 0 {
		s.at = time.UnixMilli(said.Since)
	}
	return s
}

// commandRuns reports whether the agent runs the command that it asked about.
func (c *noticeWatch) commandRuns() bool {
	return c.Command != "" && c.started.startedCommand(c.Command)
}

// hasNewEntry reports whether the transcript has an entry of the person, the agent or a tool that is newer than the
// notice.
func (c *noticeWatch) hasNewEntry(first bool) bool {
	lines, err := c.transcript.lines()
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) && !first // a transcript that was removed since
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

// waitingSubagent returns the role of the subagent of Claude Code whose prompt is open, by the transcripts: Claude's
// notification does not name it. It is empty if the agent itself may be asking, or if several subagents are.
func waitingSubagent(transcript string) (role string) {
	// A call that runs a subagent in the foreground is open too, but is no prompt of the agent itself.
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

// hasOpenCall reports whether a transcript has a call without a result. Calls of the ignored tools do not count.
func hasOpenCall(transcript string, ignored ...string) bool {
	file := tail{path: transcript, first: mostTranscript}
	lines, _ := file.lines()
	open := map[string]bool{}
	for _, line := range lines {
		for _, p := range partsOf(line) {
			switch {
			case p.Type == "tool_use" && !slices.Contains(ignored, p.Name):
				open[p.ID] = true
			case p.Type == "tool_result":
				delete(open, p.CallID)
			}
		}
	}
	return len(open) > 0
}

// partsOf returns the calls and results in a line of a transcript; nil: the line has none.
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
