package claude

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/stretchr/testify/require"
)

// tookHook is the line that Claude Code 2.1.332 writes when it has taken what a hook said of a permission.
func tookHook(id, decision string) string {
	return fmt.Sprintf(`{"isSidechain":false,"attachment":{"type":"hook_permission_decision","decision":%q,"toolUseID":%q,"hookEvent":"PermissionRequest"},"type":"attachment"}`+"\n", decision, id)
}

// decidedBy returns the result of a call, with the source of the decision about it.
func decidedBy(id, source string) string {
	return strings.TrimSuffix(gives(id, "done"), "}\n") + fmt.Sprintf(`,"permissionDecision":{"decision":"accept","source":%q}}`, source) + "\n"
}

func TestADialogThatLeavesItsPaneIsPerhapsAnswered(t *testing.T) {
	const box = " Do you want to proceed?\n ❯ 1. Yes\n   2. No\n"
	for name, c := range map[string]struct {
		screens []string // the text of the pane at each look; "?": it cannot be read
		want    prompt.Sign
	}{
		"it is there":            {[]string{box, box, box}, prompt.SignOpen},
		"it was never there":     {[]string{"❯ \n", "❯ \n", "❯ \n"}, prompt.SignOpen},
		"it is gone":             {[]string{box, "● done\n", "● done\n"}, prompt.SignPerhaps},
		"it was away once":       {[]string{box, "", box}, prompt.SignOpen},
		"it came back":           {[]string{box, "", "", box}, prompt.SignOpen},
		"the cursor moved":       {[]string{box, "   1. Yes\n ❯ 2. No\n", "   1. Yes\n ❯ 2. No\n"}, prompt.SignOpen},
		"nobody can look":        {[]string{box, "?", "?"}, prompt.SignOpen},
		"the words of a command": {[]string{"$ echo 1. Yes\n", "", ""}, prompt.SignOpen},
	} {
		t.Run(name, func(t *testing.T) {
			file := writtenFile{t, filepath.Join(t.TempDir(), "t.jsonl")}
			file.write(uses("1", "Bash", `{"command":"ls"}`))
			d := asks(t, file.path, "Bash", `{"command":"ls"}`, "")
			at := 0
			d.WatchPane(func() (string, bool) {
				screen := c.screens[min(at, len(c.screens)-1)]
				at++
				return screen, screen != "?"
			})
			var got prompt.Sign
			for at < len(c.screens) {
				got = d.Look()
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestADialogIsOverOnceClaudeNoLongerWaitsForItsPerson(t *testing.T) {
	for name, c := range map[string]struct {
		says []string // the state in Claude's state file at each look; empty: no file
		want prompt.Sign
	}{
		"it waits":               {[]string{"waiting", "waiting", "waiting"}, prompt.SignOpen},
		"it works again":         {[]string{"waiting", "busy", "busy", "busy"}, prompt.SignAnswered},
		"who decided may follow": {[]string{"waiting", "busy", "busy"}, prompt.SignOpen},
		"one after another":      {[]string{"waiting", "busy", "waiting", "busy"}, prompt.SignOpen},
		"it has not waited yet":  {[]string{"busy", "busy", "busy"}, prompt.SignOpen},
		"it no longer says":      {[]string{"waiting", "", ""}, prompt.SignOpen},
		"an older one says none": {[]string{"", "", ""}, prompt.SignOpen},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			projects := filepath.Join(home, "projects", "-src")
			require.NoError(t, os.MkdirAll(projects, 0o700))
			require.NoError(t, os.MkdirAll(filepath.Join(home, "sessions"), 0o700))
			file := writtenFile{t, filepath.Join(projects, "t.jsonl")}
			file.write(uses("1", "WebFetch", `{"url":"https://a.org","prompt":"x"}`))
			d := asks(t, file.path, "WebFetch", `{"url":"https://a.org","prompt":"x"}`, "")
			d.Watch(4711, time.Now())
			var got prompt.Sign
			for _, says := range c.says {
				state := filepath.Join(home, "sessions", "4711.json")
				if says == "" {
					_ = os.Remove(state)
				} else {
					require.NoError(t, os.WriteFile(state, []byte(`{"sessionId":"s","status":"`+says+`"}`), 0o600))
				}
				got = d.Look()
			}
			require.Equal(t, c.want, got)
		})
	}
}
