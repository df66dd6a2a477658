package agent

// Rule is the permission rule that allows the tools of this server without a prompt, where an agent has such rules: a
// question does no harm.
const Rule = "mcp__choicetui"

// AllRule is another way to write Rule.
const AllRule = Rule + "__*"

// The effects of missing settings.
const (
	ToolsHidden = "its model has to search for the tools before it can ask"
	AsksFirst   = "it asks for your permission before each question"
)

// RuleKinds lists the kinds of permission rules that keep an agent's model from asking freely, with their effects.
var RuleKinds = []struct{ Name, So string }{{"deny", "it refuses each question"}, {"ask", AsksFirst}}

// PlainServer is the entry of a server in most agents' settings.
const PlainServer = `{"command": PROGRAM, "args": ["mcp"]}`

// PromptHook is the hook before a prompt, in a format that several agents share.
var PromptHook = Setting{Path: []string{"hooks", "UserPromptSubmit"}, Listed: true,
	Value: `{"hooks": [{"type": "command", "command": COMMAND, "timeout": 10}]}`}
