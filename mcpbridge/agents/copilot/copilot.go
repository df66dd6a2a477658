package copilot

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/dialect"
)

// Read reads the input of a hook of Copilot CLI. ok is false if there is nothing to ask here. The hook runs before
// each call, whether or not Copilot would ask its person. Calls of our own tools are left to Copilot, which asks nobody
// about them because they are read-only.
func Read(raw []byte, token func() string) (prompt.Asked, bool) {
	e, ok := prompt.ReadHook(raw, prompt.Hooks{Client: "copilot-cli", Where: "in copilot", Source: "copilot",
		OneSession: true}, token)
	if !ok || e.Name != "permissionRequest" {
		return prompt.Asked{}, false
	}
	if name, ours := strings.CutPrefix(e.Tool, "choicetui/"); ours && isOurTool(name) {
		return prompt.Asked{}, false
	}
	return e.Finish(e.AskAllowance(tools, prompt.HookLine))
}

// stopped returns a function that reports whether the person has pressed Esc in the session of a prompt after since. It
// reads the session's file below Copilot's home directory: Copilot 1.0.102 kills its hook and writes that down some
// 30 ms later.
func stopped(a prompt.Asked, since time.Time) func() bool {
	home := cmp.Or(os.Getenv("COPILOT_HOME"), filepath.Join(config.Home(), ".copilot"))
	file := filepath.Join(home, "session-state", filepath.Base(a.Origin.Thread), "events.jsonl")
	events := prompt.Tail{Path: file, First: prompt.BehindNotice}
	return func() bool {
		lines, _ := events.Lines() // a file that cannot be opened says nothing
		return slices.ContainsFunc(lines, func(line []byte) bool {
			var said struct {
				Type      string
				Timestamp time.Time
			}
			return json.Unmarshal(line, &said) == nil && said.Type == "abort" && said.Timestamp.After(since)
		})
	}
}

// isOurTool reports whether our server has a tool of this name.
func isOurTool(name string) bool {
	return name == dialect.NextMessage.Name || name == dialect.SubmitSummary.Name ||
		slices.ContainsFunc(dialect.All(), func(d dialect.Dialect) bool { return d.Tool.Name == name })
}

// tools has the readers for the tools of Copilot CLI.
var tools = prompt.Tools{
	"bash":        prompt.ReadCommand,
	"create":      prompt.ReadWriteOf("path", "file_text"),
	"edit":        prompt.ReadEdit(edit),
	"str_replace": prompt.ReadEdit(edit),
	"view":        prompt.ReadFile(1, "path"),
	"glob":        prompt.SearchFiles("list files below it", "path", "pattern"),
	"grep":        prompt.SearchFiles("search the files below it", "path", "pattern"),
	"rg":          prompt.SearchFiles("search the files below it", "path", "pattern"),
	"web_fetch":   prompt.ReadFetch,
	"apply_patch": prompt.ReadPatch,
}

// edit holds the names of a replacement of Copilot CLI.
var edit = prompt.EditNames{Path: "path", Before: "old_str", After: "new_str"}
