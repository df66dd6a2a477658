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

// title is the window's title as far as it is for us to care for; the screen's mu guards it.
type title struct {
	own    bool // it is for us to send
	pushed bool // the terminal keeps its own for us to bring back
}

// put sends a title to the terminal, which is ours.
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
