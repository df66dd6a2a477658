package dialect

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Limits of the search in a model's text, so that hostile text takes a bounded time.
const (
	mostObject = 1 << 20   // bytes of one JSON object
	mostSearch = 256 << 20 // bytes that are read in all, over all places where an object may begin
)

// TextChoice holds one question from a model's text in the normal form, to which all spellings of a question are
// converted (docs/contract.md section 4).
type TextChoice struct {
	Type          string       `json:"type"` // user_choice
	Question      string       `json:"question"`
	Choices       []TextOption `json:"choices"`
	Context       string       `json:"context,omitempty"`
	RecommendedID *string      `json:"recommendedChoiceId,omitempty"`
}

// TextForm holds a form of several questions in the normal form.
type TextForm struct {
	Type        string         `json:"type"` // user_choices
	Title       string         `json:"title,omitempty"`
	Description string         `json:"description,omitempty"`
	Questions   []TextQuestion `json:"questions"`
}

// TextQuestion holds one question of a form.
type TextQuestion struct {
	ID            string       `json:"id"`
	Question      string       `json:"question"`
	Choices       []TextOption `json:"choices"`
	Context       string       `json:"context,omitempty"`
	RecommendedID *string      `json:"recommendedChoiceId,omitempty"`
}

// TextOption holds one option.
type TextOption struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
}

// Extraction holds the first choice in a model's text, and the text without it. At most one of Choice and Choices is
// set.
type Extraction struct {
	Choice  *TextChoice `json:"choice"`
	Choices *TextForm   `json:"choices"`
	Text    string      `json:"text"`
	Start   int         `json:"-"` // the offset of the JSON, or of its fence, in the text; -1 if there is none
	Unread  []string    `json:"-"` // the paths of options that the format of the choice does not read
	Hint    string      `json:"-"` // a line of the text that says that the choice is one for the team; empty: none
}

// Found reports whether the text contained a choice.
func (e Extraction) Found() bool { return e.Choice != nil || e.Choices != nil }

var (
	fence    = regexp.MustCompile("(?is)```[ \t]*json\\b(.*?)```")
	rawStart = regexp.MustCompile(`\{\s*"(?:type|question)"\s*:`)
)

// Extract finds the first choice in a model's text (docs/contract.md section 4). It looks at fenced JSON blocks first,
// then at JSON anywhere in the text. If the choice was in a fence, Text is the text without that block, else the text
// before the JSON.
func Extract(text string) Extraction {
	e := findChoice(text)
	if !e.Found() {
		return e
	}
	for line := range strings.Lines(text) {
		if words, ok := widen.CutHint(line); ok && !queue.Blank(words) {
			e.Hint = queue.Shorten(strings.TrimRight(line, " \t\r\n"), queue.MaxLabel-1, "…")
			break
		}
	}
	return e
}

// findChoice does the work of Extract, except for the hint.
func findChoice(text string) Extraction {
	for _, at := range fence.FindAllStringSubmatchIndex(text, -1) {
		if e := recogniseChoice(text[at[2]:at[3]]); e.Found() {
			e.Text, e.Start = strings.TrimSpace(text[:at[0]]+text[at[1]:]), at[0]
			return e
		}
	}
	spent := 0
	for from := 0; spent < mostSearch; {
		at := rawStart.FindStringIndex(text[from:])
		if at == nil {
			break
		}
		start := from + at[0]
		object, looked := balancedObject(text[start:min(len(text), start+mostObject)])
		spent += looked
		if e := recogniseChoice(object); e.Found() {
			e.Text, e.Start = strings.TrimSpace(text[:start]), start
			return e
		}
		from = start + 1
	}
	return Extraction{Text: strings.TrimSpace(text), Start: -1}
}

// balancedObject returns the JSON object at the beginning of text; empty: the object does not end. It skips braces
// within strings. looked is the number of bytes that it read.
func balancedObject(text string) (object string, looked int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return text[:i+1], i + 1
			}
		}
	}
	return "", len(text)
}

