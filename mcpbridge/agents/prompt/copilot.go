package prompt

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
)

// Copilot reads the input of a hook of Copilot CLI. ok is false if there is nothing to ask here. The hook runs before
// each call, whether or not Copilot would ask its person. Calls of our own tools are left to Copilot, which asks nobody
// about them because they are read-only.
func Copilot(raw []byte, token func() string) (Asked, bool) {
	e, ok := readHook(raw, hookAgent{client: "copilot-cli", where: "in copilot", source: "copilot"}, token)
	if !ok || e.name != "permissionRequest" {
		return Asked{}, false
	}
	if name, ours := strings.CutPrefix(e.tool, "choicetui/"); ours && isOurTool(name) {
		return Asked{}, false
	}
	return e.finish(e.askAllowance(copilotTools, hookLine))
}

// CopilotStopped returns a function that reports whether the person has pressed Esc in a session of Copilot CLI after
// since. It reads the session's file below Copilot's home directory: Copilot 1.0.102 kills its hook and writes that
// down some 30 ms later.
func CopilotStopped(home, session string, since time.Time) func() bool {
	file := filepath.Join(home, "session-state", filepath.Base(session), "events.jsonl")
	events := tail{path: file, first: behindNotice}
	return func() bool {
		lines, _ := events.lines() // a file that cannot be opened says nothing
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

// copilotTools has the readers for the tools of Copilot CLI.
var copilotTools = toolReaders{
	"bash":        readCommand,
	"create":      readWriteOf("path", "file_text"),
	"edit":        readEdit(copilotEdit),
	"str_replace": readEdit(copilotEdit),
	"view":        readFile(1, "path"),
	"glob":        searchFiles("list files below it", "path", "pattern"),
	"grep":        searchFiles("search the files below it", "path", "pattern"),
	"rg":          searchFiles("search the files below it", "path", "pattern"),
	"web_fetch":   readFetch,
	"apply_patch": readPatch,
}

// copilotEdit holds the names of a replacement of Copilot CLI.
var copilotEdit = editNames{path: "path", before: "old_str", after: "new_str"}
