package prompt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
)

// Notice holds the message of an agent that needs its person in its own pane, and the places that show whether the
// agent has continued since.
//
//	a hook's stdin ─► the agent's reader (pure) ─► Notice ─► Show: announced in the queue
//	the agent's process, its own word on its state, its transcript, its command ─► over ─► taken back
type Notice struct {
	Agent  string // the id of the agent
	Origin queue.Origin
	Notice queue.Notice
	// State is the path of the file in which the agent's process says what it does; empty if there is none.
	State string
	// Wants is the state that the notice is about. If Sure is set and the state is another one at the first look, the
	// notice is already over.
	Wants string
	Sure  bool
	// Transcript is the path of the agent's transcript; empty: it is not known.
	Transcript string
	// Command is the shell command that the agent asks about; empty: it asks about something else.
	Command string
	// Event is the input of the hook that brought a prompt which cannot be asked here, if the agent's own dialog can be
	// followed by it; else it is empty.
	Event []byte
}

// Following has what an agent gives to find out whether it has continued since a notice. Each part may be missing.
type Following struct {
	// Read reads the input of the hook that brought a prompt, with the Dialog that follows it.
	Read func(raw []byte, token func() string) (Asked, bool)
	// StateFile returns the path of the file in which the agent's process says what it does.
	StateFile func(transcript string, pid int) string
	State     func(file string) State // reads that file
	Waits     string                  // what it says while a prompt is open
	// Entries lists the types of the entries in a transcript which tell that the agent has continued.
	Entries []string
}

// State is what an agent's process says about itself in a file. The zero value: it says nothing.
type State struct {
	Session, Doing string
	At             time.Time // when it began; zero: it is not said
}

// ByTurns follows an agent by what is said in its transcript.
var ByTurns = Following{Entries: []string{"user", "assistant"}}

// state returns what the agent says of its process now.
func (f Following) state(file string) State {
	if f.State == nil {
		return State{}
	}
	return f.State(file)
}

const eventNotification = "Notification"

// MostSaid limits the characters of an agent's message that are shown.
const MostSaid = 300

// mostFollowed limits the bytes of a hook's input that are given to the process that follows the dialog.
const mostFollowed = 4 * queue.MaxDecided

// UnfitNotice returns the notice of a prompt that came in the input of a hook and cannot be asked here. pid is the
// agent's process; zero: it is not known.
func (f Following) UnfitNotice(a Asked, raw []byte, pid int, now time.Time) (n Notice) {
	n.Origin, n.Wants = a.Origin, f.Waits
	n.Notice = queue.Notice{Says: queue.Shorten(a.Ask.Title, MostSaid, "…"), Why: a.Unfit,
		At: now.UTC().Truncate(time.Millisecond)}
	n.Transcript = a.Transcript
	if n.Transcript != "" && pid != 0 && f.StateFile != nil {
		n.State = f.StateFile(n.Transcript, pid)
	}
	if a.Dialog != nil && len(raw) <= mostFollowed {
		n.Event = raw
	}
	return n
}

// dialog returns the dialog that the notice is about; nil: nobody can follow it.
func (n Notice) dialog(f Following) Dialog {
	if len(n.Event) == 0 || f.Read == nil {
		return nil
	}
	a, ok := f.Read(n.Event, queue.NewToken)
	if !ok || a.Dialog == nil {
		return nil
	}
	a.Dialog.Watch(n.Origin.PID, n.Notice.At)
	return a.Dialog
}

// ReadNotice reads the fields that every notification has, and its type.
func (e Event) ReadNotice(now time.Time) (n Notice, kind string, ok bool) {
	message, isText := e.Text("message")
	kind, isKind := e.Text("notification_type", "notificationType")
	_, isPath := e.Text("transcript_path", "transcriptPath")
	if !isText || !isKind || !isPath || e.Name != eventNotification || e.Subagent != "" {
		return n, "", false
	}
	n.Origin = queue.Origin{Client: e.agent.Client, Cwd: e.Dir, Thread: e.session, OneSession: e.agent.OneSession}
	n.Notice = queue.Notice{Says: queue.Shorten(message, MostSaid, "…"), At: now.UTC().Truncate(time.Millisecond)}
	n.Transcript = e.transcript()
	return n, kind, true
}

// From returns the notice with the origin completed by this process, which the agent started. process is what
// call.ProcessOrigin says.
func (n Notice) From(process queue.Origin) Notice {
	process.Dialect = queue.DialectNative
	n.Origin = mergeOrigin(process, n.Origin, false)
	return n
}

// Show announces the notice until the agent continues or is gone, or ctx ends. It announces nothing if the same prompt
// is already in the queue, put there by the agent's hook.
func (n Notice) Show(ctx context.Context, q *queue.Queue, f Following) error {
	live, _, err := q.Store.Live(ctx)
	if err != nil {
		return fmt.Errorf("failed to read the queue: %w", err)
	}
	if n.Notice.Why == "" && slices.ContainsFunc(live, func(s queue.Session) bool {
		return s.Outcome == nil && s.Origin.Native() && s.Perhaps == "" &&
			s.Origin.Thread == n.Origin.Thread && s.Origin.SameAgent(n.Origin)
	}) {
		return nil
	}
	look := noticeWatch{Notice: n, Following: f, transcript: Tail{Path: n.Transcript, First: BehindNotice},
		started: Children{PID: n.Origin.PID}, follows: n.dialog(f)}
	if look.isOver() {
		return nil
	}
	n.Origin.Instance = queue.NewToken()
	release, err := q.Store.Announce(ctx, queue.Presence{Instance: n.Origin.Instance, Role: queue.RoleNotice,
		Origin: &n.Origin, Notice: &n.Notice})
	if err != nil {
		return fmt.Errorf("failed to announce what the agent says: %w", err)
	}
	for again := time.NewTicker(LookEvery); ; {
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
	Following
	looked  bool
	session string // the session in the state file at the first look; empty: the state file cannot be used

	transcript Tail
	written    bool     // there is a transcript
	started    Children // the processes that the agent has started
	follows    Dialog   // the agent's own dialog; nil: it is not known, or nobody can follow it
}

// BehindNotice limits the bytes at the end of a transcript that the first look reads.
const BehindNotice = 64 << 10

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
	now := c.state(c.Notice.State)
	if first && (now.Doing == c.Wants || c.Sure) {
		c.session = now.Session // the state file tells about this notice
	}
	if c.session != "" {
		// A turn may begin and end between two looks, so for an idle agent new entries count too. They do not count
		// while a dialog is open: other calls of the same turn may be written down then.
		return now.Session != c.session || now.Doing != c.Wants || c.Notice.Notice.Idle && c.hasNewEntry()
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
		return sign != SignOpen && sign != SignPerhaps
	case c.Notice.State == "":
		return c.hasNewEntry()
	}
	now := c.state(c.Notice.State)
	if c.session == "" && now.Doing == c.Wants { // its dialog is drawn after the hook has ended
		c.session = now.Session
	}
	return c.session != "" && (now.Session != c.session || now.Doing != c.Wants)
}

// commandRuns reports whether the agent runs the command that it asked about.
func (c *noticeWatch) commandRuns() bool {
	return c.Command != "" && c.started.StartedCommand(c.Command)
}

// hasNewEntry reports whether the transcript has an entry of the person, the agent or a tool that is newer than the
// notice.
func (c *noticeWatch) hasNewEntry() bool {
	lines, err := c.transcript.Lines()
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
			slices.Contains(c.Entries, said.Type) {
			return true
		}
	}
	return false
}
