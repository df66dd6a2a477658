package prompt

import (
	"encoding/json"

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// methodForm is the request with which one of Codex's MCP servers asks.
const methodForm = "mcpServer/elicitation/request"

// readForm reads a form, an address to open, or a request for consent.
func (c codexAsk) readForm(asked Asked) (Asked, bool) {
	server, message := c.Words("serverName"), c.Words("message")
	schema, isSchema := c.Object.Child("requestedSchema")
	_, there := c.Value("requestedSchema")
	switch mode := c.Words("mode"); {
	case mode == "url":
		return c.askAddress(asked, server, message), true
	case mode != "" && mode != "form":
		return unfit(queue.UnfitAnswer)
	case there && !isSchema:
		return unfit(queue.UnfitShown)
	}
	fields, why := readSchema(schema)
	switch {
	case why != "":
		return unfitForm(server, why)
	case len(fields) == 0:
		return c.askConsent(asked, server, message)
	}
	asked.Ask = askFields(fields, formTitle(server), message)
	asked.Render = func(s queue.Session) []byte { return c.renderFormResult(filledIn(s, fields)) }
	return asked, true
}

// askAddress shows the whole address. The person opens it; this program never does.
func (c codexAsk) askAddress(asked Asked, server, message string) Asked {
	x := permissionDraft{title: formTitle(server), reason: message,
		approval: queue.Approval{Dir: c.Cwd, Parts: []queue.Part{{Kind: queue.PartAddress, Text: c.Words("url")}}}}
	return c.askYesOrNo(asked, x, nil, openAddress, opened, decline)
}

// askConsent asks whether the server may do what its message says. All that Codex adds to the message is shown too.
func (c codexAsk) askConsent(asked Asked, server, message string) (Asked, bool) {
	x := consentDraft(server, message, c.Cwd)
	var more wire.Object
	if raw, there := c.Value("_meta"); there {
		more = wire.Object{wire.Named("_meta", raw)}
	}
	rest, ok := remainingInput(more)
	x.approval.Parts = append(x.approval.Parts, rest...)
	return c.askYesOrNo(asked, x, noContent, queue.AllowThis, allowOnce, refuse), ok
}

// askYesOrNo asks a question with the answers yes and no. content is sent with a yes; nil: nothing is.
func (c codexAsk) askYesOrNo(asked Asked, x permissionDraft, content json.RawMessage, question, yes, no string) Asked {
	asked.Ask = x.newYesOrNo(question, yes, no)
	asked.Render = func(s queue.Session) []byte { return c.renderFormResult(yesOrNo(s, content)) }
	return asked
}

// renderFormResult returns the response with a result; nil for a nil result.
func (c codexAsk) renderFormResult(result wire.Object) []byte {
	if result == nil {
		return nil
	}
	return c.response(result)
}
