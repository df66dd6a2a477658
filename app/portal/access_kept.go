package portal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"syscall"

	"github.com/choicetui/choicetui/config/whole"
)

// kept is the state that a portal leaves for the next portal of its queue: the port, so that an open page finds it
// again, and the web sessions. It contains hashes but no secret.
type kept struct {
	Port     int       `json:"port"`
	Tickets  []ticket  `json:"tickets"`
	Sessions []session `json:"sessions"`
}

// copied returns a copy that shares no slice with k.
func (k kept) copied() kept {
	k.Tickets, k.Sessions = slices.Clone(k.Tickets), slices.Clone(k.Sessions)
	return k
}

// keptFile stores kept in a file that only this user can read. Only the process that is the queue's portal may use it.
type keptFile struct {
	path string
	mu   sync.Mutex // held while writing, so that an older state never overwrites a newer one
}

// errOpenToOthers says that other users can change the file.
var errOpenToOthers = errors.New("others can change the list of devices")

// readKept reads the state of the last portal. It rejects a file that other users can read or change, so that nobody is
// let in by it.
func (f *keptFile) readKept() (k kept, err error) {
	file, err := os.OpenFile(f.path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	} else if err != nil {
		return k, fmt.Errorf("failed to read the list of devices: %w", err)
	}
	defer file.Close()
	is, err := file.Stat()
	if err != nil {
		return k, fmt.Errorf("failed to read the list of devices: %w", err)
	}
	owner, _ := is.Sys().(*syscall.Stat_t)
	if !is.Mode().IsRegular() || is.Mode().Perm()&0o077 != 0 || owner != nil && int(owner.Uid) != os.Geteuid() {
		return k, fmt.Errorf("%w: %s", errOpenToOthers, f.path)
	}
	if err := json.NewDecoder(file).Decode(&k); err != nil {
		return kept{}, fmt.Errorf("failed to read the list of devices: %w", err)
	}
	return k, nil
}

// writeKept writes the state to the file, completely or not at all. It calls newest under its lock, because the state
// may have changed since the caller's change.
func (f *keptFile) writeKept(newest func() kept) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	raw, err := json.Marshal(newest())
	if err != nil {
		return fmt.Errorf("failed to write the list of devices: %w", err)
	}
	if err := whole.Write(f.path, ".portal-*", append(raw, '\n')); err != nil {
		return fmt.Errorf("failed to write the list of devices: %w", err)
	}
	return nil
}
