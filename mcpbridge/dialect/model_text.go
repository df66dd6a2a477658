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

// Limits of the search in model text, so that hostile text costs a bounded time.
const (
	mostObject = 1 << 20   // bytes of one JSON object
	mostSearch = 256 << 20 // bytes looked at in all, over all places that look like a beginning
)

// TextChoice holds one question from a model's text, in normal form (docs/contract.md section 4).
type TextChoice struct {
	Type          string       `json:"type"` // user_choice
	Question      string       `json:"question"`
	Choices       []TextOption `json:"choices"`
	Context       string       `json:"context,omitempty"`
	RecommendedID *string      `json:"recommendedChoiceId,omitempty"`
}

// TextForm is a form of several questions in normal form.
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

// Extraction is the first choice in a model's text, and the text without it. At most one of Choice and Choices is set.
type Extraction struct {
	Choice  *TextChoice `json:"choice"`
	Choices *TextForm   `json:"choices"`
	Text    string      `json:"text"`
	Start   int         `json:"-"` // the offset of the JSON (fence included) in the text; -1: there is none
	Unread  []string    `json:"-"` // fields of the choice that hold options and that its format does not read
	Hint    string      `json:"-"` // a line beside the choice that says it is one for the team, as it came
}

// Found reports whether the text held a choice.
func (e Extraction) Found() bool { return e.Choice != nil || e.Choices != nil }

var (
	fence    = regexp.MustCompile("(?is)```[ \t]*json\\b(.*?)```")
	rawStart = regexp.MustCompile(`\{\s*"(?:type|question)"\s*:`)
)

// Extract takes the first choice out of a model's text (docs/contract.md section 4): fenced JSON blocks first, skipping
// those that do not parse or are no choice; then raw JSON anywhere, failed fences included. A fenced block is removed
// alone; of raw JSON only the text before it stays.
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

// balancedObject returns the JSON object at the beginning of text, aware of strings and escapes; empty if it does not
// end. It also returns how far it looked.
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

// looseChoice has the fields of all the shapes that models write.
type looseChoice struct {
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

// recogniseChoice returns the choice in a piece of JSON, or an Extraction that found nothing.
func recogniseChoice(raw string) Extraction {
	var c looseChoice
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

func (c looseChoice) readSingle() Extraction {
	question, ok := textOrNumber(c.Question)
	options, given := optionList(c.Choices, c.Options)
	if !ok || !given {
		return Extraction{}
	}
	return Extraction{Choice: &TextChoice{
		Type: "user_choice", Question: question, Choices: options, Context: c.Context, RecommendedID: c.recommendedID(),
	}}
}

// readForm reads the internal format. There only questions[].choices counts; options are ignored.
func (c looseChoice) readForm() Extraction {
	var list []looseChoice
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

// readGroup reads the recommended format: a question over a list of questions. The first of them must have options. A
// group with one question becomes a single question.
func (c looseChoice) readGroup() Extraction {
	title, ok := textOrNumber(c.Question)
	var list []looseChoice
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

// formQuestion returns one question of a form.
func (c looseChoice) formQuestion(id string, options []TextOption) TextQuestion {
	words, _ := textOrNumber(c.Question)
	return TextQuestion{
		ID: id, Question: words, Choices: options, Context: c.Context, RecommendedID: c.recommendedID(),
	}
}

// recommendedID returns the recommended id if it is a string, even if it matches no option.
func (c looseChoice) recommendedID() *string {
	var s string
	if len(c.Recommended) == 0 || json.Unmarshal(c.Recommended, &s) != nil || string(c.Recommended) == "null" {
		return nil
	}
	return &s
}

// optionList returns the first of the lists that is given. Options may be objects, or just labels; a missing id is the
// option's number.
func optionList(lists ...json.RawMessage) (options []TextOption, given bool) {
	options = []TextOption{}
	for _, raw := range lists {
		var list []json.RawMessage
		if len(raw) == 0 || json.Unmarshal(raw, &list) != nil || list == nil {
			continue
		}
		for i, one := range list {
			options = append(options, looseOption(one, strconv.Itoa(i+1)))
		}
		return options, true
	}
	return options, false
}

func looseOption(raw json.RawMessage, number string) TextOption {
	if label, ok := textOrNumber(raw); ok {
		return TextOption{ID: number, Label: label}
	}
	var o struct {
		ID          json.RawMessage `json:"id"`
		Label       json.RawMessage `json:"label"`
		Description json.RawMessage `json:"description"`
	}
	_ = json.Unmarshal(raw, &o) // anything but an object has no fields: its number becomes its id and label
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

// textOrNumber reads a string, or a number as its digits.
func textOrNumber(raw json.RawMessage) (string, bool) {
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

// ModelText is the dialect of questions in a model's text. They come by pipe; no tool makes them.
const ModelText = "user_choice"

// ownWords replaces the id in a form that the person answered in their own words (docs/contract.md section 4).
const ownWords = "직접입력"

// ModelTextTimeout limits the time of a question in a model's text, in seconds. No call waits for its answer.
const ModelTextTimeout = 24 * 60 * 60

// Request returns the ask of an extraction: one question, or a form. The error is *queue.Invalid with the paths of the
// normal form.
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
		ask.Prompt = hinted // faces show it above the prompt
	}
	req := Request{Ask: ask, Transport: TransportAuto, Timeout: &seconds}
	for _, field := range e.Unread {
		req.Deprecated = append(req.Deprecated,
			field+" is not read in user_choices, so own words are asked for there: call it choices")
	}
	return req, nil
}

// ask returns the question that was found, or the form.
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

// titleAndPrompt puts a question of any length into a title, and into the prompt where the title cannot hold all of it.
// Without a context the prompt is empty then.
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

// choiceQuestion returns a question for one option or the person's own words; without options for own words only.
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

// modelTextPaths turns the queue's paths into the normal form's.
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

// Reply returns the model's reply to an answer (docs/contract.md section 4): for one question the option's id or the
// typed text, for several a line `Question: id. Label` each. It is empty when there is no answer.
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

func replyAlone(r queue.Reply) string {
	if len(r.Selected) > 0 {
		return strings.Join(r.Selected, "\n")
	}
	return r.Text
}

// questionWords returns a question's own line, without its context.
func questionWords(q queue.Question) string {
	words, _, _ := strings.Cut(q.Text, "\n")
	if words == "" {
		return q.ID
	}
	return words
}

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
