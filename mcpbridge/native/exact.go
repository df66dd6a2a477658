package native

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// A rule of an agent's own is exact where it covers what is shown and nothing more. Whatever is not plainly so is not
// said to be: a rule of ours is kept then.

// wild are the characters by which a rule of an agent's is read as a pattern, or a path in it as another one.
const wild = "*?\\"

// oneCommand returns the command that is all of what would be allowed; empty: it is more, or something else.
func oneCommand(parts []queue.Part) string {
	if len(parts) != 1 || parts[0].Kind != queue.PartCommand {
		return ""
	}
	return parts[0].Text
}

// isExactly reports whether a rule covers a command and nothing beside it.
func isExactly(rule, command string) bool {
	return command != "" && rule == command && strings.TrimSpace(rule) == rule && !strings.ContainsAny(rule, wild)
}

// isExactRule reports whether what Claude suggests is one rule for this very command of this tool. A member that is not
// known may widen it.
func isExactRule(suggestion object, tool, command string) bool {
	rules, isList := suggestion.list("rules")
	behavior, _ := suggestion.text("behavior")
	kind, _ := suggestion.text("type")
	if !isList || len(rules) != 1 || kind != "addRules" || behavior != "allow" ||
		len(suggestion.without("type", "rules", "behavior", "destination")) > 0 {
		return false
	}
	rule, isObject := readObject(rules[0])
	name, _ := rule.text("toolName")
	content, _ := rule.text("ruleContent")
	return isObject && name == tool && isExactly(content, command) &&
		len(rule.without("toolName", "ruleContent")) == 0
}
