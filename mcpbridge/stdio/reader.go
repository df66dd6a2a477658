package stdio

import (
	"errors"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// watchReader closes the channel that it returns once nobody can read what is written to w any more, without writing
// anything: a question may wait for hours without a word to its client. It ends with done. If w is no file, or the
// system does not report this for it, the first failed write has to show it.
func watchReader(w io.Writer, done <-chan struct{}) <-chan struct{} {
	gone := make(chan struct{})
	file, isFile := w.(syscall.Conn)
	if !isFile {
		return gone
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return gone
	}
	wake, end, err := os.Pipe()
	if err != nil {
		return gone
	}
	go func() {
		<-done
		_ = end.Close()
	}()
	go func() {
		defer wake.Close()
		if awaitHangup(conn, wake) {
			close(gone)
		}
	}()
	return gone
}

// awaitHangup waits until the other end of a pipe, socket or terminal is closed (true), or the other end of wake
// (false). It asks for no events: the kernel reports an error and a hang-up in any case, and wakes nobody for less.
func awaitHangup(conn syscall.RawConn, wake *os.File) (hungUp bool) {
	_ = conn.Control(func(fd uintptr) {
		fds := []unix.PollFd{{Fd: int32(fd)}, {Fd: int32(wake.Fd()), Events: unix.POLLIN}}
		for {
			switch _, err := unix.Poll(fds, -1); {
			case errors.Is(err, unix.EINTR):
			case err != nil || fds[1].Revents != 0:
				return
			default: // unknown to the system: nothing is reported later either
				hungUp = fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
				return
			}
		}
	})
	return hungUp
}
