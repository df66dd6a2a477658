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
	boundedPage = 64  // read at once where --since bounds the reading: so many too many are read at most

	// lateness is the longest time after settling at which a session's last event may come while something of choicetui
	// runs: answers nobody collected lapse after queue.KeptFor. So much of the trail is held back to be put in order.
	// An event that is later than that (nothing ran for days) is printed where its session is reached.
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
	most := historyPage
	if !t.wish.from.IsZero() {
		most = boundedPage
	}
	for cursor := ""; ; {
		page, next, err := t.q.Store.History(ctx, cursor, most)
		if err != nil {
			return err
		}
		for _, s := range page {
			if seen[s.ID] || t.cameBack(ctx, s) { // archived while we looked, or only a copy that departed
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

// cameBack reports whether a session moved away and is here again: then it is told as it is now, once.
func (t trail) cameBack(ctx context.Context, s queue.Session) bool {
	if _, departed := queue.Departed(s); !departed {
		return false
	}
	now, err := t.q.Store.Get(ctx, s.ID)
	return err == nil && queue.Supersedes(now, s)
}

func unlessEnough(err error) error {
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// each gives every event that is wanted to emit, newest first, until emit says errEnough. An old session may have a new
// event: without --since it reads the whole history, else back to reaches. It holds only the events of the last days it
// has reached.
func (t trail) each(ctx context.Context, emit func(entry) error) error {
	var held newest
	back := t.wish.reaches()
	err := t.sessions(ctx, func(s queue.Session, archived bool) error {
		if archived && s.Outcome != nil && s.Outcome.At.Before(back) {
			return errEnough
		}
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

// reaches returns how far back the archive must be read for --since: through the whole month in which it lies, because
// the archive is kept by months, and at least as far as events may come late.
func (w logWish) reaches() time.Time {
	if w.from.IsZero() {
		return time.Time{}
	}
	from := w.from.UTC()
	month := time.Date(from.Year(), from.Month(), 1, 0, 0, 0, 0, time.UTC)
	if late := from.Add(-lateness); late.Before(month) {
		return late
	}
	return month
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

// tail returns the last events, oldest first, for --follow to start with.
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
