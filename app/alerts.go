package app

import (
	"fmt"
	"time"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
)

// alertScreen is what telling a person who looks elsewhere needs of the terminal.
type alertScreen interface {
	Focus() (focused, known bool)
	Beep() error
	SetTitle(string)
	Tell(sequence string) error
}

// alerts tells the person that a question waits. Only the event loop touches it.
type alerts struct {
	screen alertScreen   // nil: none yet, nothing is told
	teller desk.Alerts   // set with the screen
	stale  bool          // the queue has changed since
	was    config.Notify // the settings as last used
}

// alertOn has the alerts go to a terminal.
func (d *Dashboard) alertOn(screen alertScreen, start func(func())) {
	a := &d.alerts
	if d.o.Alerts == nil {
		return
	}
	a.screen = screen
	a.teller = d.o.Alerts(desk.AlertWays{Own: d.o.Attach, Bell: screen.Beep, Write: screen.Tell, Start: start,
		Failed: func(err error) { d.post(func() { d.troubles.alert = "notify.desktop: " + say.OneLine(err.Error()) }) }})
}

// nextAlert is when there is something to tell without any change of the queue; zero: never.
func (a *alerts) nextAlert() time.Time {
	if a.teller == nil {
		return time.Time{}
	}
	return a.teller.Next()
}

// alert tells what is new in the queue, and what is about to end, if the person looks elsewhere; the title says how
// many wait either way. With nothing new it costs nothing.
func (d *Dashboard) alert(now time.Time) {
	a := &d.alerts
	if a.screen == nil || !d.loaded {
		return
	}
	due := a.teller.Next()
	if !a.stale && a.was == d.settings.Notify && (due.IsZero() || now.Before(due)) {
		return
	}
	a.title(d.settings.Notify, len(d.waiting))
	if a.was != d.settings.Notify {
		d.troubles.alert = ""
	}
	a.stale, a.was = false, d.settings.Notify
	asked, ending := a.teller.See(d.waiting, d.warn(), now)
	if focused, known := a.screen.Focus(); a.teller.Away(focused, known, d.lastKey, now) {
		a.teller.Tell(asked, ending, d.settings.Notify, d.names.Of, now)
	}
}

// title says how many wait; switched off, the terminal gets no title of ours.
func (a *alerts) title(n config.Notify, waiting int) {
	switch {
	case n.Title:
		a.screen.SetTitle(windowTitle(waiting))
	case a.was.Title:
		a.screen.SetTitle("")
	}
}

// windowTitle is the terminal's title while so many questions wait.
func windowTitle(waiting int) string {
	switch waiting {
	case 0:
		return "choicetui"
	case 1:
		return "choicetui: 1 waits"
	}
	return fmt.Sprintf("choicetui: %d wait", waiting)
}
