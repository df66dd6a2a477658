package desk

import (
	"context"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/trail"
)

const (
	firstFrame = 300 * time.Millisecond // the delay of work that must not slow down the first frame
	sweepEvery = 10 * time.Minute
	dayPages   = 20 // the most pages of the history that are read for today's answers
	dayPage    = 50 // sessions on one page
)

// upkeep does a desk's share of the work for the whole queue: it reads today's answers, stores overdue endings and
// archives.
type upkeep struct {
	queue  *queue.Queue
	attach string // the session that the desk was opened on; empty: none
	alone  bool   // the desk shows only that session
	whole  bool   // the desk sweeps the whole queue
	today  *Today
	live   *live
	inbox  *inbox
	worker *worker
	news   *news
	joined chan struct{} // rings when another host was connected
}

// Upkeep reads today's answers after the first frame, and again whenever another host was connected. Once the queue has
// been read, and then every ten minutes until ctx ends, it stores overdue endings and archives final sessions. It calls
// settled after today's answers are read and after each sweep. A desk that ends with one session only reads once.
func (u *upkeep) Upkeep(ctx context.Context, settled func()) {
	if u.alone || !pause(ctx, firstFrame) {
		return
	}
	u.readToday(ctx)
	settled()
	select { // wait until a long queue has been read
	case <-u.live.came:
	case <-ctx.Done():
	}
	for u.whole && ctx.Err() == nil {
		u.sweepQueue(ctx)
		settled()
		for due := time.After(sweepEvery); due != nil; {
			select {
			case <-u.joined:
				u.readToday(ctx)
				settled()
			case <-due:
				due = nil
			case <-ctx.Done():
				return
			}
		}
	}
}

// sweepQueue stores overdue endings and archives final sessions.
func (u *upkeep) sweepQueue(ctx context.Context) {
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
	}
}

// pause waits, and reports whether ctx has not ended.
func pause(ctx context.Context, wait time.Duration) bool {
	select {
	case <-time.After(wait):
		return true
	case <-ctx.Done():
		return false
	}
}

// noteJoined makes today's answers be read again, because a host was connected.
func (u *upkeep) noteJoined() {
	select {
	case u.joined <- struct{}{}:
	default:
	}
}

// readToday reads today's settled sessions from the histories.
func (u *upkeep) readToday(ctx context.Context) {
	for _, q := range u.queue.All() {
		u.readTodayOf(ctx, q.Store)
	}
}

// readTodayOf reads today's settled sessions from one history.
func (u *upkeep) readTodayOf(ctx context.Context, store queue.Store) {
	today := u.queue.Now().Local().Format(time.DateOnly)
	read := 0
	for page, err := range trail.Pages(ctx, store, "", dayPage, queue.Whole) {
		if err != nil {
			return
		}
		older := slices.ContainsFunc(page.Sessions, func(s queue.Session) bool {
			return s.Outcome != nil && s.Outcome.At.Local().Format(time.DateOnly) < today
		})
		u.inbox.Do(func() { u.rememberPage(page.Sessions, today) })
		if read++; older || read == dayPages {
			return
		}
	}
}

// rememberPage counts a page of settled sessions, and sends Remembered for those that were asked today.
func (u *upkeep) rememberPage(page []queue.Session, today string) {
	for _, s := range slices.Backward(page) {
		u.today.addSession(s)
		if s.AskedAt.Local().Format(time.DateOnly) == today {
			u.news.tell(Remembered{s})
		}
	}
}

// sweepAbandoned cancels, at once, the questions that end with their call (see queue.Session.EndsWithCall) whose caller
// is gone: nobody can collect their answers, so nobody should write them (docs/design.md section 4, rule 6).
func (u *upkeep) sweepAbandoned() {
	gone := u.live.abandoned()
	if !u.whole {
		gone = slices.DeleteFunc(gone, func(s queue.Session) bool { return s.ID != u.attach })
	}
	if len(gone) > 0 {
		u.worker.Later(func() { _ = u.queue.Sweep(context.Background(), gone) }) // Sweep asks again which processes run
	}
}
