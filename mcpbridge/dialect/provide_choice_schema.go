package dialect

// The description carries the decision policy: when to ask, what belongs into the prompt, and never to choose for the
// person. Many clients show a model nothing else of the server.
const provideChoiceDescription = `Ask the person in front of the terminal to decide, and wait for the answer.

Call this whenever
- more than two ways forward are open,
- an action is destructive or hard to undo,
- required configuration is missing.
Never choose for the person and never assume a default in such a case.

Put into prompt (Markdown) what you are doing right now and why you ask. Give every option an id and a label, say in description what follows from it, and mark at least one option "recommended": true.

selection_mode: "single" is exactly one option; "multi" is several (min_selections, max_selections); "hybrid" is options and/or the person's own words; "text_input" is own words only.

The result's action_status:
- "selected": selection.selected_ids, and notes in selection.option_annotations and selection.global_annotation. Read the notes, they are instructions.
- "custom_input": selection.custom_input holds the person's own words.
- "cancelled" or "timeout": nothing was chosen (a timeout may carry defaults in selected_ids). Do not go on with any of the options.
- "pending_terminal_launch": no answer yet. If selection.url holds a command, run it in a terminal; it works once, a retry is a new ask. Then call this tool again with only session_id. Do not choose yourself.
- "deferred": the question went to other people. Do something else and poll with session_id later.
advice, where there is any, is for you: it says what would make your next question easier to decide.

To continue a session give session_id alone (and wait_seconds if you like).`

// No top-level required: a poll needs none of the fields an ask needs.
const provideChoiceInput = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "title": {"type": "string", "maxLength": 200, "description": "Required to ask. One line that says what is to be decided."},
    "prompt": {"type": "string", "maxLength": 32768, "description": "Required to ask. Markdown: the context of the current task and why you ask now. At most 32 KiB."},
    "selection_mode": {"type": "string", "enum": ["single", "multi", "text_input", "hybrid"], "description": "Required to ask. single: exactly one option. multi: several options. hybrid: options and/or own words. text_input: own words only."},
    "options": {
      "type": "array", "maxItems": 200,
      "description": "What can be chosen, in the order to show it; leave out with text_input. At least one must be recommended.",
      "items": {
        "type": "object",
        "properties": {
          "id": {"type": "string", "minLength": 1, "maxLength": 200, "description": "What comes back in selected_ids; different for each option."},
          "label": {"type": "string", "maxLength": 1000, "description": "What the person reads. Default: the id."},
          "description": {"type": "string", "maxLength": 8000, "description": "What follows from choosing this."},
          "recommended": {"type": "boolean", "description": "True for the option or options you would take."},
          "annotation": {"type": "string", "maxLength": 8000, "description": "A note already on this option, which the person can change."}
        },
        "required": ["id"]
      }
    },
    "placeholder": {"type": "string", "maxLength": 1000, "description": "hybrid and text_input: a hint shown where the person types."},
    "placeholder_visible": {"type": "boolean", "description": "hybrid and text_input: false hides the placeholder. Default: true."},
    "default_selection_ids": {"type": "array", "items": {"type": "string", "description": "An option's id."}, "uniqueItems": true, "description": "Options selected from the start; kept when the person leaves them alone. At most one in single, at most max_selections elsewhere."},
    "min_selections": {"type": "integer", "minimum": 0, "description": "multi and hybrid: the fewest options to select. Default: 1 in multi, 0 in hybrid."},
    "max_selections": {"type": "integer", "minimum": 1, "description": "multi and hybrid: the most options to select. Default: all. hybrid with 1 is one option or own words, not both."},
    "single_submit_mode": {"type": "boolean", "description": "single, and hybrid with max_selections 1: true sends the answer as soon as an option is chosen."},
    "annotations_enabled": {"type": "boolean", "description": "Whether the person may add a note to each option and a comment on the whole. Default: true."},
    "global_annotation": {"type": "string", "maxLength": 8000, "description": "A comment on the whole to start with, which the person can change."},
    "timeout_seconds": {"type": "integer", "minimum": 1, "maximum": 86400, "description": "How long the person has. Default: the person's setting, mostly 300."},
    "transport": {"type": "string", "enum": ["auto", "terminal", "web"], "description": "auto (default): wait if the person's dashboard is open, else hand off. terminal: return at once with a command that opens the question in a terminal. web: not available yet."},
    "session_id": {"type": "string", "description": "Instead of asking: continue the session with this id, from an earlier result. Every other field but wait_seconds is then ignored."},
    "wait_seconds": {"type": "integer", "minimum": 0, "maximum": 86400, "description": "With session_id: how long to wait for the answer in this call. Default: as long as your client allows."}
  }
}`

// Never additionalProperties false and nothing required: a refusal has the same schema as a result.
const provideChoiceOutput = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "action_status": {"type": "string", "enum": ["selected", "custom_input", "cancelled", "timeout", "pending_terminal_launch", "deferred"], "description": "How it stands. Absent when the call failed (see error)."},
    "session_id": {"type": "string", "description": "The session; give it back as session_id to continue while action_status is pending_terminal_launch."},
    "selection": {
      "type": "object",
      "description": "What was answered.",
      "properties": {
        "selected_ids": {"type": "array", "items": {"type": "string", "description": "An option's id."}, "description": "The chosen options, in the order they were given."},
        "custom_input": {"type": "string", "description": "The person's own words."},
        "option_annotations": {"type": "object", "additionalProperties": {"type": "string", "description": "The note."}, "description": "Notes by option id, on chosen options and others."},
        "global_annotation": {"type": "string", "description": "The person's comment on the whole."},
        "transport": {"type": "string", "enum": ["terminal", "web"], "description": "Where it was answered, or is to be answered."},
        "url": {"type": "string", "description": "While pending: the command to run in a terminal; it works once."},
        "summary": {"type": "string", "description": "One line a person can read."}
      }
    },
    "settled_by": {"type": "string", "enum": ["human", "clock", "caller"], "description": "Who ended it. clock: the deadline passed."},
    "reason": {"type": "string", "description": "Why it was cancelled, or why this is the answer to an earlier ask."},
    "advice": {"type": "array", "items": {"type": "string", "description": "One finding."}, "description": "For you alone: what would make your next question easier to decide."},
    "deprecated": {"type": "array", "items": {"type": "string", "description": "One field."}, "description": "Fields of an older version of this tool that you used, and what they are called now."},
    "error": {"type": "string", "enum": ["invalid_request", "not_found", "in_use", "already_collected", "unavailable"], "description": "Only when the call failed."},
    "message": {"type": "string", "description": "The failure in one sentence."},
    "problems": {
      "type": "array",
      "description": "Everything wrong with the request; repair all of it and call again.",
      "items": {
        "type": "object",
        "properties": {
          "path": {"type": "string", "description": "Where, such as options[2].id."},
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
    "answered": {"type": "string", "description": "What was answered, in one line."}
  }
}`
