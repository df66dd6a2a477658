// Package screen is the dashboard in full screen. It runs the tview application, and decides where each room is on
// screen, which room has the focus, and which room gets a key. A room is a part of the screen with its own drawing and
// keys, such as the question or the queue (see package panes). The desk (queue/desk) holds the pending questions. The
// view of this screen at the desk holds the form of the question on view.
//
//	Store.Watch ─► desk ─ bell ─► pump ─► event loop (tview's; the one owner) ─► draw
//	keys ─► keyboard: key table ─► guard ─► room's table, else the keyboard's own
//	typing, paste ─► tview ─► the focused room's field
//
//	frame ─┬─ pages ─┬─ ground: question, list, settings beside it, or empty; the divider over the footer
//	       │         └─ history, settings, help: one at a time
//	       ├─ composer, over the lower rows
//	       └─ footer
//
// Words that the package uses: a divider is a horizontal line across the screen with words in it. The footer is the two
// lowest rows, with what Enter would do and the keys. The lower divider is the line above the footer, or above the
// queue. The strip is the queue as a few rows below the question; on a wide screen the queue is a list left of it. The
// peek shows what the asking agent was doing. The message is about the last key; a notice of the desk is an
// agent that needs the person in its own pane.
package screen

import (
	"context"
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/panes/answers"
	"github.com/choicetui/choicetui/panes/chat"
	"github.com/choicetui/choicetui/panes/empty"
	"github.com/choicetui/choicetui/panes/history"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/list"
	"github.com/choicetui/choicetui/panes/peek"
	"github.com/choicetui/choicetui/panes/question"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/panes/settings"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/widen"
)

// tmuxWithin limits the time of a tmux command.
const tmuxWithin = 3 * time.Second

// Counter shows the number of pending questions in tmux: in tmux's status line.
type Counter interface {
	Show(n int) // shows the number soon; it never blocks
	Clear()     // removes the number, and waits a short time until that is done
}

// Options say how a screen runs. An action whose function is nil is not offered.
type Options struct {
	desk.Services
	Attach  string // the session that an attach was opened on; empty: none
	Visit   string // the session that a popup shows first, without attaching; empty: none
	Stay    bool   // after the session of Attach has ended, the screen continues as the dashboard
	Scratch bool   // the queue is the demo's, which is deleted at its end
	NoColor bool   // the variable NO_COLOR is set, so the theme is mono
	Connect []empty.Connect
	SetUp   func(context.Context) // connects the agents of this machine, in the terminal
	Demo    func(context.Context) // plays the demo in the terminal
	Hint    func() string         // shown in the Enter line while nothing is pending; nil: none
	Peek    peek.Look             // reads what an agent was doing
	Count   Counter               // shows the number of pending questions in tmux

	// Finishing sends the number of an interview's questions, once the interview waits for those that are with the
	// team; nil: there is no interview.
	Finishing <-chan int
}

// Screen is one running full screen, and the host of its rooms. Only tview's event loop touches it.
type Screen struct {
	*shared
	app       *tview.Application
	frame     *frame
	keyboard  *keyboard
	places    places
	alarm     alarm // rings when a time on screen changes next
	memory    memory
	lastCount int // the number that Count was given last
	finishing int // see Options.Finishing; 0: not said yet
	stop      func()
}

// rooms holds the rooms of the screen. A page that is created each time it is opened is not among them, except the
// history.
type rooms struct {
	question *question.Room
	list     *list.Room
	answers  *answers.Room
	settings *settings.State
	peek     *peek.Room
	empty    *empty.Room
	chat     *chat.Room
	history  *history.Room // nil: it is not open. It may be behind the help
}

// look holds the screen's style and the names of its keys.
type look struct {
	glyphs ink.Glyphs
	sign   string // the sign for Enter if the person has not rebound it
	theme  ink.Theme
	keys   action.Map

	withTeam bool // the keys that ask a team are bound
}

// New returns a screen that has not read the queue yet.
func New(o Options, glyphs ink.Glyphs) *Screen {
	ink.ForgetAgents()
	s := &Screen{shared: &shared{o: o}, app: tview.NewApplication(), stop: func() {}, lastCount: -1, places: places{}}
	s.look = look{glyphs: glyphs, sign: glyphs.Enter, theme: ink.ThemeNamed("auto"), keys: action.Keys}
	s.desk = desk.New(desk.Options{Services: o.Services, Attach: o.Attach, Visit: o.Visit, Stay: o.Stay, Go: s.start})
	s.view = s.desk.View(desk.ViewOptions{Points: true, Frames: true,
		Types: func() bool { return s.frame.room().Field() != nil }})
	s.makeRooms()
	s.frame = newFrame(s.shared, s.app)
	s.keyboard = &keyboard{shared: s.shared, frame: s.frame, host: s, stop: func() { s.stop() }}
	s.keyboard.everywhere = s.keyboard.bindEverywhere()
	s.board.Serve(s.keyboard)
	s.frame.pastes = s.keyboard.takesPaste
	s.desk.Subscribe(s.hear)
	s.followSettings()
	s.app.SetInputCapture(s.keyboard.takeKey)
	s.app.SetBeforeDrawFunc(s.beforeDraw)
	s.app.SetRoot(s.frame, true)
	return s
}