// writtenChoice holds a choice as a model wrote it. It has the fields of all formats in which models write choices.
type writtenChoice struct {
	Type        string          `json:"type"`
	Question    json.RawMessage `json:"question"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Context     string          `json:"context"`
	Options     json.RawMessage `json:"options"`
	Choices     json.RawMessage `json:"choices"`
	Questions   json.RawMessage `json:"questions"`
	ID          json.RawMessage `json:"id"`
	Recommended json.RawMessage `json:"recommendedChoiceId"`
}

// recogniseChoice returns the choice in a piece of JSON. If there is none, Found of the result is false.
func recogniseChoice(raw string) Extraction {
	var c writtenChoice
	if strings.TrimSpace(raw) == "" || json.Unmarshal([]byte(raw), &c) != nil {
		return Extraction{}
	}
	switch c.Type {
	case "user_choice":
		return c.readSingle()
	case "user_choices":
		return c.readForm()
	case "user_choice_group", "":
		return c.readGroup()
	}
	return Extraction{}
}

// readSingle reads a single question.
func (c writtenChoice) readSingle() Extraction {
	question, ok := textOrNumber(c.Question)
	options, given := optionList(c.Choices, c.Options)
	if !ok || !given {
		return Extraction{}
	}
	return Extraction{Choice: &TextChoice{
		Type: "user_choice", Question: question, Choices: options, Context: c.Context, RecommendedID: c.recommendedID(),
	}}
}

// readForm reads the internal format user_choices. It has options only in questions[].choices; a field options is not
// read.
func (c writtenChoice) readForm() Extraction {
	var list []writtenChoice
	if len(c.Questions) == 0 || json.Unmarshal(c.Questions, &list) != nil || list == nil {
		return Extraction{}
	}
	var unread []string
	out := &TextForm{Type: "user_choices", Title: c.Title, Description: c.Description, Questions: []TextQuestion{}}
	for i, q := range list {
		options, given := optionList(q.Choices)
		if lost, _ := optionList(q.Options); !given && len(lost) > 0 {
			unread = append(unread, fmt.Sprintf("questions[%d].options", i))
		}
		id, ok := textOrNumber(q.ID)
		if !ok {
			id = "q" + strconv.Itoa(i+1)
		}
		out.Questions = append(out.Questions, q.formQuestion(id, options))
	}
	return Extraction{Choices: out, Unread: unread}
}

// readGroup reads the format that models are told to use: a list of questions with a question above them. The first in
// the list must have options. A group of one question becomes a single question.
func (c writtenChoice) readGroup() Extraction {
	title, ok := textOrNumber(c.Question)
	var list []writtenChoice
	if !ok || len(c.Choices) == 0 || json.Unmarshal(c.Choices, &list) != nil || len(list) == 0 {
		return Extraction{}
	}
	if _, given := optionList(list[0].Choices, list[0].Options); !given {
		return Extraction{}
	}
	out := &TextForm{Type: "user_choices", Title: title, Description: c.Context}
	for i, q := range list {
		options, _ := optionList(q.Choices, q.Options)
		out.Questions = append(out.Questions, q.formQuestion("q"+strconv.Itoa(i+1), options))
	}
	if len(out.Questions) > 1 {
		return Extraction{Choices: out}
	}
	q := out.Questions[0]
	if q.Question == "" {
		q.Question = title
	}
	if q.Context == "" {
		q.Context = c.Context
	}
	return Extraction{Choice: &TextChoice{
		Type: "user_choice", Question: q.Question, Choices: q.Choices, Context: q.Context,
		RecommendedID: q.RecommendedID,
	}}
}

// formQuestion returns c as one question of a form.
func (c writtenChoice) formQuestion(id string, options []TextOption) TextQuestion {
	words, _ := textOrNumber(c.Question)
	return TextQuestion{
		ID: id, Question: words, Choices: options, Context: c.Context, RecommendedID: c.recommendedID(),
	}
}

// recommendedID returns the recommended id if it is a string, even if no option has it.
func (c writtenChoice) recommendedID() *string {
	var s string
	if len(c.Recommended) == 0 || json.Unmarshal(c.Recommended, &s) != nil || string(c.Recommended) == "null" {
		return nil
	}
	return &s
}

// optionList returns the first of these lists that is given. Its entries may be objects or only labels. An option
// without an id gets its number, from 1.
func optionList(lists ...json.RawMessage) (options []TextOption, given bool) {
	options = []TextOption{}
	for _, raw := range lists {
		var list []json.RawMessage
		if len(raw) == 0 || json.Unmarshal(raw, &list) != nil || list == nil {
			continue
		}
		for i, one := range list {
			options = append(options, readTextOption(one, strconv.Itoa(i+1)))
		}
		return options, true
	}
	return options, false
}

// readTextOption reads one option. number is its id if it has none.
func readTextOption(raw json.RawMessage, number string) TextOption {
	if label, ok := textOrNumber(raw); ok {
		return TextOption{ID: number, Label: label}
	}
	var o struct {
		ID          json.RawMessage `json:"id"`
		Label       json.RawMessage `json:"label"`
		Description json.RawMessage `json:"description"`
	}
	_ = json.Unmarshal(raw, &o) // a value of another type is an option without fields
	id, ok := textOrNumber(o.ID)
	if !ok || strings.TrimSpace(id) == "" {
		id = number
	}
	label, ok := textOrNumber(o.Label)
	if !ok {
		label = id
	}
	description, _ := textOrNumber(o.Description)
	return TextOption{ID: id, Label: label, Description: description}
}

// textOrNumber reads a string, or a number as its digits. ok is false for other values.
func textOrNumber(raw json.RawMessage) (text string, ok bool) {
	if len(raw) == 0 {
		return "", false
	}
	var s string
	if raw[0] == '"' && json.Unmarshal(raw, &s) == nil {
		return s, true
	}
	if c := raw[0]; c == '-' || c >= '0' && c <= '9' {
		return string(raw), true
	}
	return "", false
}

// ModelText is the dialect of questions in a model's text. They come by pipe; no tool asks in it.
const ModelText = "user_choice"

// ownWords takes the place of an option's id in the reply to a form that the person answered in their own words
// (docs/contract.md section 4).
const ownWords = "직접입력"

// ModelTextTimeout is the time limit of a question in a model's text, in seconds. It is long because no call waits for
// the answer.
const ModelTextTimeout = 24 * 60 * 60

// Request returns the ask for an extraction. The error is a *queue.Invalid with the paths of the normal form.
func (e Extraction) Request() (Request, error) {
	if !e.Found() {
		return Request{}, &queue.Invalid{Problems: []queue.Problem{{
			Wrong: "there is no question in this text",
			Want:  "a user_choice, user_choices or user_choice_group as JSON",
		}}}
	}
	ask, seconds := e.ask(), ModelTextTimeout
	problems := modelTextPaths(ask.Check(), e.Choices != nil)
	if len(problems) > 0 {
		return Request{}, &queue.Invalid{Problems: problems}
	}
	if hinted := strings.TrimSuffix(e.Hint+"\n"+ask.Prompt, "\n"); e.Hint != "" && len(hinted) <= queue.MaxPromptBytes {
		ask.Prompt = hinted // a hint at the top of the prompt is shown above it
	}
	req := Request{Ask: ask, Transport: TransportAuto, Timeout: &seconds}
	for _, field := range e.Unread {
		req.Deprecated = append(req.Deprecated,
			field+" is not read in user_choices, so own words are asked for there: call it choices")
	}
	return req, nil
}

// ask returns an ask with the question that was found, or with the form.
func (e Extraction) ask() queue.Ask {
	ask := queue.Ask{Kind: queue.KindChoice, TimeoutSeconds: ModelTextTimeout, OnTimeout: queue.OnTimeoutNone}
	if c := e.Choice; c != nil {
		ask.Title, ask.Prompt = titleAndPrompt(c.Question, c.Context)
		words := ""
		if ask.Prompt == "" {
			words = strings.TrimSpace(c.Question)
		}
		ask.Questions = []queue.Question{choiceQuestion("q1", words, c.Choices, c.RecommendedID)}
		return ask
	}
	f := e.Choices
	ask.Title, ask.Prompt = titleAndPrompt(f.Title, f.Description)
	if ask.Title == "" && len(f.Questions) > 0 {
		ask.Title, ask.Prompt = titleAndPrompt(f.Questions[0].Question, f.Description)
	}
	for _, q := range f.Questions {
		words := strings.TrimSpace(q.Question + "\n\n" + q.Context)
		ask.Questions = append(ask.Questions, choiceQuestion(q.ID, words, q.Choices, q.RecommendedID))
	}
	return ask
}

// titleAndPrompt splits a question of any length. If the title cannot hold the whole question, the prompt begins with
// it. If the title can, the prompt is only the context.
func titleAndPrompt(question, context string) (title, prompt string) {
	question, context = strings.TrimSpace(question), strings.TrimSpace(context)
	title, _, more := strings.Cut(question, "\n")
	if utf8.RuneCountInString(title) > queue.MaxTitle {
		title, more = queue.Shorten(title, queue.MaxTitle-1, "…"), true
	}
	if more {
		return title, strings.TrimSpace(question + "\n\n" + context)
	}
	return title, context
}

// choiceQuestion returns a question for one option or the person's own words. Without options it takes only own words.
func choiceQuestion(id, words string, options []TextOption, recommended *string) queue.Question {
	q := queue.Question{ID: id, Text: words, Mode: queue.ModeHybrid, Max: 1, Annotate: false}
	if len(options) == 0 {
		q.Mode, q.Max = queue.ModeText, 0
	}
	for _, o := range options {
		q.Options = append(q.Options, queue.Option{ID: o.ID, Label: o.Label, Description: o.Description,
			Recommended: recommended != nil && *recommended == o.ID})
	}
	return q
}

// modelTextPaths turns the queue's paths into those of the normal form.
func modelTextPaths(problems []queue.Problem, form bool) []queue.Problem {
	for i := range problems {
		p := &problems[i].Path
		*p = strings.ReplaceAll(*p, ".options[", ".choices[")
		*p = strings.ReplaceAll(*p, ".options", ".choices")
		if form {
			*p = strings.Replace(*p, "prompt", "description", 1)
			*p = strings.Replace(*p, "].text", "].question", 1)
			continue
		}
		*p = strings.TrimPrefix(*p, "questions[0].")
		*p = strings.Replace(*p, "title", "question", 1)
		*p = strings.Replace(*p, "prompt", "context", 1)
	}
	return problems
}

// Reply returns the text that tells a model the answer (docs/contract.md section 4): for one question the id of the
// option or the typed text, for several a line `Question: id. Label` each. It is empty if there is no answer.
func Reply(s queue.Session) string {
	if s.Outcome == nil || !s.Outcome.Answered() {
		return ""
	}
	var lines []string
	for i, r := range s.Outcome.Answer.Replies {
		if i >= len(s.Ask.Questions) {
			break
		}
		q := s.Ask.Questions[i]
		if len(s.Ask.Questions) == 1 {
			return replyAlone(r)
		}
		lines = append(lines, fmt.Sprintf("%s: %s", questionWords(q), replyInForm(q, r)))
	}
	return strings.Join(lines, "\n")
}

// replyAlone returns the reply to a single question.
func replyAlone(r queue.Reply) string {
	if len(r.Selected) > 0 {
		return strings.Join(r.Selected, "\n")
	}
	return r.Text
}

// questionWords returns the first line of a question, without its context.
func questionWords(q queue.Question) string {
	words, _, _ := strings.Cut(q.Text, "\n")
	if words == "" {
		return q.ID
	}
	return words
}

// replyInForm returns the reply to one question of a form.
func replyInForm(q queue.Question, r queue.Reply) string {
	var parts []string
	for _, id := range r.Selected {
		o, _ := q.Option(id)
		parts = append(parts, id+". "+o.Label)
	}
	if r.Text != "" {
		parts = append(parts, ownWords+". "+r.Text)
	}
	return strings.Join(parts, ", ")
}
