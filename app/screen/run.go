package screen

import (
	"context"
	"errors"
	"fmt"
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
	debug.SetGCPercent(-1) // until the first frame is drawn; upkeep turns it on
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
	if !live && s.seat.Up() == o.Attach {
		last = s.seat.Session()
	}
	return last, err
}

func (s *Screen) run(ctx context.Context, screen *term.Screen) error {
	s.term = term.New(s.app, screen)
	screen.Shown = func() { s.seat.Guard.Drawn(s.desk.Now()) }
	s.stop = s.term.Stop
	s.term.BeforePause(s.desk.Flush)
	s.alerts.on(s, screen, s.term.Go)
	s.desk.TakeFirst(ctx, firstBatch)
	s.term.Go(s.pump)
	if s.o.Finishing != nil {
		s.term.Go(s.hearFinishing)
	}
	s.desk.Start(s.term.Context())
	s.term.Go(func() {
		defer debug.SetGCPercent(gcPercent)
		s.desk.Upkeep(s.term.Context(), s.settled)
	})
	err := s.term.Run(ctx)
	s.desk.Close() // the event loop is over, so the state is ours
	s.uncount()
	return s.lost(err)
}

// lost returns the error with which the screen ended, and names the answers that it could not store.
func (s *Screen) lost(end error) error {
	var lost []string
	for _, out := range s.desk.Outbox().All() {
		why := say.DiskMute
		if out.Err != nil && !errors.Is(out.Err, desk.ErrStuck) {
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

// settled gives back the memory and the processors that only the start or a sweep of the queue needed.
func (s *Screen) settled() {
	debug.SetGCPercent(gcPercent)
	s.desk.Do(func() { s.memory.spread(s.frame.page() != nil) })
	debug.FreeOSMemory()
}

// pump runs what was handed over to the desk on the event loop, all of it in one update and so one draw.
func (s *Screen) pump() {
	for {
		select {
		case <-s.desk.Bell():
			if !s.term.Update(s.drain) {
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

func (s *Screen) drain() {
	s.desk.Drain()
	s.alerts.tell(s)
	s.frame.refocus()
}

// uncount removes the number when this screen ends, unless another dashboard is open. Bridges take over from here.
func (s *Screen) uncount() {
	if s.o.Count != nil && s.desk.Stays() && !s.desk.Others(queue.RoleDashboard) {
		s.o.Count.Clear()
	}
}
