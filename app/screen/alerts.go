package screen

import (
	"slices"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// alertScreen is the part of the terminal that alerts use to reach a person who looks elsewhere.
type alertScreen interface {
	Focus() (focused, known bool)
	Beep() error
	SetTitle(string)
	Tell(sequence string) error
}

// alerts tells the person that a question waits. Only the event loop touches it.
type alerts struct {
	screen alertScreen   // nil: there is no terminal yet, so the person is not alerted
	teller desk.Alerts   // decides what is new and sends the alerts; set together with screen
	stale  bool          // the queue has changed since the last call of tellNews
	was    config.Notify // the settings as last used
	failed string        // why the last alert did not reach the person
}

// startOn starts sending alerts to a terminal. start runs a function on a goroutine.
func (a *alerts) startOn(s *Screen, screen alertScreen, start func(func())) {
	if s.o.Alerts == nil {
		return
	}
	a.screen = screen
	a.teller = s.o.Alerts(desk.AlertWays{Own: s.o.Attach, Bell: screen.Beep, Write: screen.Tell, Start: start,
		Do: s.desk.Do, Failed: func(err error) { s.desk.Do(func() { a.failed = say.NotifyFailed(err) }) }})
}

// tellNews alerts the person to new questions and to those that are about to end, if they look elsewhere. It also shows
// the number of pending questions in the title. It returns at once if nothing is new.
func (a *alerts) tellNews(s *Screen) {
	now, n := s.desk.Now(), s.desk.Settings().Notify
	if a.screen == nil || !s.desk.Loaded() {
		return
	}
	due := a.teller.Next()
	if !a.stale && a.was == n && (due.IsZero() || now.Before(due)) {
		return
	}
	waiting := a.concerning(s)
	a.screen.SetTitle(windowTitle(len(waiting)))
	if s.desk.Stays() { // of a dashboard, what alerts differs from what the title counts
		waiting = s.desk.Calls()
	}
	if a.was != n { // another way may work
		a.failed = ""
	}
	a.stale, a.was = false, n
	asked, ending := a.teller.See(waiting, s.warnTime(), now)
	if focused, known := a.screen.Focus(); a.teller.Away(focused, known, s.view.LastKey(), now) {
		a.teller.Tell(asked, ending, s.desk.Telling(n), s.desk.Name, now)
	}
}

// concerning returns the pending questions that the person is alerted to. A screen that was opened on one question and
// closes with it alerts to that question alone, because the dashboards alert to the others.
func (a *alerts) concerning(s *Screen) []queue.Waiting {
	waiting := s.desk.Waiting()
	if s.desk.Stays() {
		return waiting
	}
	return slices.DeleteFunc(slices.Clone(waiting), func(w queue.Waiting) bool { return w.ID != s.desk.Opened() })
}

// windowTitle returns the terminal's title while this many questions are pending.
func windowTitle(waiting int) string {
	const name = "choicetui"
	if waiting == 0 {
		return name
	}
	return name + ": " + say.Waiting(waiting, 0, "", 0)
}
