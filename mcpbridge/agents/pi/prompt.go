package pi

import (
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
)

// Read reads what our extension of Pi says of a call before it runs. ok is false if there is nothing to ask here. Pi
// asks about nothing itself, so only calls are asked about that have a mark (package marks), or whose input is not
// clear: commands that may destroy something, reach outside the project or use the network, and changes of files
// outside the project.
func Read(raw []byte, token func() string) (prompt.Asked, bool) {
	e, ok := prompt.ReadHook(raw, prompt.Hooks{Client: "pi", Where: "in pi", Source: "pi", OneSession: true}, token)
	if !ok || e.Name != "tool_call" || tools[e.Tool] == nil {
		return prompt.Asked{}, false
	}
	asked, ok := e.Finish(e.AskAllowance(tools, prompt.HookLine))
	if ok && asked.Unfit == "" && !asked.Ask.Confirm && len(asked.Ask.Approval.Marks) == 0 {
		return prompt.Asked{}, false
	}
	return asked, ok
}

// tools has the readers for the tools of Pi that change something.
var tools = prompt.Tools{
	"bash":  prompt.ReadCommand,
	"write": prompt.ReadWriteOf("path", "content"),
	"edit":  prompt.ReadEdits(prompt.EditNames{Path: "path", Before: "oldText", After: "newText"}),
}
