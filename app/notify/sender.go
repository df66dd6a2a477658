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
	// lookWithin is how long looking for agents' screens may take; then the person is told.
	lookWithin = 3 * time.Second
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
	from  queue.Origin
}

// Sender tells. Bell rings the terminal's bell, nil: there is none. Desktop shows notes on the desktop.
type Sender struct {
	Bell    func() error
	Desktop *Desktop
	// Watched reports whether the person has the agent's own screen before them; nil: nobody knows. It may take time.
	Watched func(ctx context.Context, o queue.Origin) bool
	// Start runs a function on a goroutine, nil: go. Do runs one where Tell is called, nil: at once.
	Start, Do func(func())
	rang      time.Time
}

// Tell says to a person who is away what is new, as the settings want it, and first whose time is nearly up. name is
// what an agent is called. What an agent asks by itself stands on its own screen too, so a person who has that before
// them is not told. Looking takes time, and nobody waits for it here.
func (s *Sender) Tell(asked, ending []queue.Session, n config.Notify, name func(queue.Origin) string, now time.Time) {
	var news, there []Note
	add := func(event string, all []queue.Session) {
		for _, e := range all {
			if one := note(event, e, name(e.Origin), now); s.Watched != nil && e.Origin.Native() {
				there = append(there, one)
			} else {
				news = append(news, one)
			}
		}
	}
	add(Ending, ending)
	add(Asked, asked)
	s.tellNotes(news, n, now)
	if len(there) == 0 || !s.tells(n) {
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
		if left := s.unwatched(there); len(left) > 0 {
			do(func() { s.tellNotes(left, n, now) })
		}
	})
}

// tells reports whether the settings want anything to be told at all.
func (s *Sender) tells(n config.Notify) bool {
	return n.Bell && s.Bell != nil || s.Desktop != nil && s.Desktop.wanted(n.Desktop)
}

// unwatched are the notes of agents whose screens nobody has before them. Each agent is looked for once.
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

func (s *Sender) tellNotes(notes []Note, n config.Notify, now time.Time) {
	if len(notes) == 0 {
		return
	}
	if n.Bell && s.Bell != nil && (s.rang.IsZero() || now.Sub(s.rang) >= bellEvery || now.Before(s.rang)) {
		s.rang = now
		_ = s.Bell() // a terminal that cannot ring has other ways to go wrong
	}
	if s.Desktop != nil {
		s.Desktop.Send(n.Desktop, notes)
	}
}

func note(event string, s queue.Session, agent string, now time.Time) Note {
	n := Note{Event: event, ID: s.ID, Title: say.Short(say.Title(s.Ask), maxBody), Agent: say.Short(agent, maxTitle),
		from: s.Origin}
	if s.Ask.Kind == queue.KindNotice {
		n.ID = "" // it is no question
	}
	if s.HasClock() {
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
