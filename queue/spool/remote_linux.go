package spool

import "golang.org/x/sys/unix"

// remote reports whether a directory lies on a file system whose changes come from elsewhere without an event.
func remote(dir string) bool {
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
