package interview

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

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
	line              int
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

func (e *Faulty) Error() string { return faultyFile(e.File, e.words()) }

// faultyFile lists all problems of an interview's file.
func faultyFile(file string, problems []string) string {
	return say.OneLine(file) + " is no interview:\n  - " + strings.Join(problems, "\n  - ")
}

// words returns the problems, one line each.
func (e *Faulty) words() (rows []string) {
	for _, p := range e.Problems {
		rows = append(rows, problemOn(p.Line, p.Problem))
	}
	return rows
}

// problemOn returns one problem of a file, with its line if that is known.
func problemOn(line int, p queue.Problem) string {
	if line == 0 {
		return say.Text(p.String())
	}
	return fmt.Sprintf("line %d: %s", line, say.Text(p.String()))
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
	} else if root := r.parse(raw); root != nil {
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

// field holds one entry of a mapping.
type field struct {
	name string
	node *yaml.Node
}

// fields returns the known entries of a mapping. It reports a node that is no mapping, and entries that are unknown or
// occur twice.
func (r *reader) fields(n *yaml.Node, path string, known ...string) (list []field) {
	if n.Kind != yaml.MappingNode {
		r.add(n.Line, path, "is no mapping", oneOf(known))
		return nil
	}
	var seen []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], plain(n.Content[i+1])
		at := join(path, key.Value)
		switch {
		case !slices.Contains(known, key.Value):
			r.add(key.Line, at, "is not a known field", oneOf(known))
		case slices.Contains(seen, key.Value):
			r.add(key.Line, at, "is there twice", "each field once")
		default:
			list = append(list, field{key.Value, value})
		}
		seen = append(seen, key.Value)
	}
	return list
}

// oneOf joins names to a list with "or" before the last one.
func oneOf(names []string) string {
	words := ""
	for i, n := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			words += " or "
		default:
			words += ", "
		}
		words += n
	}
	return words
}

// join returns the path of a field below another path.
func join(path, name string) string {
	if path == "" {
		return queueName(name)
	}
	return path + "." + queueName(name)
}

// queueName returns a field's name on one line, shortened and with hidden characters made visible.
func queueName(name string) string {
	shown, _ := queue.VisibleLine(queue.Shorten(name, 60, "…"))
	return shown
}

// readFile reads the top level of the file: the mission and the list of questions.
func (r *reader) readFile(root *yaml.Node) {
	var questions *yaml.Node
	missing := true
	for _, f := range r.fields(root, "", "mission", "questions") {
		switch f.name {
		case "mission":
			missing = false
			r.file.Mission = r.text(f.node, "mission", queue.MaxTitle)
		case "questions":
			questions = f.node
		}
	}
	if root.Kind != yaml.MappingNode {
		return
	}
	if missing {
		r.add(root.Line, "mission", "is missing", "the name of what the decisions belong to")
	}
	switch {
	case questions == nil:
		r.add(root.Line, "questions", "is missing", "a list of questions")
	case questions.Kind != yaml.SequenceNode:
		r.add(questions.Line, "questions", "is no list", "a list of questions")
	case len(questions.Content) == 0:
		r.add(questions.Line, "questions", "is empty", "at least one question")
	case len(questions.Content) > MaxQuestions:
		r.add(questions.Line, "questions", fmt.Sprintf("has %d entries", len(questions.Content)),
			fmt.Sprintf("at most %d", MaxQuestions))
	default:
		r.readQuestions(questions)
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
	q.line = n.Line
	before := len(r.problems)
	given := r.fields(n, at, "id", "text", "default", "options")
	for _, f := range given {
		path := join(at, f.name)
		switch f.name {
		case "id":
			q.ID = r.text(f.node, path, queue.MaxOptionID)
		case "text":
			q.Text = r.text(f.node, path, queue.MaxNote)
		case "default":
			if f.node.Tag != "!!null" {
				q.Default = r.value(f.node, path)
			}
		case "options":
			q.Options = r.options(f.node, path)
		}
	}
	if n.Kind != yaml.MappingNode {
		return q
	}
	for _, name := range []string{"id", "text"} {
		if !slices.ContainsFunc(given, func(f field) bool { return f.name == name }) {
			r.add(n.Line, join(at, name), "is missing", "some text")
		}
	}
	if len(r.problems) == before { // else the same problem would be reported twice
		for _, p := range q.Ask().Check() {
			inside, ofQuestion := strings.CutPrefix(p.Path, "questions[0].")
			if !ofQuestion {
				inside = p.Path
			}
			r.add(q.line, join(at, inside), p.Wrong, p.Want)
		}
	}
	return q
}

// text reads a field that must not be blank. most limits its characters.
func (r *reader) text(n *yaml.Node, path string, most int) string {
	s := r.value(n, path)
	switch {
	case n.Kind != yaml.ScalarNode:
	case n.Tag == "!!null" || queue.Blank(s):
		r.add(n.Line, path, "is blank", "some text")
	case len([]rune(s)) > most:
		r.add(n.Line, path, fmt.Sprintf("has %d characters", len([]rune(s))), fmt.Sprintf("at most %d", most))
	}
	return s
}

// value returns a field's text as it was written, also if it is a number.
func (r *reader) value(n *yaml.Node, path string) string {
	if n.Kind != yaml.ScalarNode {
		r.add(n.Line, path, "is no text", "a text")
		return ""
	}
	return n.Value
}

// options reads texts, or mappings with an id, a label and perhaps a description.
func (r *reader) options(n *yaml.Node, path string) (list []queue.Option) {
	if n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		r.add(n.Line, path, "is no list", "a list of texts, or of id, label and description")
		return nil
	}
	for i, c := range n.Content {
		at, c := fmt.Sprintf("%s[%d]", path, i), plain(c)
		if c.Kind == yaml.ScalarNode {
			label := r.text(c, at, queue.MaxOptionID)
			list = append(list, queue.Option{ID: label, Label: label})
			continue
		}
		var o queue.Option
		for _, f := range r.fields(c, at, "id", "label", "description") {
			switch f.name {
			case "id":
				o.ID = r.text(f.node, join(at, f.name), queue.MaxOptionID)
			case "label":
				o.Label = r.text(f.node, join(at, f.name), queue.MaxLabel)
			case "description":
				o.Description = r.value(f.node, join(at, f.name))
			}
		}
		if o.ID == "" {
			o.ID = o.Label
		}
		if o.Label == "" {
			o.Label = o.ID
		}
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
