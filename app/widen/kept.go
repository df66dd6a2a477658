package widen

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/choicetui/choicetui/config/whole"
)

// What is kept on disk: whole files, for this person alone, changed by one process at a time.

// mostKept limits the size of a file of ours that is read.
const mostKept = 8 << 20

// errTooLong says that a file is longer than anything that was written into it.
var errTooLong = errors.New("the file is too long")

// readKept reads a file whole; none is empty.
func readKept(path string) ([]byte, error) {
	is, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("failed to look at %q: %w", path, err)
	case is.Size() > mostKept:
		return nil, fmt.Errorf("failed to read %q: %w", path, errTooLong)
	}
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("failed to read %q: %w", path, err)
	}
	return raw, nil
}

// writeKept puts a text in the file's place, whole or not at all, also when the power fails.
func writeKept(path string, text []byte) error {
	if err := whole.Write(path, ".widen-*.tmp", text); err != nil {
		return fmt.Errorf("failed to write %q: %w", path, err)
	}
	return syncFolder(filepath.Dir(path))
}

// dropKept removes a file that may be gone already.
func dropKept(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("failed to remove %q: %w", path, err)
	}
	return syncFolder(filepath.Dir(path))
}

func syncFolder(folder string) error {
	if err := whole.SyncDir(folder); err != nil {
		return fmt.Errorf("failed to sync %q: %w", folder, err)
	}
	return nil
}

// lockAt locks a file or a folder, which is there, for at most so long. It fails with whole.ErrLocked or ctx's error.
func lockAt(ctx context.Context, path string, within time.Duration) (unlock func(), err error) {
	file, err := lockOpen(ctx, path, within)
	if err != nil {
		return nil, err
	}
	return func() { _ = file.Close() }, nil
}

// lockFile is lockAt for a file that is made for that, and gone when it is unlocked.
func lockFile(ctx context.Context, path string, within time.Duration) (unlock func(), err error) {
	for {
		made, err := os.OpenFile(path, os.O_CREATE|os.O_RDONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("failed to lock %q: %w", path, err)
		}
		_ = made.Close()
		file, err := lockOpen(ctx, path, within)
		if errors.Is(err, os.ErrNotExist) {
			continue // whoever had it was just done
		} else if err != nil {
			return nil, err
		}
		if isAt(path, file) {
			return func() { _ = os.Remove(path); _ = file.Close() }, nil
		}
		_ = file.Close() // of a file that is gone by now, which the next one does not see
	}
}

// isAt reports whether an open file still is the one at the path.
func isAt(path string, file *os.File) bool {
	is, err := os.Stat(path)
	if err != nil {
		return false
	}
	open, err := file.Stat()
	return err == nil && os.SameFile(is, open)
}

func lockOpen(ctx context.Context, path string, within time.Duration) (*os.File, error) {
	file, err := whole.Lock(ctx, path, within)
	if err != nil {
		return nil, fmt.Errorf("failed to lock %q: %w", path, err)
	}
	return file, nil
}
