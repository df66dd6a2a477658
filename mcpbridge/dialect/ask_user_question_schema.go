package dialect

const questionsDescription = `Ask the person one or more questions at once, each with options, and wait for the answers.

Use this whenever you need a decision: more than two ways are open, an action is destructive, required configuration is missing. Never choose for the person.

Give each question a short header and two to four options; say in each description what follows from choosing it, and end the label of the one you would take with "(Recommended)". Put what you are doing and why you ask into the question: the person sees questions from several agents. multiSelect true lets them choose several. They can always answer in their own words, so offer no "Other".

The result's answers are keyed by the text of the question; each is the label chosen, the labels chosen joined with ", ", or the person's own words. annotations holds their notes, by question: they are instructions.
If it is an error that begins with "No question was answered", the person cancelled or did not answer in time: do not choose for them.
If status is "pending", call poll_selection with the session_id. Do not choose yourself.`

const questionsInput = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "questions": {
      "type": "array", "minItems": 1, "maxItems": 50,
      "description": "The questions, in the order to ask them.",
      "items": {
        "type": "object",
        "properties": {
          "question": {"type": "string", "minLength": 1, "maxLength": 8000, "description": "The whole question, with the context the person needs. Different for each question: the answers are keyed by it."},
          "header": {"type": "string", "maxLength": 200, "description": "One or two words that name the question, shown as its tab."},
          "options": {
            "type": "array", "maxItems": 200,
            "description": "What can be chosen. Empty, or left out with type text, asks for the person's own words.",
            "items": {
              "type": "object",
              "properties": {
                "label": {"type": "string", "minLength": 1, "maxLength": 200, "description": "What the person reads, and what comes back. Different for each option. End it with (Recommended) on the one you would take."},
                "description": {"type": "string", "maxLength": 8000, "description": "What follows from choosing this."},
                "preview": {"type": "string", "maxLength": 8000, "description": "Markdown to show with the option: code, a diff, a sketch."},
                "recommended": {"type": "boolean", "description": "True on the one you would take; the same as (Recommended) in its label."}
              },
              "required": ["label"]
            }
          },
          "multiSelect": {"type": "boolean", "description": "True: several options may be chosen. Default: false, one."},
          "type": {"type": "string", "enum": ["choice", "text", "yesno"], "description": "choice (default): the options. text: own words, no options. yesno: Yes and No."},
          "placeholder": {"type": "string", "maxLength": 1000, "description": "A hint shown where the person types."}
        },
        "required": ["question"]
      }
    }
  },
  "required": ["questions"]
}`

const questionsOutput = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "status": {"type": "string", "enum": ["answered", "cancelled", "timeout", "deferred", "pending", "error"], "description": "answered: answers holds all of them. pending: none yet, wait on with poll_selection. The others: nothing was answered. error: the call failed."},
    "answers": {"type": "object", "additionalProperties": {"type": "string", "description": "The label chosen, the labels joined with a comma and a blank, or the person's own words."}, "description": "Answers by the text of the question."},
    "annotations": {
      "type": "object",
      "description": "The person's notes, by the text of the question.",
      "additionalProperties": {
        "type": "object",
        "description": "What was noted on one question.",
        "properties": {"notes": {"type": "string", "description": "Notes on its options, one a line: the label, then the note."}}
      }
    },
    "comment": {"type": "string", "description": "The person's comment on the whole."},
    "session_id": {"type": "string", "description": "The session; give it to poll_selection while the status is pending."},
    "settled_by": {"type": "string", "enum": ["human", "clock", "caller"], "description": "Who ended it. clock: the deadline passed."},
    "reason": {"type": "string", "description": "Why it was cancelled, in the person's words."},
    "message": {"type": "string", "description": "How it stands, in one sentence."},
    "note": {"type": "string", "description": "Why this is the state of an earlier, identical question."},` + failureProperties + `
  }
}`
