package call

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/choicetui/choicetui/config"
)

// Gemini CLI does not tell its servers when the person stops it: the call stays open, and the same question asked again
// would be a second one. But Gemini writes each finished call into the file of its session, a stopped one as cancelled,
// before it reads the person's next line.
//
//	~/.gemini/tmp/NAME/.project_root                 the directory of the project
//	~/.gemini/tmp/NAME/chats/session-*.jsonl         its sessions, one record a line

const (
	// searchEvery is the time between two searches. If the same ask comes again, the search is made at once.
	searchEvery = EveryBeat
	// mostSession limits the bytes that are read at the end of a session's file.
	mostSession = 512 << 10
	// mostSessions limits the files that one search reads.
	mostSessions = 16
)

// silentStop finds out whether the client stopped a call without telling this server. A nil silentStop always says that
// it did not.
type silentStop struct {
	tool      string
	arguments any // the call's arguments, decoded by encoding/json
	dir       string
	since     time.Time

	mu     sync.Mutex
	looked time.Time
	found  bool
}

// newSilentStop returns the silentStop of a call that begins now; nil for clients that tell the server.
func newSilentStop(client, tool, dir string, arguments json.RawMessage) *silentStop {
	if !strings.HasPrefix(strings.ToLower(client), "gemini") || dir == "" {
		return nil
	}
	s := &silentStop{tool: tool, dir: dir, since: time.Now(), looked: time.Now()}
	if json.Unmarshal(arguments, &s.arguments) != nil {
		return nil
	}
	return s
}

// searchIfDue reports whether the call was stopped. It searches at most once every searchEvery; next is the time of
// the next search.
func (s *silentStop) searchIfDue() (stopped bool, next time.Time) {
	if s == nil {
		return false, time.Time{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.found && time.Since(s.looked) >= searchEvery {
		s.search()
	}
	return s.found, s.looked.Add(searchEvery)
}

// searchNow searches and reports whether the call was stopped.
func (s *silentStop) searchNow() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.found {
		s.search()
	}
	return s.found
}

// search looks for the cancelled call in the files of this directory's Gemini sessions that changed since the call
// began.
func (s *silentStop) search() {
	s.looked = time.Now()
	left := mostSessions
	for _, root := range geminiProjects() {
		if firstLine(root) != s.dir {
			continue
		}
		files, _ := filepath.Glob(filepath.Join(filepath.Dir(root), "chats", "session-*.jsonl"))
		for _, path := range files {
			info, err := os.Stat(path)
			if err != nil || !info.Mode().IsRegular() || info.ModTime().Before(s.since) {
				continue
			}
			if left--; left < 0 {
				return
			}
			if s.found = s.cancelledIn(path, info.Size()); s.found {
				return
			}
		}
	}
}

// geminiProjects returns the paths of the files that name the directories of Gemini CLI's projects.
func geminiProjects() []string {
	home := os.Getenv("GEMINI_CLI_HOME")
	if home == "" {
		home = config.Home()
	}
	roots, _ := filepath.Glob(filepath.Join(home, ".gemini", "tmp", "*", ".project_root"))
	return roots
}

// cancelledIn reports whether a session's file says that the call was cancelled. It reads only the end of the file.
func (s *silentStop) cancelledIn(path string, size int64) bool {
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
		if bytes.Contains(line, []byte(s.tool)) && s.isCancelled(line) {
			return true
		}
	}
	return false
}

// isCancelled reports whether a line of the file says that the call was cancelled.
func (s *silentStop) isCancelled(line []byte) bool {
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
		if c.Status == "cancelled" && strings.HasSuffix(c.Name, "_"+s.tool) && c.Timestamp.After(s.since) &&
			reflect.DeepEqual(c.Args, s.arguments) {
			return true
		}
	}
	return false
}
