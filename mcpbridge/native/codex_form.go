package native

import (
	"encoding/json"
	"slices"

	"github.com/choicetui/choicetui/queue"
)

const (
	methodForm = "mcpServer/elicitation/request"

	toolForm = "mcp"
)

// codexForm is a request of another server's.
type codexForm struct{ codexAsk }

func readCodexForm(c codexAsk, asked Asked) (Asked, bool) { return codexForm{c}.form(asked) }

// form is what another server of Codex's wants to know: a form, an address to open, or whether something may be done.
func (c codexForm) form(asked Asked) (Asked, bool) {
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
		return c.address(asked, server, message)
	case mode == "form" && isSchema && len(fields) == 0:
		return c.consent(asked, server, message, schema)
	case mode == "form" && isSchema:
		return c.fields(asked, server, message, schema)
	}
	return Asked{}, false // other kinds of form are another program's
}

// address shows the whole address; the person opens it, nobody else does.
func (c codexForm) address(asked Asked, server, message string) (Asked, bool) {
	url, isText := c.text("url")
	if !isText || queue.Blank(url) {
		return Asked{}, false
	}
	x := wanted{title: c.words.Form(server), reason: message,
		approval: queue.Approval{Dir: c.Cwd, Parts: []queue.Part{{Kind: queue.PartAddress, Text: url}}}}
	return c.accepts(asked, x, nil, c.words.AddressQuestion, c.words.Opened,
		c.words.Decline), true
}

// consent is a form without fields: whether the server may do what it says. All that Codex adds is shown.
func (c codexForm) consent(asked Asked, server, message string, schema object) (Asked, bool) {
	kind, _ := schema.text("type")
	if kind != "object" || queue.Blank(message) {
		return Asked{}, false
	}
	x := wanted{title: c.words.Title(server, firstLine(message)), approval: queue.Approval{Tool: toolForm, Dir: c.Cwd,
		Parts: []queue.Part{{Kind: queue.PartText, Text: message}}}}
	var more object
	if raw, there := c.value("_meta"); there {
		more = object{{"_meta", raw}}
	}
	rest, ok := restOf(more, c.words)
	x.approval.Parts = append(x.approval.Parts, rest...)
	return c.accepts(asked, x, json.RawMessage("{}"), c.words.Wants, c.words.Once, c.words.Refuse), ok
}

// accepts asks whether it may be done, yes or no. content is what a yes carries; nil: nothing.
func (c codexForm) accepts(asked Asked, x wanted, content json.RawMessage, question, yes, no string) Asked {
	asked.Ask = x.ask(c.words, []queue.Option{{ID: optionOnce, Label: yes, Act: queue.ActOnce},
		{ID: optionRefuse, Label: no, Act: queue.ActRefuse}})
	asked.Ask.Questions[0].Text = question
	asked.Render = func(s queue.Session) []byte {
		r, answered := answeredFirst(s)
		switch {
		case answered && slices.Equal(r.Selected, []string{optionOnce}):
			return c.elicited(actionAccept, content)
		case answered, cancelledHere(s):
			return c.elicited(actionDecline, nil)
		}
		return nil
	}
	return asked
}

// fields asks for each field of a form, in the order of its schema.
func (c codexForm) fields(asked Asked, server, message string, schema object) (Asked, bool) {
	fields, ok := readSchema(schema, c.words)
	if !ok {
		return Asked{}, false
	}
	asked.Ask = queue.Ask{Kind: queue.KindChoice, Title: firstLine(c.words.Form(server)), Prompt: message,
		OnTimeout: queue.OnTimeoutNone}
	for _, f := range fields {
		asked.Ask.Questions = append(asked.Ask.Questions, f.question)
	}
	asked.Render = func(s queue.Session) []byte {
		if cancelledHere(s) {
			return c.elicited(actionDecline, nil)
		}
		if s.Outcome == nil || !s.Outcome.Answered() {
			return nil
		}
		content, ok := contentOf(fields, s.Outcome.Answer)
		if !ok {
			return nil
		}
		return c.elicited(actionAccept, content)
	}
	return asked, true
}

func (c codexForm) elicited(action string, content json.RawMessage) []byte {
	o := object{{"action", encode(action)}}
	if content != nil {
		o = append(o, member{"content", content})
	}
	return c.response(o)
}
