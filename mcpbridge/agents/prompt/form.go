package prompt

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// The actions with which a form of another MCP server is answered.
const (
	actionAccept  = "accept"
	actionDecline = "decline"
)

// NewYesOrNo returns an ask with the answers yes and no. A server is told only that, so the ask takes no words.
func (x Draft) NewYesOrNo(question, yes, no string) queue.Ask {
	a := x.NewAsk([]queue.Option{{ID: OptionOnce, Label: yes, Act: queue.ActOnce},
		{ID: OptionRefuse, Label: no, Act: queue.ActRefuse}})
	a.Questions[0].Text, a.Questions[0].Annotate = question, false
	return a
}

// YesOrNo returns the server's result for an ask of newYesOrNo, with content after a yes; nil: the person decided
// nothing.
func YesOrNo(s queue.Session, content json.RawMessage) wire.Object {
	r, answered := AnsweredFirst(s)
	switch {
	case answered && slices.Equal(r.Selected, []string{OptionOnce}):
		return formResult(actionAccept, content)
	case answered, CancelledHere(s):
		return formResult(actionDecline, nil)
	}
	return nil
}

// AnsweredFirst returns the reply to the first question. ok is false if there is none.
func AnsweredFirst(s queue.Session) (reply queue.Reply, ok bool) {
	if s.Outcome == nil || !s.Outcome.Answered() || len(s.Outcome.Answer.Replies) == 0 {
		return queue.Reply{}, false
	}
	return s.Outcome.Answer.Replies[0], true
}

// CancelledHere reports whether the person cancelled the question in the dashboard.
func CancelledHere(s queue.Session) bool {
	return s.Outcome != nil && s.Outcome.Status == queue.StatusCancelled && s.Outcome.By == queue.ByHuman
}

// NoContent is the content of a form without fields that was accepted.
var NoContent = json.RawMessage("{}")

// toolForm stands for the tool in the approval of a form without fields.
const toolForm = "mcp"

// ConsentDraft returns the request of a server that shows a form without fields: it asks whether it may do what its
// message says.
func ConsentDraft(server, message, dir string) Draft {
	return Draft{Title: ApprovalTitle(cmp.Or(server, "a server"), FirstLine(message)),
		Approval: queue.Approval{Tool: toolForm, Dir: dir, Parts: []queue.Part{{Kind: queue.PartText, Text: message}}}}
}

// AskFields returns an ask with one question for each field of a form, in the order of its schema.
func AskFields(fields []field, title, message string) queue.Ask {
	a := queue.Ask{Kind: queue.KindChoice, Title: FirstLine(title), Prompt: message, OnTimeout: queue.OnTimeoutNone}
	for _, f := range fields {
		a.Questions = append(a.Questions, f.question)
	}
	return a
}

// FilledIn returns the server's result for a form with fields; nil: the person did not fill it in.
func FilledIn(s queue.Session, fields []field) wire.Object {
	if CancelledHere(s) {
		return formResult(actionDecline, nil)
	}
	if s.Outcome == nil || !s.Outcome.Answered() {
		return nil
	}
	content, ok := formContent(fields, s.Outcome.Answer)
	if !ok {
		return nil
	}
	return formResult(actionAccept, content)
}

// formResult returns the result that a server gets for its form: an action and, unless nil, the content of the fields.
func formResult(action string, content json.RawMessage) wire.Object {
	o := wire.Object{wire.Named("action", action)}
	if content != nil {
		o = append(o, wire.Named("content", content))
	}
	return o
}
