package agent

import (
	"context"
	"io"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/agents/transcript"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
)

// Agent has all that is known of one agent. What is nil or empty is not known, or the agent does not have it.
type Agent struct {
	Client          // how it is found and connected
	Hook     *Hook  // its hooks, which bring its own prompts
	Plugin   Plugin // its plugin, which brings its own prompts
	Watch    *Watch // its server, from which a process of ours takes its own prompts
	Sessions Sessions
	// Lines gives lines of the person to the sessions of its server. What else is for an agent goes the same way.
	Lines Lines
	// Shared describes its program of which one process serves many agents; the zero value: it has none.
	Shared    queue.SharedServer
	Calls     call.Client // how it behaves as a client of MCP
	Variables []Variable  // the environment variables of the agent that choicetui reads
	// ProjectDir returns the directory of the project in which the agent runs this hook; empty: another agent does.
	ProjectDir func() string
	// WaitsForTools reports whether the agent started this MCP server, and has a hook that holds back its first request
	// until it has our tools.
	WaitsForTools func() bool
}

// Hook has the functions that read and answer an agent's hooks.
type Hook struct {
	Brings string // what they bring, for the help; part of a sentence
	// Read reads a prompt. ok is false if there is nothing to ask here.
	Read func(raw []byte, token func() string) (asked prompt.Asked, ok bool)
	// Elsewhere reports whether the same prompt also arrives in another way. server is the server of many agents above
	// the hook; its Kind is empty if there is none. nil: the agent has no other way.
	Elsewhere func(ctx context.Context, server Server) bool
	// Notice reads a prompt that the person can answer only at the agent; nil: the hooks report none.
	Notice func(raw []byte, pid int, now time.Time) (n prompt.Notice, ok bool)
	// Following finds out whether the agent has continued since a notice.
	Following prompt.Following
	// Starts reports whether the agent is starting and may send its first request without our tools; nil: never.
	Starts func(raw []byte) bool
	// PID returns the pid of the agent that runs this hook; zero: it is not known. nil: it is the parent process.
	PID func() int
	// Shows reports whether a person sees the agent's own prompt while the hook runs; nil: always.
	Shows func() bool
	// Headless reports whether the agent runs without a person, so that it refuses what it cannot ask here; nil: never.
	Headless func() bool
	// Stopped returns a function that reports whether the person has stopped the agent since a time. It is set for an
	// agent that ends a hook with SIGKILL then.
	Stopped func(a prompt.Asked, since time.Time) func() bool
}

// Server is a process that serves many agents at once.
type Server struct {
	PID  int
	Kind string // such as app-server; empty: there is none
}

// Plugin serves an agent's plugin: lines of JSON come in, replies go out.
type Plugin func(ctx context.Context, h prompt.Host, in io.Reader, out io.Writer)

// Watch describes how a process of ours takes an agent's own prompts from its server.
type Watch struct {
	// Home returns the usual directory of the agent's server; empty: it is not known.
	Home func() string
	// Listens reports whether a server seems to run in a home.
	Listens func(home string) bool
	// Run watches a home until ctx ends; the cause says why. open opens the queue and announces an intake.
	Run func(ctx context.Context, home string, open func(context.Context) (*prompt.Intake, error))
}

// Sessions says where an agent keeps what it was doing.
type Sessions struct {
	Reader transcript.Reader
	// Homes returns the agent's own directories beside the usual one below the person's home.
	Homes func() []string
	// OwnCall reports whether the id of a call is the agent's own; nil: it never is. Where an agent names none, we make
	// one.
	OwnCall func(id string) bool
	// Subagent returns the agent's own name for the subagent that asks; empty: it is not known.
	Subagent func(o queue.Origin) string
	// Ask asks the agent itself for the messages of a session. dir is the directory for the files of running processes.
	Ask func(ctx context.Context, dir string, o queue.Origin) ([]byte, error)
}

// Lines returns the session below a server that takes lines of the person. ok is false if the server takes none: then
// lines go to the agent's pane. The error says why it is not known which session asked.
type Lines func(server Server, o queue.Origin) (s Session, ok bool, err error)

// Session takes lines of the person. Its errors are in words for the person, mostly *Worded; a *queue.Doubt says that
// nobody knows whether the line arrived.
type Session interface {
	Find(ctx context.Context) error // reports why a line cannot be sent now
	Send(ctx context.Context, text string) error
}

// Worded is an error in words for the person.
type Worded struct {
	Words string
	Cause error
}

func (w *Worded) Error() string { return w.Words }

// Unwrap returns the error that is put into words.
func (w *Worded) Unwrap() error { return w.Cause }
