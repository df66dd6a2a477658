package prompt

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// exactOf returns the ids of the options whose rule is exact.
func exactOf(a Asked) (ids []string) {
	for _, o := range a.Ask.Questions[0].Options {
		if o.Exact {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

func TestOnlyARuleOfClaudesForTheVeryCommandIsExact(t *testing.T) {
	t.Parallel()
	const rule = `{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"npm test"}],"behavior":"allow",` +
		`"destination":"localSettings"}`
	for name, c := range map[string]struct {
		input, suggests string
		want            bool
	}{
		"the command":           {`{"command":"npm test","description":"why"}`, rule, true},
		"a prefix":              {`{"command":"npm test"}`, strings.Replace(rule, "npm test", "npm test:*", 1), false},
		"a pattern":             {`{"command":"npm *"}`, strings.Replace(rule, "npm test", "npm *", 1), false},
		"another command":       {`{"command":"npm test "}`, rule, false},
		"space around it":       {`{"command":" npm test"}`, strings.Replace(rule, "npm test", " npm test", 1), false},
		"all of the tool":       {`{"command":"npm test"}`, strings.Replace(rule, "npm test", "", 1), false},
		"another tool":          {`{"command":"npm test"}`, strings.Replace(rule, "Bash", "Shell", 1), false},
		"more beside it":        {`{"command":"npm test","run_in_background":true}`, rule, false},
		"a member not known":    {`{"command":"npm test"}`, strings.Replace(rule, `"behavior"`, `"new":1,"behavior"`, 1), false},
		"a rule's member":       {`{"command":"npm test"}`, strings.Replace(rule, `"toolName"`, `"new":1,"toolName"`, 1), false},
		"a second rule":         {`{"command":"npm test"}`, strings.Replace(rule, "}]", `},{"toolName":"Bash","ruleContent":"ls"}]`, 1), false},
		"a way of working":      {`{"command":"npm test"}`, `{"type":"setMode","mode":"acceptEdits"}`, false},
		"a directory":           {`{"command":"npm test"}`, `{"type":"addDirectories","directories":["/src"]}`, false},
		"one that is not shown": {`{"command":"npm test"}`, `{"type":"hypnosis"}`, false},
	} {
		stdin := `{"session_id":"5f0e","cwd":"/src/shop","hook_event_name":"PermissionRequest","tool_name":"Bash",` +
			`"tool_input":` + c.input + `,"permission_suggestions":[` + c.suggests + `]}`
		asked, ok := Claude([]byte(stdin), func() string { return "token" })
		require.True(t, ok, name)
		require.Equal(t, c.want, len(exactOf(asked)) == 1, name)
	}
}

func TestOnlyWhatOpencodeWouldNotAskAgainForIsExact(t *testing.T) {
	t.Parallel()
	line, _ := ReadLine(recorded(t, "opencode", "permission_once"))
	for name, c := range map[string]struct {
		patterns, always string
		want             bool
	}{
		"the command":     {`["npm test"]`, `["npm test"]`, true},
		"a pattern":       {`["npm test"]`, `["npm *"]`, false},
		"one character":   {`["npm tes?"]`, `["npm tes?"]`, false},
		"two rules":       {`["npm test"]`, `["npm test","ls"]`, false},
		"more than shown": {`["npm test","ls"]`, `["npm test"]`, false},
	} {
		command, _, _ := strings.Cut(strings.TrimPrefix(c.patterns, `["`), `"`)
		line.Properties = json.RawMessage(`{"id":"` + line.ID + `","sessionID":"s","permission":"bash","patterns":` +
			c.patterns + `,"metadata":{"command":"` + command + `"},"always":` + c.always + `}`)
		asked, ok := Opencode(line)
		require.True(t, ok, name)
		require.Equal(t, c.want, len(exactOf(asked)) == 1, name)
		second := line
		second.Generation = 2
		asked, ok = Opencode(second)
		require.True(t, ok, name)
		require.Empty(t, exactOf(asked), "opencode 2 keeps it for good")
	}
}

func TestOnlyTheSameCommandOfThisSessionIsExactAtCodex(t *testing.T) {
	t.Parallel()
	const command = `{"kind":"command","threadId":"t","turnId":"u","itemId":"i","command":"npm test","cwd":"/src",` +
		`"availableDecisions":["accept","acceptForSession",{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":` +
		`["npm","test"]}},"cancel"]`
	for name, c := range map[string]struct{ params, want string }{
		"a command":           {command + `}`, "acceptForSession"},
		"more is given":       {command + `,"additionalPermissions":{"network":true}}`, ""},
		"a host is to be met": {command + `,"networkApprovalContext":{"host":"x.example","protocol":"https"}}`, ""},
	} {
		r := codexRequest(t, recorded(t, "codex", "command_once"))
		r.Params = json.RawMessage(c.params)
		asked, ok := Codex(r)
		require.True(t, ok, name)
		require.Equal(t, c.want, strings.Join(exactOf(asked), " "), name)
	}
	r := codexRequest(t, recorded(t, "codex", "files_session"))
	asked, ok := Codex(r)
	require.True(t, ok)
	require.Empty(t, exactOf(asked), "any change of the same files")
}
