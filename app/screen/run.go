package screen

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// firstBatch limits how long the first frame waits for the queue.
const firstBatch = 100 * time.Millisecond

// Run shows the full screen, with Attach opened on one session, until the person leaves or ctx ends. The terminal is
// left as it was found. It returns the attached session as last seen. The error is term.ErrNoTerminal, term.ErrGone, a
// term.Signal, or the queue's; a session that cannot be attached is returned beside queue.ErrUsed, ErrSettled or
// ErrFinal.
func Run(ctx context.Context, o Options) (queue.Session, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := term.Available(); err != nil {
		return queue.Session{}, err
	}
	debug.SetGCPercent(-1) // no garbage is collected before the first frame is drawn; shrink turns that on
	debug.SetMemoryLimit(startMemory)
	glyphs := ink.Unicode
	s := New(o, glyphs)
	role := queue.RoleDashboard
	if !s.desk.Stays() {
		role = queue.RoleAttach
	}
	if session, err := s.desk.Open(ctx, role); err != nil {
		return session, err
	}
	screen, err := term.Open()
	if err != nil {
		s.desk.Leave()
		return queue.Session{}, err
	}
	if !screen.Unicode() {
		s.look.glyphs, s.look.sign = ink.ASCII, ink.ASCII.Enter
		s.followSettings()
	}
	if name, kind := screen.StandIn(); kind != "" {
		s.sayOfTerminal("TERM=" + say.OneLine(name) + " is not known here: drawn as " + kind)
	}
	s.memory.processors = runtime.GOMAXPROCS(0)
	err = s.run(ctx, screen)
	last, live := s.desk.Session(o.Attach)
	if !live && s.view.Up() == o.Attach {
		last = s.view.Session()
	}
	return last, err
}

// run connects the screen with a terminal, and runs until the event loop ends.
func (s *Screen) run(ctx context.Context, screen *term.Screen) error {
	s.term = term.New(s.app, screen)
	screen.Shown = func() { s.view.Guard.Drawn(s.desk.Now()) }
	screen.OnPaste(func() { s.desk.Do(func() { s.showPasting(screen.Pasting()) }) })
	s.stop = s.term.Stop
	s.term.BeforePause(s.desk.Flush)
	tookOver := func() { s.view.Guard.TookOver(s.desk.Now()) }
	s.term.AfterPause(tookOver)
	tookOver()
	s.alerts.startOn(s, screen, s.term.Go)
	s.keyboard.gained = screen.FocusGained
	screen.GotFocus = func() { // what Enter does with own words changes a moment later
		time.AfterFunc(desk.Looks, func() { s.desk.Do(func() {}) })
	}
	s.desk.TakeFirst(ctx, firstBatch)
	s.term.Go(s.pump)
	if s.o.Finishing != nil {
		s.term.Go(s.hearFinishing)
	}
	s.desk.Start(s.term.Context())
	s.term.Go(func() {
		defer debug.SetMemoryLimit(math.MaxInt64)
		defer debug.SetGCPercent(gcPercent)
		s.desk.Upkeep(s.term.Context(), s.shrink)
	})
	err := s.term.Run(ctx)
	s.desk.Close() // the event loop is over, so the state is ours
	s.clearCount()
	return s.nameUnsaved(err)
}

// nameUnsaved adds the answers that could not be stored to the error with which the screen ended.
func (s *Screen) nameUnsaved(end error) error {
	var lost []string
	for _, out := range s.desk.Outbox().All() {
		why := say.DiskMute
		if out.Err != nil {
			why = say.Cause(out.Err)
		}
		lost = append(lost, say.LeftUnsaved(out.Session, why))
	}
	switch words := strings.Join(lost, "; "); {
	case words == "":
		return end
	case end == nil:
		return errors.New(words)
	default:
		return fmt.Errorf("%w; %s", end, words)
	}
}

// shrink gives back memory and processors after the start and after each periodic check of the whole queue, because
// these need more than anything else.
func (s *Screen) shrink() {
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(math.MaxInt64)
	s.desk.Do(func() { s.memory.spread(s.frame.page() != nil) })
	debug.FreeOSMemory()
}

// pump runs the functions that other goroutines gave to the desk on the event loop. All that are pending run in one
// update, so the screen is drawn once.
func (s *Screen) pump() {
	for {
		select {
		case <-s.desk.Bell():
			if !s.term.Update(s.drainDesk) {
				return
			}
		case <-s.term.Context().Done():
			return
		}
	}
}

// hearFinishing receives the number of an interview's questions once the interview waits for them, so that each
// question on screen can say so.
func (s *Screen) hearFinishing() {
	select {
	case n := <-s.o.Finishing:
		s.desk.Do(func() { s.finishing = n })
	case <-s.term.Context().Done():
	}
}

// drainDesk runs the functions that other goroutines gave to the desk.
func (s *Screen) drainDesk() {
	s.desk.Drain()
	s.alerts.tellNews(s)
	s.frame.refocus()
}

// clearCount clears the number of pending questions in tmux's status line when this screen ends, unless another
// dashboard is open. The processes of the agents show it from then on.
func (s *Screen) clearCount() {
	if s.o.Count != nil && s.desk.Stays() && !s.desk.Others(queue.RoleDashboard) {
		s.o.Count.Clear()
	}
}
