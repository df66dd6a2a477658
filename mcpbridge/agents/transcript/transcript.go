// Package transcript reads what an agent was doing when it asked: its last words, its plan, and the commands and file
// changes of that turn.
//
//	Where ─► the reader of its agent ─► the source that has this call ─► entries ─► the Turn that ends at the call
//
// The agents do not promise these formats. A reader skips what it does not know, and shows nothing rather than the turn
// of another session. Everything in a Turn is hostile text: the caller passes it through queue.Visible, and never takes
// the command of an approval from it. Nothing is written.
package transcript

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// ErrNoSource reports that nothing certain is known about the turn in which the agent asked.
var ErrNoSource = errors.New("nothing is known about the agent's turn")

const (
	// MostBytes limits what is read at the end of a file.
	MostBytes = 512 << 10
	// mostTurns limits the turns that are read, newest first.
	mostTurns = 64
	// mostFiles limits the sessions in which a call is searched. With more of them no match is certain.
	mostFiles = 16
	// oldest is the age after which a session cannot have a pending question, because questions end after 24 hours.
	oldest = 24 * time.Hour
)

// Turn holds what the agent did in the turn in which it asked.
type Turn struct {
	Words  []string // the agent's last words, oldest first
	Plan   []Step   // its plan or to-do list
	Acts   []Act    // the commands and file changes of the turn, oldest first
	Source string   // for a heading, such as "claude transcript"
}

// Step is a step of a plan.
type Step struct {
	Text  string
	State StepState
}

// StepState tells how far a step is.
type StepState int

// The states of a step.
const (
	Open StepState = iota
	Current
	Done
)

// Kind tells whether an Act ran a command, edited or read a file, or did something else.
type Kind int

// The kinds of acts.
const (
	Other Kind = iota
	Command
	Edit
	ReadFile
)

// Act is one thing that the agent did.
type Act struct {
	Kind           Kind
	Text           string // the command line or the path; of another tool its name
	Exit           *int   // nil: not known
	Failed         bool
	Added, Removed int    // lines
	Diff           string // a unified diff without headings; empty: not known
}

// Where tells what is known about the session that asks. An empty field is not known.
type Where struct {
	Reader    Reader   // reads what the agent writes down; nil: nothing does
	Dir       string   // the agent's directory
	CallID    string   // the agent's id of the call
	SessionID string   // the agent's id of the session, which Codex calls a thread
	Subagent  string   // the agent's id of the subagent that asks; empty: the agent itself asks
	Home      string   // the person's home directory
	Homes     []string // the agent's own directories beside the usual one below Home
	// Ask asks the agent itself for the messages of the session, if it keeps them in no file that can be read; nil: it
	// is not asked.
	Ask func(context.Context) ([]byte, error)
}

// Reader reads what one agent writes down.
type Reader interface {
	// Name returns what the heading above a turn calls the agent's records.
	Name() string
	// Find returns the sources that may have the call. certain reports that each is of the session that asks.
	Find(w Where) (sources []Source, certain bool)
	// Sessions returns the directories below which the agent keeps the files of its sessions, and the pattern of their
	// names; none: it keeps them elsewhere.
	Sessions(w Where) (roots []string, pattern string)
	// Entries reads the content of a source. It skips what it does not know.
	Entries(raw []byte) []Entry
}

// Source holds what an agent wrote down of one session.
type Source interface {
	// tail returns the last mostBytes.
	Tail(ctx context.Context) ([]byte, error)
	// version identifies the present content: it changes whenever the agent writes something.
	Version() string
}

// Read returns the turn in which the agent asked. If w names a call, the turn ends there; if it names only a session,
// the turn is the last one of that session, without its subagents. version changes when Read may return something
// else: while it is last, Read reads nothing and returns an empty Turn. The error is ErrNoSource if no turn is found;
// version then is the state of what was searched, since an agent may write its call down after it asked.
func Read(ctx context.Context, w Where, last string) (t Turn, version string, err error) {
	r := w.Reader
	switch {
	case r == nil:
		return Turn{}, "", ErrNoSource
	case last != "" && last == w.CallID: // what was before a call never changes
		return Turn{}, last, nil
	}
	sources, certain := r.Find(w)
	searched := stateOfAll(sources)
	if version = w.CallID; version != "" && last != "" && last == searched {
		return Turn{}, searched, ErrNoSource
	}
	if version == "" {
		if !certain || len(sources) != 1 {
			return Turn{}, searched, ErrNoSource
		}
		if version = sources[0].Version(); version == last {
			return Turn{}, last, nil
		}
	}
	for _, s := range sources {
		raw, err := s.Tail(ctx)
		if err != nil {
			continue
		}
		all := r.Entries(raw)
		if w.CallID == "" {
			return TurnOf(all, r.Name()), version, nil
		}
		if at := findCall(all, w.CallID); at >= 0 {
			return TurnOf(all[:at], r.Name()), version, nil
		}
	}
	return Turn{}, searched, ErrNoSource
}

