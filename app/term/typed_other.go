//go:build !linux

package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// input is FREAD of the system's headers.
const input = 1

// DropTyped drops what was typed at a terminal and not read yet, also a line that is not finished. Elsewhere it does
// nothing.
func DropTyped(f *os.File) { _ = unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCFLUSH, input) }
