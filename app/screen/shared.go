package screen

import (
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// shared holds the state that the parts of a screen have in common: Screen, frame, ground and keyboard.
type shared struct {
	o       Options
	desk    *desk.Desk
	seat    *desk.Seat
	line    *desk.Chat // the line to an agent that is being written
	rooms   rooms
	hand    *deed.Hand // carries out the person's actions on the question on view
	look    look
	notice  notice
	aside   asideSaid
	offered say.Line // the words for what the next Enter does, while something is offered
	alerts  alerts
	term    *term.Terminal // nil in tests
}

// Seat returns the seat of this screen at the desk.
func (s *shared) Seat() *desk.Seat { return s.seat }

// Keys returns the key table with the person's own keys.
func (s *shared) Keys() keys.Map { return s.look.keys }

// Ink returns the canvas on which a room draws.
func (s *shared) Ink(screen tcell.Screen) ink.Canvas {
	c := ink.Canvas{Screen: screen, Glyphs: s.look.glyphs, Theme: s.look.theme}
	if screen != nil {
		c.Theme = c.Theme.On(screen.Colors())
	}
	return c
}

// Say shows words for a while, or until the next key.
func (s *shared) Say(words string) { s.notice.showWords(words, s.desk.Now()) }

// handOffEnded says how the question ended that the screen was opened on, while the screen is about to close; empty: it
// is pending.
func (s *shared) handOffEnded() string {
	on := s.seat.HandOffLast().At(s.desk.Now())
	if !s.seat.HandOffEnded() || on.Outcome == nil {
		return ""
	}
	return handOffEndedAt(*on.Outcome)
}

// handOffEndedAt returns the words for how and when the question ended that the screen was opened on. The line at the
// top of a page shows them.
func handOffEndedAt(o queue.Outcome) string {
	words, _ := say.EndedAt(o)
	if o.WantsDetail() { // the words begin with the person, who asked for more detail
		return words
	}
	return "question " + words
}

// timeLeft returns the time that a question has left, with its style: bold in the last minute, then as an alarm.
func (s *shared) timeLeft(on queue.Session) ink.Span {
	now, style := s.desk.Now(), ink.Plain
	if on.HasClock() {
		style = ink.Time(say.ShownLeft(on, now), s.warnTime())
	}
	return ink.Span{Text: say.TimeLeft(on, now, s.warnTime()), Style: style}
}

// waits says how many questions are pending, and how many of them have no caller any more.
func (s *shared) waits() string { return say.Waiting(len(s.desk.Waiting()), s.desk.Gone()) }

// clipboard asks the terminal to put a text into the person's clipboard.
func (s *shared) clipboard(text string) {
	if s.term != nil {
		s.term.Screen().SetClipboard([]byte(text))
	}
}

// warnTime returns how long before its end a question's time is shown as urgent.
func (s *shared) warnTime() time.Duration {
	return time.Duration(s.desk.Settings().Notify.WarnSeconds) * time.Second
}
