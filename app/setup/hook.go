package setup

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/tailscale/hujson"
)

// In an agent's settings a hook is an element of a list, which may hold the person's own hooks too. Our hook is
// recognised by its command. The permission rule that lets an agent use our tools without asking is an element of a
// list too: a plain text.

// Gate is the person's choice whether prompts wait for questions.
type Gate int

// The values of Gate. A gate is added only on request.
const (
	GateOff Gate = iota
	GateOwn      // a prompt waits for questions of the same agent in the same directory
	GateAll      // a prompt waits for every question
	GateOut      // the hook is removed, and nothing else is changed
)

// Choice is the person's choice about hooks that are not added by default.
type Choice int

// The values of Choice.
const (
	Keeps Choice = iota // an existing hook stays, and is brought up to date
	PutsIn
	TakesOut // the hook is removed, and nothing else is changed
)

// runsHook matches the command line of a hook of ours: the program, and what it is told to do.
var runsHook = regexp.MustCompile(
	`^(?:exec )?(.+) (?:gate --hook [a-z0-9]+(?: --all)?|hook [a-z0-9]+(?: --timeout \d+)?)$`)

// isHook reports whether a hook runs choicetui, from any place, or the program that the wanted hook runs. Other
// programs have commands of the same form.
func isHook(hook map[string]any, wanted string) bool {
	m, want := runsHook.FindStringSubmatch(commandLine(hook)), runsHook.FindStringSubmatch(wanted)
	if m == nil {
		return false
	}
	return want != nil && m[1] == want[1] || strings.HasPrefix(path.Base(strings.Trim(m[1], `'"`)), "choicetui")
}

// wantedHook returns the command line of the hook in a setting, or the permission rule that it is.
func wantedHook(v any) (line string) {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		if line = commandLine(v); line == "" {
			line = wantedHook(v["hooks"])
		}
	case []any:
		if len(v) > 0 {
			line = wantedHook(v[0])
		}
	}
	return line
}

// lineIn returns the key and the text of the member that holds a hook's command; both are empty if there is none.
func lineIn(hook map[string]any) (key, line string) {
	for _, key = range []string{"command", "bash"} {
		if line, ok := hook[key].(string); ok {
			return key, line
		}
	}
	return "", ""
}

// commandLine returns the command of a hook in one line. A hook has a line for a shell, or a program and its arguments.
func commandLine(hook map[string]any) string {
	_, line := lineIn(hook)
	args, _ := hook["args"].([]any)
	for _, arg := range args {
		line += " " + fmt.Sprint(arg)
	}
	return line
}

// hookIn returns the path from a value to our command in it, made of keys and list indexes, and the command. For our
// permission rule, the command is the rule itself. wanted is the command line that the hook should have, or the rule.
func hookIn(v any, wanted string) (keys []string, command string, found bool) {
	switch v := v.(type) {
	case string:
		return nil, v, v == wanted
	case map[string]any:
		if key, command := lineIn(v); key != "" && isHook(v, wanted) {
			return []string{key}, command, true
		}
		if keys, command, found = hookIn(v["hooks"], wanted); found {
			return append([]string{"hooks"}, keys...), command, true
		}
	case []any:
		for i, one := range v {
			if keys, command, found = hookIn(one, wanted); found {
				return append([]string{strconv.Itoa(i)}, keys...), command, true
			}
		}
	}
	return nil, "", false
}

// hookOf returns where our hook of a setting is in a list, as hookIn does.
func hookOf(list any, s agent.Setting) (keys []string, command string, found bool) {
	return hookIn(list, wantedHook(step{raw: s.Value}.value()))
}

// stepsForList returns the step that adds our hook or permission rule to a list, or updates the command in it.
func stepsForList(f agent.Format, text []byte, there, want any, s agent.Setting) ([]step, error) {
	list, isList := there.([]any)
	if there != nil && !isList {
		return nil, unfitIn(f, text, s.Path,
			strings.Join(s.Path, ".")+" is not a list here, so nothing can be added to it")
	}
	keys, command, found := hookOf(list, s)
	wantedKeys, wanted, _ := hookOf(want, s)
	switch {
	case allowsOurTools(list, s), found && command == wanted:
		return nil, nil
	case found && strings.Contains(command, " hook ") != strings.Contains(wanted, " hook "):
		// One has its arguments in the command, the other in a list of their own, so the whole hook is replaced.
		hook := wholeHook(s.Value, wantedKeys[:len(wantedKeys)-1])
		return []step{{slices.Concat(s.Path, keys[:len(keys)-1]), hook}}, nil
	case found:
		return []step{{slices.Concat(s.Path, keys), agent.Quoted(wanted)}}, nil
	case there == nil:
		return []step{{s.Path, "[" + s.Value + "]"}}, nil
	}
	return []step{{append(slices.Clone(s.Path), strconv.Itoa(len(list))), s.Value}}, nil
}

// wholeHook returns the hook at a path in the value of a setting, as the setting has it.
func wholeHook(value string, path []string) string {
	v, err := hujson.Parse([]byte(value))
	if err != nil { // the values are valid
		return value
	}
	return strings.TrimSpace(string(v.Find(jsonPointer(path)).Pack()))
}

// holdsSetting reports whether a document has the keys of a setting, whatever their values are.
func holdsSetting(doc map[string]any, s agent.Setting) bool {
	there, found, _ := lookUp(doc, s.Path)
	if s.Listed {
		_, _, found = hookOf(there, s)
		found = found || allowsOurTools(there, s)
	}
	return found && !s.Shared
}

// allowsOurTools reports whether a list has the rule of a setting in the form in which the person may have written it.
func allowsOurTools(list any, s agent.Setting) bool {
	return s.Rule.Alike != "" && listHas(list, s.Rule.Alike)
}

// hookPath returns the path of our hook in a list. If it is the only hook in its group, the path is that of the group.
func hookPath(list any, s agent.Setting) (path []string, found bool) {
	keys, _, found := hookOf(list, s)
	if len(keys) > 1 { // a rule has only its index
		keys = keys[:len(keys)-1] // without "command" or "bash"
	}
	if len(keys) > 2 { // the path is: group, "hooks", hook
		at, _ := strconv.Atoi(keys[0])
		if hooks, _ := list.([]any)[at].(map[string]any)["hooks"].([]any); len(hooks) == 1 {
			keys = keys[:1]
		}
	}
	return slices.Concat(s.Path, keys), found
}
