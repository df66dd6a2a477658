//go:build !linux

package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// input is FREAD of the system's headers.
const input = 1

// DropTyped drops the input that was typed at a terminal and not read yet, also an unfinished line. It does nothing on
// a file that is no terminal.
func DropTyped(f *os.File) { _ = unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCFLUSH, input) }
