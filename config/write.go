package config

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/choicetui/choicetui/config/whole"
)

// lock keeps other processes' Updates out: two that read the same text would lose one's change. The lock is on the
// directory itself, so it leaves no file.
func lock(dir string) (unlock func(), err error) {
	locked, err := whole.Lock(context.Background(), dir, lockWait)
	switch {
	case errors.Is(err, whole.ErrLocked):
		return nil, fmt.Errorf("failed to change the settings: another process is changing them in %q", dir)
	case err != nil:
		return nil, fmt.Errorf("failed to open the settings' directory: %w", err)
	}
	return func() { _ = locked.Close() }, nil
}

// replace puts text in the file's place, whole or not at all, also when the power fails.
func replace(path string, text []byte) error {
	dir := filepath.Dir(path)
	sweepTemps(dir)
	err := whole.Write(path, tempPattern, text)
	if err == nil {
		err = whole.SyncDir(dir)
	}
	if err != nil {
		return fmt.Errorf("failed to write the settings: %w", err)
	}
	return nil
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
