package transfer

import (
	"context"
	"errors"
	"fmt"

	"github.com/choicetui/choicetui/queue"
)

// ErrBusy means that another process moves a queue to the same place just now.
var ErrBusy = errors.New("another process is moving a queue there")

// lister is a store that looks through all its names for one session, as a directory does. Names counts under how many
// each session is there.
type lister interface {
	Names(ctx context.Context) (map[string]int, error)
}

// holder is a store that keeps others from moving a queue there, until release; it is not held where somebody does.
type holder interface {
	HoldMoves() (release func(), held bool, err error)
}

// stock is a store whose names are listed once, and not once for each session that is moved. New sessions come with new
// ids and all others by a move, so what was not there stays away while this one holds the place.
type stock struct {
	queue.Store
	names map[string]int // nil: not listed, so each session is looked for
}

// list lists the names again, if the store can.
func (s *stock) list(ctx context.Context) (err error) {
	if all, ok := s.Store.(lister); ok {
		if s.names, err = all.Names(ctx); err != nil {
			return fmt.Errorf("failed to list the names of a queue: %w", err)
		}
	}
	return nil
}

// hold keeps others from moving a queue there, where the store can.
func (s *stock) hold() (release func(), err error) {
	at, ok := s.Store.(holder)
	if !ok {
		return func() {}, nil
	}
	release, held, err := at.HoldMoves()
	if err == nil && !held {
		err = ErrBusy
	}
	return release, err
}

// Get looks for what may be there.
func (s *stock) Get(ctx context.Context, id string) (queue.Session, error) {
	if s.names != nil && s.names[id] == 0 {
		return queue.Session{}, queue.ErrNotFound
	}
	return s.Store.Get(ctx, id)
}

// Create makes it one of the names, whatever came of it.
func (s *stock) Create(ctx context.Context, v queue.Session) (queue.Session, error) {
	if s.names != nil {
		s.names[v.ID]++
	}
	return s.Store.Create(ctx, v)
}

// once reports whether a session is there under one name only, as far as was listed.
func (s *stock) once(id string) bool { return s.names[id] == 1 }
