//go:build !linux

package spool

// remote is true where the file system cannot be asked, and where a touched directory rings nobody (kqueue).
func remote(dir string) bool { return true }
