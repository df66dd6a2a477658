package native

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// questions holds an agent's questions in the format that Claude Code, opencode and Codex share.
type questions struct {
	ask  queue.Ask
	keys []string // the key of each question, by which the agent knows its answer: its text or id
}

// hidingFields lists the fields of a question that is secret or shown only under a condition. Such a question is left
// to the agent.
var hidingFields = []string{"secret", "isSecret", "is_secret", "password", "hidden", "when"}

// recommendedMark matches the mark that agents put behind the label of an option they recommend. The person sees a star
// in its place. The agent gets its label back unchanged.
var recommendedMark = regexp.MustCompile(`(?i)\s*\(recommended\)\s*$`)

// questionReader reads one question of an agent, and its key.
type questionReader func(o object) (q queue.Question, key string, ok bool)

// readQuestions reads a list of questions with read. ok is false if one cannot be read, if two have the same key, or if
// the list is empty.
func readQuestions(list []json.RawMessage, read questionReader) (qs questions, ok bool) {
	qs.ask.Kind = queue.KindChoice
	asked := map[string]bool{}
	for i, raw := range list {
		o, isObject := readObject(raw)
		q, key, ok := read(o)
		if !isObject || !ok || asked[key] {
			return questions{}, false
		}
		q.ID, asked[key] = fmt.Sprintf("q%d", i+1), true
		qs.keys = append(qs.keys, key)
		qs.ask.Questions = append(qs.ask.Questions, q)
	}
	if len(list) == 0 {
		return questions{}, false
	}
	qs.setTitle()
	return qs, true
}

// setTitle sets the title of the ask. If the text of a single question is longer than a title, it becomes the prompt.
func (qs *questions) setTitle() {
	if len(qs.ask.Questions) > 1 {
		var names []string
		for _, q := range qs.ask.Questions {
			name := q.Header
			if queue.Blank(name) {
				name = firstLine(q.Text)
			}
			names = append(names, name)
		}
		qs.ask.Title = firstLine(strings.Join(names, ", "))
		return
	}
	q := &qs.ask.Questions[0]
	qs.ask.Title = firstLine(q.Text)
	if strings.TrimSpace(q.Text) != qs.ask.Title {
		qs.ask.Prompt, q.Text = q.Text, ""
	}
}

// firstLine returns the first line of a text that is not blank, cut to the length of a title.
func firstLine(text string) string {
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); !queue.Blank(l) {
			if short := queue.Shorten(l, queue.MaxTitle-1, "…"); short != l {
				return short
			}
			return l
		}
	}
	return ""
}

// keyedByText returns a reader of questions whose key is their text. many is the name of the flag for several options.
func keyedByText(many string) questionReader {
	return func(o object) (queue.Question, string, bool) {
		q, ok := readQuestion(o, many)
		return q, q.Text, ok
	}
}

// readQuestion reads a question with options. many is the name of the flag for several options.
func readQuestion(o object, many string) (q queue.Question, ok bool) {
	if len(o.without(hidingFields...)) != len(o) {
		return q, false
	}
	text, isText := o.text("question")
	header, isHeader := o.text("header")
	list, isList := o.list("options")
	if !isText || !isHeader || !isList || queue.Blank(text) {
		return q, false
	}
	q = queue.Question{Header: firstLine(header), Text: text, Mode: queue.ModeHybrid, Max: 1}
	for _, raw := range list {
		option, ok := readOption(raw)
		if !ok {
			return q, false
		}
		q.Options = append(q.Options, option)
	}
	if len(list) == 0 {
		return q, false
	}
	return readHowMany(q, o, many)
}

// readHowMany sets how many options of a question may be chosen, and whether own words are accepted. many is the name
// of the agent's flag for several options. The question comes with ModeHybrid, which accepts own words; only if the
// agent's flag "custom" is there and false, it gets another mode, in which at least one option must be chosen. ok is
// false if a flag is not a boolean.
func readHowMany(q queue.Question, o object, many string) (_ queue.Question, ok bool) {
	several, ok := o.flag(many)
	if !ok {
		return q, false
	}
	if several {
		q.Max = len(q.Options)
	}
	if _, said := o.get("custom"); !said {
		return q, true
	}
	own, ok := o.flag("custom")
	if ok && !own {
		if q.Mode = queue.ModeSingle; q.Max > 1 {
			q.Mode = queue.ModeMulti
		}
		q.Min = 1
	}
	return q, ok
}

// readOption reads one option. Its id is the label as the agent wrote it, because the agent gets that back.
func readOption(raw []byte) (queue.Option, bool) {
	o, ok := readObject(raw)
	if !ok {
		return queue.Option{}, false
	}
	label, isLabel := o.text("label")
	description, isText := o.text("description")
	preview, isPreview := o.text("preview")
	if !isLabel || !isText || !isPreview || queue.Blank(label) {
		return queue.Option{}, false
	}
	option := queue.Option{ID: label, Label: label, Description: description}
	if preview != "" {
		option.Description = strings.TrimPrefix(description+"\n\n"+preview, "\n\n")
	}
	if at := recommendedMark.FindStringIndex(label); at != nil && at[0] > 0 {
		option.Label, option.Recommended = label[:at[0]], true
	}
	return option, true
}

// answersOf returns the answers to each question: the labels as the agent wrote them, followed by the person's own
// words. ok is false if a question has no answer.
func (qs questions) answersOf(a queue.Answer) (answers [][]string, ok bool) {
	for _, q := range qs.ask.Questions {
		r, ok := a.Reply(q.ID)
		if !ok {
			return nil, false
		}
		given := append([]string{}, r.Selected...)
		if r.Text != "" {
			given = append(given, r.Text)
		}
		if len(given) == 0 {
			return nil, false
		}
		answers = append(answers, given)
	}
	return answers, true
}

// answersOrWords returns the answers to each question. If the person declined with words and each question takes words,
// the words are the answer to each: these agents have no refusal that carries words. ok is false if there is nothing to
// send.
func (qs questions) answersOrWords(s queue.Session) (answers [][]string, ok bool) {
	if s.Outcome != nil && s.Outcome.Answered() {
		return qs.answersOf(s.Outcome.Answer)
	}
	words := refusalText(s)
	if words == "" || !qs.takeWords() {
		return nil, false
	}
	for range qs.ask.Questions {
		answers = append(answers, []string{words})
	}
	return answers, true
}

// takeWords reports whether each of the questions takes own words.
func (qs questions) takeWords() bool {
	return !slices.ContainsFunc(qs.ask.Questions, func(q queue.Question) bool { return !q.TakesText() })
}
