package term

import "github.com/gdamore/tcell/v2"

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

// wheel is what the terminal's wheel does, as far as it is for us to care for; the screen's mu guards it.
type wheel struct{ own bool }

// put sends what becomes of the wheel to the terminal, which is ours.
func (w wheel) put(screen tcell.Screen, sequence string) {
	if tty, ok := screen.Tty(); ok && w.own {
		_, _ = tty.Write([]byte(sequence)) // a terminal that is gone says so elsewhere
	}
}
