package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// askUserQuestion reads the question tools of agents, which resemble each other: AskUserQuestion, question, ask_user
// and request_user_input. Most models write this format by habit, so it is read most leniently. An answer has the text
// of its question as its key.
var askUserQuestion = Dialect{
	Tool:  Tool{nameQuestions, "Ask the person one or more questions"},
	Parse: parseQuestions, Render: renderQuestions, Fail: failError, Wire: wireQuestions,
}

var (
	questionsFields = []string{"questions"}
	questionFields  = []string{"question", "header", "options", "multiSelect", "type", "placeholder"}
	questionOption  = optionFormat{
		label: "label", offer: []string{"label", "description", "preview", "recommended"},
		ready: `{"label": "Use PostgreSQL", "description": "what follows from it"}`,
	}
)

const wantQuestions = `a list such as [{"question": "Which database?", "header": "Database", ` +
	`"options": [{"label": "PostgreSQL", "description": "…"}, {"label": "SQLite"}], "multiSelect": false}]`

// parseQuestions reads a list of questions, or a single question that is not in a list.
func parseQuestions(raw json.RawMessage) (Request, error) {
	var r reader
	o, ok := r.arguments(raw, "an object with questions")
	if !ok {
		return r.requestOrError(Request{})
	}
	f := questionForm{r: &r, ask: queue.Ask{Kind: queue.KindChoice}, places: map[string]int{}}
	o.alias("questions")
	// These tools add metadata, and the answers that a hook fills in. Both are ignored.
	o.acceptIgnored("answers", "annotations", "metadata", "source", "wait_for_previous")
	_, listed := o.fields["questions"]
	_, single := o.takeField("question")
	f.flat = !listed && (single || o.fields["options"] != nil)
	if f.flat {
		f.readQuestion("", o)
	} else {
		f.readQuestions(o)
		o.known = slices.DeleteFunc(o.known, func(n string) bool { return n == "question" }) // refused beside a list
		o.refuseUnknown(questionsFields)
	}
	if len(f.texts) > 0 {
		f.setTitleAndIDs()
		f.addQueueProblems()
	}
	return r.requestOrError(Request{Ask: f.ask, Transport: TransportAuto})
}

// questionForm collects the questions of one ask.
type questionForm struct {
	r      *reader
	ask    queue.Ask
	texts  []string       // the text of each question, as the caller wrote it
	places map[string]int // the index of each text in texts
	flat   bool           // the caller gave one question that is not in a list
}

// readQuestions reads the list of questions.
func (f *questionForm) readQuestions(o *object) {
	raw, there := o.takeField("questions")
	if !there {
		f.r.addProblem(o.path("questions"), "is missing", wantQuestions)
		return
	}
	items := []json.RawMessage{raw}
	// One question in place of the list is accepted, and so is its text alone.
	inner := unwrapJSON(raw, '{')
	if !isPlainText(raw) && (len(inner) == 0 || inner[0] != '{') {
		var ok bool
		if items, ok = o.list("questions", wantQuestions); !ok {
			return
		}
	}
	switch n := len(items); {
	case n == 0:
		f.r.addProblem(o.path("questions"), "is empty", wantQuestions)
	case n > queue.MaxQuestions:
		f.r.addProblem(o.path("questions"), fmt.Sprintf("has %d entries", n),
			fmt.Sprintf("at most %d", queue.MaxQuestions))
		return
	}
	for i, raw := range items {
		at := fmt.Sprintf("%s[%d]", o.path("questions"), i)
		if raw = unwrapJSON(raw, '{'); len(raw) > 0 && raw[0] == '"' { // a string is a question for own words
			f.addQuestion(at, queue.Question{Mode: queue.ModeText, Annotate: true}, f.r.text(at, raw, "a question"))
			continue
		}
		if q, ok := f.r.object(at, raw, "an object with question and options"); ok {
			f.readQuestion(at, q)
		} else {
			f.addQuestion(at, queue.Question{Mode: queue.ModeText}, "")
		}
	}
}

// isPlainText reports whether a value is text that does not begin as JSON-encoded text does.
func isPlainText(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '"' {
		return false
	}
	text := strings.TrimSpace(scalarText(raw))
	return text != "" && !strings.ContainsRune("[{", rune(text[0]))
}

