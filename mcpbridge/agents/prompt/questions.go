package prompt

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// Questions holds an agent's questions in the format that Claude Code, opencode and Codex share.
type Questions struct {
	Ask    queue.Ask
	Keys   []string            // the key of each question, by which the agent knows its answer: its text or id
	labels []map[string]string // the options of each question, as the agent wrote them, by their ids here
}

// Fields of a question that is secret, and of one that is shown only under a condition. Such a question is left to the
// agent, unless the field says that it is not.
var (
	secretFields = []string{"secret", "isSecret", "is_secret", "password"}
	hidingFields = []string{"hidden", "when"}
)

// hiddenBy returns why a question cannot be asked here, if one of the fields above says so.
func hiddenBy(o wire.Object) queue.Unfit {
	says := func(name string) bool {
		raw, there := o.Value(name)
		return there && !slices.Contains([]string{"false", `""`, "[]", "{}", "0"}, string(raw))
	}
	switch {
	case slices.ContainsFunc(secretFields, says):
		return queue.UnfitSecret
	case slices.ContainsFunc(hidingFields, says):
		return queue.UnfitShown
	}
	return ""
}

// recommendedMark matches the mark that agents put behind the label of an option they recommend. The person sees a star
// in its place. The agent gets its label back unchanged.
var recommendedMark = regexp.MustCompile(`(?i)\s*\(recommended\)\s*$`)

// questionReader reads one question of an agent, its key, and the labels of its options as the agent wrote them.
type questionReader func(o wire.Object) (q queue.Question, key string, labels []string, why queue.Unfit)

// ReadQuestions reads a list of questions with read. why says why they cannot be asked here.
func ReadQuestions(list []json.RawMessage, read questionReader) (qs Questions, why queue.Unfit) {
	qs.Ask.Kind = queue.KindChoice
	for i, raw := range list {
		o, isObject := wire.Read(raw)
		if text, isText := wire.ReadText(raw); isText { // models write a question as its text alone
			o, isObject = wire.Object{wire.Named("question", text)}, true
		}
		if !isObject {
			return Questions{}, queue.UnfitShown
		}
		q, key, labels, why := read(o)
		if why != "" {
			return Questions{}, why
		}
		q.ID = fmt.Sprintf("q%d", i+1)
		qs.Keys, qs.labels = append(qs.Keys, key), append(qs.labels, nameOptions(&q, labels))
		qs.Ask.Questions = append(qs.Ask.Questions, q)
	}
	if len(list) == 0 {
		return Questions{}, queue.UnfitAnswer // nothing can be answered
	}
	qs.setTitle()
	return qs, ""
}

// Distinct returns a reader that does not read two questions with the same key, for agents that tell the answers apart
// by the keys.
func Distinct(read questionReader) questionReader {
	known := map[string]bool{}
	return func(o wire.Object) (q queue.Question, key string, labels []string, why queue.Unfit) {
		if q, key, labels, why = read(o); why == "" && known[key] {
			why = queue.UnfitAnswer
		}
		known[key] = true
		return q, key, labels, why
	}
}

// nameOptions gives the options of a question their ids: the label as the agent wrote it where that can be an id, else
// a number. It returns the labels by these ids.
func nameOptions(q *queue.Question, labels []string) map[string]string {
	named := map[string]string{}
	for i, label := range labels {
		id := label
		_, taken := named[id]
		for n := i + 1; taken || queue.Blank(id) || len(id) > queue.MaxOptionID; n++ {
			id = fmt.Sprintf("option-%d", n)
			_, taken = named[id]
			taken = taken || slices.Contains(labels, id)
		}
		named[id], q.Options[i].ID = label, id
	}
	return named
}

