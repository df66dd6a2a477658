package codex

import "golang.org/x/sys/unix"

// peer is the process that listens on the other end of a connected socket.
func peer(fd int) (pid int, err error) {
	return unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
}
