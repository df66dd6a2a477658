package term

import (
	"slices"
	"strings"

	"github.com/gdamore/tcell/v2"
)

// tcell sends a title only to terminals that its database calls similar to xterm. Those in titledTerms are not, but
// understand the same sequences; TERM=screen is used by tmux and by GNU screen, which both do. A terminal without a
// title stack ignores the push and pop.
const (
	titlePush  = "\x1b[22;2t"
	titlePop   = "\x1b[23;2t"
	titleStart = "\x1b]2;"
	titleEnd   = "\x1b\\"
)

// titledTerms lists the beginnings of the names of terminals to which this package sends titles.
var titledTerms = []string{"screen", "foot", "rxvt"}

// mustSendTitle reports whether this package has to send the title to a terminal of this name, because tcell does not.
func mustSendTitle(name string) bool {
	info, err := tcell.LookupTerminfo(name)
	if err != nil || info.XTermLike {
		return false
	}
	return slices.ContainsFunc(titledTerms, func(known string) bool {
		return name == known || strings.HasPrefix(name, known+"-") || strings.HasPrefix(name, known+".")
	})
}

// title is the state of the window's title, as far as this package changes it; the screen's mu guards it.
type title struct {
	own    bool // this package sends the title, not tcell
	pushed bool // the terminal's own title is on its stack
}

// sendTitle sends a title to the terminal. The screen must be running.
func (t *title) sendTitle(screen tcell.Screen, words string) {
	tty, ok := screen.Tty()
	if !t.own || !ok {
		screen.SetTitle(words)
		return
	}
	sequence := titleStart + words + titleEnd
	if !t.pushed {
		t.pushed, sequence = true, titlePush+sequence
	}
	_, _ = tty.Write([]byte(sequence)) // the loss of the terminal is noticed elsewhere
}

// restoreTitle restores the terminal's own title, if tcell does not.
func (t *title) restoreTitle(screen tcell.Screen) {
	if tty, ok := screen.Tty(); ok && t.pushed {
		t.pushed = false
		_, _ = tty.Write([]byte(titlePop))
	}
}

// On the alternate screen many terminals turn the wheel into arrow keys, which would move the cursor of a question. The
// program uses no mouse, so it saves this mode (1007), switches it off, and restores it at the end. A terminal that
// cannot save modes is left with the mode on, which is the usual default.
const (
	wheelStill = "\x1b[?1007s\x1b[?1007l" // saves the mode and switches it off
	wheelBack  = "\x1b[?1007h\x1b[?1007r" // restores the mode
)

// stillsWheel reports whether tellWheel applies to a terminal of this name: to those similar to xterm.
func stillsWheel(name string) bool {
	info, err := tcell.LookupTerminfo(name)
	return err == nil && info.XTermLike || mustSendTitle(name)
}

// tellWheel sends wheelStill or wheelBack. The caller holds mu, and the screen is running.
func (s *Screen) tellWheel(sequence string) {
	if tty, ok := s.Screen.Tty(); ok && s.wheel {
		_, _ = tty.Write([]byte(sequence)) // the loss of the terminal is noticed elsewhere
	}
}
