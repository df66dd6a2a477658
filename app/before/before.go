// Package before reads what an agent was doing when it asked: its last words, its plan, and the commands and file
// changes of that turn.
//
//	Where ─► the reader of its agent ─► the file that has this very call ─► entries ─► the Turn that ends at the call
//
// The agents do not promise these formats. A reader skips what it does not know, and shows nothing rather than the turn
// of another session. Everything in a Turn is hostile text: the caller passes it through queue.Visible, and never takes
// the command of an approval from it. Nothing is written.
package before

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
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
	Deeds  []Deed   // the commands and file changes of the turn, oldest first
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

// Kind tells what sort of deed it is.
type Kind int

// The kinds of deeds.
const (
	Other Kind = iota
	Command
	Edit
	ReadFile
)

// Deed is one thing that the agent did.
type Deed struct {
	Kind           Kind
	Text           string // the command line or the path; of another tool its name
	Exit           *int   // nil: not known
	Failed         bool
	Added, Removed int    // lines
	Diff           string // a unified diff without headings; empty: not known
}

// Where tells what is known about the session that asks. An empty field is not known.
type Where struct {
	Agent      string // claude, codex, gemini or opencode
	Dir        string // the agent's directory
	Transcript string // the path that the agent gave to a hook
	CallID     string // the agent's id of the call
	SessionID  string
	ThreadID   string // Codex's name of the session
	PID        int    // the agent's process
	Home       string // the person's home directory
	Tool       string // the name of the tool as the agent writes it
	Input      json.RawMessage
	// Messages holds the messages of an opencode session as its server returns them: [{"info":…,"parts":[…]}].
	// opencode keeps them in a database, so only its plugin can send them.
	Messages json.RawMessage
}

// reader reads the files of one agent.
type reader interface {
	// name returns the heading's words.
	name() string
	// find returns the files that may have the call. certain reports that each is the session that asks, or a
	// subagent's of it.
	find(w Where) (files []file, certain bool)
	// entries reads the content of a file. It skips what it does not know.
	entries(raw []byte) []entry
	// lateCalls reports whether the agent writes a call down only after it is over.
	lateCalls() bool
}

var readers = map[string]reader{"claude": claude{}, "codex": codex{}, "gemini": gemini{}}

// Read returns the turn in which the agent asked. The error is ErrNoSource if no session matches for certain.
func Read(ctx context.Context, w Where) (Turn, error) {
	if w.Agent == "opencode" {
		return readOpencode(w)
	}
	r := readers[w.Agent]
	if r == nil {
		return Turn{}, ErrNoSource
	}
	files, certain := r.find(w)
	var found [][]entry
	unfinished := 0 // sessions without the call that may be about to write it
	for _, f := range files {
		if ctx.Err() != nil {
			return Turn{}, ctx.Err()
		}
		raw, err := f.tail()
		if err != nil {
			continue
		}
		all := r.entries(raw)
		switch at, byID := findCall(all, w); {
		case at >= 0:
			found = append(found, all[:at])
			if byID {
				return turnOf(all[:at], r.name()), nil
			}
		case certain && len(files) == 1 && r.lateCalls():
			found = append(found, all)
		case !isOver(all):
			unfinished++
		}
	}
	if len(found) != 1 || !certain && unfinished > 0 {
		return Turn{}, ErrNoSource
	}
	return turnOf(found[0], r.name()), nil
}

// Changed returns the time of the last change of the files that Read would read, and their length together. Both
// are zero if there are none.
func Changed(w Where) (at time.Time, length int64) {
	r := readers[w.Agent]
	if r == nil {
		return at, int64(len(w.Messages))
	}
	files, _ := r.find(w)
	for _, f := range files {
		if f.changed.After(at) {
			at = f.changed
		}
		length += f.length
	}
	return at, length
}

// sort tells what an entry is.
type sort int

const (
	prompt sort = iota // the person's line, with which a turn begins
	words              // the agent's words
	called             // a call
	result             // the result of a call
	final              // the turn is over
)

// entry is one thing that an agent wrote down.
type entry struct {
	sort  sort
	text  string          // words
	id    string          // of the call
	tool  string          // of a call
	input json.RawMessage // of a call
	deed  Deed            // of a call; of a result what it adds
	plan  func([]Step) []Step
}

// findCall returns the place of the call that asks, or -1. A call without an id in w is found by its tool and input
// among the calls that have no result; if several are equal there, the last one counts, since they are of one turn or
// the session says the same before each.
func findCall(all []entry, w Where) (at int, byID bool) {
	at = -1
	over := map[string]bool{}
	for _, e := range all {
		if e.sort == result {
			over[e.id] = true
		}
	}
	var want any
	byInput := w.Tool != "" && json.Unmarshal(w.Input, &want) == nil
	for i, e := range all {
		if e.sort != called {
			continue
		}
		if w.CallID != "" {
			if e.id == w.CallID {
				return i, true
			}
			continue
		}
		var have any
		if byInput && !over[e.id] && e.tool == w.Tool && json.Unmarshal(e.input, &have) == nil &&
			reflect.DeepEqual(have, want) {
			at = i
		}
	}
	return at, false
}

// isOver reports whether the agent ended its last turn, so that it cannot be about to ask.
func isOver(all []entry) bool {
	return len(all) == 0 || all[len(all)-1].sort == final
}

// turnOf returns the last turn of the entries.
func turnOf(all []entry, source string) Turn {
	turns, oldestTurn := 0, 0
	from := 0
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].sort != prompt {
			continue
		}
		if turns++; turns == 1 {
			from = i + 1
		}
		if turns == mostTurns {
			oldestTurn = i
			break
		}
	}
	t := Turn{Source: source}
	deeds := map[string]int{} // by the id of the call
	for i, e := range all[oldestTurn:] {
		if e.plan != nil {
			t.Plan = e.plan(t.Plan)
		}
		if i+oldestTurn < from {
			continue
		}
		switch e.sort {
		case words:
			if text := strings.TrimSpace(e.text); text != "" {
				t.Words = append(t.Words, text)
			}
		case called:
			if e.deed.Text != "" {
				deeds[e.id] = len(t.Deeds)
				t.Deeds = append(t.Deeds, e.deed)
			}
		case result:
			if at, is := deeds[e.id]; is {
				t.Deeds[at].take(e.deed)
			}
		case prompt, final:
		}
	}
	return t
}

// take adds what the result of a call says about it.
func (d *Deed) take(r Deed) {
	if r.Exit != nil {
		d.Exit = r.Exit
	}
	d.Failed = d.Failed || r.Failed || r.Exit != nil && *r.Exit != 0
	if r.Diff != "" {
		d.setDiff(r.Diff)
	}
}

// setDiff sets the diff and counts its lines.
func (d *Deed) setDiff(diff string) {
	d.Diff, d.Added, d.Removed = diff, 0, 0
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++ "):
			d.Added++
		case strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "--- "):
			d.Removed++
		}
	}
}
