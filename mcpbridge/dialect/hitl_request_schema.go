package dialect

const hitlDescription = `Ask the person to choose one of the given options and, with requireConfirmation, to confirm it explicitly, before you go on.

Use this for a decision that must be unambiguous: an action that is destructive or hard to undo, a deployment, a change others will see. It takes options only; there is no free text (for that use provide_choice).

With requireConfirmation the person is shown the option they chose and confirmationMessage, and the call does not complete until they confirm or cancel. Without it, choosing is confirming.

The result's status:
- "confirmed": ok is true, and selectedOption is the option the person chose. Go on with that one only.
- "canceled" or "timeout": ok is false and selectedOption is null. Do not go on with any of the options; defaultOption is not an answer.
- "pending": no answer yet. Call poll_selection with session_id set to the requestId. Do not choose yourself.
- "error": the request was refused; message and problems say what to repair.

The result belongs to this tool call alone. If you break the call off, the question is cancelled.`

const hitlInput = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "question": {"type": "string", "minLength": 1, "maxLength": 32768, "description": "The question shown to the person, with what they must know to decide. Markdown; at most 32 KiB."},
    "options": {
      "type": "array", "minItems": 1, "maxItems": 200, "uniqueItems": true,
      "description": "What can be chosen, in the order to show it. At least one, all different. Say what happens, rather than yes and no.",
      "items": {"type": "string", "minLength": 1, "maxLength": 200, "description": "One option; it is what comes back as selectedOption."}
    },
    "requireConfirmation": {"type": "boolean", "description": "True: the person must confirm the chosen option in a second, explicit step. Default: false, choosing is confirming."},
    "confirmationMessage": {"type": "string", "maxLength": 8000, "description": "With requireConfirmation: what is shown beside the chosen option, such as what cannot be undone."},
    "timeoutMs": {"type": "integer", "minimum": 1, "maximum": 86400000, "description": "How long the person has, in milliseconds, rounded up to whole seconds. Default: the person's setting, mostly 300000."},
    "defaultOption": {"type": "string", "description": "One of the options: selected when the question comes up. It is never chosen by the clock."},
    "metadata": {"type": "object", "description": "Anything of your own; it is accepted and not shown."}
  },
  "required": ["question", "options"]
}`

const hitlOutput = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "ok": {"type": "boolean", "description": "True only if the person confirmed."},
    "status": {"type": "string", "enum": ["confirmed", "canceled", "timeout", "pending", "error"], "description": "How it ended. pending: not yet, wait on with poll_selection."},
    "confirmed": {"type": "boolean", "description": "The same as ok."},
    "selectedOption": {"type": ["string", "null"], "description": "The chosen option, exactly as it was given; null unless confirmed."},
    "source": {"type": "string", "enum": ["user", "timeout", "system"], "description": "Who ended it: the person, the clock, or neither of them. Absent while pending."},
    "requestId": {"type": "string", "description": "The request; give it to poll_selection as session_id while the status is pending."},
    "message": {"type": "string", "description": "What happened, in one sentence."},
    "session_id": {"type": "string", "description": "Only when the call failed: the session it was about."},` + failureProperties + `
  }
}`
