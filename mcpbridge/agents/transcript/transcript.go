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
	// mostBytes limits what is read at the end of a file.
	mostBytes = 512 << 10
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
	Agent     string   // claude, codex, opencode or gemini
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

// reader reads what one agent writes down.
type reader interface {
	// name returns what the heading above a turn calls the agent's records.
	name() string
	// find returns the sources that may have the call. certain reports that each is of the session that asks.
	find(w Where) (sources []source, certain bool)
	// entries reads the content of a source. It skips what it does not know.
	entries(raw []byte) []entry
}

// source holds what an agent wrote down of one session.
type source interface {
	// tail returns the last mostBytes.
	tail(ctx context.Context) ([]byte, error)
	// version identifies the present content: it changes whenever the agent writes something.
	version() string
}

var readers = map[string]reader{"claude": claude{}, "codex": codex{}, "gemini": gemini{}, "opencode": opencode{}}

// Read returns the turn in which the agent asked. If w names a call, the turn ends there; if it names only a session,
// the turn is the last one of that session, without its subagents. version changes when Read may return something
// else: while it is last, Read reads nothing and returns an empty Turn. The error is ErrNoSource if no turn is found;
// version then is the state of what was searched, since an agent may write its call down after it asked.
func Read(ctx context.Context, w Where, last string) (t Turn, version string, err error) {
	r := readers[w.Agent]
	switch {
	case r == nil:
		return Turn{}, "", ErrNoSource
	case last != "" && last == w.CallID: // what was before a call never changes
		return Turn{}, last, nil
	}
	sources, certain := r.find(w)
	searched := stateOfAll(sources)
	if version = w.CallID; version != "" && last != "" && last == searched {
		return Turn{}, searched, ErrNoSource
	}
	if version == "" {
		if !certain || len(sources) != 1 {
			return Turn{}, searched, ErrNoSource
		}
		if version = sources[0].version(); version == last {
			return Turn{}, last, nil
		}
	}
	for _, s := range sources {
		raw, err := s.tail(ctx)
		if err != nil {
			continue
		}
		all := r.entries(raw)
		if w.CallID == "" {
			return turnOf(all, r.name()), version, nil
		}
		if at := findCall(all, w.CallID); at >= 0 {
			return turnOf(all[:at], r.name()), version, nil
		}
	}
	return Turn{}, searched, ErrNoSource
}

// stateOfAll returns a text that changes when one of the sources does, or when there are others; empty if one of them
// is no file, and may change unseen.
func stateOfAll(sources []source) string {
	var all strings.Builder
	for _, s := range sources {
		if _, isFile := s.(file); !isFile {
			return ""
		}
		all.WriteString("searched " + s.version() + "\n")
	}
	return all.String()
}

// sort tells what an entry is.
type sort int

const (
	prompt sort = iota // the person's line, with which a turn begins
	words              // the agent's words
	called             // a call
	result             // the result of a call
)

// entry is one thing that an agent wrote down.
type entry struct {
	sort sort
	text string              // words
	id   string              // of the call; also of a result, the id of its call
	act  Act                 // of a call; of a result what it adds to the call's
	plan func([]Step) []Step // returns the plan after this entry; nil: the entry does not change it
}

// findCall returns the place of a call, or -1.
func findCall(all []entry, id string) int {
	return slices.IndexFunc(all, func(e entry) bool { return e.sort == called && e.id == id })
}

// turnOf returns the last turn of the entries. Its plan may have been made in an earlier turn.
func turnOf(all []entry, source string) Turn {
	oldest, last := turnsIn(all)
	t := Turn{Source: source}
	for _, e := range all[oldest:] {
		if e.plan != nil {
			t.Plan = e.plan(t.Plan)
		}
	}
	calls := map[string]Act{} // by id
	done := map[string]int{}  // by id of a call that has a result: its index in t.Acts
	for _, e := range all[last:] {
		at, isDone := done[e.id]
		switch e.sort {
		case words:
			if text := strings.TrimSpace(e.text); text != "" {
				t.Words = append(t.Words, text)
			}
		case called:
			if calls[e.id] = e.act; isDone {
				t.Acts[at] = e.act
			}
		case result:
			act, isCall := calls[e.id]
			switch {
			case isDone: // some agents tell a result twice
				t.Acts[at].take(e.act)
			case isCall && act.Text != "":
				act.take(e.act)
				done[e.id] = len(t.Acts)
				t.Acts = append(t.Acts, act)
			}
		case prompt:
		}
	}
	return t
}

// turnsIn returns the indexes in the entries at which the oldest turn that counts begins, with its prompt, and the last
// turn, behind its prompt. A turn without a prompt begins with the first entry.
func turnsIn(all []entry) (oldest, last int) {
	turns := 0
	for i, e := range slices.Backward(all) {
		if e.sort != prompt {
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
		a.setDiff(r.Diff)
	}
}

// setDiff sets the diff and counts its lines.
func (a *Act) setDiff(diff string) {
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

// addedLines returns the diff that adds a whole file.
func addedLines(content string) string {
	if content == "" {
		return ""
	}
	return "+" + strings.ReplaceAll(strings.TrimSuffix(content, "\n"), "\n", "\n+") + "\n"
}
