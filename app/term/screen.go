// Package term is the terminal under tview: it sends few bytes, and it leaves the terminal as it found it.
//
//	tview draws ──► Screen (own cells) ──only what differs──► tcell ──► tty
//	tview polls ◄── events (unbounded, paste repaired) ◄───── tcell ◄── tty
//	signals, panics, Ctrl-Z ──► Terminal ──► Screen.Fini / Suspend / Resume
//
// The order of calls matters, because tview throws errors away and ignores modes set too early:
//
//	screen, err := term.Open()       // initialised; the error is a sentence for the person
//	t := term.New(app, screen)       // SetScreen, then EnablePaste
//	t.Go(pump)                       // every goroutine of ours, so that a panic restores the terminal
//	err = t.Run(ctx)                 // blocks; afterwards the terminal is as it was found
//
// Drawing belongs to one goroutine (tview's event loop); everything else may be called from anywhere.
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

// States of a screen. Bytes are written in running only.
const (
	fresh = iota
	running
	away // suspended: a shell, an editor or nobody has the terminal
	over
)

var errNotRunning = errors.New("the screen is not running")

// Screen is a tcell.Screen for tview that draws into cells of its own and forwards the differences. tview blanks
// and repaints everything on each draw, which tcell alone answers by sending every non-blank cell again.
type Screen struct {
	// Shown is called after each frame was written to the terminal, on the goroutine that draws. It is set before Init.
	Shown func()

	below
	pen    // what tview draws with
	events // what tview polls
	focus

	mu      sync.Mutex // guards what follows and every write to the terminal
	state   int
	initErr error
	modes   modes
	cursor  cursor // as wanted
	shown   cursor // as last sent
	front   grid   // what the terminal shows
	title   title
	wheel   bool // the wheel is for us to still
	device  device

	stale atomic.Bool // the terminal shows something else than front: repaint everything
	tty   *tty        // nil over a screen that is not a terminal

	standIn standIn
}

// below holds the inner screen: only Put, Show, Sync and modes ever reach it, and its events reach only the pump. It is
// embedded one level deeper than pen and events, so that their methods are the ones that count.
type below struct{ tcell.Screen }

type modes struct {
	paste, focus bool
	title        string
}

type cursor struct {
	x, y  int
	style tcell.CursorStyle
	color tcell.Color
}

// Wrap puts the diffing screen over any other, a tcell.SimulationScreen in tests. The caller calls Init.
func Wrap(inner tcell.Screen) *Screen {
	hidden := cursor{x: -1, y: -1}
	return &Screen{
		below: below{inner}, pen: pen{size: inner.Size}, events: newEvents(), cursor: hidden, shown: hidden,
	}
}

// Init starts the terminal, once; every further call only repeats the first one's error. tview calls it again and
// drops the error, and a second Init of tcell hangs.
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
			s.focus.set(f.Focused)
			continue
		}
		if event = p.repair(event, time.Now()); event != nil {
			s.events.push(event)
		}
	}
}

// Fini gives the terminal back for good; it may be called often, from any goroutine. It never hangs: where tcell does
// not let go in time (a panic in the middle of its drawing leaves its lock taken), it is done without tcell.
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
		s.device.force()
	}
	s.events.close()
}

func (s *Screen) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.state
	s.state = over
	if was == running {
		// tcell's Fini stops reading its own event queue first and then waits for the goroutine that fills it: with
		// much input pending that hangs. Suspended first, the pump still drains it.
		_ = s.release()
	}
	if was == running || was == away {
		s.Screen.Fini()
	}
}

// Suspend gives the terminal back until Resume. It fails when the screen is not running.
func (s *Screen) Suspend() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != running {
		return errNotRunning
	}
	s.state = away
	return s.release()
}

// release suspends tcell, once its reader has nothing in its hands.
func (s *Screen) release() error {
	if s.modes.title != "" {
		// tcell brings the old title back, but not every terminal can: an empty title is better than a stale one.
		s.title.put(s.Screen, "")
	}
	s.title.pop(s.Screen)
	s.tellWheel(wheelBack)
	if s.tty != nil {
		s.tty.hold()
	}
	return s.Screen.Suspend()
}

// Resume takes the terminal again; the next Show repaints it whole. When the terminal is gone, PollEvent says so:
// tview ignores the error.
func (s *Screen) Resume() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != away {
		return errNotRunning
	}
	if err := s.Screen.Resume(); err != nil {
		s.events.push(tcell.NewEventError(err))
		return err
	}
	s.state = running
	s.stale.Store(true)
	s.tellWheel(wheelStill)
	if s.modes.title != "" {
		s.title.put(s.Screen, s.modes.title)
	}
	return nil
}

// StandIn returns the terminal's name and the kind that it is drawn as, if the name is not known here. Otherwise both
// are empty.
func (s *Screen) StandIn() (name, kind string) { return s.standIn.name, s.standIn.kind }

// Running reports whether the terminal is ours right now: neither suspended nor finished.
func (s *Screen) Running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state == running
}

// Unicode reports whether lines and symbols beyond ASCII will be readable: in a UTF-8 locale, but not on the Linux
// console, whose font has few of them.
func (s *Screen) Unicode() bool {
	if name := os.Getenv("TERM"); name == "linux" || strings.HasPrefix(name, "linux-") {
		return false
	}
	set := strings.ToLower(s.CharacterSet())
	return set == "utf-8" || set == "utf8"
}

// ours runs f while the terminal is ours, and else drops it: a byte written now would land in a shell.
func (s *Screen) ours(f func()) {
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

func (s *Screen) setPaste(on bool) {
	s.ours(func() {
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

// DisableFocus ends the reports.
func (s *Screen) DisableFocus() { s.setFocus(false) }

func (s *Screen) setFocus(on bool) {
	s.ours(func() {
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

// SetTitle sets the window's title, made harmless: tcell sends it raw, and even sleeps as long as a `$<seconds>` in
// it says. The same title again costs nothing.
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
		s.title.put(s.Screen, title)
	}
}

// Beep rings the bell. tcell writes it without a lock, into whatever another goroutine is sending, so it goes to the
// terminal directly, as one write.
func (s *Screen) Beep() (err error) {
	s.ours(func() {
		if tty, ok := s.Tty(); ok {
			_, err = tty.Write([]byte{'\a'})
			return
		}
		err = s.Screen.Beep()
	})
	return err
}

// Tell sends a finished sequence to the terminal, as one write, while the terminal is ours. The sequence must be safe
// to send: see package notify, which builds the only ones.
func (s *Screen) Tell(sequence string) (err error) {
	s.ours(func() {
		if tty, ok := s.Tty(); ok {
			_, err = tty.Write([]byte(sequence))
		}
	})
	return err
}

// SetClipboard copies through the terminal (OSC 52), where it allows that.
func (s *Screen) SetClipboard(text []byte) { s.ours(func() { s.Screen.SetClipboard(text) }) }
