package queue

import (
	"context"
	"errors"
	"time"
)

const (
	// trustedFor is how long Await waits for a change before it reads the session again: a suspended machine's timers
	// are late, and a watch may miss something.
	trustedFor = time.Minute
	// brokenFor is the interval at which Await tries a store again that is away, or a watch that broke.
	brokenFor = time.Second
)

// Await reads the session whenever it changed, its clock ran out or look has passed, and returns it At(now) as soon as
// until holds. Without until it waits for the outcome; without look it reads only where something may have changed.
//
// A store that cannot be reached is waited for, and until is asked about the last state that was read; a watch that
// breaks is opened again. Await fails with ctx's error, and with what else Get fails with, such as ErrNotFound where
// the session vanished; the session beside the error is the last that was read.
func (q *Queue) Await(
	ctx context.Context, id string, look time.Duration, until func(Session) bool,
) (s Session, err error) {
	if until == nil {
		until = func(s Session) bool { return s.Outcome != nil }
	}
	if look <= 0 {
		look = trustedFor
	}
	var w Watcher
	defer func() { closeWatch(w) }()
	for read := false; ; {
		if w == nil {
			if opened, err := q.Store.Follow(ctx, id); err == nil { // before Get, so that no change falls between
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
		pause := look
		if left := s.Deadline.Sub(q.Now()); s.Outcome == nil && !s.Deadline.IsZero() {
			pause = max(min(pause, left), time.Millisecond)
		}
		if w != nil && nextWithin(ctx, w, pause) != nil {
			closeWatch(w)
			w = nil
		}
		if err != nil || w == nil {
			sleep(ctx, min(look, brokenFor))
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

// nextWithin waits for a change, but no longer than that. It fails if the watch broke.
func nextWithin(ctx context.Context, w Watcher, pause time.Duration) error {
	step, cancel := context.WithTimeout(ctx, pause)
	defer cancel()
	if _, err := w.Next(step); err != nil && step.Err() == nil {
		return err
	}
	return nil
}

func sleep(ctx context.Context, pause time.Duration) {
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
