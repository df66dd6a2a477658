package native

import (
	"encoding/json"

	"github.com/choicetui/choicetui/queue"
)

const (
	methodForm = "mcpServer/elicitation/request" // one of Codex's MCP servers asks

	toolForm = "mcp"
)

// readForm reads a form, an address to open, or a request for consent. ok is false for other kinds of form.
func (c codexAsk) readForm(asked Asked) (Asked, bool) {
	server, isServer := c.text("serverName")
	message, isMessage := c.text("message")
	mode, isMode := c.text("mode")
	if !isServer || !isMessage || !isMode {
		return Asked{}, false
	}
	schema, isSchema := c.object.object("requestedSchema")
	fields, _ := schema.object("properties")
	switch {
	case mode == "url":
		return c.askAddress(asked, server, message)
	case mode == "form" && isSchema && len(fields) == 0:
		return c.askConsent(asked, server, message, schema)
	case mode == "form" && isSchema:
		return c.askFormFields(asked, server, message, schema)
	}
	return Asked{}, false
}

// askAddress shows the whole address. The person opens it; this program never does.
func (c codexAsk) askAddress(asked Asked, server, message string) (Asked, bool) {
	url, isText := c.text("url")
	if !isText || queue.Blank(url) {
		return Asked{}, false
	}
	x := permissionDraft{title: formTitle(server), reason: message,
		approval: queue.Approval{Dir: c.Cwd, Parts: []queue.Part{{Kind: queue.PartAddress, Text: url}}}}
	return c.askYesOrNo(asked, x, nil, openAddress, opened, decline), true
}

// askConsent asks whether the server may do what its message says. A form without fields is such a request. All that
// Codex adds to the message is shown too.
func (c codexAsk) askConsent(asked Asked, server, message string, schema object) (Asked, bool) {
	kind, _ := schema.text("type")
	if kind != "object" || queue.Blank(message) {
		return Asked{}, false
	}
	x := permissionDraft{title: approvalTitle(server, firstLine(message)),
		approval: queue.Approval{Tool: toolForm, Dir: c.Cwd,
			Parts: []queue.Part{{Kind: queue.PartText, Text: message}}}}
	var more object
	if raw, there := c.value("_meta"); there {
		more = object{{"_meta", raw}}
	}
	rest, ok := remainingInput(more)
	x.approval.Parts = append(x.approval.Parts, rest...)
	return c.askYesOrNo(asked, x, json.RawMessage("{}"), queue.AllowThis, allowOnce, refuse), ok
}

// askYesOrNo asks a question with the answers yes and no. content is sent with a yes; nil: nothing is.
func (c codexAsk) askYesOrNo(asked Asked, x permissionDraft, content json.RawMessage, question, yes, no string) Asked {
	asked.Ask = x.newYesOrNo(question, yes, no)
	asked.Render = func(s queue.Session) []byte { return c.renderFormResult(yesOrNo(s, content)) }
	return asked
}

// askFormFields asks one question for each field of a form.
func (c codexAsk) askFormFields(asked Asked, server, message string, schema object) (Asked, bool) {
	fields, ok := readSchema(schema)
	if !ok {
		return Asked{}, false
	}
	asked.Ask = askFields(fields, formTitle(server), message)
	asked.Render = func(s queue.Session) []byte { return c.renderFormResult(filledIn(s, fields)) }
	return asked, true
}

// renderFormResult returns the response with a result; nil for a nil result.
func (c codexAsk) renderFormResult(result object) []byte {
	if result == nil {
		return nil
	}
	return c.response(result)
}
