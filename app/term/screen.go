// Package term connects tview to the terminal: it sends few bytes, and it leaves the terminal as it found it.
//
//	tview draws ──► Screen (own cells) ──only what differs──► tcell ──► tty
//	tview polls ◄── events (unbounded, paste repaired) ◄───── tcell ◄── filter ◄── tty
//	signals, panics, Ctrl-Z ──► Terminal ──► Screen.Fini / Suspend / Resume
//
// The order of calls matters, because tview throws errors away and ignores modes set too early:
//
//	screen, err := term.Open()       // initialised; the error is a sentence for the person
//	t := term.New(app, screen)       // SetScreen, then EnablePaste
//	t.Go(pump)                       // every goroutine of ours, so that a panic restores the terminal
//	err = t.Run(ctx)                 // blocks; afterwards the terminal is as it was found
//
// Only one goroutine (tview's event loop) may draw; everything else may be called from any goroutine.
package term

import (
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/queue"
)

// maxTitle is the longest window title, in characters; tmux and window managers cut much earlier.
const maxTitle = 120

// States of a screen. Bytes are written to the terminal only in the state running.
const (
	fresh = iota
	running
	away // suspended: a shell, an editor or nobody has the terminal
	over
)

var errNotRunning = errors.New("the screen is not running")

// Screen is a tcell.Screen for tview that draws into its own cells and forwards the differences. tview blanks and
// repaints everything on each draw; tcell alone would then send every non-blank cell again.
type Screen struct {
	// Shown is called after each frame was written to the terminal, on the goroutine that draws. Set it before Init.
	Shown func()

	// GotFocus is called when the terminal reports that it got the focus; see FocusGained. It is called on a goroutine
	// of its own. nil: nobody is told. Set it before Init.
	GotFocus func()

	below
	pen    // the drawing methods for tview
	events // the event methods for tview
	focus

	mu      sync.Mutex // guards the fields below and every write to the terminal
	state   int
	initErr error
	modes   modes
	cursor  cursor // the requested cursor
	shown   cursor // the cursor as last sent
	front   grid   // the cells that the terminal shows
	title   title
	wheel   bool // the terminal needs tellWheel
	device  device

	stale  atomic.Bool // the terminal may differ from front: send everything
	unsent bool        // tcell believes that the terminal shows what it does not show
	pastes struct {    // a paste that takes long
		under  atomic.Bool
		change atomic.Pointer[func()]
	}
	tty *tty // nil if the inner screen is not a terminal

	standIn standIn

	skips  bool        // the present frame is left out; only the goroutine that draws uses it
	drawn  time.Time   // when the last frame was sent; so is this
	redraw func()      // draws a frame, from any goroutine; nil: nobody can
	late   atomic.Bool // redraw will be called
}

// below is the inner screen. It is embedded one level deeper than pen and events, so that their methods hide its own:
// the inner screen gets only Put, Show, Sync and the modes, and only the pump receives its events.
type below struct{ tcell.Screen }

// modes holds the modes of the terminal, as they were last set.
type modes struct {
	paste, focus bool
	title        string
}

// cursor holds the place and the look of the cursor; a negative place hides it.
type cursor struct {
	x, y  int
	style tcell.CursorStyle
	color tcell.Color
}

// Wrap returns a Screen over any other screen, such as a tcell.SimulationScreen in tests. The caller calls Init.
func Wrap(inner tcell.Screen) *Screen {
	hidden := cursor{x: -1, y: -1}
	return &Screen{
		below: below{inner}, pen: pen{size: inner.Size}, events: newEvents(), cursor: hidden, shown: hidden,
	}
}

