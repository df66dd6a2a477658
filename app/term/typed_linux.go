package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// DropTyped drops the input that was typed at a terminal and not read yet, also an unfinished line. It does nothing on
// a file that is no terminal.
func DropTyped(f *os.File) { _ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH) }
