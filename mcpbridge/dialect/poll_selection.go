package dialect

import (
	"encoding/json"

	"github.com/choicetui/choicetui/queue"
)

// poll_selection continues a session of any format; the result comes in the one that asked. It never asks, so no
// session is of this dialect.
var pollSelection = Dialect{
	Tool:  Tool{namePoll, "Wait on for the person's answer"},
	Parse: parsePoll, Render: renderProvideChoice, Fail: failError, Wire: wireProvideChoice,
}

var pollFields = []string{"session_id", "wait_seconds"}

func parsePoll(raw json.RawMessage) (Request, error) {
	var r reader
	o, ok := r.arguments(raw, "an object with session_id")
	if !ok {
		return r.done(Request{})
	}
	o.alias("session_id", "request_id", "id")
	o.alias("wait_seconds", "wait", "timeout_seconds")
	id, _ := sessionID(o)
	if queue.Blank(id) && !r.under(o.path("session_id")) {
		r.add(o.path("session_id"), "is missing or blank",
			"the session_id (of hitl_request: the requestId) of an earlier result")
	}
	poll := Poll{Session: id, Wait: waitSeconds(o)}
	o.ignore("wait_for_previous")
	o.unknown(pollFields)
	return r.done(Request{Poll: &poll, Transport: TransportAuto})
}
