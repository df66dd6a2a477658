package spool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/choicetui/choicetui/queue"
)

// Live reads every live session once, and what had to be set aside. It is for a command that looks and goes: a watch
// would cost it an inotify instance, and the kernel takes some 10 ms to let go of one when the process ends.
func (s *Store) Live(ctx context.Context) ([]queue.Session, []queue.Broken, error) {
	names, err := readNames(s.path(liveDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("failed to list the sessions: %w", err)
	}
	w := &watcher{store: s, revisions: map[string]uint64{}, again: map[string]bool{}, refused: map[string]bool{}}
	var ch queue.Changes
	for i, found := range w.readAll(names) {
		w.look(names[i], found, &ch)
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	return ch.Sessions, ch.Broken, nil
}
