package dialect

import (
	"encoding/json"
)

// poll_selection continues a session of any format. The result has the format of the tool that asked. No session has
// this dialect, as the tool never asks.
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
	id := requiredSessionID(o, "the session_id (of hitl_request: the requestId) of an earlier result")
	poll := Poll{Session: id, Wait: waitSeconds(o)}
	o.ignore("wait_for_previous")
	o.unknown(pollFields)
	return r.done(Request{Poll: &poll, Transport: TransportAuto})
}