// setTitle sets the title of the ask. If the text of a single question is longer than a title, it becomes the prompt.
func (qs *Questions) setTitle() {
	if len(qs.Ask.Questions) > 1 {
		var names []string
		for _, q := range qs.Ask.Questions {
			name := q.Header
			if queue.Blank(name) {
				name = FirstLine(q.Text)
			}
			names = append(names, name)
		}
		qs.Ask.Title = FirstLine(strings.Join(names, ", "))
		return
	}
	q := &qs.Ask.Questions[0]
	qs.Ask.Title = FirstLine(q.Text)
	if strings.TrimSpace(q.Text) != qs.Ask.Title {
		qs.Ask.Prompt, q.Text = q.Text, ""
	}
}

// questionText returns the text of a question for the person: what the agent asks, or its header, or that there is
// none.
func questionText(text, header string) string {
	switch {
	case !queue.Blank(text):
		return text
	case !queue.Blank(header):
		return header
	}
	return "The agent asks without a text."
}

// FirstLine returns the first line of a text that is not blank, cut to the length of a title.
func FirstLine(text string) string {
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

// KeyedByText returns a reader of questions whose key is their text. many is the name of the flag for several options.
func KeyedByText(many string) questionReader {
	return func(o wire.Object) (q queue.Question, key string, labels []string, why queue.Unfit) {
		raw, there := o.Value("question")
		key, isText := wire.ReadExactText(raw)
		if there && !isText {
			return q, "", nil, queue.UnfitAnswer
		}
		q, labels, why = ReadQuestion(o, many)
		return q, key, labels, why
	}
}

// ReadQuestion reads a question with options; without any it takes own words. many is the name of the flag for several
// options. The options have no ids yet.
func ReadQuestion(o wire.Object, many string) (q queue.Question, labels []string, why queue.Unfit) {
	if why := hiddenBy(o); why != "" {
		return q, nil, why
	}
	header := o.Words("header")
	q = queue.Question{Header: strings.TrimSpace(header), Text: questionText(o.Words("question"), header),
		Mode: queue.ModeHybrid, Max: 1}
	if raw, there := o.Value("options"); there {
		list, isList := wire.ReadList(raw)
		if !isList {
			return q, nil, queue.UnfitShown
		}
		if q.Options, labels, why = readOptions(list); why != "" {
			return q, nil, why
		}
	}
	if len(q.Options) == 0 {
		q.Mode, q.Max = queue.ModeText, 0
		return q, nil, ""
	}
	var ok bool
	if q, ok = readHowMany(q, o, many); !ok {
		return q, nil, queue.UnfitShown
	}
	return q, labels, ""
}

// readHowMany sets how many options of a question may be chosen, and whether own words are accepted. many is the name
// of the agent's flag for several options. The question comes with ModeHybrid, which accepts own words; only if the
// agent's flag "custom" is there and false, it gets another mode, in which at least one option must be chosen. ok is
// false if a flag is not a boolean.
func readHowMany(q queue.Question, o wire.Object, many string) (_ queue.Question, ok bool) {
	several, ok := o.Flag(many)
	if !ok {
		return q, false
	}
	if several {
		q.Max = len(q.Options)
	}
	if _, said := o.Get("custom"); !said {
		return q, true
	}
	own, ok := o.Flag("custom")
	if ok && !own {
		if q.Mode = queue.ModeSingle; q.Max > 1 {
			q.Mode = queue.ModeMulti
		}
		q.Min = 1
	}
	return q, ok
}

// readOptions reads the options of a question, and their labels as the agent wrote them, because it gets those back.
func readOptions(list []json.RawMessage) (options []queue.Option, labels []string, why queue.Unfit) {
	for _, raw := range list {
		o, isObject := wire.Read(raw)
		if text, isText := wire.ReadExactText(raw); isText { // models write an option as its label alone
			o, isObject = wire.Object{wire.Named("label", text)}, true
		}
		rawLabel, there := o.Value("label")
		label, isText := wire.ReadExactText(rawLabel)
		switch {
		case !isObject:
			return nil, nil, queue.UnfitShown
		case there && !isText:
			return nil, nil, queue.UnfitAnswer
		}
		option := queue.Option{Label: label, Description: o.Words("description")}
		if preview := o.Words("preview"); preview != "" {
			option.Description = strings.TrimPrefix(option.Description+"\n\n"+preview, "\n\n")
		}
		options, labels = append(options, option), append(labels, label)
	}
	showRecommended(options)
	return options, labels, ""
}

// showRecommended turns the mark that agents put behind the label of an option they recommend into a star, unless two
// labels would look alike then.
func showRecommended(options []queue.Option) {
	for i := range options {
		at := recommendedMark.FindStringIndex(options[i].Label)
		if at == nil || at[0] == 0 {
			continue
		}
		short := options[i].Label[:at[0]]
		if !slices.ContainsFunc(options, func(o queue.Option) bool { return o.Label == short }) {
			options[i].Label = short
		}
		options[i].Recommended = true
	}
}

// noQuestion returns what is asked where the agent asks without any question: for words.
func noQuestion() Questions {
	qs := Questions{Keys: []string{""}, labels: []map[string]string{nil}}
	qs.Ask.Kind = queue.KindChoice
	qs.Ask.Questions = []queue.Question{{ID: "q1", Text: questionText("", ""), Mode: queue.ModeText}}
	qs.setTitle()
	return qs
}

// wordsInstead returns what the person wrote where the agent asked without any question; empty: nothing.
func wordsInstead(s queue.Session) string {
	if r, answered := AnsweredFirst(s); answered && !queue.Blank(r.Text) {
		return "You asked the person without a question. The person answered in choicetui: “" +
			visibleText(r.Text) + "”."
	}
	return RefusalText(s)
}

// AnswersOf returns the answers to each question: the labels as the agent wrote them, followed by the person's own
// words. ok is false if a question has no answer.
func (qs Questions) AnswersOf(a queue.Answer) (answers [][]string, ok bool) {
	for i, q := range qs.Ask.Questions {
		r, ok := a.Reply(q.ID)
		if !ok {
			return nil, false
		}
		given := []string{}
		for _, id := range r.Selected {
			given = append(given, qs.labels[i][id])
		}
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

// AnswersOrWords returns the answers to each question. If the person declined with words and each question takes words,
// the words are the answer to each: these agents have no refusal that carries words. ok is false if there is nothing to
// send.
func (qs Questions) AnswersOrWords(s queue.Session) (answers [][]string, ok bool) {
	if s.Outcome != nil && s.Outcome.Answered() {
		return qs.AnswersOf(s.Outcome.Answer)
	}
	words := RefusalText(s)
	if words == "" || !qs.takeWords() {
		return nil, false
	}
	for range qs.Ask.Questions {
		answers = append(answers, []string{words})
	}
	return answers, true
}

// takeWords reports whether each of the questions takes own words.
func (qs Questions) takeWords() bool {
	return !slices.ContainsFunc(qs.Ask.Questions, func(q queue.Question) bool { return !q.TakesText() })
}

// OwnWords returns the person's note on an option, their comment and their own words, cleaned for an agent.
func OwnWords(a queue.Answer, option string) string {
	said := []string{a.Comment}
	for _, r := range a.Replies {
		said = append(said, r.Notes[option], r.Text)
	}
	var words []string
	for _, text := range said {
		if !queue.Blank(text) {
			words = append(words, visibleText(text))
		}
	}
	return strings.Join(words, "\n")
}

// AnswersByNumber returns the answers as the ask tools of Gemini CLI and Qwen Code have them in their results: under
// the numbers of their questions, from 0.
func AnswersByNumber(_ Questions, given [][]string) wire.Object {
	var answers wire.Object
	for i, one := range given {
		answers = append(answers, wire.Named(strconv.Itoa(i), strings.Join(one, ", ")))
	}
	return wire.Object{wire.Named("answers", answers)}
}
