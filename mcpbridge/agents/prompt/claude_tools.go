package prompt

import (
	"github.com/choicetui/choicetui/mcpbridge/wire"
)

// claudeTools has the readers for the tools of Claude Code.
var claudeTools = toolReaders{
	"Bash":         readBash,
	"PowerShell":   readBash,
	"Monitor":      readMonitor,
	"Edit":         readEdit(claudeEdit),
	"MultiEdit":    readEdits,
	"Write":        readWriteOf("file_path", "content"),
	"NotebookEdit": readCell,
	"Read":         readFile(1, "file_path"),
	"Glob":         searchFiles("list files below it", "path", "pattern"),
	"Grep":         searchFiles("search the files below it", "path", "pattern"),
	"LS":           searchFiles("list it", "path", "path"),
	"WebFetch":     readFetch,
}

// readMonitor reads the input of a tool that watches the output of a command, or an address.
func readMonitor(o wire.Object) (shownInput, bool) {
	if _, there := o.Value("command"); !there {
		return readOther(o)
	}
	return readCommand(o)
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
	return isObject && name == tool && isExactly(content, command) &&
		len(rule.Without("toolName", "ruleContent")) == 0
}
