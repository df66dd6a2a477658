package desk

import (
	"context"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	firstFrame = 300 * time.Millisecond // what can wait leaves the start to the first frame
	sweepEvery = 10 * time.Minute
	dayPages   = 20
	dayPage    = 50
)

// upkeep does a desk's work for the whole queue, beside the person's work.
type upkeep struct {
	queue  *queue.Queue
	attach string // the session that the desk was opened on; empty: none
	alone  bool   // nothing else of the queue is there
	whole  bool   // the desk looks after the whole queue
	today  *Today
	live   *live
	inbox  *inbox
	worker *worker
	news   *news
}

// Upkeep reads today's answers once the first frame is drawn. After the queue was read, and then every ten minutes
// until ctx ends, it stores overdue endings and archives final sessions. settled runs when the start is over, and after
// each round. A desk that ends with one session leaves the storing and archiving to other desks.
func (u *upkeep) Upkeep(ctx context.Context, settled func()) {
	if u.alone || !pause(ctx, firstFrame) {
		return
	}
	u.readToday(ctx)
	settled()
	select { // until a long queue was read
	case <-u.live.came:
	case <-ctx.Done():
	}
	for u.whole && ctx.Err() == nil {
		live := make(chan []queue.Session, 1)
		u.inbox.Do(func() {
			all := make([]queue.Session, 0, len(u.live.sessions))
			u.live.Sessions(func(s queue.Session) { all = append(all, s) })
			live <- all
		})
		select {
		case all := <-live:
			_ = u.queue.Sweep(ctx, all) // the next sweep tries again
		case <-ctx.Done():
			return
		}
		settled()
		pause(ctx, sweepEvery)
	}
}

// pause waits, and reports whether ctx is still live.
func pause(ctx context.Context, wait time.Duration) bool {
	select {
	case <-time.After(wait):
		return true
	case <-ctx.Done():
		return false
	}
}

// readToday reads back what was settled today.
func (u *upkeep) readToday(ctx context.Context) {
	today := u.queue.Now().Local().Format(time.DateOnly)
	cursor := ""
	for range dayPages {
		page, next, err := u.queue.Store.History(ctx, cursor, dayPage)
		if err != nil || len(page) == 0 {
			return
		}
		older := slices.ContainsFunc(page, func(s queue.Session) bool {
			return s.Outcome != nil && s.Outcome.At.Local().Format(time.DateOnly) < today
		})
		u.inbox.Do(func() { u.remember(page, today) })
		if cursor = next; older || next == "" {
			return
		}
	}
}

// remember counts settled sessions, newest first, and tells of those that were asked today.
func (u *upkeep) remember(page []queue.Session, today string) {
	for _, s := range slices.Backward(page) {
		u.today.add(s)
		if s.AskedAt.Local().Format(time.DateOnly) == today {
			u.news.tell(Remembered{s})
		}
	}
}

// sweepAbandoned cancels the questions that belong to one call whose caller is gone, at once: nobody can collect their
// answer, so nobody should write one (docs/design.md section 4, rule 6).
func (u *upkeep) sweepAbandoned() {
	gone := u.live.abandoned()
	if !u.whole {
		gone = slices.DeleteFunc(gone, func(s queue.Session) bool { return s.ID != u.attach })
	}
	if len(gone) > 0 {
		u.worker.Later(func() { _ = u.queue.Sweep(context.Background(), gone) }) // asks again who is present
	}
}
