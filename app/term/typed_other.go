//go:build !linux

package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// input has the value of FREAD in the system's headers.
const input = 1

// inputSize asks a terminal how many bytes of input were not read yet. It has the value of FIONREAD in the system's
// headers.
const inputSize = 0x4004667f

// DropTyped discards the input that was typed at a terminal and not read yet, including an unfinished line. It does
// nothing if the file is not a terminal.
func DropTyped(f *os.File) { _ = unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCFLUSH, input) }
