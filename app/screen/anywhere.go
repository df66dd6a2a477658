package screen

import (
	"context"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/help"
	"github.com/choicetui/choicetui/panes/history"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/panes/statistics"
)

// commands are what keys do in every place of the screen.
type commands struct{ *Screen }

// anywhere is what means the same in every place. A room may bind the same action to something of its own.
func (s commands) anywhere() panes.Table {
	do := func(f func()) func(string) { return func(string) { f() } }
	return panes.Table{
		{Action: keys.ActStop, Do: do(s.quit)},
		{Action: keys.ActSuspend, Do: do(s.suspend)},
		{Action: keys.ActRedraw, Do: do(s.redraw)},
		{Action: keys.ActUndoTyping, Do: do(func() { s.retype(s.room().Field().Undo) })},
		{Action: keys.ActRedoTyping, Do: do(func() { s.retype(s.room().Field().Redo) })},
		{Action: keys.ActHelp, Do: do(s.openHelp)},
		{Action: keys.ActNext, Do: do(func() { s.step(1) })},
		{Action: keys.ActPrevious, Do: do(func() { s.step(-1) })},
		{Action: keys.ActPane, Do: do(s.goToPane)},
		{Action: keys.ActArea, Do: do(func() { s.otherArea(1) })},
		{Action: keys.ActAreaBack, Do: do(func() { s.otherArea(-1) })},
		{Action: keys.ActSettings, Do: do(func() { s.Open(s.rooms.settings.Page) })},
		{Action: keys.ActHistory, Do: do(s.openHistory)},
		{Action: keys.ActStats, Do: do(s.openStatistics)},
		{Action: keys.ActChat, Do: do(s.rooms.chat.Open)},
		{Action: keys.ActQuit, Do: do(s.quitOnce)},
	}
}

// retype changes the text being typed otherwise than by keys.
func (s commands) retype(change func()) {
	change()
	s.room().Typed()
}

// step shows the next or previous question of the queue as listed.
func (s commands) step(n int) {
	if s.seat.Step(n) {
		s.seat.Guard.Open()
		return
	}
	s.notice.message, s.notice.aside = say.NoStep(n, len(s.seat.Listed()), len(s.desk.Waiting()), s.seat.Find())
}

// otherArea gives the focus to the next area on screen, or the one before.
func (s commands) otherArea(n int) {
	switch {
	case s.frame.page() != nil:
		s.Say(say.OneArea)
	case !s.frame.waiting.otherArea(n):
		s.Say(say.NoRows)
	}
}

// leaveArea gives the focus back to the question.
func (s commands) leaveArea() { s.frame.waiting.area = areaQuestion }

func (s commands) redraw() {
	if s.term != nil {
		s.term.Screen().Sync()
	}
}

// suspend is Ctrl-Z: back to the shell, and here again with fg.
func (s commands) suspend() {
	s.seat.SaveDraft()
	if s.term == nil {
		return
	}
	if err := s.term.Suspend(); err != nil {
		s.Say(say.NotSuspended(err))
	}
	s.seat.Guard.Appear(s.desk.Now())
}

// quit ends the screen; what was typed is saved first.
func (s commands) quit() {
	s.seat.SaveDraft()
	s.stop()
}

// quitOnce goes one level back, and quits on question or queue: on the second press while something waits.
func (s commands) quitOnce() {
	room := s.room()
	if back, ok := room.Table().Row(keys.ActBack); ok && (s.frame.page() != nil || s.backsOut(room.Place())) {
		back.Do("")
		return
	}
	quit := s.look.keys.KeyOf(keys.PlaceQuestion, keys.ActQuit)
	waiting := len(s.desk.Waiting())
	switch {
	case s.notice.leaving:
		s.quit()
		return
	case s.o.Attach != "":
		s.Say(say.AgainLeaves(quit, say.FaceScreen))
	case waiting == 0:
		s.quit()
		return
	default:
		s.Say(say.AgainQuits(quit, waiting, say.FaceScreen))
	}
	s.notice.leaving = true
}

// backsOut are the places that the key to quit leaves first.
func (s commands) backsOut(place keys.Place) bool {
	return place == keys.PlaceSettings || place == keys.PlaceOver
}

// goToPane brings the asking agent's tmux pane up; the question stays here.
func (s commands) goToPane() {
	o := s.seat.Session().Origin
	switch {
	case s.seat.Up() == "":
		return
	case s.o.GoToPane == nil || o.Pane == "" && o.PID == 0:
		s.Say(say.PaneUnknown)
		return
	}
	s.desk.Later(func() {
		ctx, cancel := context.WithTimeout(context.Background(), tmuxWithin)
		defer cancel()
		if err := s.o.GoToPane(ctx, o); err != nil {
			s.desk.Do(func() { s.Say(say.PaneTrouble(err)) })
		}
	})
}

// openHelp lays the list of keys over what is on screen; Esc brings that back.
func (s commands) openHelp() { s.Open(help.New(s, s.room().Place())) }

// openHistory brings the page up, where it was if it is under another page. It clears what was missed.
func (s commands) openHistory() {
	s.seat.ForgetMissed()
	if s.rooms.history == nil {
		s.rooms.history = history.New(s, history.Options{Home: s.o.Home, Chat: s.line,
			Write: func(name, text string) (string, error) { return writeText(name, s.o.Home, text) }})
	}
	if s.frame.page() != panes.Room(s.rooms.history) {
		s.Open(s.rooms.history)
	}
}

func (s commands) openStatistics() { s.Open(statistics.New(s)) }
