//go:build !linux

package spool

// sweepDeaths returns nil: the kernel does not tell when a process lets go of its file, so the watch looks.
func sweepDeaths(string) (stop func()) { return nil }

// remote returns true: the file system cannot be asked, and a touched directory rings nobody (kqueue).
func remote(dir string) bool { return true }
