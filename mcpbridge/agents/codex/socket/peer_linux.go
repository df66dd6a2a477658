package socket

import "golang.org/x/sys/unix"

// peer returns the process at the other end of a connected socket.
func peer(fd int) (process, error) {
	who, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return process{}, err
	}
	return process{pid: int(who.Pid), uid: int(who.Uid)}, nil
}
