package prompt

import (
	"fmt"
	"strings"
)

// UntilSessionEnds words how long a grant for the session holds.
const UntilSessionEnds = ", until this session ends"

// CoversAll reports whether a rule with this pattern covers every use of its tool.
func CoversAll(pattern string) bool { return pattern == "" || pattern == "*" }

// Commands words the commands that a rule with this pattern covers: `every command that begins with “npm test”`. In a
// pattern `*` stands for any text, and `:*` at its end for any further words.
func Commands(pattern string) string {
	start, anything := strings.CutSuffix(pattern, ":*")
	if !anything {
		start, anything = strings.CutSuffix(pattern, " *")
	}
	switch {
	case CoversAll(pattern):
		return "every command"
	case anything && !strings.ContainsAny(start, Wildcards):
		return "every command that begins with “" + start + "”"
	case strings.ContainsAny(pattern, Wildcards):
		return "every command that matches “" + pattern + "”"
	}
	return "the command “" + pattern + "”"
}

// Uses words what a rule with this pattern covers for another tool than a shell.
func Uses(tool, pattern string) string {
	if CoversAll(pattern) {
		return "every use of " + tool
	}
	return "every use of " + tool + " for “" + pattern + "”"
}

// LeftOut says how many of the agent's offers cannot be chosen here: unknown ones, and ones that are wider than the one
// that is shown. where is the place of its own dialog: `in claude`.
func LeftOut(unknown, wider int, where string) string {
	kind := "more"
	if unknown == 0 {
		kind = "wider"
	}
	switch n := unknown + wider; n {
	case 0:
		return ""
	case 1:
		return "1 " + kind + " offer is only " + where
	default:
		return fmt.Sprintf("%d %s offers are only %s", n, kind, where)
	}
}
