package codex

import "golang.org/x/sys/unix"

// peer is the process that listens on the other end of a connected socket.
func peer(fd int) (pid int, err error) {
	who, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(who.Pid), nil
}
