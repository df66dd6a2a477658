package socket

import "golang.org/x/sys/unix"

// peer returns the process at the other end of a connected socket.
func peer(fd int) (process, error) {
	pid, err := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	if err != nil {
		return process{}, err
	}
	who, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return process{}, err
	}
	return process{pid: pid, uid: int(who.Uid)}, nil
}
