package native

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// refusal returns the text for the agent about a question that the person declined, in their words. Without words it is
// empty, and the agent asks in its own way.
func (w Words) refusal(s queue.Session) string {
	o := s.Outcome
	switch {
	case o == nil || o.Status != queue.StatusCancelled || o.By != queue.ByHuman:
		return ""
	case o.WantsDetail():
		return w.MoreDetail(seen(o.Reason))
	case queue.Blank(o.Reason):
		return ""
	}
	return w.Declined(seen(o.Reason))
}

// reason returns the person's reason for refusing, in their own words, wherever they wrote them.
func reason(a queue.Answer, w Words) string {
	if words := ownWords(a, optionRefuse); words != "" {
		return words
	}
	return w.Refused
}

// seen returns a person's text as an agent may read it: what nobody would see is shown.
func seen(text string) string {
	shown, _ := queue.Visible(text)
	return strings.TrimSpace(shown)
}
