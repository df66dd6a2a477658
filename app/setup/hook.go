package setup

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/app/connect"
)

// A hook is an element of a list, beside hooks of the person's own. Ours is recognised by the command that it runs. A
// rule by which an agent may use our tools without a question is an element of a list too, and a plain text.

// Gate is the person's choice about prompts and questions.
type Gate int

// A gate is added only if somebody asked for it.
const (
	GateOff Gate = iota
	GateOwn      // a prompt waits for questions of the same agent in the same directory
	GateAll      // a prompt waits for every question
	GateOut      // the hook is removed, and nothing else is done
)

// Choice is the person's choice about hooks that are not added by default.
type Choice int

// Choices about such hooks.
const (
	Keeps Choice = iota // a hook that is there stays, and is brought up to date
	PutsIn
	TakesOut // and nothing else is done
)

// runsHook finds the command of ours, whatever its program is called.
var runsHook = regexp.MustCompile(`\S (gate --hook [a-z0-9]+( --all)?|hook [a-z0-9]+( --timeout \d+)?)$`)

// lineIn returns the member of a hook that says what it runs, and its text; both are empty if there is no such member.
func lineIn(hook map[string]any) (key, line string) {
	for _, key = range []string{"command", "bash"} {
		if line, ok := hook[key].(string); ok {
			return key, line
		}
	}
	return "", ""
}

// commandLine returns what a hook runs: one line for a shell, or a program and its arguments.
func commandLine(hook map[string]any) string {
	_, line := lineIn(hook)
	args, _ := hook["args"].([]any)
	for _, arg := range args {
		line += " " + fmt.Sprint(arg)
	}
	return line
}

// hookIn returns the path from a value to our command in it: names, and places in lists counted from 0. A rule of ours
// is its own command.
func hookIn(v any) (way []string, command string, found bool) {
	switch v := v.(type) {
	case string:
		return nil, v, v == connect.Rule
	case map[string]any:
		if key, command := lineIn(v); key != "" && runsHook.MatchString(commandLine(v)) {
			return []string{key}, command, true
		}
		if way, command, found = hookIn(v["hooks"]); found {
			return append([]string{"hooks"}, way...), command, true
		}
	case []any:
		for i, one := range v {
			if way, command, found = hookIn(one); found {
				return append([]string{strconv.Itoa(i)}, way...), command, true
			}
		}
	}
	return nil, "", false
}

// missingInList returns the step that adds our element to a list, or brings the command in it up to date.
func missingInList(f connect.Format, text []byte, there, want any, s connect.Setting) ([]step, []string, error) {
	list, isList := there.([]any)
	if there != nil && !isList {
		return nil, nil, unfitIn(f, text, s.Path,
			strings.Join(s.Path, ".")+" is no list here, so nothing can be added to it")
	}
	way, command, found := hookIn(list)
	_, wanted, _ := hookIn(want)
	switch {
	case allows(list, s), found && command == wanted:
		return nil, nil, nil
	case found:
		return []step{{slices.Concat(s.Path, way), connect.Quoted(wanted)}}, nil, nil
	case there == nil:
		return []step{{s.Path, "[" + s.Value + "]"}}, nil, nil
	}
	return []step{{append(slices.Clone(s.Path), strconv.Itoa(len(list))), s.Value}}, nil, nil
}

// holds reports whether a document has the keys of a setting, whatever its values are by now.
func holds(doc map[string]any, s connect.Setting) bool {
	there, found, _ := lookUp(doc, s.Path)
	if s.Listed {
		_, _, found = hookIn(there)
		found = found || allows(there, s)
	}
	return found && !s.Shared
}

// allows reports whether a list has the rule of a setting in the person's own way to write it.
func allows(list any, s connect.Setting) bool {
	return s.Value == connect.Quoted(connect.Rule) && has(list, connect.AllRule)
}

// hookPath returns the path of the hook in a list whose command is ours, or of the group around it if it is alone
// there.
func hookPath(list any, s connect.Setting) (path []string, found bool) {
	way, _, found := hookIn(list)
	if len(way) > 1 { // else it is a rule
		way = way[:len(way)-1] // without "command" or "bash"
	}
	if len(way) > 2 && isAlone(list, way[:2]) { // group, "hooks", hook
		way = way[:1]
	}
	return slices.Concat(s.Path, way), found
}
