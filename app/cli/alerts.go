package cli

import (
	"context"
	"errors"
	"os"

	"github.com/choicetui/choicetui/app/notify"
	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

var errBlocked = errors.New("tmux hands nothing on: set -g allow-passthrough on, or name a command")

// newAlerts has a face tell a person who looks elsewhere, through its terminal or the person's command. url returns the
// page of a question in the browser; nil: no pages.
func newAlerts(url func(id string) string) func(desk.AlertWays) desk.Alerts {
	return func(ways desk.AlertWays) desk.Alerts {
		return &notify.Alerts{
			Watch: notify.Watch{Own: ways.Own},
			Sender: notify.Sender{Bell: ways.Bell, Watched: watched, Start: ways.Start, Do: ways.Do,
				Desktop: &notify.Desktop{
					Speak: speaks, Write: ways.Write, Start: ways.Start, Failed: ways.Failed, URL: url}},
		}
	}
}

// watched reports whether the person has an agent's own pane before them, in the tmux around this process.
func watched(ctx context.Context, o queue.Origin) bool {
	return checkHere(o) == nil && tmux.Watched(ctx, agentOf(o))
}

// pageURL returns the page of a question where the portal runs; nothing is started for it.
func pageURL(sh *shell) func(id string) string {
	return func(id string) string {
		p, err := pagesOf(sh)
		if err != nil {
			return "" // whoever opens a page is told
		}
		place, runs := p.portal.Find()
		if !runs {
			return ""
		}
		return place.Bare(id)
	}
}

// speaks finds how the terminal around this process is asked for a notification.
func speaks(ctx context.Context) (p notify.Protocol, throughTmux bool, err error) {
	if !tmux.Inside() {
		return notify.Around(os.Getenv), false, nil
	}
	term, name, passes, err := tmux.Outer(ctx)
	if err == nil && !passes {
		err = errBlocked
	}
	if err != nil {
		return notify.None, false, err
	}
	return notify.Speaks(name, term), true, nil
}
