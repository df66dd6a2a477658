package e2e

import "syscall"

func mount(dir, size string) error {
	return syscall.Mount("tmpfs", dir, "tmpfs", 0, "mode=700,size="+size)
}

func unmount(dir string) error { return syscall.Unmount(dir, 0) }
