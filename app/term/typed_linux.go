package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// inputSize asks a terminal how many bytes of input were not read yet.
const inputSize = unix.TIOCINQ

// DropTyped discards the input that was typed at a terminal and not read yet, including an unfinished line. It does
// nothing if the file is not a terminal.
func DropTyped(f *os.File) { _ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH) }
