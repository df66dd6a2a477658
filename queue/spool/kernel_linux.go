package spool

import (
	"bytes"
	"os"
	"path/filepath"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// sweepDeaths removes the file in present/ of each process that dies from now on, until stop is called. A process
// keeps its file open for writing, so that the kernel reports a close when it dies; watchers are told of the removal.
// stop is nil if the kernel does not report deaths.
func sweepDeaths(dir string) (stop func()) {
	if isRemote(dir) {
		return nil
	}
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil
	}
	f := os.NewFile(uintptr(fd), "inotify")
	if _, err := unix.InotifyAddWatch(fd, dir, unix.IN_CLOSE_WRITE|unix.IN_ONLYDIR); err != nil {
		_ = f.Close()
		return nil
	}
	go func() {
		events := make([]byte, 16*(unix.SizeofInotifyEvent+unix.NAME_MAX+1))
		for {
			n, err := f.Read(events)
			if err != nil {
				return
			}
			for _, name := range namesIn(events[:n]) {
				sweepDead(filepath.Join(dir, name))
			}
		}
	}()
	return func() { go func() { _ = f.Close() }() } // see closeEvents
}

// sweepDead removes a file after its holder closed it. The kernel reports the close shortly before it frees the lock.
func sweepDead(path string) {
	for range 50 {
		if !isHeld(path) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// namesIn returns the names of the files in the events.
func namesIn(events []byte) (names []string) {
	for len(events) >= unix.SizeofInotifyEvent {
		e := (*unix.InotifyEvent)(unsafe.Pointer(&events[0]))
		end := unix.SizeofInotifyEvent + int(e.Len)
		if name, _, _ := bytes.Cut(events[unix.SizeofInotifyEvent:end], []byte{0}); len(name) > 0 {
			names = append(names, string(name))
		}
		events = events[end:]
	}
	return names
}

// isRemote reports whether other machines can change a directory without an event on this one.
func isRemote(dir string) bool {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil {
		return true
	}
	switch int64(fs.Type) & 0xffffffff {
	case unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC,
		unix.FUSE_SUPER_MAGIC, unix.V9FS_MAGIC:
		return true
	}
	return false
}
