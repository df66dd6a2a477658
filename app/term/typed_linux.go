package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// DropTyped drops what was typed at a terminal and not read yet, also a line that is not finished. Elsewhere it does
// nothing.
func DropTyped(f *os.File) { _ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH) }
