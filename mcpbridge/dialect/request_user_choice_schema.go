package dialect

// The description asks for what makes a question easy to decide: at least two options, one of them recommended, and one
// question at a time.
const userChoiceDescription = `Asks the person to make a choice from a set of options. Use this when you need user input to proceed.

When you need the person to make a decision, you MUST call this tool. Ask one question at a time. Provide a clear question and at least two distinct options, and set isRecommended to true for exactly one of them, the one you would take. Put into the question what you are doing and why you ask, and into each description what follows from choosing it.

The result's text is exactly the title of the chosen option, or the person's own words where they typed an answer instead: treat it as their message to you.
If it is an error that begins with "No choice was made", the person cancelled or did not answer in time: do not choose for them.
If it says that there is no answer yet (status "pending"), call poll_selection with the session_id. Do not choose yourself.`

const userChoiceInput = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "question": {"type": "string", "minLength": 1, "maxLength": 32768, "description": "The question to ask the person, with the context they need to decide. Markdown; at most 32 KiB."},
    "options": {
      "type": "array", "maxItems": 200,
      "description": "The options for the person to choose from, at least two. They can always answer in their own words instead.",
      "items": {
        "type": "object",
        "properties": {
          "title": {"type": "string", "minLength": 1, "maxLength": 200, "description": "The short title of the option; it is what comes back. Different for each option."},
          "description": {"type": "string", "maxLength": 8000, "description": "A detailed description of the option: what follows from choosing it."},
          "isRecommended": {"type": "boolean", "description": "Whether this option is recommended; true for exactly one."}
        },
        "required": ["title", "description"]
      }
    }
  },
  "required": ["question", "options"]
}`

// failureProperties are in every output: a refusal has the same schema as a result.
const failureProperties = `
    "error": {"type": "string", "enum": ["invalid_request", "not_found", "in_use", "already_collected", "unavailable"], "description": "Only when the call failed: why."},
    "problems": {
      "type": "array",
      "description": "Everything wrong with the request; repair all of it and call again.",
      "items": {
        "type": "object",
        "properties": {
          "path": {"type": "string", "description": "Where, such as options[2]."},
          "wrong": {"type": "string", "description": "What is wrong."},
          "want": {"type": "string", "description": "What would be right."}
        }
      }
    },
    "more_problems": {"type": "integer", "description": "How many problems are not listed."},
    "happened": {
      "type": "array",
      "description": "What already happened to a session that cannot be fetched again.",
      "items": {
        "type": "object",
        "properties": {
          "event": {"type": "string", "description": "attached, settled, collected or lapsed."},
          "at": {"type": "string", "description": "When, RFC 3339 in UTC."},
          "by": {"type": "string", "description": "human, clock or caller."}
        }
      }
    },
    "answered": {"type": "string", "description": "What was answered, in one line."},
    "advice": {"type": "array", "items": {"type": "string", "description": "One finding."}, "description": "For you alone: what would make your next question easier to decide."}`

const userChoiceOutput = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "status": {"type": "string", "enum": ["answered", "cancelled", "timeout", "deferred", "pending", "error"], "description": "answered: there is an answer. pending: none yet, wait on with poll_selection. The others: no choice was made. error: the call failed."},
    "answer": {"type": "string", "description": "Exactly the chosen title, or the person's own words. Only with answered."},
    "own_words": {"type": "boolean", "description": "True if the answer is the person's own words instead of an option."},
    "session_id": {"type": "string", "description": "The session; give it to poll_selection while the status is pending."},
    "settled_by": {"type": "string", "enum": ["human", "clock", "caller"], "description": "Who ended it. clock: the deadline passed."},
    "reason": {"type": "string", "description": "Why it was cancelled, in the person's words."},
    "message": {"type": "string", "description": "How it stands, in one sentence."},
    "note": {"type": "string", "description": "Why this is the state of an earlier, identical question."},` + failureProperties + `
  }
}`
