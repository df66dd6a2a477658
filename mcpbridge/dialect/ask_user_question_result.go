package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

type questionsResult struct {
	Status      string   `json:"status"`
	Answers     pairs    `json:"answers,omitempty"` // by the text of the question, in their order
	Annotations pairs    `json:"annotations,omitempty"`
	Comment     string   `json:"comment,omitempty"`
	SessionID   string   `json:"session_id"`
	SettledBy   string   `json:"settled_by,omitempty"`
	Person      string   `json:"person,omitempty"`
	Reason      string   `json:"reason,omitempty"`
	Code        string   `json:"reason_code,omitempty"`
	Message     string   `json:"message,omitempty"`
	Note        string   `json:"note,omitempty"`
	Advice      []string `json:"advice,omitempty"`

	Discussion *summarization    `json:"summarization_request,omitempty"`
	Team       *queue.Resolution `json:"team,omitempty"`
}

func renderQuestions(s queue.Session, d Delivery) Result {
	out := questionsResult{Status: statusWaiting, SessionID: s.ID, Note: d.Joined}
	if s.Outcome == nil {
		return out.waiting(s, d)
	}
	o := s.Outcome
	out.Person = o.Person
	out.SettledBy, out.Reason, out.Advice = o.By, o.Reason, Advise(s.Origin.Dialect, s.Ask)
	out.Team = o.Team
	if !o.Answered() {
		out.Status, out.Code = o.Status, o.ReasonCode
		out.Message = fmt.Sprintf("No question was answered: %s Do not choose for the person.", undecided(s))
		raw := compact(out)
		text := out.Message + "\n" + string(raw) + adviceLines(out.Advice, nil)
		return Result{Text: text, Structured: raw, IsError: true}
	}
	out.Status, out.Comment = statusAnswered, o.Answer.Comment
	text := "The person answered:"
	for i, q := range s.Ask.Questions {
		if i >= len(o.Answer.Replies) {
			break
		}
		question, answer := posed(s.Ask, q), replied(o.Answer.Replies[i])
		out.Answers = append(out.Answers, pair{question, answer})
		shownQuestion, _ := queue.VisibleLine(question)
		shownAnswer, _ := queue.VisibleLine(answer)
		text += "\n- " + shownQuestion + ": " + shownAnswer
		if notes := noted(q, o.Answer.Replies[i]); notes != "" {
			out.Annotations = append(out.Annotations, pair{question, map[string]string{"notes": notes}})
		}
	}
	if said := asTheTeamSaid(o); said != "" {
		text += "\n" + said
	}
	raw := compact(out)
	return Result{Text: text + "\n" + string(raw) + adviceLines(out.Advice, nil), Structured: raw}
}

// waiting returns the result while there is no outcome.
func (out questionsResult) waiting(s queue.Session, d Delivery) Result {
	out.Message = waitOn(s, d)
	if m := summarize(s, d); m != nil {
		out.Message, out.Discussion = m.sentence(), m
		raw := compact(out)
		out.Discussion = m.inText()
		return Result{Text: m.text(compact(out)), Structured: raw}
	}
	raw := compact(out)
	return Result{Text: out.Message + "\n" + string(raw), Structured: raw}
}

// replied returns one answer in the family's form: the labels as they came, followed by the person's own words.
func replied(r queue.Reply) string {
	parts := append([]string(nil), r.Selected...)
	if r.Text != "" {
		parts = append(parts, r.Text)
	}
	return strings.Join(parts, ", ")
}

// noted returns the person's notes on a question's options, one a line.
func noted(q queue.Question, r queue.Reply) string {
	var lines []string
	for _, o := range q.Options {
		if n := r.Notes[o.ID]; n != "" {
			lines = append(lines, o.ID+": "+n)
		}
	}
	return strings.Join(lines, "\n")
}

// pairs is a JSON object that keeps its order.
type pairs []pair

type pair struct {
	key   string
	value any
}

// MarshalJSON writes the pairs in their order.
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

var _ json.Marshaler = pairs(nil)
