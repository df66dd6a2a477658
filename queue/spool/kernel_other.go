//go:build !linux

package spool

// sweepDeaths returns nil, because the kernel does not report when a process closes its file. The watch polls
// instead.
func sweepDeaths(string) (stop func()) { return nil }

// isRemote returns true: the type of the file system is not known, and a touched directory sends no event (kqueue).
func isRemote(dir string) bool { return true }
