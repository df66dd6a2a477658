package dialect

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue"
)

// ModelText is the dialect's name of questions taken out of a model's text. It is no tool: it comes by pipe.
const ModelText = "user_choice"

// ownWords replaces the id in a form that the person answered in their own words (docs/contract.md section 4).
const ownWords = "직접입력"

// ModelTextTimeout is the time limit of such a question, in seconds: no call waits for the answer to a model's text.
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
		ask.Title, ask.Prompt = titled(c.Question, c.Context)
		words := ""
		if ask.Prompt == "" {
			words = strings.TrimSpace(c.Question)
		}
		ask.Questions = []queue.Question{choiceQuestion("q1", words, c.Choices, c.RecommendedID)}
		return ask
	}
	f := e.Choices
	ask.Title, ask.Prompt = titled(f.Title, f.Description)
	if ask.Title == "" && len(f.Questions) > 0 {
		ask.Title, ask.Prompt = titled(f.Questions[0].Question, f.Description)
	}
	for _, q := range f.Questions {
		words := strings.TrimSpace(q.Question + "\n\n" + q.Context)
		ask.Questions = append(ask.Questions, choiceQuestion(q.ID, words, q.Choices, q.RecommendedID))
	}
	return ask
}

// titled puts a question of any length into a title, and into the prompt where the title cannot hold all of it. Without
// a context the prompt is empty then.
func titled(question, context string) (title, prompt string) {
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

// choiceQuestion is hybrid with max 1: one option, or the person's own words; without options own words only.
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