// Init starts the terminal, once; further calls return the first one's error. tview calls it a second time and drops
// the error, and a second Init of tcell would hang.
func (s *Screen) Init() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != fresh {
		return s.initErr
	}
	if s.initErr = s.Screen.Init(); s.initErr != nil {
		s.state = over
		s.events.close()
		return s.initErr
	}
	s.state = running
	s.stale.Store(true)
	s.Screen.EnablePaste()
	s.focus.ask()
	s.Screen.EnableFocus()
	s.modes = modes{paste: true, focus: true}
	s.tellWheel(wheelStill)
	s.pen.back.fit(s.Size())
	s.Go(s.pump)
	return nil
}

// pump moves events from tcell to the queue until the screen is finished.
func (s *Screen) pump() {
	var p paste
	for {
		event := s.Screen.PollEvent()
		if event == nil {
			s.events.close()
			return
		}
		if f, ok := event.(*tcell.EventFocus); ok {
			if s.focus.set(f.Focused, time.Now()) && s.GotFocus != nil {
				s.GotFocus()
			}
			continue
		}
		if event = p.repairEvent(event); event != nil {
			s.events.pushEvent(event)
		}
	}
}

// Fini restores the terminal for good. It may be called several times, from any goroutine, and never hangs: if tcell
// does not finish in time (after a panic while drawing its lock stays taken), the terminal is restored without tcell.
func (s *Screen) Fini() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }() // a second panic must not hide the first
		s.finish()
	}()
	select {
	case <-done:
	case <-time.After(patience):
		s.device.restore()
	}
	s.events.close()
}

// finish does the work of Fini with tcell.
func (s *Screen) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.state
	s.state = over
	if was == running {
		// tcell's Fini first stops reading its own event queue, and then waits for the goroutine that fills it. With
		// much input pending that hangs. After a suspension the pump still drains the queue.
		_ = s.suspendInner()
	}
	if was == running || was == away {
		s.Screen.Fini()
	}
}

// Suspend restores the terminal until Resume. It fails if the screen is not running.
func (s *Screen) Suspend() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != running {
		return errNotRunning
	}
	s.state = away
	return s.suspendInner()
}

// suspendInner suspends tcell, after its reader has paused.
func (s *Screen) suspendInner() error {
	if s.modes.title != "" {
		// tcell restores the old title, but not every terminal can: an empty title is better than a stale one.
		s.title.sendTitle(s.Screen, "")
	}
	s.title.restoreTitle(s.Screen)
	s.tellWheel(wheelBack)
	if s.tty != nil {
		s.tty.holdReads()
	}
	return s.Screen.Suspend()
}

// Resume takes the terminal back; the next Show sends everything. If the terminal is gone, PollEvent returns the error,
// because tview ignores that of Resume.
func (s *Screen) Resume() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != away {
		return errNotRunning
	}
	s.focus.ask()
	if err := s.Screen.Resume(); err != nil {
		s.events.pushEvent(tcell.NewEventError(err))
		return err
	}
	s.state = running
	s.stale.Store(true)
	s.tellWheel(wheelStill)
	if s.modes.title != "" {
		s.title.sendTitle(s.Screen, s.modes.title)
	}
	return nil
}

// OnPaste has f called whenever Pasting changes. It must not wait.
func (s *Screen) OnPaste(f func()) { s.pastes.change.Store(&f) }

// Pasting reports whether a paste is open that takes long. Until it ends every key is part of it, but for a Ctrl-C on
// its own.
func (s *Screen) Pasting() bool { return s.pastes.under.Load() }

// setPasting notes whether a paste is open that takes long.
func (s *Screen) setPasting(takesLong bool) {
	if s.pastes.under.Swap(takesLong) == takesLong {
		return
	}
	if f := s.pastes.change.Load(); f != nil {
		(*f)()
	}
}

// unasked reports whether nobody has asked for what tcell writes now: it draws its own cells as soon as the size has
// changed, before anything was laid out for that size. The frame that follows sends everything instead. Each method of
// Screen that makes tcell write holds mu, so if mu is free, tcell does so on its own.
func (s *Screen) unasked() bool {
	if !s.mu.TryLock() {
		return false
	}
	defer s.mu.Unlock()
	if s.state != running {
		return false
	}
	s.unsent = true
	if size, err := s.tty.WindowSize(); err == nil {
		s.events.pushEvent(tcell.NewEventResize(size.Width, size.Height))
	}
	return true
}

