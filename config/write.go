package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// lock keeps other processes' Updates out: two that read the same text would lose one's change. The lock is on the
// directory itself, so it leaves no file, and the kernel frees it when the process dies. Where locks are not supported
// it does without.
func lock(dir string) (unlock func(), err error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("failed to open the settings' directory: %w", err)
	}
	for end := time.Now().Add(lockWait); ; time.Sleep(5 * time.Millisecond) {
		err := unix.Flock(int(d.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return func() { _ = d.Close() }, nil
		}
		if time.Now().After(end) {
			_ = d.Close()
			return nil, fmt.Errorf("failed to change the settings: another process is changing them in %q", dir)
		}
	}
}

// replace puts text in the file's place, whole or not at all, also when the power fails.
func replace(path string, text []byte) (err error) {
	dir := filepath.Dir(path)
	sweepTemps(dir)
	temp, err := os.CreateTemp(dir, tempPattern) // 0600
	if err != nil {
		return fmt.Errorf("failed to write the settings: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp.Name())
			err = fmt.Errorf("failed to write the settings: %w", err)
		}
	}()
	_, err = temp.Write(text)
	if err == nil {
		err = temp.Sync()
	}
	if shut := temp.Close(); err == nil {
		err = shut
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return err
	}
	return syncDir(dir)
}

const (
	tempPattern = ".config-*.tmp"
	tempAge     = time.Minute // what writes lives for milliseconds, also where locks are not supported
)

// sweepTemps removes what processes left that were killed while they wrote.
func sweepTemps(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, tempPattern))
	for _, name := range left {
		if is, err := os.Lstat(name); err == nil && time.Since(is.ModTime()) > tempAge {
			_ = os.Remove(name)
		}
	}
}

// syncDir makes a rename durable. Filesystems that cannot are as durable as they get.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return err
	}
	return nil
}
