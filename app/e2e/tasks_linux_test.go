package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// aTask is something that people do many times a day: what an agent asks, what they see, the keys that they press one
// after the other, and what the agent has then. A text counts as one key, however long it is.
type aTask struct {
	name, tool string
	asks       object
	sees       string
	keys       []string
	gets       []string // all of it
}

func chooses(mode string, more object) object {
	asks := which()
	asks["selection_mode"] = mode
	for key, value := range more {
		asks[key] = value
	}
	return asks
}

func permission(tool string, input object) object {
	return event("PermissionRequest", object{"tool_name": tool, "tool_input": input})
}

func runs(command string) object { return permission("Bash", object{"command": command}) }

func tasks() []aTask {
	var five []object
	for i := range 5 {
		five = append(five, object{"question": fmt.Sprintf("Question %d?", i+1),
			"options": []object{{"label": "Yes", "recommended": true}, {"label": "No"}}})
	}
	three := []object{{"id": "a", "label": "Alpha", "recommended": true}, {"id": "b", "label": "Beta"}, {"id": "c", "label": "Gamma"}}
	return []aTask{
		{"the recommended option", "provide_choice", which(), "Send PostgreSQL", []string{"\r"}, []string{`"pg"`}},
		{"another option", "provide_choice", which(), "Send PostgreSQL", []string{"2", "\r"}, []string{`"sqlite"`}},
		{"two of several", "provide_choice", chooses("multi", object{"options": three}), "Alpha", []string{"1", "3", "\r"}, []string{`"a"`, `"c"`}},
		{"own words", "ask_user_question", object{"questions": []string{"Name the package"}}, "Name the package",
			[]string{"acme-tokens", "\r", "\r"}, []string{"acme-tokens"}},
		{"own words beside options", "provide_choice", chooses("hybrid", nil), "PostgreSQL", []string{"t", "MySQL", "\r", "\r"}, []string{"MySQL"}},
		{"five questions with recommendations", "ask_user_question", object{"questions": five}, "Question 1?",
			[]string{"\r", "\r", "\r", "\r", "\r", "\r"}, []string{"Yes"}},
		{"a confirmation", "hitl_request", object{"question": "Drop the table?", "options": []string{"Keep it", "Drop it"},
			"requireConfirmation": true, "confirmationMessage": "It cannot be undone."}, "Drop the table?", []string{"2", "\r", "y"},
			[]string{`"Drop it"`}},
		{"allow a harmless command", "hook", runs("npm test"), "npm test", []string{"y", "\r"}, []string{`"allow"`}},
		{"allow a command on the network", "hook", runs("git push origin main"), "git push", []string{"y", "\r"}, []string{`"allow"`}},
		{"allow a red mark", "hook", runs("rm -rf node_modules"), "rm -rf", []string{"y", "\r", "y"}, []string{`"allow"`}},
		{"refuse with words", "hook", runs("npm test"), "npm test", []string{"n", "run lint first", "\r"}, []string{`"deny"`, "run lint first"}},
		{"go ahead with a plan", "hook", permission("ExitPlanMode", object{"plan": "# Move sessions\n\n1. Add redis."}), "Add redis",
			[]string{"y", "\r"}, []string{`"allow"`}},
	}
}

// begin puts the task to the program, and returns what waits until the agent has its answer.
func (k aTask) begin(r *room, a *agent) (answer func() string) {
	if k.tool != "hook" {
		asked := a.calls(k.tool, k.asks)
		return func() string {
			o := asked.wait()
			require.NoError(r, o.err)
			b, err := json.Marshal(o.result)
			require.NoError(r, err)
			return strings.ReplaceAll(string(b), `\"`, `"`)
		}
	}
	stdin, err := json.Marshal(k.asks)
	require.NoError(r, err)
	hook := r.hook(stdin)
	return func() string { return hook.wait().out }
}

// TestTasks_TakeFewKeys does the tasks at the pace of somebody who looks at each screen. Without the last key nothing is
// sent.
func TestTasks_TakeFewKeys(t *testing.T) {
	t.Parallel()
	for _, k := range tasks() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			c := r.console(80, 24, r.command())
			c.see("? keys")
			answer := k.begin(r, r.connect("claude-code"))
			c.see(k.sees)
			start := time.Now()
			for _, key := range k.keys {
				c.rests(guarded)
				live, _, err := r.store().Live(r.Context())
				require.NoError(t, err)
				require.Len(t, live, 1)
				c.press(key)
			}
			got := answer()
			for _, want := range k.gets {
				require.Contains(t, got, want)
			}
			t.Logf("%s: %d keys (%q), %v", k.name, len(k.keys), k.keys, time.Since(start).Round(100*time.Millisecond))
		})
	}
}
