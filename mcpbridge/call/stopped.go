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

// Gemini CLI does not tell its servers when the person stops it. The call stays open, and the same question again would
// be a second one. But Gemini writes a call down when it is over, in the file of its session: of one that was stopped
// that it was cancelled, before it takes the person's next line.
//
//	~/.gemini/tmp/NAME/.project_root                 the directory of the project
//	~/.gemini/tmp/NAME/chats/session-*.jsonl         its sessions, one record a line

const (
	// looksForStop is how often a call looks there, beside when the same is asked again.
	looksForStop = EveryBeat
	// mostSession is how much of the end of a session's file is read.
	mostSession = 512 << 10
	// mostSessions bounds the files that are read at once.
	mostSessions = 16
)

// stop finds out whether the client stopped a call without a word. nil is for clients that say so.
type stop struct {
	tool      string
	arguments any // as encoding/json reads them
	dir       string
	since     time.Time

	mu     sync.Mutex
	looked time.Time
	found  bool
}

// newStop returns the stop of a call that begins now; nil where the client says itself when it stops one.
func newStop(client, tool, dir string, arguments json.RawMessage) *stop {
	if !strings.HasPrefix(strings.ToLower(client), "gemini") || dir == "" {
		return nil
	}
	s := &stop{tool: tool, dir: dir, since: time.Now(), looked: time.Now()}
	if json.Unmarshal(arguments, &s.arguments) != nil {
		return nil
	}
	return s
}

// due reports whether the call was stopped, and when to look next. It looks at most every looksForStop.
func (s *stop) due() (stopped bool, next time.Time) {
	if s == nil {
		return false, time.Time{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.found && time.Since(s.looked) >= looksForStop {
		s.look()
	}
	return s.found, s.looked.Add(looksForStop)
}

// now reports whether the call was stopped by now.
func (s *stop) now() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.found {
		s.look()
	}
	return s.found
}

func (s *stop) look() {
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
			if s.found = s.in(path, info.Size()); s.found {
				return
			}
		}
	}
}

// geminiProjects are the files that name the projects of Gemini CLI.
func geminiProjects() []string {
	home := os.Getenv("GEMINI_CLI_HOME")
	if home == "" {
		home = config.Home()
	}
	roots, _ := filepath.Glob(filepath.Join(home, ".gemini", "tmp", "*", ".project_root"))
	return roots
}

// in reports whether the end of a session's file says that the call was cancelled.
func (s *stop) in(path string, size int64) bool {
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
		if bytes.Contains(line, []byte(s.tool)) && s.recorded(line) {
			return true
		}
	}
	return false
}

// recorded reports whether a record says that the call was cancelled.
func (s *stop) recorded(line []byte) bool {
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
