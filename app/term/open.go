package term

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gdamore/tcell/v2"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// ErrNoTerminal matches every error that says why nothing can be drawn here.
var ErrNoTerminal = errors.New("no terminal")

// unusable is the reason of an ErrNoTerminal; its message adds the alternatives.
type unusable string

func (u unusable) Error() string {
	return "the full screen needs a terminal: " + string(u) +
		"; `choicetui --plain`, `choicetui list` and `choicetui answer` work without one"
}

func (u unusable) Is(target error) bool { return target == ErrNoTerminal }

// devTty is the device of the terminal to which a process belongs.
const devTty = "/dev/tty"

// Available checks, without changing anything, whether Open would find a terminal; if not, the error matches
// ErrNoTerminal. Standard input must be a terminal as well: the child of an agent often has the agent's terminal as its
// /dev/tty, and would draw over the agent.
func Available() error {
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return unusable("standard input is not one")
	}
	if _, err := knownAs(os.Getenv("TERM")); err != nil {
		return err
	}
	f, err := os.OpenFile(devTty, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return unusable("this process has none (" + innermostReason(err) + ")")
	}
	return f.Close()
}

// Open starts the screen on the process's own terminal. tcell honours NO_COLOR.
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
		return nil, unusable(fmt.Sprintf("%s cannot be used (%s)", path, innermostReason(err)))
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
	s.tty.askDevice(path)
	return s, nil
}

// OpenOn starts the screen on a given tty, such as a fake one in tests.
func OpenOn(dev tcell.Tty) (*Screen, error) {
	name := os.Getenv("TERM")
	kind, err := knownAs(name)
	if err != nil {
		return nil, err
	}
	info, err := tcell.LookupTerminfo(kind)
	if err != nil {
		return nil, unusable(innermostReason(err))
	}
	// In a locale that tcell does not know the screen falls back to ASCII, which is readable everywhere.
	tcell.SetEncodingFallback(tcell.EncodingFallbackASCII)
	held := newTty(dev)
	inner, err := tcell.NewTerminfoScreenFromTtyTerminfo(held, info)
	if err != nil {
		return nil, unusable(innermostReason(err))
	}
	s := Wrap(inner)
	held.guard, held.unasked, held.pastes, held.stopped = s.guarded, s.unasked, s.setPasting, s.noteStop
	s.tty, s.title.own, s.wheel = held, mustSendTitle(kind), stillsWheel(kind)
	if kind != name {
		s.standIn = standIn{name, kind}
	}
	if err := s.Init(); err != nil {
		return nil, unusable(innermostReason(err))
	}
	return s, nil
}

// innermostReason returns the message of the innermost cause, because a person can act on that.
func innermostReason(err error) string {
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err.Error()
}

// savedState returns the state of a terminal device, with which it can be restored; nil: it cannot be read.
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

// asXterm lists terminals that understand the sequences of xterm-256color, and whose own names are often unknown on a
// machine reached over ssh.
var asXterm = []string{"alacritty", "contour", "domterm", "ghostty", "gnome", "hterm", "iterm", "iterm2", "kitty",
	"konsole", "mintty", "mlterm", "ms-terminal", "nsterm", "putty", "rio", "terminator", "termite", "vscode", "vte",
	"warp", "wezterm"}

// knownAs returns the name under which tcell knows the terminal: its own, or that of a similar terminal.
func knownAs(name string) (string, error) {
	switch name {
	case "":
		return "", unusable("TERM is not set")
	case "dumb":
		return "", unusable("TERM=dumb cannot place text")
	}
	for _, kind := range append([]string{name}, kindsOf(name)...) {
		if _, err := tcell.LookupTerminfo(kind); err == nil {
			return kind, nil
		}
	}
	return "", unusable(fmt.Sprintf("TERM=%s is not known here, try TERM=xterm-256color choicetui", name))
}

// standIn is the name of an unknown terminal, and the kind as which it is treated.
type standIn struct{ name, kind string }

// kindsOf returns the names of similar terminals, the most similar first: for xterm-ghostty xterm-256color, then xterm.
// Whoever names a terminal after its 256 colours means one like xterm.
func kindsOf(name string) (kinds []string) {
	for stem := name; ; {
		if slices.Contains(asXterm, strings.ToLower(stem)) {
			kinds = append(kinds, "xterm-256color")
		}
		cut := strings.LastIndexAny(stem, "-.+")
		if cut <= 0 {
			if strings.Contains(name, "256color") {
				kinds = append(kinds, "xterm-256color")
			}
			return kinds
		}
		stem = stem[:cut]
		kinds = append(kinds, stem+"-256color", stem)
	}
}