// stateOfAll returns a text that changes when one of the sources does, or when there are others; empty if one of them
// is no file, and may change unseen.
func stateOfAll(sources []Source) string {
	var all strings.Builder
	for _, s := range sources {
		if _, isFile := s.(File); !isFile {
			return ""
		}
		all.WriteString("searched " + s.Version() + "\n")
	}
	return all.String()
}

// Sort tells what an entry is.
type Sort int

const (
	Prompted Sort = iota // the person's line, with which a turn begins
	Said                 // the agent's words
	Called               // a call
	Ended                // the result of a call
)

// Entry is one thing that an agent wrote down.
type Entry struct {
	Sort Sort
	Text string              // words
	ID   string              // of the call; also of a result, the id of its call
	Act  Act                 // of a call; of a result what it adds to the call's
	Plan func([]Step) []Step // returns the plan after this entry; nil: the entry does not change it
}

// findCall returns the place of a call, or -1.
func findCall(all []Entry, id string) int {
	return slices.IndexFunc(all, func(e Entry) bool { return e.Sort == Called && e.ID == id })
}

// TurnOf returns the last turn of the entries. Its plan may have been made in an earlier turn.
func TurnOf(all []Entry, source string) Turn {
	oldest, last := turnsIn(all)
	t := Turn{Source: source}
	for _, e := range all[oldest:] {
		if e.Plan != nil {
			t.Plan = e.Plan(t.Plan)
		}
	}
	calls := map[string]Act{} // by id
	done := map[string]int{}  // by id of a call that has a result: its index in t.Acts
	for _, e := range all[last:] {
		at, isDone := done[e.ID]
		switch e.Sort {
		case Said:
			if text := strings.TrimSpace(e.Text); text != "" {
				t.Words = append(t.Words, text)
			}
		case Called:
			if calls[e.ID] = e.Act; isDone {
				t.Acts[at] = e.Act
			}
		case Ended:
			act, isCall := calls[e.ID]
			switch {
			case isDone: // some agents tell a result twice
				t.Acts[at].take(e.Act)
			case isCall && act.Text != "":
				act.take(e.Act)
				done[e.ID] = len(t.Acts)
				t.Acts = append(t.Acts, act)
			}
		case Prompted:
		}
	}
	return t
}

// turnsIn returns the indexes in the entries at which the oldest turn that counts begins, with its prompt, and the last
// turn, behind its prompt. A turn without a prompt begins with the first entry.
func turnsIn(all []Entry) (oldest, last int) {
	turns := 0
	for i, e := range slices.Backward(all) {
		if e.Sort != Prompted {
			continue
		}
		if turns++; turns == 1 {
			last = i + 1
		}
		if turns == mostTurns {
			return i, last
		}
	}
	return 0, last
}

// take adds to the act of a call what its result says.
func (a *Act) take(r Act) {
	if r.Exit != nil {
		a.Exit = r.Exit
	}
	a.Failed = a.Failed || r.Failed || r.Exit != nil && *r.Exit != 0
	if r.Diff != "" {
		a.SetDiff(r.Diff)
	}
}

// SetDiff sets the diff and counts its lines.
func (a *Act) SetDiff(diff string) {
	a.Diff, a.Added, a.Removed = diff, 0, 0
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++ "):
			a.Added++
		case strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "--- "):
			a.Removed++
		}
	}
}

// AddedLines returns the diff that adds a whole file.
func AddedLines(content string) string {
	if content == "" {
		return ""
	}
	return "+" + strings.ReplaceAll(strings.TrimSuffix(content, "\n"), "\n", "\n+") + "\n"
}

// StateOf returns the state of a step, as all agents word it.
func StateOf(status string) StepState {
	switch status {
	case "completed", "done":
		return Done
	case "in_progress":
		return Current
	}
	return Open
}
