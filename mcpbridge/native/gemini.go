package native

import (
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Gemini reads what a hook of Gemini CLI was given; false where that is nothing to ask here. Its hooks cannot allow
// anything, and have no answer to a question: they refuse the call, and the reason holds the answers.
func Gemini(raw []byte, w Words, token func() string) (Asked, bool) {
	e, ok := readHook(raw, hookAgent{client: "gemini-cli", where: "in gemini", source: "gemini"}, w, token)
	if !ok || e.name != "BeforeTool" || e.tool != "ask_user" {
		return Asked{}, false
	}
	return e.asksRefusing(readGeminiQuestion, byNumber, func(words string) []byte {
		return hookLine(object{{"decision", encode("deny")}, {"reason", encode(words)}})
	})
}

// byNumber returns the answers as the tools of Gemini CLI and Qwen Code give them: by the number of their question.
func byNumber(_ questions, given [][]string) object {
	var answers object
	for i, one := range given {
		answers = append(answers, member{strconv.Itoa(i), encode(strings.Join(one, ", "))})
	}
	return object{{"answers", answers.json()}}
}

// readGeminiQuestion reads one question: of options, of yes and no, or for words.
func readGeminiQuestion(o object) (q queue.Question, key string, ok bool) {
	kind, isKind := o.text("type")
	example, isText := o.text("placeholder")
	if !isKind || !isText {
		return q, "", false
	}
	switch kind {
	case "", "choice":
		if q, ok = readQuestion(o, "multiSelect"); !ok {
			return q, "", false
		}
	case "yesno":
		options := encode([]map[string]string{{"label": "Yes"}, {"label": "No"}})
		if q, ok = readQuestion(o.with("options", options), "multiSelect"); !ok || q.Max != 1 {
			return q, "", false
		}
	case "text":
		if q, ok = readWordsQuestion(o); !ok {
			return q, "", false
		}
	default:
		return q, "", false
	}
	q.Placeholder = example
	return q, q.Text, true
}

// readWordsQuestion reads a question that is answered in own words.
func readWordsQuestion(o object) (q queue.Question, ok bool) {
	text, isText := o.text("question")
	header, isHeader := o.text("header")
	return queue.Question{Header: firstLine(header), Text: text, Mode: queue.ModeText},
		isText && isHeader && !queue.Blank(text) && len(o.without(hiding...)) == len(o)
}
