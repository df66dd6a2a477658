package codex

import (
	"encoding/json"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// methodForm is the request with which one of Codex's MCP servers asks.
const methodForm = "mcpServer/elicitation/request"

// readForm reads a form, an address to open, or a request for consent.
func (c codexAsk) readForm(asked prompt.Asked) (prompt.Asked, bool) {
	server, message := c.Words("serverName"), c.Words("message")
	schema, isSchema := c.Object.Child("requestedSchema")
	_, there := c.Value("requestedSchema")
	switch mode := c.Words("mode"); {
	case mode == "url":
		return c.askAddress(asked, server, message), true
	case mode != "" && mode != "form":
		return prompt.Unfit(queue.UnfitAnswer)
	case there && !isSchema:
		return prompt.Unfit(queue.UnfitShown)
	}
	fields, why := prompt.ReadSchema(schema)
	switch {
	case why != "":
		return prompt.UnfitForm(server, why)
	case len(fields) == 0:
		return c.askConsent(asked, server, message)
	}
	asked.Ask = prompt.AskFields(fields, prompt.FormTitle(server), message)
	asked.Render = func(s queue.Session) []byte { return c.renderFormResult(prompt.FilledIn(s, fields)) }
	return asked, true
}

// askAddress shows the whole address. The person opens it; this program never does.
func (c codexAsk) askAddress(asked prompt.Asked, server, message string) prompt.Asked {
	x := prompt.Draft{Title: prompt.FormTitle(server), Reason: message,
		Approval: queue.Approval{Dir: c.Cwd, Parts: []queue.Part{{Kind: queue.PartAddress, Text: c.Words("url")}}}}
	return c.askYesOrNo(asked, x, nil, prompt.OpenAddress, prompt.Opened, prompt.Decline)
}

// askConsent asks whether the server may do what its message says. All that Codex adds to the message is shown too.
func (c codexAsk) askConsent(asked prompt.Asked, server, message string) (prompt.Asked, bool) {
	x := prompt.ConsentDraft(server, message, c.Cwd)
	var more wire.Object
	if raw, there := c.Value("_meta"); there {
		more = wire.Object{wire.Named("_meta", raw)}
	}
	rest, ok := prompt.RemainingInput(more)
	x.Approval.Parts = append(x.Approval.Parts, rest...)
	return c.askYesOrNo(asked, x, prompt.NoContent, queue.AllowThis, prompt.AllowOnce, prompt.Refuse), ok
}

// askYesOrNo asks a question with the answers yes and no. content is sent with a yes; nil: nothing is.
func (c codexAsk) askYesOrNo(
	asked prompt.Asked, x prompt.Draft, content json.RawMessage, question, yes, no string,
) prompt.Asked {
	asked.Ask = x.NewYesOrNo(question, yes, no)
	asked.Render = func(s queue.Session) []byte { return c.renderFormResult(prompt.YesOrNo(s, content)) }
	return asked
}

// renderFormResult returns the response with a result; nil for a nil result.
func (c codexAsk) renderFormResult(result wire.Object) []byte {
	if result == nil {
		return nil
	}
	return c.response(result)
}
