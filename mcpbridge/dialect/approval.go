package dialect

import (
	"encoding/json"

	"github.com/choicetui/choicetui/queue"
)

// Approval is the name of system approvals: a permission a program needs, never what a model asks. They come by
// `choicetui ask --approval` and hooks only; it is no tool.
const Approval = "approval"

// The options of an approval.
const (
	Approve = "approve"
	Deny    = "deny"
)

// ParseApproval reads `{title, prompt, details?}`; details is what is approved, shown in full and first. The error is
// *queue.Invalid with every problem.
func ParseApproval(raw json.RawMessage) (Request, error) {
	r := &reader{}
	o, ok := r.object("", raw, "an object with title and prompt")
	if !ok {
		return Request{}, &queue.Invalid{Problems: r.problems}
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
	for _, p := range ask.Check() {
		if !r.said(p.Path) {
			r.problems = append(r.problems, p)
		}
	}
	if len(r.problems) > 0 {
		return Request{}, &queue.Invalid{Problems: r.problems}
	}
	return Request{Ask: ask, Transport: TransportAuto}, nil
}
