package interview

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Limits of a file.
const (
	MaxQuestions = 200
	maxFile      = 4 << 20
)

// File is an interview: a mission and its questions, in order.
type File struct {
	Path      string
	Mission   string
	Questions []Question
}

// Question describes one question of the file. Default may be the label or the id of an option.
type Question struct {
	ID, Text, Default string
	Options           []queue.Option
}

// Problem describes one fault of a file: where it is, what is wrong, and what would be right. Line is 0 if it is not
// known.
type Problem struct {
	queue.Problem
	Line int
}

// Faulty lists every problem of a file at once, so that one repair is enough.
type Faulty struct {
	File     string
	Problems []Problem
}

func (e *Faulty) Error() string {
	words := say.OneLine(e.File) + " is not an interview:"
	for _, p := range e.Problems {
		words += "\n  - "
		if p.Line > 0 {
			words += fmt.Sprintf("line %d: ", p.Line)
		}
		words += say.Text(p.String())
	}
	return words
}

// Load reads a file in YAML or JSON. It fails with *Faulty, or with the file system's error.
func Load(path string) (File, error) {
	f, err := os.Open(path)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return File{}, fmt.Errorf("failed to read the interview: %w", err)
	}
	r := reader{file: File{Path: path}}
	if len(raw) > maxFile {
		r.add(0, "", fmt.Sprintf("takes more than %d MiB", maxFile>>20), "a smaller file")
	} else if root := r.parse(whole.WithoutMark(raw)); root != nil {
		r.readFile(root)
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int { return a.Line - b.Line })
	if len(r.problems) > 0 {
		return File{}, &Faulty{File: path, Problems: r.problems}
	}
	return r.file, nil
}

// reader collects the content of a file and all of its problems.
type reader struct {
	file     File
	problems []Problem
}

// add notes a problem of the file.
func (r *reader) add(line int, path, wrong, want string) {
	r.problems = append(r.problems, Problem{queue.Problem{Path: path, Wrong: wrong, Want: want}, line})
}

// parse returns the file's one document. JSON is YAML except for a few escape sequences, so JSON that the YAML decoder
// refuses is encoded again without them.
func (r *reader) parse(raw []byte) *yaml.Node {
	var doc, more yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(raw))
	err := d.Decode(&doc)
	if err == nil && !errors.Is(d.Decode(&more), io.EOF) {
		r.add(more.Line, "", "contains more than one document", "one")
		return nil
	}
	if err != nil && json.Valid(raw) {
		var whole any
		_ = json.Unmarshal(raw, &whole) // it is valid
		again, _ := json.Marshal(whole)
		err = yaml.Unmarshal(again, &doc)
	}
	switch {
	case errors.Is(err, io.EOF):
		r.add(0, "", "is empty", "mission and questions")
	case err != nil:
		r.add(0, "", "cannot be read: "+err.Error(), "YAML or JSON")
	case len(doc.Content) == 1:
		return plain(doc.Content[0])
	}
	return nil
}

// plain returns the node to which an alias refers, or the node itself.
func plain(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// fields returns the known entries of a mapping. It reports a node that is no mapping, for which it returns nil, and
// entries that are unknown or occur twice.
func (r *reader) fields(n *yaml.Node, path string, known ...string) map[string]*yaml.Node {
	last := len(known) - 1
	want := strings.Join(known[:last], ", ") + " or " + known[last]
	if n.Kind != yaml.MappingNode {
		r.add(n.Line, path, "is not a mapping", want)
		return nil
	}
	given := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		name, _ := queue.VisibleLine(queue.Shorten(key.Value, 60, "…"))
		switch _, twice := given[key.Value]; {
		case !slices.Contains(known, key.Value):
			r.add(key.Line, below(path, name), "is not a known field", want)
		case twice:
			r.add(key.Line, below(path, name), "is there twice", "each field once")
		default:
			given[key.Value] = plain(n.Content[i+1])
		}
	}
	return given
}

