package claude

import (
	"encoding/json"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// askForm asks for one of Claude's MCP servers: it shows a form, or an address to open. A form without fields asks for
// a yes or a no.
func (e hook) askForm() (prompt.Asked, bool) {
	server, message := e.Words("mcp_server_name"), e.Words("message")
	mode, id := e.Words("mode"), e.Words("elicitation_id")
	schema, isObject := wire.Read(e.schema())
	switch {
	case mode == "url":
		return e.askAddress(server, message, id)
	case mode != "" && mode != "form":
		return prompt.Unfit(queue.UnfitAnswer)
	case !isObject && e.schema() != nil:
		return prompt.UnfitForm(server, queue.UnfitShown)
	}
	return e.askFormFields(server, message, id, schema)
}

// schema returns the schema of a form, as it was received; nil: there is none.
func (e hook) schema() json.RawMessage {
	raw, there := e.Value("requested_schema", "requestedSchema")
	if !there {
		return nil
	}
	return raw
}

// askAddress shows the whole address. The person opens it; this program never does.
func (e hook) askAddress(server, message, id string) (prompt.Asked, bool) {
	what := prompt.Draft{Title: prompt.FormTitle(server), Reason: message,
		Approval: queue.Approval{Dir: e.Dir, Parts: []queue.Part{{Kind: queue.PartAddress, Text: e.Words("url")}}}}
	a := what.NewYesOrNo(prompt.OpenAddress, prompt.Opened, prompt.Decline)
	a.Approval.Marks, a.Confirm = nil, false // the answer itself does nothing, so it needs no confirmation
	return e.NewAsked(a, id, func(s queue.Session) []byte { return formOutput(prompt.YesOrNo(s, nil)) }), true
}

// askFormFields asks one question for each field of a form.
func (e hook) askFormFields(server, message, id string, schema wire.Object) (prompt.Asked, bool) {
	fields, why := prompt.ReadSchema(schema)
	if why != "" {
		return prompt.UnfitForm(server, why)
	}
	if len(fields) == 0 {
		a := prompt.ConsentDraft(server, message, e.Dir).NewYesOrNo("Do you agree?", "Agree", prompt.Decline)
		render := func(s queue.Session) []byte { return formOutput(prompt.YesOrNo(s, prompt.NoContent)) }
		return e.NewAsked(a, id, render), true
	}
	return e.NewAsked(prompt.AskFields(fields, prompt.FormTitle(server), message), id,
		func(s queue.Session) []byte { return formOutput(prompt.FilledIn(s, fields)) }), true
}

// formOutput wraps a result in the hook's output; nil for a nil result, for which the hook prints nothing.
func formOutput(result wire.Object) []byte {
	if result == nil {
		return nil
	}
	return prompt.HookOutput(append(wire.Object{wire.Named("hookEventName", eventForm)}, result...))
}
