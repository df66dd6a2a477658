//go:build linux && !mips && !mipsle && !mips64 && !mips64le

package term

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// raiseStop sends SIGTSTP to pid with its default action, so that the process stops, unless it has no shell that could
// continue it (the kernel checks that). signal.Reset is not enough: after a Notify, Go keeps its own handler, which
// swallows the signal. done restores Go's handler.
func raiseStop(pid int, _ chan<- os.Signal) (done func()) {
	var old, standard [64]byte // struct sigaction, which has the handler first, fits on every machine
	const setSize = 8
	sigaction := func(set, get unsafe.Pointer) bool {
		_, _, errno := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGTSTP),
			uintptr(set), uintptr(get), setSize, 0, 0)
		return errno == 0
	}
	done = func() {}
	if sigaction(nil, unsafe.Pointer(&old)) {
		standard = old
		*(*uintptr)(unsafe.Pointer(&standard)) = 0 // SIG_DFL
		if sigaction(unsafe.Pointer(&standard), nil) {
			done = func() { sigaction(unsafe.Pointer(&old), nil) }
		}
	}
	_ = unix.Kill(pid, unix.SIGTSTP)
	return done
}
