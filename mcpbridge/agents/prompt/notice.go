package prompt

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
	// Event is the input of the hook that brought a prompt which cannot be asked here, if Claude's own dialog can be
	// followed by it; else it is empty.
	Event []byte
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
	e, ok := readHook(raw, hookAgent{client: clientClaude}, nil)
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
	if said, isText := e.Text("timestamp"); isText {
		if at, err := time.Parse(time.RFC3339, said); err == nil && at.Before(now) {
			n.Notice.At = at // Gemini may write older entries down only after it has started the hook
		}
	}
	details, _ := e.Object.Child("details")
	title, _ := details.Text("title")
	n.Command, _ = details.Text("command")
	if title = firstLine(title); title != "" { // the title says more than the message
		n.Notice.Says = title
		if n.Command != "" {
			n.Notice.Says += ": " + n.Command
		}
		n.Notice.Says = queue.Shorten(n.Notice.Says, mostSaid, "…")
	}
	return n, true
}

// mostFollowed limits the bytes of a hook's input that are given to the process that follows the dialog.
const mostFollowed = 4 * queue.MaxDecided

// UnfitNotice returns the notice of a prompt that came in the input of a hook and cannot be asked here. pid is the
// process of Claude Code; zero: it is not known.
func UnfitNotice(a Asked, raw []byte, pid int, now time.Time) (n Notice) {
	n.Origin = a.Origin
	n.Notice = queue.Notice{Says: queue.Shorten(a.Ask.Title, mostSaid, "…"), Why: a.Unfit,
		At: now.UTC().Truncate(time.Millisecond)}
	e, _ := readHook(raw, hookAgent{subagents: true}, nil)
	if path := e.Words("transcript_path", "transcriptPath"); filepath.IsAbs(path) {
		n.Transcript = path
	}
	if a.Origin.Client != clientClaude {
		return n
	}
	n.Wants = claudeWaits
	if n.Transcript != "" && pid != 0 {
		n.State = claudeStateFile(n.Transcript, pid)
	}
	if a.Dialog != nil && len(raw) <= mostFollowed {
		n.Event = raw
	}
	return n
}

// dialog returns the dialog that the notice is about; nil: nobody can follow it.
func (n Notice) dialog() *Dialog {
	if len(n.Event) == 0 {
		return nil
	}
	a, ok := Claude(n.Event, queue.NewToken)
	if !ok || a.Dialog == nil {
		return nil
	}
	a.Dialog.Watch(n.Origin.PID, n.Notice.At)
	return a.Dialog
}

// readNotice reads the fields that every notification has, and its type.
func (e hookEvent) readNotice(now time.Time) (n Notice, kind string, ok bool) {
	message, isText := e.Text("message")
	kind, isKind := e.Text("notification_type", "notificationType")
	path, isPath := e.Text("transcript_path", "transcriptPath")
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
	if n.Wants == claudeWaits && n.Notice.Why == "" {
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
	if n.Notice.Why == "" && slices.ContainsFunc(pending, func(s queue.Session) bool {
		return s.Origin.Native() && s.Perhaps == "" &&
			s.Origin.Thread == n.Origin.Thread && s.Origin.SameAgent(n.Origin)
	}) {
		return nil
	}
	look := noticeWatch{Notice: n, transcript: tail{path: n.Transcript, first: behindNotice},
		started: children{pid: n.Origin.PID}, follows: n.dialog()}
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
	written    bool     // there is a transcript
	started    children // the processes that the agent has started
	follows    *Dialog  // the agent's own dialog; nil: it is not known, or nobody can follow it
}

// behindNotice limits the bytes at the end of a transcript that the first look reads.
const behindNotice = 64 << 10

// isOver reports whether the agent has continued, or is gone.
func (c *noticeWatch) isOver() bool {
	first := !c.looked
	c.looked = true
	if c.Notice.Notice.Why != "" {
		return c.unfitIsOver()
	}
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
		return now.session != c.session || now.state != c.Wants || c.Notice.Notice.Idle && c.hasNewEntry()
	}
	return c.commandRuns() || c.hasNewEntry()
}

// unaskedFor is the least time for which the person is told that an agent without a person refused something: the agent
// goes on, or ends, at once.
const unaskedFor = 30 * time.Second

// unfitIsOver reports whether a prompt that cannot be asked here is over: the agent is gone, its own dialog has ended
// or the agent has continued since, or the notice is old. What an agent refused unasked is shown as long as the agent
// runs.
func (c *noticeWatch) unfitIsOver() bool {
	age, runs := time.Since(c.Notice.Notice.At), call.AgentRuns(c.Origin)
	switch {
	case age > unfitWithin:
		return true
	case c.Notice.Notice.Unasked:
		return !runs && age > unaskedFor
	case !runs:
		return true
	case c.follows != nil:
		sign := c.follows.Look()
		return sign != DialogOpen && sign != DialogPerhaps
	case c.State == "":
		return c.hasNewEntry()
	}
	now := readClaudeState(c.State)
	if c.session == "" && now.state == c.Wants { // its dialog is drawn after the hook has ended
		c.session = now.session
	}
	return c.session != "" && (now.session != c.session || now.state != c.Wants)
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
func (c *noticeWatch) hasNewEntry() bool {
	lines, err := c.transcript.lines()
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) && c.written // a transcript that was removed since
	}
	c.written = true
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