// StandIn returns the name of a terminal that is not known here, and the kind as which it is treated. Both are empty
// for a known terminal.
func (s *Screen) StandIn() (name, kind string) { return s.standIn.name, s.standIn.kind }

// Running reports whether the screen may write to the terminal: it is neither suspended nor finished.
func (s *Screen) Running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state == running
}

// Unicode reports whether lines and symbols beyond ASCII are readable: in a UTF-8 locale, except on the Linux console,
// whose font has few of them.
func (s *Screen) Unicode() bool {
	if name := os.Getenv("TERM"); name == "linux" || strings.HasPrefix(name, "linux-") {
		return false
	}
	set := strings.ToLower(s.CharacterSet())
	return set == "utf-8" || set == "utf8"
}

// whileRunning runs f if the screen is running, and otherwise drops it: a byte written now would reach a shell.
func (s *Screen) whileRunning(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == running {
		f()
	}
}

// EnablePaste turns bracketed paste on; Init has done so already.
func (s *Screen) EnablePaste() { s.setPaste(true) }

// DisablePaste turns bracketed paste off.
func (s *Screen) DisablePaste() { s.setPaste(false) }

// setPaste switches bracketed paste on or off.
func (s *Screen) setPaste(on bool) {
	s.whileRunning(func() {
		if s.modes.paste == on {
			return
		}
		if s.modes.paste = on; on {
			s.Screen.EnablePaste()
		} else {
			s.Screen.DisablePaste()
		}
	})
}

// EnableFocus asks the terminal to report focus; Init has done so already.
func (s *Screen) EnableFocus() { s.setFocus(true) }

// DisableFocus ends the focus reports.
func (s *Screen) DisableFocus() { s.setFocus(false) }

// setFocus switches the focus reports on or off.
func (s *Screen) setFocus(on bool) {
	s.whileRunning(func() {
		if s.modes.focus == on {
			return
		}
		if s.modes.focus = on; on {
			s.Screen.EnableFocus()
		} else {
			s.Screen.DisableFocus()
		}
	})
}

// SetTitle sets the window's title, after making it harmless: tcell sends a title raw, and sleeps for the time in a
// `$<seconds>`. Setting the same title again sends nothing.
func (s *Screen) SetTitle(title string) {
	title, _ = queue.VisibleLine(title)
	title = strings.ReplaceAll(title, "$<", "$ <")
	if utf8.RuneCountInString(title) > maxTitle {
		title = queue.Shorten(title, maxTitle-1, "…")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.modes.title == title {
		return
	}
	if s.modes.title = title; s.state == running { // else Resume sets it
		s.title.sendTitle(s.Screen, title)
	}
}

// Beep rings the bell. It writes to the terminal directly, in one write: tcell writes the bell without a lock, possibly
// into the middle of other output.
func (s *Screen) Beep() (err error) {
	s.whileRunning(func() {
		if tty, ok := s.Tty(); ok {
			_, err = tty.Write([]byte{'\a'})
			return
		}
		err = s.Screen.Beep()
	})
	return err
}

// Tell sends a sequence to the terminal, in one write, if the screen is running. The sequence must be safe; only
// package notify builds such sequences.
func (s *Screen) Tell(sequence string) (err error) {
	s.whileRunning(func() {
		if tty, ok := s.Tty(); ok {
			_, err = tty.Write([]byte(sequence))
		}
	})
	return err
}

// SetClipboard copies text through the terminal (OSC 52), if the terminal allows that.
func (s *Screen) SetClipboard(text []byte) { s.whileRunning(func() { s.Screen.SetClipboard(text) }) }
