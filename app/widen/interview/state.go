package interview

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Statuses of a decision.
const (
	StatusResolved = "resolved"
	StatusDeferred = "deferred"
)

// Decision holds the result of a question, as decisions.json lists it.
type Decision struct {
	ID          string        `json:"id" yaml:"id"`
	DecisionID  string        `json:"decision_id" yaml:"decision_id"` // a ULID
	Status      string        `json:"status" yaml:"status"`
	FinalAnswer *string       `json:"final_answer" yaml:"final_answer"` // nil: it was deferred
	Summary     queue.Summary `json:"summary_json" yaml:"summary_json"`
	Rationale   *string       `json:"rationale" yaml:"rationale"` // nil: it was not given
}

// state holds the content of the partial file.
type state struct {
	Mission string `yaml:"mission"`
	// Sessions holds the session's id of each question under way, by the question's id. The session's id is stored
	// before the session is created, so that a crash in between leaves no session that nobody knows.
	Sessions  map[string]string `yaml:"sessions,omitempty"`
	Decisions []Decision        `yaml:"decisions,omitempty"`
	// Asked holds the wording of the decided questions by id: a question whose wording has changed since is asked
	// again.
	Asked map[string]string `yaml:"asked,omitempty"`
}

// dropChanged forgets what was decided about questions whose text or options have changed in the file since.
func (s *state) dropChanged(f File) {
	for _, q := range f.Questions {
		if asked := s.Asked[q.ID]; asked != "" && asked != wordingOf(q.Ask()) {
			s.Decisions = slices.DeleteFunc(s.Decisions, func(d Decision) bool { return d.ID == q.ID })
			delete(s.Asked, q.ID)
		}
	}
}

// wordingOf returns a hash of the texts and options of an ask. Defaults do not count.
func wordingOf(a queue.Ask) string {
	var words []any
	for _, q := range a.Questions {
		words = append(words, q.Text, q.Options)
	}
	return hashOf(words)
}

// hashOf returns a hash of plain data.
func hashOf(data any) string {
	raw, _ := json.Marshal(data)
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16])
}

// decided returns the decision about a question, and whether there is one.
func (s state) decided(id string) (Decision, bool) {
	for _, d := range s.Decisions {
		if d.ID == id {
			return d, true
		}
	}
	return Decision{}, false
}

// decisionOf returns the decision about a question, from the session that asked it. ok is false if the question has to
// be asked again.
func decisionOf(id string, s queue.Session) (d Decision, ok bool) {
	if s.Outcome == nil {
		return d, false
	}
	d = Decision{ID: id, Status: StatusResolved, Summary: queue.Summary{Source: queue.SourceManual}}
	var rationale string
	switch o := s.Outcome; {
	case o.Answered():
		text := widen.FinalText(s.Ask, o.Answer)
		d.FinalAnswer = &text
	case o.Status == queue.StatusDeferred:
		d.Status, rationale = StatusDeferred, o.Reason
	default:
		return d, false
	}
	if s.Widen != nil {
		d.DecisionID = s.Widen.Decision
	} else {
		d.DecisionID = widen.NewDecision(s.Outcome.At)
	}
	if team := s.Outcome.Team; team != nil {
		d.Summary, rationale = team.Summary, cmp.Or(team.Rationale, rationale)
	}
	if rationale != "" {
		d.Rationale = &rationale
	}
	return d, true
}

// readState reads a partial file. If there is none, found is false and the state is empty.
func readState(path, mission string) (s state, found bool, err error) {
	s = state{Mission: mission, Sessions: map[string]string{}, Asked: map[string]string{}}
	raw, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, false, nil
	case err != nil:
		return s, false, fmt.Errorf("failed to read what was answered: %w", err)
	}
	var kept state
	d := yaml.NewDecoder(bytes.NewReader(whole.WithoutMark(raw)))
	d.KnownFields(true)
	if err := d.Decode(&kept); err != nil {
		return s, false, errors.New("what was answered before cannot be read: " + say.OneLine(path) + ": " +
			say.OneLine(err.Error()) + "; fix the file, or move it away to start again")
	}
	if kept.Mission != mission {
		return s, false, errors.New(say.OneLine(path) + " has the answers of another interview, " +
			say.ShortQuoted(kept.Mission, 60) + "; move it away, or name other answers with --answers")
	}
	s.Decisions = kept.Decisions
	maps.Copy(s.Sessions, kept.Sessions)
	maps.Copy(s.Asked, kept.Asked)
	return s, true, nil
}

// answersText returns answers.yaml: the answers in the order of the questions, and the deferred questions with their
// reasons.
func answersText(f File, s state) ([]byte, error) {
	mapping := func() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode} }
	put := func(in *yaml.Node, key string, value *yaml.Node) {
		in.Content = append(in.Content, text(key), value)
	}
	answers, deferred := mapping(), mapping()
	for _, q := range f.Questions {
		d, ok := s.decided(q.ID)
		switch {
		case !ok:
		case d.FinalAnswer != nil:
			put(answers, q.ID, text(*d.FinalAnswer))
		case d.Rationale != nil:
			put(deferred, q.ID, text(*d.Rationale))
		default: // the person gave no reason
			put(deferred, q.ID, text(""))
		}
	}
	root := mapping()
	put(root, "mission", text(f.Mission))
	put(root, "answers", answers)
	if len(deferred.Content) > 0 {
		put(root, "deferred", deferred)
	}
	return marshal(root)
}

// text returns a scalar that YAML reads as a text again, also if it looks like a number or a date.
func text(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	return n
}

// marshal returns a value as YAML.
func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(v), e.Close()); err != nil {
		return nil, fmt.Errorf("failed to write the answers: %w", err)
	}
	return out.Bytes(), nil
}

// decisionsText returns decisions.json, in the order of the questions.
func decisionsText(f File, s state) ([]byte, error) {
	list := []Decision{}
	for _, q := range f.Questions {
		if d, ok := s.decided(q.ID); ok {
			list = append(list, d)
		}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(list); err != nil {
		return nil, fmt.Errorf("failed to write the decisions: %w", err)
	}
	return out.Bytes(), nil
}

// writeFile replaces a file as a whole, or leaves the old one unchanged. The new file is on the disk when it returns.
func writeFile(path string, content []byte) error {
	if err := whole.Write(path, "."+filepath.Base(path)+"-*", content); err != nil {
		var at *fs.PathError
		if errors.As(err, &at) { // it names the temporary file, which the person does not know
			err = at.Err
		}
		return fmt.Errorf("failed to write %s: %w", path, err)
	}
	_ = whole.SyncDir(filepath.Dir(path)) // not every file system supports it
	return nil
}
