package claude

import (
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/wire"
)

// tools has the readers for the tools of Claude Code.
var tools = prompt.Tools{
	"Bash":         prompt.ReadBash,
	"PowerShell":   prompt.ReadBash,
	"Monitor":      readMonitor,
	"Edit":         prompt.ReadEdit(prompt.PlainEdit),
	"MultiEdit":    prompt.ReadEdits(prompt.PlainEdit, "replace_all"),
	"Write":        prompt.ReadWriteOf("file_path", "content"),
	"NotebookEdit": prompt.ReadCell,
	"Read":         prompt.ReadFile(1, "file_path"),
	"Glob":         prompt.SearchFiles("list files below it", "path", "pattern"),
	"Grep":         prompt.SearchFiles("search the files below it", "path", "pattern"),
	"LS":           prompt.SearchFiles("list it", "path", "path"),
	"WebFetch":     prompt.ReadFetch,
}

// readMonitor reads the input of a tool that watches the output of a command, or an address.
func readMonitor(o wire.Object) (prompt.Shown, bool) {
	if _, there := o.Value("command"); !there {
		return prompt.ReadOther(o)
	}
	return prompt.ReadCommand(o)
}

// isExactRule reports whether Claude suggests a single rule for exactly this command of this tool. A suggestion with an
// unknown member does not count, because that member may widen the rule.
func isExactRule(suggestion wire.Object, tool, command string) bool {
	rules, isList := suggestion.List("rules")
	behavior, _ := suggestion.Text("behavior")
	kind, _ := suggestion.Text("type")
	if !isList || len(rules) != 1 || kind != "addRules" || behavior != "allow" ||
		len(suggestion.Without("type", "rules", "behavior", "destination")) > 0 {
		return false
	}
	rule, isObject := wire.Read(rules[0])
	name, _ := rule.Text("toolName")
	content, _ := rule.Text("ruleContent")
	return isObject && name == tool && prompt.IsExactly(content, command) &&
		len(rule.Without("toolName", "ruleContent")) == 0
}
