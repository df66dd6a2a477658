package cli

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/queue"
)

// paneWays types lines into agents' tmux panes.
type paneWays struct{ host string }

func newPaneWays() paneWays {
	host, _ := os.Hostname()
	return paneWays{host}
}

// Why there is no way to an agent.
var (
	errElsewhere = errors.New("it runs on another machine")
	errNotHere   = errors.New("it is in no pane of this tmux")
	errUnsure    = errors.New("its process is not known, so it may be on another tmux")
)

// agentOf is what tmux needs to know of an origin. The name of a running agent is its pid and when that started; one
// whose process serves several agents has its bridge's name, which says nothing of that process.
func agentOf(o queue.Origin) tmux.Agent {
	a := tmux.Agent{Pane: o.Pane, PID: o.PID}
	if pid, started, ok := strings.Cut(o.Agent, "-"); ok && pid == strconv.Itoa(o.PID) {
		a.Started = started
	}
	return a
}

// Reach looks where the agent is.
func (w paneWays) Reach(ctx context.Context, o queue.Origin) desk.Reached {
	if o.Host != "" && o.Host != w.host {
		return desk.Reached{Err: errElsewhere}
	}
	a := agentOf(o)
	at := desk.Reached{Alive: tmux.Running(a)}
	var pane string
	if pane, at.Err = tmux.Reach(ctx, a); at.Err == nil {
		at.Where = locationOf(ctx, pane)
	}
	var shared *tmux.Shared
	if at.Shared = errors.As(at.Err, &shared); at.Shared {
		at.Alive = false // that a server of many agents runs says nothing of this one
	}
	return at
}

// Paste types the text into the agent's pane.
func (w paneWays) Paste(ctx context.Context, o queue.Origin, text string) (where string, err error) {
	if o.Host != "" && o.Host != w.host {
		return "", errElsewhere
	}
	pane, err := tmux.Paste(ctx, agentOf(o), text)
	if pane != "" {
		where = locationOf(ctx, pane)
	}
	return where, err
}

// goToPane brings an agent's pane up, if its process really is in one here.
func (w paneWays) goToPane(ctx context.Context, o queue.Origin) error {
	if o.Host != "" && o.Host != w.host {
		return errElsewhere
	}
	if o.PID == 0 {
		return errUnsure
	}
	pane, err := tmux.PaneOf(ctx, agentOf(o))
	if errors.Is(err, tmux.ErrNoPane) {
		return errNotHere
	}
	if err != nil {
		return err
	}
	return tmux.SelectPane(ctx, pane)
}

func locationOf(ctx context.Context, pane string) string {
	if at := tmux.PaneLocation(ctx, pane); at != "" {
		return at
	}
	return pane
}
