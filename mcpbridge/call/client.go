package call

import (
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/choicetui/choicetui/config"
)

// Client holds what is known of a client of MCP. The zero value: nothing is known.
type Client struct {
	Name string // the beginning of the name by which it introduces itself, in lower case
	// SoftLimit is how long its calls may wait, a little shorter than its own limit (docs/contract.md section 2).
	// Zero: it is not known.
	SoftLimit time.Duration
	// WaitsOnProgress means that it lets a call wait without limit as long as the call sends heartbeats.
	WaitsOnProgress bool
	// Thread returns the client's own name for the session that calls, and ToolUse its name for the call. meta has the
	// call's additional fields. Empty: the client gave no name. Both may be nil.
	Thread, ToolUse func(meta map[string]any) string
	// Stopped reports whether the person stopped a call. It is nil for a client that tells its servers.
	Stopped func(Call) bool
}

// Call describes a call to a tool that waits.
type Call struct {
	Tool      string
	Arguments any       // decoded by encoding/json
	Dir       string    // the directory of the agent
	Since     time.Time // when the call came
}

// names returns the client's names for the session that calls and for the call.
func (c Client) names(meta map[string]any) (thread, toolUse string) {
	if c.Thread != nil {
		thread = c.Thread(meta)
	}
	if c.ToolUse != nil {
		toolUse = c.ToolUse(meta)
	}
	return thread, toolUse
}

// client returns what is known of a client, by its name.
func (b *Bridge) client(name string) Client {
	if b.o.Client == nil {
		return Client{}
	}
	return b.o.Client(name)
}

// softOther is the soft limit of a client of which none is known.
const softOther = 50 * time.Second

// softLimit returns how long a call of this client may wait; 0: without limit. name is the client's whole name. The
// settings have limits for the beginnings of client names, of which the longest match counts; 0 there means without
// limit. progress means that the call sends heartbeats.
func (c Client) softLimit(s config.Settings, name string, progress bool) time.Duration {
	name = strings.ToLower(name)
	best, seconds := -1, 0
	for key, n := range s.SoftLimits {
		if strings.HasPrefix(name, strings.ToLower(key)) && len(key) > best {
			best, seconds = len(key), n
		}
	}
	switch {
	case best >= 0:
		return time.Duration(max(seconds, 0)) * time.Second
	case c.SoftLimit > 0:
		return c.SoftLimit
	case progress && (c.WaitsOnProgress || strings.Contains(name, "inspector")): // the MCP Inspector
		return 0
	}
	return softOther
}

// Patience returns how long a client must be able to wait without hearing from a call: with a shorter limit it would
// give calls up. name is the beginning of its name.
func (c Client) Patience(s config.Settings, name string) time.Duration {
	if soft := c.softLimit(s, name, true); soft > 0 {
		return soft
	}
	return EveryBeat // heartbeats keep the call alive
}

// searchEvery is the time between two looks whether the client stopped a call without telling this server. If the same
// ask comes again, the look is made at once.
const searchEvery = EveryBeat

// silentStop finds out whether the client stopped a call without telling this server. A nil silentStop always says that
// it did not.
type silentStop struct {
	call      Call
	isStopped func(Call) bool

	mu     sync.Mutex
	looked time.Time
	found  bool
}

// newSilentStop returns the silentStop of a call that begins now; nil for clients that tell the server.
func (c Client) newSilentStop(tool, dir string, arguments json.RawMessage) *silentStop {
	if c.Stopped == nil || dir == "" {
		return nil
	}
	now := time.Now()
	s := &silentStop{call: Call{Tool: tool, Dir: dir, Since: now}, isStopped: c.Stopped, looked: now}
	if json.Unmarshal(arguments, &s.call.Arguments) != nil {
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

// search asks the client's files whether the call was stopped. The caller holds the mutex.
func (s *silentStop) search() { s.looked, s.found = time.Now(), s.isStopped(s.call) }