// readQuestion reads one question. at is its path.
func (f *questionForm) readQuestion(at string, o *object) {
	o.alias("question", "prompt", "message", "text")
	o.alias("header", "title")
	o.alias("multiSelect", "multiple", "allow_multiple", "multi")
	q := queue.Question{Header: headline(o.text("header", "a few words that name the question")), Annotate: true}
	text := o.text("question", "the question, as text")
	if queue.Blank(text) && !f.r.hasProblem(o.path("question")) {
		text = q.Header // some models give only the header
	}
	if queue.Blank(text) && !f.r.hasProblem(o.path("question")) && !f.r.hasProblem(o.path("header")) {
		f.r.addProblem(o.path("question"), "is missing or blank", "the text of the question")
	}
	if raw, there := o.takeField("id"); there {
		q.ID = f.r.textOrNumber(o.path("id"), raw, "a short text, different for each question")
	}
	many := o.flag("multiSelect")
	own := o.flag("custom")
	kind := o.enum("type", "choice", "text", "yesno")
	q.Options, q.Mode = questionOptions(o, kind)
	switch {
	case q.Mode == queue.ModeText:
	case own != nil && !*own: // an agent says so that does not take own words
		if q.Mode = queue.ModeSingle; many != nil && *many {
			q.Mode = queue.ModeMulti
		}
		q.Min, q.Max = queue.Bounds(q.Mode, len(q.Options))
	case many != nil && *many:
		q.Max = max(len(q.Options), 1)
	default:
		q.Max = 1
	}
	if hint := o.text("placeholder", "text"); q.TakesText() {
		q.Placeholder = hint
	}
	o.acceptIgnored("isOther", "required")
	if raw, there := o.fields["isSecret"]; there && string(raw) == "false" { // some say so of each question
		o.acceptIgnored("isSecret")
	}
	o.refuseUnknown(questionFields)
	f.addQuestion(at, q, text)
}

// questionOptions reads the options and the selection mode. An empty list, or the type text, asks for own words.
func questionOptions(o *object, kind string) ([]queue.Option, string) {
	options, there := o.options(questionOption)
	switch {
	case kind == "text" && len(options) > 0:
		o.r.addProblem(o.path("options"), fmt.Sprintf("has %d entries, but type is text", len(options)),
			`no options, or type "choice"`)
	case kind == "text":
		return nil, queue.ModeText
	case !there && kind == "" && o.path("") == "" && len(o.fields) == 1: // {"question": "Just?"}
		return nil, queue.ModeText
	case kind == "yesno" && len(options) == 0:
		return []queue.Option{{ID: "Yes", Label: "Yes"}, {ID: "No", Label: "No"}}, queue.ModeHybrid
	case !there:
		o.r.addProblem(o.path("options"), "is missing",
			"two to four options such as "+questionOption.ready+`, or "type": "text"`)
	case len(options) == 0 && !o.r.hasProblem(o.path("options")):
		return nil, queue.ModeText
	}
	return options, queue.ModeHybrid
}

// addQuestion appends a question with its text. It reports a text that another question has too.
func (f *questionForm) addQuestion(at string, q queue.Question, text string) {
	if j, dup := f.places[text]; dup && text != "" {
		path := strings.TrimPrefix(at+".question", ".")
		f.r.addProblem(path, fmt.Sprintf("is the same as questions[%d].question", j),
			"a different text for each question: the answers are keyed by it")
	} else {
		f.places[text] = len(f.texts)
	}
	f.texts = append(f.texts, text)
	f.ask.Questions = append(f.ask.Questions, q)
}

// setTitleAndIDs sets the title of the ask, the texts of the questions, and the ids that the caller did not give.
func (f *questionForm) setTitleAndIDs() {
	taken := map[string]bool{}
	for _, q := range f.ask.Questions {
		taken[q.ID] = true
	}
	var names []string
	for i := range f.ask.Questions {
		q := &f.ask.Questions[i]
		if q.ID == "" {
			for q.ID = fmt.Sprintf("q%d", i+1); taken[q.ID]; {
				q.ID += "_"
			}
		}
		if names = append(names, q.Header); q.Header == "" {
			names[i] = headline(f.texts[i])
		}
		q.Text = f.texts[i]
	}
	if len(names) == 1 {
		q := &f.ask.Questions[0]
		q.Text = ""
		setQuestionText(&f.ask, q, f.texts[0])
		return
	}
	f.ask.Title = headline(strings.Join(names, ", "))
}

// addQueueProblems reports the problems for which the queue would refuse the ask. Fields that were already reported as
// missing are filled in for this check, so that all others can be checked.
func (f *questionForm) addQueueProblems() {
	probe := f.ask
	if probe.Title == "" {
		probe.Title = "-"
	}
	blank := func(q queue.Question) bool { return queue.Blank(q.Text) }
	if queue.Blank(probe.Prompt) && slices.ContainsFunc(probe.Questions, blank) {
		probe.Prompt = "-"
	}
	f.r.addQueueProblems(probe, nil, f.wirePaths)
}

