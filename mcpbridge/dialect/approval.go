package dialect

import (
	"encoding/json"

	"github.com/choicetui/choicetui/queue"
)

// Approval is the dialect of system approvals: permissions that a program needs. A model never asks for them. They come
// from `choicetui ask --approval` and from hooks; no tool makes them.
const Approval = "approval"

// The options of an approval.
const (
	Approve = "approve"
	Deny    = "deny"
)

// ParseApproval reads `{title, prompt, details?}`. details holds the command or call to approve, which is shown first
// and in full. The error is *queue.Invalid with every problem.
func ParseApproval(raw json.RawMessage) (Request, error) {
	var r reader
	o, ok := r.object("", raw, "an object with title and prompt")
	if !ok {
		return r.done(Request{})
	}
	title := o.text("title", "what is to be approved")
	prompt := o.text("prompt", "why, and what it does")
	details := o.text("details", "the exact command or call")
	o.unknown(nil)
	ask := queue.Ask{
		Kind: queue.KindApproval, Title: title, Prompt: prompt, TimeoutSeconds: 300, OnTimeout: queue.OnTimeoutNone,
		Questions: []queue.Question{{
			ID: Approval, Mode: queue.ModeSingle, Min: 1, Max: 1, Annotate: true,
			Options: []queue.Option{{ID: Deny, Label: "Deny", Act: queue.ActRefuse},
				{ID: Approve, Label: "Approve", Act: queue.ActOnce}},
		}},
	}
	if !queue.Blank(details) {
		ask.Approval = &queue.Approval{Parts: []queue.Part{{Kind: queue.PartCommand, Text: details}}}
	}
	samePaths := func(problems []queue.Problem) []queue.Problem { return problems }
	r.judge(ask, nil, samePaths)
	return r.done(Request{Ask: ask, Transport: TransportAuto})
}
