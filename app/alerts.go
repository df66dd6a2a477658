package app

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/choicetui/choicetui/app/notify"
	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
)

var errBlocked = errors.New("tmux hands nothing on: set -g allow-passthrough on, or name a command")

// alertScreen is what telling a person who looks elsewhere needs of the terminal.
type alertScreen interface {
	Focus() (focused, known bool)
	Beep() error
	SetTitle(string)
	Tell(sequence string) error
}

// alerts tells the person that a question waits. Only the event loop touches it.
type alerts struct {
	screen alertScreen // nil: none yet, nothing is told
	watch  notify.Watch
	sender notify.Sender
	stale  bool          // the queue has changed since
	was    config.Notify // the settings as last used
}

// alertOn has the alerts go to a terminal.
func (d *Dashboard) alertOn(screen alertScreen, start func(func())) {
	a := &d.alerts
	a.screen, a.watch.Own = screen, d.o.Attach
	a.sender = notify.Sender{Bell: screen.Beep, Desktop: &notify.Desktop{Speak: speaks, Write: screen.Tell, Start: start,
		Failed: func(err error) { d.post(func() { d.troubles.alert = "notify.desktop: " + say.OneLine(err.Error()) }) }}}
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

// alert tells what is new in the queue, and what is about to end, if the person looks elsewhere; the title says how
// many wait either way. With nothing new it costs nothing.
func (d *Dashboard) alert(now time.Time) {
	a := &d.alerts
	if a.screen == nil || !d.loaded {
		return
	}
	due := a.watch.Next()
	if !a.stale && a.was == d.settings.Notify && (due.IsZero() || now.Before(due)) {
		return
	}
	a.title(d.settings.Notify, len(d.waiting))
	if a.was != d.settings.Notify {
		d.troubles.alert = ""
	}
	a.stale, a.was = false, d.settings.Notify
	events := a.watch.See(d.waiting, d.warn(), now)
	if focused, known := a.screen.Focus(); notify.Away(focused, known, d.lastKey, now) {
		a.sender.Tell(events, d.settings.Notify, d.names.Of, now)
	}
}

// title says how many wait; switched off, the terminal gets no title of ours.
func (a *alerts) title(n config.Notify, waiting int) {
	switch {
	case n.Title:
		a.screen.SetTitle(notify.Title(waiting))
	case a.was.Title:
		a.screen.SetTitle("")
	}
}
