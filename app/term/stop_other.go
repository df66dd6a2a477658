//go:build !linux || mips || mipsle || mips64 || mips64le

package term

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// raiseStop stops the others of the group by SIGTSTP and this process by SIGSTOP: Go leaves its own handler for
// SIGTSTP in place after a Notify, which swallows the signal. done asks for SIGTSTP again.
func raiseStop(pid int, signals chan<- os.Signal) (done func()) {
	signal.Reset(unix.SIGTSTP)
	if pid == 0 {
		_ = unix.Kill(0, unix.SIGTSTP)
	}
	_ = unix.Kill(unix.Getpid(), unix.SIGSTOP)
	return func() { signal.Notify(signals, unix.SIGTSTP) }
}
