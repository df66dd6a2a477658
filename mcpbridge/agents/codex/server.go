package codex

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/agents/codex/socket"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/queue"
)

// shared describes the app-server: Codex starts one for all its sessions.
var shared = queue.SharedServer{Kind: "app-server", Words: []string{"app-server"}, TakesLines: true}

// usualHome returns the usual directory of Codex; empty: the person's home directory is not known.
func usualHome() string {
	home := os.Getenv("CODEX_HOME")
	if home == "" && config.Home() != "" {
		home = filepath.Join(config.Home(), ".codex")
	}
	return home
}

// listens reports whether a home of Codex has the socket of an app-server.
func listens(home string) bool {
	info, err := os.Lstat(socket.In(home))
	return err == nil && info.Mode()&os.ModeSocket != 0
}

// watchHome watches the sessions of one home until ctx ends.
func watchHome(ctx context.Context, home string, open func(context.Context) (*prompt.Intake, error)) {
	w := Watcher{Home: home, Intake: open}
	w.Run(ctx)
}

// asksBySocket reports whether a hook belongs to a session whose server has a control socket. The prompts of such a
// session come by the socket, or stay with Codex if the settings say so, so the hook must not ask too.
func asksBySocket(ctx context.Context, server agent.Server) bool {
	return server.Kind == shared.Kind && socket.Listens(ctx, socket.Of(server.PID), server.PID)
}

// ErrNoThread reports that Codex did not name the session that asked.
var ErrNoThread = errors.New("Codex did not say which of its sessions asked") //nolint:staticcheck // begins with a name

// linesOf returns the session below an app-server. Without such a server Codex has a pane of its own, and takes lines
// there.
func linesOf(server agent.Server, o queue.Origin) (s agent.Session, below bool, err error) {
	if server.Kind != shared.Kind {
		return nil, false, nil
	}
	if o.Thread == "" {
		return nil, true, ErrNoThread
	}
	thread := socket.Thread{Socket: socket.Of(server.PID), Server: server.PID, ID: o.Thread, Cwd: o.Cwd}
	return session{thread}, true, nil
}

// session is a thread of Codex with errors in words for the person.
type session struct{ thread socket.Thread }

// Find reports why a line cannot be sent now.
func (s session) Find(ctx context.Context) error { return inWords(s.thread.Find(ctx)) }

// Send gives a line to the session.
func (s session) Send(ctx context.Context, text string) error {
	return inWords(s.thread.Send(ctx, text))
}

// inWords puts an error of Codex into words. A *queue.Doubt remains one.
func inWords(err error) error {
	var unsure *queue.Doubt
	var refused *socket.Refused
	switch {
	case errors.As(err, &unsure):
		return err
	case errors.As(err, &refused):
		said, _ := queue.VisibleLine(refused.Message)
		return &agent.Worded{Words: "Codex did not take it: " + said, Cause: err}
	}
	for known, words := range map[error]string{
		socket.ErrNoServer:  "its Codex server does not answer on its socket",
		socket.ErrNotLoaded: "its Codex session is no longer open",
		socket.ErrElsewhere: "its Codex session works in another directory now",
		socket.ErrDeaf:      "its Codex session accepts no messages from outside",
	} {
		if errors.Is(err, known) {
			return &agent.Worded{Words: words, Cause: err}
		}
	}
	return err
}
