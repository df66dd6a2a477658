package dialect

const pollDescription = `Wait on for the answer to a question that was asked before and not answered yet.

Call this when a result said "pending" or "pending_terminal_launch", with its session_id (of hitl_request: the requestId). It blocks until the person answers, or for wait_seconds. The result comes in the format of the tool that asked. Each result can be fetched once. Do not choose for the person meanwhile.`

const pollInput = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "session_id": {"type": "string", "minLength": 1, "description": "The session_id (of hitl_request: the requestId) of an earlier result."},
    "wait_seconds": {"type": "integer", "minimum": 0, "maximum": 86400, "description": "How long to wait for the answer in this call. Default: as long as your client allows."}
  },
  "required": ["session_id"]
}`

// The result is the asking tool's, so all of them must fit.
const pollOutput = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "action_status": {"type": "string", "description": "Of provide_choice: how it stands."},
    "selection": {"type": "object", "description": "Of provide_choice: what was answered, or the command to run while it waits."},
    "status": {"type": "string", "description": "Of the other tools: how it stands. pending: no answer yet, call this tool again."},
    "answer": {"type": "string", "description": "Of requestUserChoice: the title chosen, or the person's own words."},
    "answers": {"type": "object", "description": "Of ask_user_question: answers by the text of the question."},
    "annotations": {"type": "object", "description": "Of ask_user_question: notes by the text of the question."},
    "comment": {"type": "string", "description": "Of ask_user_question: the comment on the whole."},
    "ok": {"type": "boolean", "description": "Of hitl_request: true only if the person confirmed."},
    "confirmed": {"type": "boolean", "description": "Of hitl_request: the same as ok."},
    "selectedOption": {"type": ["string", "null"], "description": "Of hitl_request: the option chosen, null unless confirmed."},
    "source": {"type": "string", "description": "Of hitl_request: user, timeout or system."},
    "requestId": {"type": "string", "description": "Of hitl_request: the session."},
    "session_id": {"type": "string", "description": "The session; give it back to wait on."},
    "settled_by": {"type": "string", "enum": ["human", "clock", "caller"], "description": "Who ended it. clock: the deadline passed."},
    "reason": {"type": "string", "description": "Why it was cancelled, or why this is the answer to an earlier ask."},
    "own_words": {"type": "boolean", "description": "Of requestUserChoice: the answer is the person's own words."},
    "note": {"type": "string", "description": "Why this is the state of an earlier, identical question."},
    "message": {"type": "string", "description": "How it stands, or the failure, in one sentence."},` + failureProperties + `
  }
}`
