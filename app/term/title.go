package term

import (
	"strings"

	"github.com/gdamore/tcell/v2"
)

// tcell sends a title only to terminals that say they are like xterm. These are not, in its database, and take the same
// sequences; tmux and GNU screen, both of which TERM=screen names, do. A terminal without the stack ignores it.
const (
	titlePush  = "\x1b[22;2t"
	titlePop   = "\x1b[23;2t"
	titleStart = "\x1b]2;"
	titleEnd   = "\x1b\\"
)

var titledTerms = []string{"screen", "foot", "rxvt"}

// ownTitle reports whether the title is for us to send, for the terminal of this name.
func ownTitle(name string) bool {
	info, err := tcell.LookupTerminfo(name)
	if err != nil || info.XTermLike {
		return false
	}
	for _, known := range titledTerms {
		if name == known || strings.HasPrefix(name, known+"-") || strings.HasPrefix(name, known+".") {
			return true
		}
	}
	return false
}

// title holds the state of the window's title, as far as we change it; the screen's mu guards it.
type title struct {
	own    bool // we send it, not tcell
	pushed bool // the terminal's own title is on its stack
}

// put sends a title to the terminal. The terminal is ours.
func (t *title) put(screen tcell.Screen, words string) {
	tty, ok := screen.Tty()
	if !t.own || !ok {
		screen.SetTitle(words)
		return
	}
	sequence := titleStart + words + titleEnd
	if !t.pushed {
		t.pushed, sequence = true, titlePush+sequence
	}
	_, _ = tty.Write([]byte(sequence)) // a terminal that is gone says so elsewhere
}

// pop brings the terminal's own title back, where tcell does not.
func (t *title) pop(screen tcell.Screen) {
	if tty, ok := screen.Tty(); ok && t.pushed {
		t.pushed = false
		_, _ = tty.Write([]byte(titlePop))
	}
}

// On the alternate screen many terminals turn the wheel into arrow keys, which would move the cursor of a question.
// The program asks for no mouse, so that is switched off, and back to what it was. A terminal that keeps no such
// setting is left with what those that have one begin with.
const (
	wheelStill = "\x1b[?1007s\x1b[?1007l"
	wheelBack  = "\x1b[?1007h\x1b[?1007r"
)

// stillsWheel reports whether a terminal of this name is told about its wheel: those that are like xterm.
func stillsWheel(name string) bool {
	info, err := tcell.LookupTerminfo(name)
	return err == nil && info.XTermLike || ownTitle(name)
}

// tellWheel sends what becomes of the wheel to the terminal. The caller holds mu, and the terminal is ours.
func (s *Screen) tellWheel(sequence string) {
	if tty, ok := s.Screen.Tty(); ok && s.wheel {
		_, _ = tty.Write([]byte(sequence)) // a terminal that is gone says so elsewhere
	}
}