// start runs f on a goroutine that restores the terminal if f panics.
func (s *Screen) start(f func()) {
	if s.term == nil {
		f() // in a test f runs at once, so that the order is certain
		return
	}
	s.term.Go(f)
}

// makeRooms creates the rooms.
func (s *Screen) makeRooms() {
	s.line = desk.NewChat(s.view)
	desk.Hear(s.desk, func(e desk.LineOpened) { s.writing = s.writing || e.View == s.view })
	desk.Hear(s.desk, func(e desk.LineClosed) { s.writing = s.writing && e.View != s.view })
	focused := func(a area) func() bool { return func() bool { return s.frame.ground.area == a } }
	leave := func() { s.frame.ground.area = areaQuestion }
	s.rooms.question = question.New(s, question.Options{
		Home: s.o.Home, Where: s.places.of, ToPane: s.o.GoToPane != nil, Edit: s.o.Edit, SetHides: s.setHides,
		Wide:    func() bool { return s.frame.ground.wide() },
		Ends:    func() int { return s.finishing },
		Refused: func(p desk.Press, why error) { s.keyboard.saysRefused(p, why) },
		Stands:  func() bool { return s.frame.ground.onQuestion() },
	})
	s.board = s.rooms.question.Keyboard()
	s.rooms.list = list.New(s, list.Options{
		Where: s.places.of, Leave: leave, Question: s.rooms.question.Table, Focused: focused(areaList),
		ToPane: func(o queue.Origin) { s.keyboard.toPane(o) },
	})
	s.rooms.answers = answers.New(s)
	s.rooms.peek = peek.New(s, peek.Options{Look: s.o.Peek, Elsewhere: s.o.Elsewhere,
		Shown: func() bool { return s.frame.ground.showsPeek() }})
	s.rooms.chat = chat.New(s, s.line, chat.Options{
		Edit: s.o.Edit, Tee: func() int { return s.frame.ground.columnLine() },
	})
	s.rooms.settings = settings.New(s, s.o.Settings, settings.Options{
		EditFile: s.o.EditFile, Leave: leave, Focused: focused(areaSettings),
	})
	s.rooms.empty = empty.New(s, empty.Options{
		Connect: s.o.Connect, Hint: s.o.Hint, SetUp: s.o.SetUp, Demo: s.o.Demo,
		Problem:  func() string { return s.frame.ground.troubleIn(1 << 10) },
		KeptLine: func() string { return s.frame.ground.keptLine() },
		Chats:    func() bool { return s.rooms.chat.Key() != "" },
	})
}

// hear handles the events of the desk that concern the whole screen. Each room subscribes to its own.
func (s *Screen) hear(e desk.Event) {
	switch e := e.(type) {
	case desk.Ordered:
		if s.look.withTeam != s.desk.HasTeam() {
			s.followSettings()
		}
		if s.o.Locate != nil {
			s.places.locate(s)
		}
		if s.o.Count != nil {
			s.tellCounter()
		}
		if s.alerts.stale = true; s.alerts.screen != nil {
			s.alerts.tellNews(s)
		}
	case desk.Shown:
		s.frame.ground.cameUp()
		s.board.Drop() // the offer and the waiting letter were meant for the last question
		if e.ID != "" {
			s.message.leaving = time.Time{}
			if !s.message.ofStart {
				s.message.text = ""
			}
		} else {
			s.frame.ground.area = areaQuestion
		}
	case desk.Ended:
		if e.Session.ID == s.o.Attach { // the lower divider says what happens next
			s.message.forgetLeaving()
		}
	case desk.SetAside:
		s.aside.showFrom(s.desk.Now())
	case desk.TeamNews:
		if e.News == widen.Closed {
			s.board.Drop() // the offer was about the team's discussion, which has ended
		}
	case desk.Stored:
		s.message.said = s.desk.Now().Add(saidFor)
	case desk.LineSent:
		if e.Err == nil {
			s.message.said = s.desk.Now().Add(saidFor)
		}
	case desk.Finished:
		s.leaveSoon()
	case desk.SettingsChanged:
		s.followSettings()
	}
}

