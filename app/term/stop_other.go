//go:build !linux || mips || mipsle || mips64 || mips64le

package term

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// raiseStop stops the other processes of the group with SIGTSTP and this process with SIGSTOP: after a Notify, Go keeps
// its own handler for SIGTSTP, which swallows the signal. done requests SIGTSTP again.
func raiseStop(pid int, signals chan<- os.Signal) (done func()) {
	signal.Reset(unix.SIGTSTP)
	if pid == 0 {
		_ = unix.Kill(0, unix.SIGTSTP)
	}
	_ = unix.Kill(unix.Getpid(), unix.SIGSTOP)
	return func() { signal.Notify(signals, unix.SIGTSTP) }
}
