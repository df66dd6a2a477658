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

// wheel sends what becomes of the wheel, where the terminal is one that is told; the caller holds mu.
func (s *Screen) wheel(sequence string) {
	if tty, ok := s.Tty(); ok && s.wheels {
		_, _ = tty.Write([]byte(sequence)) // a terminal that is gone says so elsewhere
	}
}
