package prompt

import (
	"encoding/json"

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
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

// formOutput wraps a result in the hook's output; nil for a nil result, for which the hook prints nothing.
func formOutput(result wire.Object) []byte {
	if result == nil {
		return nil
	}
	return hookOutput(append(wire.Object{wire.Named("hookEventName", eventForm)}, result...))
}
