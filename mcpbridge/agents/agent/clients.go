package agent

// The effects of missing settings.
const (
	ToolsHidden = "its model has to search for the tools before it can ask"
	AsksFirst   = "it asks for your permission before each question"
)

// OwnPane names what a hook reports that answers nothing.
const OwnPane = "its prompts that can be answered only in its own pane"

// PlainServer is the entry of a server in most agents' settings.
const PlainServer = `{"command": PROGRAM, "args": ["mcp"]}`

// PromptHook is the hook before a prompt, in a format that several agents share.
var PromptHook = Setting{Path: []string{"hooks", "UserPromptSubmit"}, Listed: true,
	Value: `{"hooks": [{"type": "command", "command": COMMAND, "timeout": 10}]}`}
