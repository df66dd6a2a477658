package native

import (
	"encoding/json"
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// What the hook answers to another server's form.
const (
	actionAccept  = "accept"
	actionDecline = "decline"
)

// form is what another server of Claude's wants to know, as a form or by an address to open.
func (e hookEvent) form() (Asked, bool) {
	server, isServer := e.text("mcp_server_name")
	message, isMessage := e.text("message")
	mode, isMode := e.text("mode")
	id, isText := e.text("elicitation_id")
	if !isServer || !isMessage || !isMode || !isText {
		return Asked{}, false
	}
	switch _, schema := e.get("requested_schema"); {
	case mode == "url":
		return e.address(server, message, id)
	case mode == "form" || mode == "" && schema:
		return e.fields(server, message, id)
	}
	return Asked{}, false
}

// address shows the whole address; the person opens it, nobody else does.
func (e hookEvent) address(server, message, id string) (Asked, bool) {
	url, isText := e.text("url")
	if !isText || queue.Blank(url) {
		return Asked{}, false
	}
	what := wanted{title: e.words.Form(server), reason: message,
		approval: queue.Approval{Dir: e.dir, Parts: []queue.Part{{Kind: queue.PartAddress, Text: url}}}}
	a := what.ask(e.words, []queue.Option{{ID: optionOnce, Label: e.words.Opened, Act: queue.ActOnce},
		{ID: optionRefuse, Label: e.words.Decline, Act: queue.ActRefuse}})
	a.Questions[0].Text = e.words.AddressQuestion
	a.Approval.Marks, a.Confirm = nil, false // nothing is done by the answer
	return e.asked(a, id, func(s queue.Session) []byte {
		r, answered := answeredFirst(s)
		switch {
		case answered && slices.Equal(r.Selected, []string{optionOnce}):
			return elicited(actionAccept, nil)
		case answered, cancelledHere(s):
			return elicited(actionDecline, nil)
		}
		return nil
	})
}

// answeredFirst is the reply to the first question, and whether there is one.
func answeredFirst(s queue.Session) (queue.Reply, bool) {
	if s.Outcome == nil || !s.Outcome.Answered() || len(s.Outcome.Answer.Replies) == 0 {
		return queue.Reply{}, false
	}
	return s.Outcome.Answer.Replies[0], true
}

// cancelledHere reports whether the person wants no part in it.
func cancelledHere(s queue.Session) bool {
	return s.Outcome != nil && s.Outcome.Status == queue.StatusCancelled && s.Outcome.By == queue.ByHuman
}

// fields asks for each field of a form, in the order of its schema.
func (e hookEvent) fields(server, message, id string) (Asked, bool) {
	schema, ok := e.object.object("requested_schema")
	if !ok {
		return Asked{}, false
	}
	fields, ok := readSchema(schema, e.words)
	if !ok {
		return Asked{}, false
	}
	a := queue.Ask{Kind: queue.KindChoice, Title: firstLine(e.words.Form(server)), Prompt: message,
		OnTimeout: queue.OnTimeoutNone}
	for _, f := range fields {
		a.Questions = append(a.Questions, f.question)
	}
	return e.asked(a, id, func(s queue.Session) []byte {
		if cancelledHere(s) {
			return elicited(actionDecline, nil)
		}
		if s.Outcome == nil || !s.Outcome.Answered() {
			return nil
		}
		content, ok := contentOf(fields, s.Outcome.Answer)
		if !ok {
			return nil
		}
		return elicited(actionAccept, content)
	})
}

func elicited(action string, content json.RawMessage) []byte {
	o := object{{"hookEventName", encode(eventForm)}, {"action", encode(action)}}
	if content != nil {
		o = append(o, member{"content", content})
	}
	return hookOutput(o)
}
