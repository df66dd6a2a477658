package notify

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

const (
	// bellEvery is the shortest time between two bells, however many questions arrive.
	bellEvery = time.Second
	// Desktops cut earlier; nothing that long is read at a glance.
	maxTitle, maxBody = 80, 200
)

// Note is one event as it is told: cleaned text on one line each, without anything a terminal would act on.
type Note struct {
	Event string // Asked or Ending
	ID    string
	Title string
	Agent string
	Left  time.Duration // until the deadline; zero: its clock stands still
}

// Sender tells. Bell rings the terminal's bell, nil: there is none. Desktop shows notes on the desktop.
type Sender struct {
	Bell    func() error
	Desktop *Desktop
	rang    time.Time
}

// Tell says to a person who is away what is new, as the settings want it, and first whose time is nearly up. name is
// what an agent is called.
func (s *Sender) Tell(asked, ending []queue.Session, n config.Notify, name func(queue.Origin) string, now time.Time) {
	if len(asked)+len(ending) == 0 {
		return
	}
	if n.Bell && s.Bell != nil && (s.rang.IsZero() || now.Sub(s.rang) >= bellEvery || now.Before(s.rang)) {
		s.rang = now
		_ = s.Bell() // a terminal that cannot ring has other ways to go wrong
	}
	if s.Desktop == nil {
		return
	}
	var notes []Note
	for _, e := range ending {
		notes = append(notes, note(Ending, e, name(e.Origin), now))
	}
	for _, a := range asked {
		notes = append(notes, note(Asked, a, name(a.Origin), now))
	}
	s.Desktop.Send(n.Desktop, notes)
}

func note(event string, s queue.Session, agent string, now time.Time) Note {
	n := Note{Event: event, ID: s.ID, Title: say.Short(s.Ask.Title, maxBody), Agent: say.Short(agent, maxTitle)}
	if !s.Deadline.IsZero() {
		n.Left = s.Deadline.Sub(now)
	}
	return n
}

// words are the notification's two lines; more is how many other questions came with it.
func (n Note) words(more int) (title, body string) {
	title = "choicetui: " + n.Agent + " asks"
	if n.Event == Ending {
		title = "choicetui: " + say.Spoken(n.Left, time.Second) + " left"
	}
	body = n.Title
	if more > 0 {
		body += fmt.Sprintf(" (and %d more)", more)
	}
	return title, body
}

// argument is agent's text as an argument of the person's command: never one that looks like an option.
func argument(s string) string {
	if strings.HasPrefix(s, "-") {
		return " " + s
	}
	return s
}