// swallowsFor is how long the terminal is kept after the last answer. What is typed in that time reaches no shell.
const swallowsFor = 300 * time.Millisecond

// leaveSoon ends the screen after swallowsFor. Without a terminal it does so at once.
func (s *Screen) leaveSoon() {
	if s.term == nil {
		s.stop()
		return
	}
	if !s.keyboard.closing { // the desk says so at each refresh
		s.keyboard.closing = true
		time.AfterFunc(swallowsFor, s.stop)
	}
}

// followSettings applies the theme and the keys of the present settings.
func (s *Screen) followSettings() {
	now := s.desk.Settings()
	name := now.Theme
	if s.o.NoColor {
		name = ink.ThemeMono
	}
	s.look.theme = ink.ThemeNamed(name)
	var problems []string
	s.look.keys, problems = action.New(now.Keys, ink.Width)
	if s.look.withTeam = s.desk.HasTeam(); !s.look.withTeam {
		s.look.keys = s.look.keys.WithoutTeam()
	}
	s.rooms.settings.KeysProblem(strings.Join(problems, " · "))
	s.look.glyphs.Enter = s.look.sign
	if key := s.look.keys.KeyOf(action.PlaceQuestion, action.Enter); key != "" && key != "Enter" {
		s.look.glyphs.Enter = key
	}
	s.alerts.tellNews(s)
}

// tellCounter gives the counter the number of pending questions, if that has changed.
func (s *Screen) tellCounter() {
	n := len(s.desk.Waiting())
	if !s.desk.Stays() || !s.desk.Loaded() || n == s.lastCount {
		return
	}
	s.lastCount = n
	s.o.Count.Show(n)
}

// places maps tmux panes to their places, such as 2:1. A pane is in it once tmux was asked for it, with an empty place
// until tmux has answered.
type places map[string]string

// of returns the place of a tmux pane; empty: it is not known.
func (p places) of(pane string) string { return p[pane] }

// locate asks tmux for the position of each pane that the screen names: the panes of attached forms, shown as `in 2:1`,
// and the panes of agents that want a confirmation.
func (p places) locate(s *Screen) {
	waiting := s.desk.Waiting()
	for i := range waiting {
		w := &waiting[i]
		if w.Standing == queue.StandingAttached {
			p.locatePane(s, w.Attached.Pane)
		}
		if w.Ask.Confirm {
			p.locatePane(s, w.Origin.Pane)
		}
	}
}

// locatePane asks tmux for the place of a pane, once.
func (p places) locatePane(s *Screen, pane string) {
	if _, known := p[pane]; known || pane == "" {
		return
	}
	p[pane] = ""
	s.desk.Later(func() {
		ctx, cancel := context.WithTimeout(context.Background(), tmuxWithin)
		defer cancel()
		where := s.o.Locate(ctx, pane)
		s.desk.Do(func() { p[pane] = where })
	})
}

// shared holds the state that the parts of a screen have in common: Screen, frame, ground and keyboard.
type shared struct {
	o         Options
	desk      *desk.Desk
	view      *desk.View
	line      *desk.Chat // the line to an agent
	writing   bool       // a line is being written: the composer is open
	rooms     rooms
	board     *action.Keyboard // carries out the person's actions on the question on view
	look      look
	message   message
	aside     asideSaid
	offered   say.Line       // the words for what the next Enter does, while something is offered
	cursorRow func(ink.Rect) // is told where a cursor row is drawn; see pointer
	alerts    alerts
	term      *term.Terminal // nil in tests
}

// View returns the view of this screen at the desk.
func (s *shared) View() *desk.View { return s.view }

// Keys returns the key table with the person's own keys.
func (s *shared) Keys() action.Map { return s.look.keys }

// Ink returns the canvas on which a room draws.
func (s *shared) Ink(screen tcell.Screen) ink.Canvas {
	c := ink.Canvas{Screen: screen, Glyphs: s.look.glyphs, Theme: s.look.theme, AtCursor: s.cursorRow}
	if screen != nil {
		c.Theme = c.Theme.On(screen.Colors())
	}
	return c
}

// Say shows words for a while, or until the next key.
func (s *shared) Say(words string) { s.message.showWords(words, s.desk.Now()) }

// handOffEnded says how the question has ended that the screen was opened on, while the screen is about to close.
// Empty: the question is pending.
func (s *shared) handOffEnded() string {
	on := s.view.HandOffLast().At(s.desk.Now())
	if !s.view.HandOffEnded() || on.Outcome == nil {
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
func (s *shared) waits() string {
	return say.Waiting(len(s.desk.Waiting()), s.desk.Gone(), s.view.Up(), s.desk.Needed())
}

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
