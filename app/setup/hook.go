package setup

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/app/connect"
)

// A hook is one of a list, beside hooks of the person's own. Ours is known by the command that it runs. So is a rule by
// which an agent need not ask before it asks: it is a plain text.

// Gate is what was chosen about prompts and questions.
type Gate int

// What may be chosen: a gate is put in only where somebody asked for it.
const (
	GateOff Gate = iota
	GateOwn      // a prompt waits for questions of the same agent in the same directory
	GateAll      // a prompt waits for every question
	GateOut      // the hook is taken out, and nothing else is done
)

// Choice is what was chosen about hooks that are not put in by themselves.
type Choice int

// What may be chosen.
const (
	AsItStands Choice = iota // what is there stays, and is brought up to date
	PutsIn
	TakesOut // and nothing else is done
)

// runsHook finds the command of ours, whatever its program is called.
var runsHook = regexp.MustCompile(`\S (gate --hook [a-z0-9]+( --all)?|hook [a-z0-9]+( --timeout \d+)?)$`)

// lineIn is the member of a hook that says what it runs; empty: none does.
func lineIn(hook map[string]any) (key, line string) {
	for _, key = range []string{"command", "bash"} {
		if line, ok := hook[key].(string); ok {
			return key, line
		}
	}
	return "", ""
}

// commandLine is what a hook runs: one line for a shell, or a program and its arguments.
func commandLine(hook map[string]any) string {
	_, line := lineIn(hook)
	args, _ := hook["args"].([]any)
	for _, arg := range args {
		line += " " + fmt.Sprint(arg)
	}
	return line
}

// hookIn is the way from a value to the command of ours in it: names, and places in lists counted from 0. A rule of
// ours is its own command.
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

// missingInList is what a list does not have yet: one of ours, or the command that ours should run by now.
func missingInList(l lang, text []byte, there, want any, s connect.Setting) ([]step, []string, error) {
	list, isList := there.([]any)
	if there != nil && !isList {
		return nil, nil, unfitAt(text, l.offset(text, s.Path),
			strings.Join(s.Path, ".")+" is no list here, so nothing can be added to it")
	}
	way, command, found := hookIn(list)
	_, wanted, _ := hookIn(want)
	switch {
	case there == nil:
		return []step{{s.Path, "[" + s.Value + "]", s.Path, []any{want}}}, nil, nil
	case !found:
		return []step{{append(slices.Clone(s.Path), strconv.Itoa(len(list))), s.Value, s.Path,
			append(slices.Clone(list), want)}}, nil, nil
	case command == wanted:
		return nil, nil, nil
	}
	return []step{{slices.Concat(s.Path, way), connect.Quoted(wanted), s.Path, withAt(list, way, wanted)}}, nil, nil
}

// withAt is a copy of a value with another one at a way into it.
func withAt(v any, way []string, value any) any {
	if len(way) == 0 {
		return value
	}
	switch v := v.(type) {
	case map[string]any:
		changed := map[string]any{}
		for name, member := range v {
			changed[name] = member
		}
		changed[way[0]] = withAt(v[way[0]], way[1:], value)
		return changed
	case []any:
		changed := slices.Clone(v)
		if i, err := strconv.Atoi(way[0]); err == nil && i < len(v) {
			changed[i] = withAt(v[i], way[1:], value)
		}
		return changed
	}
	return v
}

// holds reports whether a document has what a setting puts in, whatever its values are by now.
func holds(doc map[string]any, s connect.Setting) bool {
	there, found, _ := lookUp(doc, s.Path)
	if s.Listed {
		_, _, found = hookIn(there)
	}
	return found && !s.Shared
}

// hookPath is the path of the hook in a list whose command is ours: the group that it stands in, if it is alone there.
func hookPath(list any, s connect.Setting) (path []string, found bool) {
	way, _, found := hookIn(list)
	if !found {
		return nil, false
	}
	if len(way) == 1 { // a rule
		return slices.Concat(s.Path, way), true
	}
	way = way[:len(way)-1] // without "command" or "bash"
	if len(way) > 2 {      // group, "hooks", hook
		i, err := strconv.Atoi(way[0])
		if err != nil {
			return nil, false
		}
		if group, ok := list.([]any)[i].(map[string]any); ok {
			if hooks, ok := group["hooks"].([]any); ok && len(hooks) == 1 {
				return slices.Concat(s.Path, way[:1]), true
			}
		}
	}
	return slices.Concat(s.Path, way), true
}
