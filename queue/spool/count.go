package spool

import (
	"context"
	"fmt"
)

// CountHistory counts the names in done/, without opening any.
func (s *Store) CountHistory(ctx context.Context) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	months, err := s.months()
	if err != nil {
		return 0, fmt.Errorf("failed to count the history: %w", err)
	}
	n := 0
	for _, month := range months {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		names, err := doneNames(s.path(doneDir, month), month)
		if err != nil {
			return 0, fmt.Errorf("failed to count the history: %w", err)
		}
		n += len(names)
	}
	return n, nil
}
