package queue

import (
	"context"
	"errors"
	"time"
)

const (
	// trustedFor is the longest wait for a change before Await reads the session again: timers are late after a
	// machine was suspended, and a watch may miss a change.
	trustedFor = time.Minute
	// brokenFor is the interval at which Await retries an unreachable store or opens a broken watch again.
	brokenFor = time.Second
)

// Await returns the session, as At(now) shows it, as soon as until accepts it. It reads the session after each
// change, when the deadline has passed, and at the latest after look. With a nil until it waits for the outcome. With
// a look of zero it reads after changes, and once a minute.
//
// While the store is unreachable Await keeps waiting, and until judges the last state that was read. A broken watch
// is opened again. Await fails with ctx's error, and with any other error of Get, such as ErrNotFound if the session
// vanished. Beside an error it returns the last session that was read.
func (q *Queue) Await(
	ctx context.Context, id string, look time.Duration, until func(Session) bool,
) (s Session, err error) {
	if q = q.Of(id); until == nil {
		until = func(s Session) bool { return s.Outcome != nil }
	}
	if look <= 0 {
		look = trustedFor
	}
	var w Watcher
	defer func() { closeWatch(w) }()
	for read := false; ; {
		if w == nil {
			opened, err := q.Store.Watch(ctx, FewNews, id) // before Get, so that no change falls between
			if err == nil {
				w = opened
			}
		}
		now, err := q.Store.Get(ctx, id)
		switch {
		case err == nil:
			s, read = now.At(q.Now()), true
		case ctx.Err() != nil:
			return s, ctx.Err()
		case !errors.Is(err, ErrUnreachable):
			return s, err
		}
		if read && until(s) {
			return s, nil
		}
		pause := look // until the next reading without a change
		if left := s.Deadline.Sub(q.Now()); s.Outcome == nil && !s.Deadline.IsZero() {
			pause = max(min(pause, left), time.Millisecond)
		}
		if w != nil && nextWithin(ctx, w, pause) != nil { // the watch broke, and is opened again
			closeWatch(w)
			w = nil
		}
		if err != nil || w == nil { // no change would end a wait
			Sleep(ctx, min(look, brokenFor))
		}
		if ctx.Err() != nil {
			return s, ctx.Err()
		}
	}
}

func closeWatch(w Watcher) {
	if w != nil {
		_ = w.Close()
	}
}

// nextWithin waits for a change, at most for pause. It fails only if the watch broke.
func nextWithin(ctx context.Context, w Watcher, pause time.Duration) error {
	step, cancel := context.WithTimeout(ctx, pause)
	defer cancel()
	if _, err := w.Next(step); err != nil && step.Err() == nil {
		return err
	}
	return nil
}

// Sleep waits for a time, or until ctx ends.
func Sleep(ctx context.Context, pause time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
}
