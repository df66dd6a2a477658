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

// askForm asks for one of Claude's MCP servers: it shows a form, or an address to open. A form without fields asks for
// a yes or a no.
func (e claudeHook) askForm() (Asked, bool) {
	server, message := e.Words("mcp_server_name"), e.Words("message")
	mode, id := e.Words("mode"), e.Words("elicitation_id")
	schema, isObject := wire.Read(e.schema())
	switch {
	case mode == "url":
		return e.askAddress(server, message, id)
	case mode != "" && mode != "form":
		return unfit(queue.UnfitAnswer)
	case !isObject && e.schema() != nil:
		return unfitForm(server, queue.UnfitShown)
	}
	return e.askFormFields(server, message, id, schema)
}

// schema returns the schema of a form, as it was received; nil: there is none.
func (e claudeHook) schema() json.RawMessage {
	raw, there := e.Value("requested_schema", "requestedSchema")
	if !there {
		return nil
	}
	return raw
}

// askAddress shows the whole address. The person opens it; this program never does.
func (e claudeHook) askAddress(server, message, id string) (Asked, bool) {
	what := permissionDraft{title: formTitle(server), reason: message,
		approval: queue.Approval{Dir: e.dir, Parts: []queue.Part{{Kind: queue.PartAddress, Text: e.Words("url")}}}}
	a := what.newYesOrNo(openAddress, opened, decline)
	a.Approval.Marks, a.Confirm = nil, false // the answer itself does nothing, so it needs no confirmation
	return e.newAsked(a, id, func(s queue.Session) []byte { return formOutput(yesOrNo(s, nil)) }), true
}

// newYesOrNo returns an ask with the answers yes and no. A server is told only that, so the ask takes no words.
func (x permissionDraft) newYesOrNo(question, yes, no string) queue.Ask {
	a := x.newAsk([]queue.Option{{ID: optionOnce, Label: yes, Act: queue.ActOnce},
		{ID: optionRefuse, Label: no, Act: queue.ActRefuse}})
	a.Questions[0].Text, a.Questions[0].Annotate = question, false
	return a
}

// yesOrNo returns the server's result for an ask of newYesOrNo, with content after a yes; nil: the person decided
// nothing.
func yesOrNo(s queue.Session, content json.RawMessage) wire.Object {
	r, answered := answeredFirst(s)
	switch {
	case answered && slices.Equal(r.Selected, []string{optionOnce}):
		return formResult(actionAccept, content)
	case answered, cancelledHere(s):
		return formResult(actionDecline, nil)
	}
	return nil
}

// answeredFirst returns the reply to the first question. ok is false if there is none.
func answeredFirst(s queue.Session) (reply queue.Reply, ok bool) {
	if s.Outcome == nil || !s.Outcome.Answered() || len(s.Outcome.Answer.Replies) == 0 {
		return queue.Reply{}, false
	}
	return s.Outcome.Answer.Replies[0], true
}

// cancelledHere reports whether the person cancelled the question in the dashboard.
func cancelledHere(s queue.Session) bool {
	return s.Outcome != nil && s.Outcome.Status == queue.StatusCancelled && s.Outcome.By == queue.ByHuman
}

// askFormFields asks one question for each field of a form.
func (e claudeHook) askFormFields(server, message, id string, schema wire.Object) (Asked, bool) {
	fields, why := readSchema(schema)
	if why != "" {
		return unfitForm(server, why)
	}
	if len(fields) == 0 {
		a := consentDraft(server, message, e.dir).newYesOrNo("Do you agree?", "Agree", decline)
		return e.newAsked(a, id, func(s queue.Session) []byte { return formOutput(yesOrNo(s, noContent)) }), true
	}
	return e.newAsked(askFields(fields, formTitle(server), message), id,
		func(s queue.Session) []byte { return formOutput(filledIn(s, fields)) }), true
}

// noContent is the content of a form without fields that was accepted.
var noContent = json.RawMessage("{}")

// consentDraft returns the request of a server that shows a form without fields: it asks whether it may do what its
// message says.
func consentDraft(server, message, dir string) permissionDraft {
	return permissionDraft{title: approvalTitle(cmp.Or(server, "a server"), firstLine(message)),
		approval: queue.Approval{Tool: toolForm, Dir: dir, Parts: []queue.Part{{Kind: queue.PartText, Text: message}}}}
}

// askFields returns an ask with one question for each field of a form, in the order of its schema.
func askFields(fields []field, title, message string) queue.Ask {
	a := queue.Ask{Kind: queue.KindChoice, Title: firstLine(title), Prompt: message, OnTimeout: queue.OnTimeoutNone}
	for _, f := range fields {
		a.Questions = append(a.Questions, f.question)
	}
	return a
}

// filledIn returns the server's result for a form with fields; nil: the person did not fill it in.
func filledIn(s queue.Session, fields []field) wire.Object {
	if cancelledHere(s) {
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

// formOutput wraps a result in the hook's output; nil for a nil result, for which the hook prints nothing.
func formOutput(result wire.Object) []byte {
	if result == nil {
		return nil
	}
	return hookOutput(append(wire.Object{wire.Named("hookEventName", eventForm)}, result...))
}
