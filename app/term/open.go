package term

import (
	"errors"
	"fmt"
	"os"

	"github.com/gdamore/tcell/v2"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// ErrNoTerminal matches every error that says why nothing can be drawn here.
var ErrNoTerminal = errors.New("no terminal")

// unusable is ErrNoTerminal with the reason and a way on, as one sentence.
type unusable string

func (u unusable) Error() string {
	return "the full screen needs a terminal: " + string(u) +
		"; `choicetui --plain`, `choicetui list` and `choicetui answer` work without one"
}

func (u unusable) Is(target error) bool { return target == ErrNoTerminal }

const devTty = "/dev/tty"

// Available says, without touching it, whether Open would find a terminal; nil or an error that is ErrNoTerminal.
// Standard input must be one as well: an agent's child often has the agent's terminal as its /dev/tty, and drawing
// there would paint over the agent.
func Available() error {
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return unusable("standard input is not one")
	}
	if _, err := knownAs(os.Getenv("TERM")); err != nil {
		return err
	}
	f, err := os.OpenFile(devTty, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return unusable("this process has none (" + reason(err) + ")")
	}
	return f.Close()
}

// Open starts the screen on the process's own terminal. NO_COLOR is honoured by tcell.
func Open() (*Screen, error) {
	if err := Available(); err != nil {
		return nil, err
	}
	return OpenTty(devTty)
}

// OpenTty starts the screen on a terminal device.
func OpenTty(path string) (*Screen, error) {
	dev, err := tcell.NewDevTtyFromDev(path)
	if err != nil {
		return nil, unusable(fmt.Sprintf("%s cannot be used (%s)", path, reason(err)))
	}
	saved := savedState(path)
	s, err := OpenOn(dev)
	if err != nil {
		_ = dev.Close()
		return nil, err
	}
	s.mu.Lock()
	s.device = device{path, saved}
	s.mu.Unlock()
	return s, nil
}

// OpenOn starts the screen on a given tty: a fake one that counts bytes, say.
func OpenOn(dev tcell.Tty) (*Screen, error) {
	name := os.Getenv("TERM")
	kind, err := knownAs(name)
	if err != nil {
		return nil, err
	}
	info, err := tcell.LookupTerminfo(kind)
	if err != nil {
		return nil, unusable(reason(err))
	}
	// A locale tcell does not know must not keep anybody from answering: ASCII is readable everywhere.
	tcell.SetEncodingFallback(tcell.EncodingFallbackASCII)
	held := newTty(dev)
	inner, err := tcell.NewTerminfoScreenFromTtyTerminfo(held, info)
	if err != nil {
		return nil, unusable(reason(err))
	}
	s := Wrap(inner)
	s.tty, s.title.own, s.wheel.own = held, ownTitle(kind), stillsWheel(kind)
	if kind != name {
		s.standIn = standIn{name, kind}
	}
	if err := s.Init(); err != nil {
		return nil, unusable(reason(err))
	}
	return s, nil
}

// reason is the innermost cause, which is what a person can act on.
func reason(err error) string {
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err.Error()
}

func savedState(path string) *term.State {
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	state, err := term.GetState(int(f.Fd()))
	if err != nil {
		return nil
	}
	return state
}