// below returns the path of a field of a mapping.
func below(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

// readFile reads the top level of the file: the mission and the list of questions.
func (r *reader) readFile(root *yaml.Node) {
	given := r.fields(root, "", "mission", "questions")
	if given == nil {
		return
	}
	r.file.Mission = r.text(root, given["mission"], "mission", queue.MaxTitle)
	list := given["questions"]
	switch {
	case list == nil:
		r.add(root.Line, "questions", "is missing", "a list of questions")
	case list.Kind != yaml.SequenceNode:
		r.add(list.Line, "questions", "is not a list", "a list of questions")
	case len(list.Content) == 0:
		r.add(list.Line, "questions", "is empty", "at least one question")
	case len(list.Content) > MaxQuestions:
		r.add(list.Line, "questions", fmt.Sprintf("has %d entries", len(list.Content)),
			fmt.Sprintf("at most %d", MaxQuestions))
	default:
		r.readQuestions(list)
	}
}

// readQuestions reads the list of questions, and reports ids that occur twice.
func (r *reader) readQuestions(list *yaml.Node) {
	seen := map[string]int{}
	for i, n := range list.Content {
		at := fmt.Sprintf("questions[%d]", i)
		q := r.readQuestion(plain(n), at)
		if j, dup := seen[q.ID]; dup && q.ID != "" {
			r.add(n.Line, at+".id", fmt.Sprintf("%s is also the id of questions[%d]", queue.Quote(q.ID), j),
				"a different id for each question")
		} else {
			seen[q.ID] = i
		}
		r.file.Questions = append(r.file.Questions, q)
	}
}

// readQuestion reads one question. at is its path. It also reports the problems for which the queue would refuse it.
func (r *reader) readQuestion(n *yaml.Node, at string) (q Question) {
	before := len(r.problems)
	given := r.fields(n, at, "id", "text", "default", "options")
	if given == nil {
		return q
	}
	q.ID = r.text(n, given["id"], below(at, "id"), queue.MaxOptionID)
	q.Text = r.text(n, given["text"], below(at, "text"), queue.MaxNote)
	if start := given["default"]; !absent(start) {
		q.Default = r.value(start, below(at, "default"))
	}
	if list := given["options"]; !absent(list) {
		q.Options = r.options(list, below(at, "options"))
	}
	if len(r.problems) == before { // else the same problem would be reported twice
		for _, p := range q.Ask().Check() {
			r.add(n.Line, below(at, strings.TrimPrefix(p.Path, "questions[0].")), p.Wrong, p.Want)
		}
	}
	return q
}

// absent reports whether a field is not given, or given without a value.
func absent(n *yaml.Node) bool { return n == nil || n.Tag == "!!null" }

// text reads a field of a mapping that must be given and not be blank. most limits its characters.
func (r *reader) text(mapping, n *yaml.Node, path string, most int) string {
	if n == nil {
		r.add(mapping.Line, path, "is missing", queue.WantsText)
		return ""
	}
	s := r.value(n, path)
	switch {
	case n.Kind != yaml.ScalarNode:
	case absent(n) || queue.Blank(s):
		r.add(n.Line, path, "is blank", queue.WantsText)
	case len([]rune(s)) > most:
		r.add(n.Line, path, fmt.Sprintf("has %d characters", len([]rune(s))), fmt.Sprintf("at most %d", most))
	}
	return s
}

// value returns a field's text as it was written, also if it is a number.
func (r *reader) value(n *yaml.Node, path string) string {
	if n.Kind != yaml.ScalarNode {
		r.add(n.Line, path, "is not a text", "a text")
		return ""
	}
	return n.Value
}

// options reads texts, or mappings with an id, a label and perhaps a description.
func (r *reader) options(n *yaml.Node, path string) (list []queue.Option) {
	if n.Kind != yaml.SequenceNode {
		r.add(n.Line, path, "is not a list", "a list of texts, or of id, label and description")
		return nil
	}
	for i, c := range n.Content {
		at, c := fmt.Sprintf("%s[%d]", path, i), plain(c)
		if c.Kind == yaml.ScalarNode {
			label := r.text(n, c, at, queue.MaxOptionID)
			list = append(list, queue.Option{ID: label, Label: label})
			continue
		}
		given := r.fields(c, at, "id", "label", "description")
		var o queue.Option
		if id := given["id"]; id != nil {
			o.ID = r.text(c, id, below(at, "id"), queue.MaxOptionID)
		}
		if label := given["label"]; label != nil {
			o.Label = r.text(c, label, below(at, "label"), queue.MaxLabel)
		}
		if words := given["description"]; words != nil {
			o.Description = r.value(words, below(at, "description"))
		}
		o.ID, o.Label = cmp.Or(o.ID, o.Label), cmp.Or(o.Label, o.ID)
		list = append(list, o)
	}
	return list
}

// Ask returns the question as an ask for the queue.
func (q Question) Ask() queue.Ask {
	asked := queue.Question{ID: q.ID, Text: q.Text, Mode: queue.ModeText, DefaultText: q.Default}
	if len(q.Options) > 0 {
		asked.Mode, asked.Max, asked.Options = queue.ModeHybrid, 1, q.Options
		if r, ok := widen.Final(asked, q.Default); ok && len(r.Selected) == 1 {
			asked.Defaults, asked.DefaultText = r.Selected, ""
		}
	}
	line, _ := queue.VisibleLine(q.Text)
	a := queue.Ask{Kind: queue.KindChoice, Title: queue.Shorten(line, queue.MaxTitle-1, "…"),
		Questions: []queue.Question{asked}, OnTimeout: queue.OnTimeoutNone,
		TimeoutSeconds: int(queue.MaxTimeout.Seconds())}
	if a.Title != q.Text {
		a.Prompt = q.Text
	}
	return a
}
