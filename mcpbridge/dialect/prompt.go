package dialect

import "fmt"

// oneObject begins the instructions of most formats.
const oneObject = "Write one JSON object, and nothing after it. "

// Prompts holds instructions for models without MCP: when to ask, what, and in which format, with an example. The key
// is the name of the dialect.
var Prompts = map[string]string{
	ModelText: prompt("End your reply with one JSON object in a json code block, and stop. The person's choice comes "+
		"back as the next message: the option's id, or their own words; "+
		"for several questions, one line for each: “Question: id. Label”.",
		"```json\n"+`{
  "type": "user_choice_group",
  "question": "Which way for the order service?",
  "context": "It needs transactions across carts and payments; the choice decides the migration path.",
  "choices": [
    {
      "type": "user_choice",
      "question": "Which database?",
      "context": "The team runs PostgreSQL elsewhere.",
      "recommendedChoiceId": "1",
      "options": [
        {"id": "1", "label": "PostgreSQL", "description": "Transactions, JSONB, the team knows it"},
        {"id": "2", "label": "SQLite", "description": "One file, no server, no replicas"}
      ]
    }
  ]
}`+"\n```\n\n"+`A single question needs no group: {"type": "user_choice", "question", "context", "options"}. `+
			"Ask once per reply."),
	nameProvideChoice: prompt(oneObject+"The answer comes back as the id of the option, or the person's own words.",
		"```json\n"+`{
  "title": "Which database?",
  "prompt": "The order service needs transactions across carts and payments. There are three ways to go, so I ask.",
  "selection_mode": "single",
  "options": [
    {"id": "pg", "label": "PostgreSQL", "description": "Transactions, JSONB, the team knows it", "recommended": true},
    {"id": "sqlite", "label": "SQLite", "description": "One file, no server, no replicas"}
  ]
}`+"\n```\n\nselection_mode: single, multi (min_selections, max_selections), hybrid (options and/or free text), "+
			"text_input (free text). Recommend at least one option."),
	nameUserChoice: prompt(oneObject+"The answer comes back as the option's title, or the person's own words. "+
		"Ask one question at a time, and recommend exactly one option.",
		"```json\n"+`{
  "question": "Which database?",
  "options": [
    {"title": "PostgreSQL", "description": "Transactions, JSONB, the team knows it", "isRecommended": true},
    {"title": "SQLite", "description": "One file, no server, no replicas"}
  ]
}`+"\n```"),
	nameHITL: prompt(oneObject+"The answer comes back as the chosen option; there is no free text. "+
		"With requireConfirmation the person confirms in a second step.",
		"```json\n"+`{
  "question": "Drop table orders_2019?",
  "options": ["drop it", "keep it"],
  "requireConfirmation": true,
  "confirmationMessage": "This cannot be undone. 4,112,080 rows, last backup 03:00.",
  "defaultOption": "keep it"
}`+"\n```"),
	nameQuestions: prompt(oneObject+"Each answer comes back as a line: “Question: id. Label”.",
		"```json\n"+`{
  "questions": [
    {
      "question": "Which database?",
      "header": "Database",
      "multiSelect": false,
      "options": [
        {"label": "PostgreSQL", "description": "Transactions, JSONB, the team knows it"},
        {"label": "SQLite", "description": "One file, no server, no replicas"}
      ]
    }
  ]
}`+"\n```"),
}

// prompt returns the instructions for one format: the common text, how the answer comes back, and an example.
func prompt(how, example string) string {
	return fmt.Sprintf(`# Ask before you decide

Ask the person instead of choosing for them when
- there are more than two reasonable ways forward,
- an action is destructive or hard to undo,
- required configuration is missing.

Say in the question what you are doing right now and why you ask, so that it can be answered without scrolling back.
Offer two to four options that you can act on at once. A label says what you would do, not just yes or no, and its
description says what that leads to. Never offer “something else”: where free text is allowed, the person can
always type it.

%s

%s
`, how, example)
}