// wirePaths turns the queue's paths into those of this format, or of a question that is not in a list.
func (f *questionForm) wirePaths(problems []queue.Problem) []queue.Problem {
	out := wireQuestions(problems)
	for i := range out {
		if f.flat {
			out[i].Path = strings.TrimPrefix(out[i].Path, "questions[0].")
		}
	}
	return out
}

// wireQuestions turns the queue's paths into those of this format.
func wireQuestions(problems []queue.Problem) (out []queue.Problem) {
	for _, p := range problems {
		parts := strings.Split(p.Path, ".")
		switch last := len(parts) - 1; {
		case p.Path == "title", p.Path == "prompt":
			parts = []string{"questions[0]", "question"}
		case parts[last] == "text":
			parts[last] = "question"
		case parts[last] == "id" && last == 2:
			parts[last] = "label"
		case parts[last] == "mode", parts[last] == "min", parts[last] == "max":
			parts[last] = "multiSelect"
		}
		p.Path = strings.Join(parts, ".")
		out = append(out, p)
	}
	return out
}

// questionsResult is the structured content of a result in this format.
type questionsResult struct {
	Status      string `json:"status"`
	Answers     pairs  `json:"answers,omitempty"` // the key is the text of the question
	Annotations pairs  `json:"annotations,omitempty"`
	Comment     string `json:"comment,omitempty"`
	sessionFields
}

// renderQuestions returns a result in this format.
func renderQuestions(s queue.Session, d Delivery) Result {
	out := questionsResult{Status: statusWaiting, sessionFields: sessionFieldsOf(s, d)}
	if s.Outcome == nil {
		return waitingResult(s, d, waitingText(s, d), func(message string, m *summarization) json.RawMessage {
			out.Message, out.Discussion = message, m
			return compact(out)
		})
	}
	o := s.Outcome
	if !o.Answered() {
		out.Status, out.Comment, out.Annotations = o.Status, o.Annotated().Comment, annotationsOf(s)
		out.Message = fmt.Sprintf("No question was answered: %s Do not choose for the person.", undecidedText(s))
		raw := compact(out)
		text := out.Message + "\n" + string(raw) + adviceLines(out.Advice, nil)
		return Result{Text: text, Structured: raw, IsError: true}
	}
	out.Status, out.Comment, out.Annotations = statusAnswered, o.Answer.Comment, annotationsOf(s)
	text := "The person answered:"
	for i, q := range s.Ask.Questions {
		if i >= len(o.Answer.Replies) {
			break
		}
		question, answer := questionText(s.Ask, q), replyText(o.Answer.Replies[i])
		out.Answers = append(out.Answers, pair{question, answer})
		shownQuestion, _ := queue.VisibleLine(question)
		shownAnswer, _ := queue.VisibleLine(answer)
		text += "\n- " + shownQuestion + ": " + shownAnswer
	}
	if said := teamSentence(o); said != "" {
		text += "\n" + said
	}
	raw := compact(out)
	return Result{Text: text + "\n" + string(raw) + adviceLines(out.Advice, nil), Structured: raw}
}

// annotationsOf returns the person's notes by the text of the question, also where they cancelled or the time was over.
func annotationsOf(s queue.Session) (all pairs) {
	for _, q := range s.Ask.Questions {
		r, _ := s.Outcome.Annotated().Reply(q.ID)
		if notes := notesText(q, r); notes != "" {
			all = append(all, pair{questionText(s.Ask, q), map[string]string{"notes": notes}})
		}
	}
	return all
}

// replyText returns one answer: the labels of the chosen options as the caller wrote them, then the person's own words.
func replyText(r queue.Reply) string {
	parts := append([]string(nil), r.Selected...)
	if r.Text != "" {
		parts = append(parts, r.Text)
	}
	return strings.Join(parts, ", ")
}

// notesText returns the person's notes on a question's options, a line for each.
func notesText(q queue.Question, r queue.Reply) string {
	var lines []string
	for _, o := range q.Options {
		if n := r.Notes[o.ID]; n != "" {
			lines = append(lines, o.ID+": "+n)
		}
	}
	return strings.Join(lines, "\n")
}

// pairs holds the members of a JSON object in their order.
type pairs []pair

type pair struct {
	key   string
	value any
}

// MarshalJSON writes the pairs as an object, in their order.
func (p pairs) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, one := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(compact(one.key))
		b.WriteByte(':')
		b.Write(compact(one.value))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
