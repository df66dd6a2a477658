package term

import (
	"strings"

	"github.com/gdamore/tcell/v2"
)

// tcell sends a title only to terminals that say they are like xterm. These are not, in its database, and take the same
// sequences; tmux and GNU screen, which TERM=screen stands for, both do. What does not know the stack ignores it.
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

// putTitle sends a title to the terminal; the caller holds mu, and the terminal is ours.
func (s *Screen) putTitle(title string) {
	tty, ok := s.Tty()
	if !s.ownTitle || !ok {
		s.Screen.SetTitle(title)
		return
	}
	sequence := titleStart + title + titleEnd
	if !s.pushed {
		s.pushed, sequence = true, titlePush+sequence
	}
	_, _ = tty.Write([]byte(sequence)) // a terminal that is gone says so elsewhere
}

// popTitle brings the terminal's own title back, where tcell does not.
func (s *Screen) popTitle() {
	if tty, ok := s.Tty(); ok && s.pushed {
		s.pushed = false
		_, _ = tty.Write([]byte(titlePop))
	}
}
