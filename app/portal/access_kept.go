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

// kept holds the state that a portal leaves for the next one of its queue: the port, so that an open page finds it
// again, and the web sessions. It holds hashes and no secret.
type kept struct {
	Port     int       `json:"port"`
	Tickets  []ticket  `json:"tickets"`
	Sessions []session `json:"sessions"`
}

func (k kept) copied() kept {
	k.Tickets, k.Sessions = slices.Clone(k.Tickets), slices.Clone(k.Sessions)
	return k
}

// keptFile stores that state for this person alone to read. The process that holds the queue's portal owns it.
type keptFile struct {
	path string
	mu   sync.Mutex // one writes at a time, so that an older state never comes last
}

// errOpenToOthers says that a file may hold what somebody else wrote.
var errOpenToOthers = errors.New("others can write what lets in")

// read reads what the last portal left. A file that is not this person's alone counts for nothing: nobody is let in by
// it.
func (f *keptFile) read() (k kept, err error) {
	file, err := os.OpenFile(f.path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	} else if err != nil {
		return k, fmt.Errorf("failed to read who was let in: %w", err)
	}
	defer file.Close()
	is, err := file.Stat()
	if err != nil {
		return k, fmt.Errorf("failed to read who was let in: %w", err)
	}
	owner, _ := is.Sys().(*syscall.Stat_t)
	if !is.Mode().IsRegular() || is.Mode().Perm()&0o077 != 0 || owner != nil && int(owner.Uid) != os.Geteuid() {
		return k, fmt.Errorf("%w: %s", errOpenToOthers, f.path)
	}
	if err := json.NewDecoder(file).Decode(&k); err != nil {
		return kept{}, fmt.Errorf("failed to read who was let in: %w", err)
	}
	return k, nil
}

// write takes the newest state, which may be newer than what the caller changed, and puts it into the file, whole or
// not at all.
func (f *keptFile) write(newest func() kept) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	raw, err := json.Marshal(newest())
	if err != nil {
		return fmt.Errorf("failed to write who is let in: %w", err)
	}
	if err := whole.Write(f.path, ".portal-*", append(raw, '\n')); err != nil {
		return fmt.Errorf("failed to write who is let in: %w", err)
	}
	return nil
}
