package call

import (
	"context"
	"errors"

	"github.com/choicetui/choicetui/queue"
)

// hold answers for the session from here to the call's end, whatever that is. With a claim the call stays with it.
func (q *question) hold(ctx context.Context, s queue.Session, claimed bool) {
	q.session, q.claimed = s, claimed
	q.reply.session = s.ID
	if claimed {
		q.waiter = q.watch.addWaiter(ctx, s.ID, q.stop)
		q.session = q.reread(ctx, s) // what changed before the waiter was there rang nobody
	}
	q.reply.ended = func(err error) {
		ctx := context.WithoutCancel(ctx)
		switch {
		case err != nil:
			q.abandon(ctx, err)
		case q.settled:
			q.collect(ctx)
		case q.discussion != nil:
			q.startSummary(ctx)
		case q.claimed: // a panic on the way to the result
			q.release(ctx, true)
		}
		if q.waiter != nil {
			q.watch.removeWaiter(s.ID, q.waiter)
		}
	}
}

// collect closes the session after its result went out.
func (q *question) collect(ctx context.Context) {
	q.bridge.bound.Delete(q.session.ID)
	q.finish(ctx, q.session.ID, queue.Collect{Claim: q.claim}, func(s queue.Session) {
		q.archive(ctx, "session", s)
	}, "failed to close session %s after its result was sent: %v")
}

// startSummary notes that the agent has the discussion, from which moment its time for a summary runs. Then the next
// call may wait on. One whose result was not written is handed over by the next call.
func (q *question) startSummary(ctx context.Context) {
	_, err := q.do(ctx, q.session.ID, queue.ByCaller, queue.WriteSummary{ID: q.discussion.ID})
	if over := errors.Is(err, queue.ErrSettled) || errors.Is(err, queue.ErrFinal); err != nil && !over {
		q.bridge.logf("failed to note that the agent has the discussion of session %s: %v", q.session.ID, err)
	}
	q.release(ctx, false)
}

// abandon handles a result that was not sent. A client that cancelled withdraws its question. A client that lost
// patience or its connection leaves it: the answer can be fetched later. A bound question ends with its call.
func (q *question) abandon(ctx context.Context, why error) {
	reason, withdraws := queue.CallerGone, q.session.Bound()
	var w *Withdrawn
	if errors.As(why, &w) {
		reason, withdraws = w.note(), withdraws || !w.timedOut()
	}
	if withdraws {
		_, err := q.do(ctx, q.session.ID, queue.ByCaller, queue.Cancel{Reason: reason})
		q.bridge.logWithdrawal(q.session.ID, err)
	}
	if q.claimed {
		q.release(ctx, true)
	}
}

// release gives the claim back; dropped says that the call broke off.
func (q *question) release(ctx context.Context, dropped bool) {
	q.claimed = false
	q.finish(ctx, q.session.ID, queue.Release{Claim: q.claim, Dropped: dropped}, nil,
		"failed to release session %s: %v")
}
