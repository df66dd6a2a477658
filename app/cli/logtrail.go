package cli

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	historyPage = 256 // archived sessions read at once

	// lateness is how long after settling a session's last event may come while something of choicetui runs: answers
	// nobody collected lapse after queue.KeptFor. So much of the trail is held back to be put in order. An event that
	// is later than that (nothing ran for days) is printed where its session is reached.
	lateness = 2 * queue.KeptFor
)

// errEnough ends a reading early; it is no failure.
var errEnough = errors.New("enough")

// trail reads what happened, as far as it is wanted.
type trail struct {
	sh   *shell
	q    *queue.Queue
	wish logWish
}

// sessions gives every session to take, once: the live ones, then the archived ones, newest first. It ends early with
// errEnough. What take keeps is all that stays in memory.
func (t trail) sessions(ctx context.Context, take func(s queue.Session, archived bool) error) error {
	live, err := t.sh.live(ctx, t.q)
	if err != nil {
		return err
	}
	seen := make(map[string]bool, len(live))
	for _, s := range live {
		seen[s.ID] = true
		if err := take(s, false); err != nil {
			return unlessEnough(err)
		}
	}
	for cursor := ""; ; {
		page, next, err := t.q.Store.History(ctx, cursor, historyPage)
		if err != nil {
			return err
		}
		for _, s := range page {
			if seen[s.ID] { // archived while we looked
				continue
			}
			if err := take(s, true); err != nil {
				return unlessEnough(err)
			}
		}
		if cursor = next; cursor == "" {
			return nil
		}
	}
}

func unlessEnough(err error) error {
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// each gives every event that is wanted to emit, newest first, until emit says errEnough. It reads the whole history,
// since an old session may have a new event, and holds only the events of the last days it has reached.
func (t trail) each(ctx context.Context, emit func(entry) error) error {
	var held newest
	err := t.sessions(ctx, func(s queue.Session, archived bool) error {
		for _, e := range t.wish.entries(s) {
			heap.Push(&held, e)
		}
		if !archived || s.Outcome == nil {
			return nil
		}
		return held.emit(s.Outcome.At.Add(lateness), emit)
	})
	if err == nil {
		err = unlessEnough(held.emit(time.Time{}, emit))
	}
	return err
}

// newest is a heap of events, the newest on top.
type newest []entry

func (h newest) Len() int           { return len(h) }
func (h newest) Less(i, j int) bool { return newestFirst(h[i], h[j]) < 0 }
func (h newest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *newest) Push(e any)        { *h = append(*h, e.(entry)) }
func (h *newest) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	(*h)[last] = entry{}
	*h = (*h)[:last]
	return e
}

// emit gives away what is newer than a time, newest first.
func (h *newest) emit(than time.Time, give func(entry) error) error {
	for len(*h) > 0 && (*h)[0].At.After(than) {
		if err := give(heap.Pop(h).(entry)); err != nil {
			return err
		}
	}
	return nil
}

func newestFirst(a, b entry) int {
	return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Session, b.Session), b.place-a.place)
}

// tail is the last events, oldest first, for --follow to start with.
func (t trail) tail(ctx context.Context, printed printedEvents) ([]entry, error) {
	var entries []entry
	err := t.each(ctx, func(e entry) error {
		recent := printed.add(e)
		if most := t.wish.most; most == 0 || len(entries) < most {
			entries = append(entries, e)
		} else if !recent {
			return errEnough // the rest is older still
		}
		return nil
	})
	slices.Reverse(entries)
	return entries, err
}
