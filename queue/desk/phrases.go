package desk

import (
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// Phrases keeps the words with which the person ended questions lately: reasons of a cancel, what they wanted to know,
// and words of a refusal. They are suggested again. What ended here counts, and what the desk reads of the history at
// its start.
type Phrases struct{ said map[form.Field][]phrase }

// phrase is a text of the person, and when it was sent last.
type phrase struct {
	text string
	at   time.Time
}

const (
	mostPhrases = 3   // of each kind
	mostPhrase  = 120 // bytes: what is longer was about one question
)

// addSession keeps the words of a settled session. person is the person at this desk, if several share the queue.
func (p *Phrases) addSession(s queue.Session, person string) {
	kind, text := phraseOf(s)
	if text = strings.TrimSpace(text); text == "" || len(text) > mostPhrase || strings.ContainsAny(text, "\n\r") ||
		s.Outcome.Person != person {
		return
	}
	if p.said == nil {
		p.said = map[form.Field][]phrase{}
	}
	list := append(p.said[kind], phrase{text, s.Outcome.At})
	slices.SortStableFunc(list, func(a, b phrase) int { return b.at.Compare(a.at) })
	kept := list[:0:0]
	for _, said := range list {
		if !slices.ContainsFunc(kept, func(k phrase) bool { return k.text == said.text }) {
			kept = append(kept, said)
		}
	}
	p.said[kind] = kept[:min(len(kept), mostPhrases)]
}

// phraseOf returns the words with which the person ended a session, and the field into which they were typed; empty:
// there are none.
func phraseOf(s queue.Session) (form.Field, string) {
	o := s.Outcome
	switch {
	case o == nil || s.IsMessage() || o.By != queue.ByHuman || o.Given != "":
	case o.WantsDetail():
		return form.FieldDetail, o.Reason
	case o.Status == queue.StatusCancelled:
		return form.FieldReason, o.Reason
	case o.Answered() && s.Ask.Kind == queue.KindApproval:
		return form.FieldRefusal, refusalOf(s)
	}
	return form.FieldNone, ""
}

// refusalOf returns the words beside the refusal of an approval.
func refusalOf(s queue.Session) string {
	for _, q := range s.Ask.Questions {
		reply, _ := s.Outcome.Answer.Reply(q.ID)
		for _, o := range q.Options {
			if o.Act == queue.ActRefuse && slices.Contains(reply.Selected, o.ID) {
				return reply.Notes[o.ID]
			}
		}
	}
	return ""
}

// For returns the last phrases for a field, newest first, and behind them the suggestions that are always there.
func (p *Phrases) For(field form.Field, always []string) []string {
	var list []string
	for _, said := range p.said[field] {
		list = append(list, said.text)
	}
	for _, text := range always {
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}
