package dialect

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// requestUserChoice asks a single question (docs/contract.md section 3.2). The title of an option is also its id. The
// answer is the chosen title or the person's own words, with nothing around it.
var requestUserChoice = Dialect{
	Tool:  Tool{nameUserChoice, "Ask the person to make a decision"},
	Parse: parseUserChoice, Render: renderUserChoice, Fail: failError, Wire: wireUserChoice,
}

var (
	userChoiceFields = []string{"question", "options"}
	userChoiceOption = optionFormat{
		label: "title", offer: []string{"title", "description", "isRecommended"},
		ready: `{"title": "Use PostgreSQL", "description": "what follows from it", "isRecommended": true}`,
	}
)

// parseUserChoice reads a request in this format.
func parseUserChoice(raw json.RawMessage) (Request, error) {
	var r reader
	o, ok := r.arguments(raw, "an object with question and options")
	if !ok {
		return r.requestOrError(Request{})
	}
	o.alias("question", "prompt", "message", "text")
	ask := queue.Ask{Kind: queue.KindChoice}
	// Notes are off: the text of a result is exactly the answer, so a client that shows only the text would lose them.
	q := queue.Question{ID: theQuestion, Mode: queue.ModeHybrid, Max: 1}
	setQuestionText(&ask, &q, o.question())
	var there bool
	if q.Options, there = o.options(userChoiceOption); !there {
		r.addProblem(o.path("options"), "is missing", "at least two options such as "+userChoiceOption.ready)
	} else if len(q.Options) == 0 { // without options the person answers in their own words
		q.Mode, q.Max = queue.ModeText, 0
	}
	o.acceptIgnored("wait_for_previous")
	o.refuseUnknown(userChoiceFields)
	ask.Questions = []queue.Question{q}
	r.addQueueProblems(ask, nil, wireUserChoice)
	return r.requestOrError(Request{Ask: ask, Transport: TransportAuto})
}

// wireUserChoice turns the queue's paths into those of this format.
func wireUserChoice(problems []queue.Problem) []queue.Problem {
	return renamePaths(problems, map[string]string{
		"title": "question", "prompt": "question", "text": "question", "id": "title", "label": "title",
		"recommended": "isRecommended",
	})
}

// renamePaths turns the queue's paths into those of a format with a single question: `questions[0].options[2].note`
// becomes `options[2].annotation`. names maps the queue's names to those of the format.
func renamePaths(problems []queue.Problem, names map[string]string) (out []queue.Problem) {
	for _, p := range problems {
		parts := strings.Split(strings.TrimPrefix(p.Path, "questions[0]."), ".")
		for i, part := range parts {
			name, _, _ := strings.Cut(part, "[")
			if wire, ok := names[name]; ok {
				parts[i] = wire + strings.TrimPrefix(part, name)
			}
		}
		p.Path = strings.Join(parts, ".")
		out = append(out, p)
	}
	return out
}

// userChoiceResult is the structured content of a result in this format.
type userChoiceResult struct {
	Status   string  `json:"status"`
	Answer   *string `json:"answer,omitempty"` // nil: there is no answer
	OwnWords bool    `json:"own_words,omitempty"`
	sessionFields
}

// renderUserChoice returns a result in this format.
func renderUserChoice(s queue.Session, d Delivery) Result {
	out := userChoiceResult{Status: statusWaiting, sessionFields: sessionFieldsOf(s, d)}
	if s.Outcome == nil {
		return waitingResult(s, d, waitingText(s, d), func(message string, m *summarization) json.RawMessage {
			out.Message, out.Discussion = message, m
			return compact(out)
		})
	}
	if s.Outcome.Answered() {
		answer, own := chosenAnswer(s)
		out.Status, out.Answer, out.OwnWords = statusAnswered, &answer, own
		return Result{Text: answer, Structured: compact(out)}
	}
	out.Status = s.Outcome.Status
	out.Message = fmt.Sprintf("No choice was made: %s Do not choose for the person.", undecidedText(s))
	return Result{Text: out.Message + adviceLines(out.Advice, nil), Structured: compact(out), IsError: true}
}

// chosenAnswer returns the person's answer to a single question: the id of an option, or their own words. own reports
// the latter.
func chosenAnswer(s queue.Session) (answer string, own bool) {
	if len(s.Outcome.Answer.Replies) == 0 {
		return "", false
	}
	r := s.Outcome.Answer.Replies[0]
	if len(r.Selected) > 0 {
		return r.Selected[0], false
	}
	return r.Text, true
}

// RequiredChoice returns the question and options of a requestUserChoice call, for the event user_choice_required of
// the audit trail. ok is false for sessions of every other format.
func RequiredChoice(s queue.Session) (question string, options []RequiredOption, ok bool) {
	if s.Origin.Dialect != nameUserChoice || len(s.Ask.Questions) == 0 {
		return "", nil, false
	}
	q := s.Ask.Questions[0]
	options = []RequiredOption{}
	for _, o := range q.Options {
		options = append(options, RequiredOption{Title: o.ID, Description: o.Description, Recommended: o.Recommended})
	}
	return questionText(s.Ask, q), options, true
}

// RequiredOption holds an option with the field names of requestUserChoice.
type RequiredOption struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	Recommended bool   `json:"isRecommended,omitempty"`
}
