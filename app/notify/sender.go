package notify

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

const (
	// bellEvery is the shortest time between two bells, however many questions arrive.
	bellEvery = time.Second
	// lookWithin is how long looking at agents' screens may take; after that the person is notified.
	lookWithin = 3 * time.Second
	// Longest title and body of a notification, in characters; desktops cut earlier.
	maxTitle, maxBody = 80, 200
)

// Note is one event in cleaned text: each field is one line, without anything that a terminal would act on.
type Note struct {
	Event string // Asked or Ending
	ID    string
	Title string
	Agent string
	Left  time.Duration // the time until the deadline; zero: no clock is running
	from  queue.Origin
}

// Sender notifies the person. Bell rings the terminal's bell; nil: it has no bell. Desktop shows notes on the desktop.
type Sender struct {
	Bell    func() error
	Desktop *Desktop
	// Watched reports whether the person is looking at the agent's own screen; nil: that is never known. It may take
	// time.
	Watched func(ctx context.Context, o queue.Origin) bool
	// Start runs a function on a goroutine; nil: go. Do runs a function on the goroutine that calls Tell; nil: at once.
	Start, Do func(func())
	rang      time.Time // when the bell rang last
}

// Tell notifies a person who is away of new events, in the ways that n asks for, sessions whose time is nearly up
// first. name returns an agent's name. An agent's own prompt is also on the agent's screen, so a person who is looking
// at that screen is not notified. Tell does not wait for finding that out.
func (s *Sender) Tell(asked, ending []queue.Session, n config.Notify, name func(queue.Origin) string, now time.Time) {
	var onlyHere, atAgentToo []Note
	add := func(event string, all []queue.Session) {
		for _, e := range all {
			note := noteOf(event, e, name(e.Origin), now)
			if s.Watched != nil && e.Origin.Native() {
				atAgentToo = append(atAgentToo, note)
			} else {
				onlyHere = append(onlyHere, note)
			}
		}
	}
	add(Ending, ending)
	add(Asked, asked)
	s.tellNotes(onlyHere, n, now)
	if len(atAgentToo) == 0 || !s.notifies(n) {
		return
	}
	start, do := s.Start, s.Do
	if start == nil {
		start = func(f func()) { go f() }
	}
	if do == nil {
		do = func(f func()) { f() }
	}
	start(func() {
		if left := s.unwatched(atAgentToo); len(left) > 0 {
			do(func() { s.tellNotes(left, n, now) })
		}
	})
}

// notifies reports whether the settings ask for any notification.
func (s *Sender) notifies(n config.Notify) bool {
	return n.Bell && s.Bell != nil || s.Desktop != nil && s.Desktop.wanted(n.Desktop)
}

// unwatched returns the notes of agents whose screens nobody is looking at. It checks each agent once.
func (s *Sender) unwatched(notes []Note) []Note {
	ctx, cancel := context.WithTimeout(context.Background(), lookWithin)
	defer cancel()
	type agent struct {
		pid int
		cwd string
	}
	seen := map[agent]bool{}
	return slices.DeleteFunc(notes, func(n Note) bool {
		a := agent{n.from.PID, n.from.Cwd}
		if _, known := seen[a]; !known {
			seen[a] = s.Watched(ctx, n.from)
		}
		return seen[a]
	})
}

// tellNotes rings the bell and shows the notes on the desktop, as far as the settings ask for it.
func (s *Sender) tellNotes(notes []Note, n config.Notify, now time.Time) {
	if len(notes) == 0 {
		return
	}
	soon := !s.rang.IsZero() && now.Sub(s.rang) < bellEvery && !now.Before(s.rang) // before: the clock was set back
	if n.Bell && s.Bell != nil && !soon {
		s.rang = now
		_ = s.Bell() // an error of the terminal is noticed elsewhere
	}
	if s.Desktop != nil {
		s.Desktop.Send(n.Desktop, notes)
	}
}

// noteOf returns the note about one event of a session.
func noteOf(event string, s queue.Session, agent string, now time.Time) Note {
	n := Note{Event: event, ID: s.ID, Title: say.Short(say.Title(s.Ask), maxBody), Agent: say.Short(agent, maxTitle),
		from: s.Origin}
	if s.Ask.Kind == queue.KindNotice {
		n.ID = "" // a notice has no question's id
	}
	if s.HasClock() {
		n.Left = s.Deadline.Sub(now)
	}
	return n
}

// titleAndBody returns the title and body of the notification; more is the number of other questions that came with it.
func (n Note) titleAndBody(more int) (title, body string) {
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

// safeArgument returns an agent's text as an argument of the person's command. It never looks like an option.
func safeArgument(s string) string {
	if strings.HasPrefix(s, "-") {
		return " " + s
	}
	return s
}
