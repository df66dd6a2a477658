package gemini

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/call"
)

// Gemini CLI does not tell its servers when the person stops it: the call stays open, and the same question asked again
// would be a second one. But Gemini writes each finished call into the file of its session, a stopped one as cancelled,
// before it reads the person's next line.
//
//	~/.gemini/tmp/NAME/.project_root                 the directory of the project
//	~/.gemini/tmp/NAME/chats/session-*.jsonl         its sessions, one record a line

const (
	// mostSession limits the bytes that are read at the end of a session's file.
	mostSession = 512 << 10
	// mostSessions limits the files that one search reads.
	mostSessions = 16
)

// isStopped looks for the cancelled call in the files of this directory's sessions that changed since the call began.
func isStopped(c call.Call) bool {
	left := mostSessions
	for _, root := range projects() {
		if call.FirstLine(root) != c.Dir {
			continue
		}
		files, _ := filepath.Glob(filepath.Join(filepath.Dir(root), "chats", "session-*.jsonl"))
		for _, path := range files {
			info, err := os.Stat(path)
			if err != nil || !info.Mode().IsRegular() || info.ModTime().Before(c.Since) {
				continue
			}
			if left--; left < 0 {
				return false
			}
			if cancelledIn(path, info.Size(), c) {
				return true
			}
		}
	}
	return false
}

// projects returns the paths of the files that name the directories of Gemini CLI's projects.
func projects() []string {
	home := os.Getenv("GEMINI_CLI_HOME")
	if home == "" {
		home = config.Home()
	}
	roots, _ := filepath.Glob(filepath.Join(home, ".gemini", "tmp", "*", ".project_root"))
	return roots
}

// cancelledIn reports whether a session's file says that the call was cancelled. It reads only the end of the file.
func cancelledIn(path string, size int64, c call.Call) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	from := max(size-mostSession, 0)
	raw, _ := io.ReadAll(io.NewSectionReader(f, from, mostSession))
	if from > 0 {
		_, raw, _ = bytes.Cut(raw, []byte("\n"))
	}
	for line := range bytes.Lines(raw) {
		if bytes.Contains(line, []byte(c.Tool)) && isCancelled(line, c) {
			return true
		}
	}
	return false
}

// isCancelled reports whether a line of the file says that the call was cancelled.
func isCancelled(line []byte, waits call.Call) bool {
	var record struct {
		ToolCalls []struct {
			Name, Status string
			Args         any
			Timestamp    time.Time
		}
	}
	if json.Unmarshal(line, &record) != nil {
		return false
	}
	for _, c := range record.ToolCalls {
		if c.Status == "cancelled" && strings.HasSuffix(c.Name, "_"+waits.Tool) && c.Timestamp.After(waits.Since) &&
			reflect.DeepEqual(c.Args, waits.Arguments) {
			return true
		}
	}
	return false
}
