package cli

import (
	"context"
	"errors"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/mcpbridge/native/codex"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

//lint:ignore ST1005 it is a sentence for the person, and begins with a name
var errNoThread = errors.New(say.CodexNamedNoSession)

// threadOf returns the session of Codex that an agent is. below is false where no app-server is above it: a Codex that
// runs alone has its own pane, and takes lines there. errNoThread: its calls name none.
func threadOf(ctx context.Context, o queue.Origin) (t codex.Thread, below bool, err error) {
	server, ok := tmux.ServerOf(ctx, agentOf(o))
	if !ok || server.Kind != queue.AppServer {
		return t, false, nil
	}
	if o.Thread == "" {
		return t, true, errNoThread
	}
	socket, err := codex.SocketOf(server.PID)
	return codex.Thread{Socket: socket, Server: server.PID, ID: o.Thread, Cwd: o.Cwd}, true, err
}

// worded is an error as a person reads it.
type worded struct {
	words string
	cause error
}

func (w *worded) Error() string { return w.words }
func (w *worded) Unwrap() error { return w.cause }

// codexWords says an error of Codex as a person reads it. A doubt stays one.
func codexWords(err error) error {
	var unsure *queue.Doubt
	var refused *codex.Refused
	switch {
	case errors.As(err, &unsure):
		return err
	case errors.As(err, &refused):
		return &worded{say.CodexRefused(refused.Message), err}
	}
	for known, words := range map[error]string{
		codex.ErrNoServer: say.CodexIsSilent, codex.ErrNotLoaded: say.CodexSessionClosed,
		codex.ErrElsewhere: say.CodexSessionMoved, codex.ErrDeaf: say.CodexTakesNoLines,
	} {
		if errors.Is(err, known) {
			return &worded{words, err}
		}
	}
	return err
}
