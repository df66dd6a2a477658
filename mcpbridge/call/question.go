package call

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

const (
	handOffAfter = 10 * time.Second // auto hands off this long after the last dashboard went
	rereadBroken = time.Second      // between two reads of the store while the watch is broken
	beatTitle    = 60               // characters of the title in a heartbeat
)

// question is a call that asks the person, or continues an earlier question.
type question struct {
	*toolCall
	dialect dialect.Dialect

	session     queue.Session
	waiter      *waiter   // nil unless the call has claimed the session
	started     time.Time // when the wait began
	readAt      time.Time // when the store was read last
	outage      outage    // of these reads
	joined      string    // why an earlier session is continued, as half a sentence; empty: it is a new one
	deprecated  []string  // deprecated fields of the request, each with its replacement
	auto        bool      // give up when no dashboard is open
	noDashboard bool      // no dashboard was open when the call came
	claimed     bool      // the claim is held, and must be given back or collected
	settled     bool      // the result is an outcome: collect it once it was written
	silentStop  *silentStop
	stopped     bool // silentStop found that the client stopped the call
	// discussion is handed to the agent with the result, for a summary; nil: there is none. The claim is kept until the
	// result was written.
	discussion *queue.Request
}

func (q *question) serve(ctx context.Context, raw json.RawMessage) dialect.Result {
	q.silentStop = newSilentStop(q.origin.Client, q.dialect.Tool.Name, q.origin.Cwd, raw)
	req, err := q.dialect.Parse(raw)
	if err != nil {
		return q.refuse(err, "")
	}
	if err := q.openQueue(ctx); err != nil {
		return q.refuse(err, "")
	}
	if req.Poll != nil {
		return q.pollSession(ctx, *req.Poll)
	}
	return q.askPerson(ctx, req)
}

// askPerson puts a new question into the queue, or continues the same one, and waits for its outcome.
func (q *question) askPerson(ctx context.Context, req dialect.Request) dialect.Result {
	settings := q.bridge.o.Settings()
	ask := Fill(req, settings)
	q.deprecated = req.Deprecated
	where := effectiveTransport(req.Transport, settings)
	ask.HandOff = where == config.TransportTerminal
	ask.Web = where == config.TransportWeb && q.bridge.o.Page != nil
	q.auto = !ask.HandOff
	if err := q.joinOrCreate(ctx, ask); err != nil {
		return q.refuse(err, "")
	}
	if q.session.Ask.HandOff {
		return q.render(ctx, q.session)
	}
	wait := q.patience()
	if q.session.Ask.Web {
		q.noDashboard = false // a page needs a moment to come up
		wait.none = q.joined == "" && !q.openPage(ctx) && !q.readPresence(ctx).dashboard
	}
	return q.await(ctx, wait)
}

// pollSession continues a session by its id.
func (q *question) pollSession(ctx context.Context, p dialect.Poll) dialect.Result {
	if err := q.resumeSession(ctx, p.Session); err != nil {
		return q.refuse(err, p.Session)
	}
	wait := q.patience()
	if p.Wait != nil {
		wait = patience{soft: *p.Wait, none: *p.Wait == 0}
	}
	return q.await(ctx, wait)
}

// openPage shows a new question in the person's browser, and reports whether the call may wait for the person there. If
// no browser can be opened, it may not: the agent has to pass the link on. If the page failed, the question waits as
// every other does.
func (q *question) openPage(ctx context.Context) (wait bool) {
	page, err := q.bridge.o.Page(ctx, q.session, true)
	if err != nil {
		q.bridge.logf("failed to open session %s in the browser: %v", q.session.ID, err)
		return true
	}
	if page.Opened {
		q.bridge.pagesOpened.Store(q.session.ID, true)
	}
	return page.Opened
}

// await waits and turns the way it ended into a result.
func (q *question) await(ctx context.Context, p patience) dialect.Result {
	q.started = q.watch.q.Now()
	q.readAt = q.started
	switch end := q.wait(ctx, q.waiter, p, q); {
	case end == endGone:
		q.reply.callerGone = true
		return dialect.Result{}
	case q.session.Outcome != nil:
		q.settled = true
	case q.session.SummaryWanted() != nil:
		q.discussion = q.session.SummaryWanted()
	case q.stopped:
		q.abandonSession(ctx, ErrClosed)
	case q.outage.ongoing():
		q.releaseClaim(ctx, false)
		return q.dialect.Fail(q.outage.failure(q.session.ID))
	default:
		q.releaseClaim(ctx, false)
	}
	return q.render(ctx, q.session)
}

// look is ready when the session has an outcome, when the agent has to sum up the team's discussion, when an auto call
// gives up, when the client stopped the call, or when an outage lasts too long. It stores the timeout when the deadline
// passes; the deadline can move meanwhile.
func (q *question) look(ctx context.Context, now time.Time) (ready bool, next time.Time) {
	var reread bool
	if q.session, reread = q.waiter.newerThan(q.session); reread || now.Sub(q.readAt) >= q.rereadInterval() {
		q.readAt, q.session = now, q.reread(ctx, q.session)
	}
	due := q.session.Outcome == nil && q.session.At(now).Outcome != nil
	if due && !q.outage.ongoing() {
		q.readAt, q.session = now, q.storeTimeout(ctx, q.session)
	}
	q.stopped, next = q.silentStop.searchIfDue()
	over := q.stopped || q.outage.tooLong(now) || q.session.Outcome != nil || q.session.SummaryWanted() != nil
	if over || q.auto && !q.outage.ongoing() && q.handsOff(ctx, now) {
		return true, time.Time{}
	}
	if next = sooner(q.readAt.Add(q.rereadInterval()), next); !due {
		next = sooner(next, q.session.Deadline)
	}
	if since, open := q.watch.deserted(); q.auto && !open {
		if due := later(since, q.started).Add(handOffAfter); due.After(now) {
			next = sooner(next, due)
		}
	}
	return false, next
}

// rereadInterval returns the interval at which the store is read even if nothing rang.
func (q *question) rereadInterval() time.Duration {
	if q.watch.err() != nil || q.outage.ongoing() {
		return rereadBroken
	}
	return lookAgain
}

// beatWords names the question and the rest of its time.
func (q *question) beatWords(now time.Time) string {
	name, _ := queue.VisibleLine(queue.Shorten(q.session.Ask.Title, beatTitle, ""))
	words := "waiting for the person: " + name
	if !q.outage.unreachable.IsZero() {
		words += ", the queue's server does not answer just now"
	}
	if q.session.Widen != nil {
		words += ", which is with their team"
	}
	if !q.session.Deadline.IsZero() {
		words += fmt.Sprintf(", %d s left", max(0, int(q.session.Deadline.Sub(now).Round(time.Second)/time.Second)))
	}
	return words
}

// handsOff reports whether an auto call gives up: no dashboard for ten seconds (at once if none was open when the
// call came and took the session over), and no form of this session on a terminal either.
func (q *question) handsOff(ctx context.Context, now time.Time) bool {
	since, open := q.watch.deserted()
	if open || now.Sub(later(since, q.started)) < handOffAfter && !q.noDashboard {
		return false
	}
	p, form := q.readPresence(ctx), q.session.Attached
	return !p.dashboard && (form == nil || !p.runs(form.Instance))
}

// storeTimeout stores the timeout and returns the stored session, whose deadline may have moved meanwhile. If the store
// fails, the timeout counts all the same. During an outage it does not count, as the session may be answered in the
// store.
func (q *question) storeTimeout(ctx context.Context, s queue.Session) queue.Session {
	stored, err := q.doAction(ctx, s.ID, queue.ByClock, queue.Expire{})
	if q.outage.noteLook(err, q.watch.q.Now()); q.outage.ongoing() {
		return s
	}
	if err != nil {
		q.bridge.logf("failed to store the timeout of session %s: %v", s.ID, err)
		return s.At(q.watch.q.Now())
	}
	return stored
}

// reread returns the session as the store has it, or s if the store fails or has nothing newer.
func (q *question) reread(ctx context.Context, s queue.Session) queue.Session {
	fresh, err := q.readSession(ctx, s.ID)
	q.outage.noteLook(err, q.watch.q.Now())
	if err == nil && fresh.Revision > s.Revision {
		return fresh
	}
	return s
}

// render shows the session in the format it was asked in. The attach command goes with every hand-off, and with
// "still waiting" unless a dashboard is open, or the agent has the team's discussion to sum up.
func (q *question) render(ctx context.Context, s queue.Session) dialect.Result {
	d := dialect.Delivery{Now: q.watch.q.Now(), Joined: q.joined, Deprecated: q.deprecated, Discussion: q.discussion}
	waits := !q.settled && q.discussion == nil
	if waits {
		d.Page, d.Opened = q.pageLink(ctx, s)
	}
	if waits && d.Page == "" && (q.waiter == nil || !q.readPresence(ctx).dashboard) {
		d.Attach = q.bridge.o.AttachCommand(s.ID)
	}
	return dialect.For(s.Origin.Dialect).Render(s, d)
}

// pageLink returns the link for a question that should open in the browser; "" if there is none. If this bridge opened
// the browser, the link contains no secret that lets anybody in.
func (q *question) pageLink(ctx context.Context, s queue.Session) (link string, opened bool) {
	if !s.Ask.Web || q.bridge.o.Page == nil {
		return "", false
	}
	page, err := q.bridge.o.Page(ctx, s, false)
	if err != nil {
		q.bridge.logf("failed to make a link to session %s: %v", s.ID, err)
		return "", false
	}
	if _, opened = q.bridge.pagesOpened.Load(s.ID); opened {
		return page.Bare, true
	}
	return page.Link, false
}

// refuse returns err in the caller's format. id is the session_id of a poll; empty: the caller asked.
func (q *question) refuse(err error, id string) dialect.Result {
	var bad *queue.Invalid
	var used *usedError
	switch {
	case errors.As(err, &bad):
		return q.dialect.Fail(dialect.Invalid(bad.Problems))
	case errors.As(err, &used):
		return q.dialect.Fail(used.failure(id))
	case errors.Is(err, queue.ErrNotFound):
		return q.dialect.Fail(notFound(id, "Check the session_id, or ask anew."))
	}
	return q.dialect.Fail(unavailable(err, id))
}

// adopt makes s the call's session until the call ends, however it ends. With a claim the call waits for the session.
func (q *question) adopt(ctx context.Context, s queue.Session, claimed bool) {
	q.session, q.claimed = s, claimed
	q.reply.session = s.ID
	if claimed {
		q.waiter = q.watch.addWaiter(ctx, s.ID, q.silentStop)
		q.session = q.reread(ctx, s) // a change before addWaiter rang nobody
	}
	q.reply.ended = func(err error) {
		ctx := context.WithoutCancel(ctx)
		switch {
		case err != nil:
			q.abandonSession(ctx, err)
		case q.settled:
			q.collectSession(ctx)
		case q.discussion != nil:
			q.startSummary(ctx)
		case q.claimed: // a panic on the way to the result
			q.releaseClaim(ctx, true)
		}
		if q.waiter != nil {
			q.watch.removeWaiter(s.ID, q.waiter)
		}
	}
}

// collectSession closes the session after its result went out.
func (q *question) collectSession(ctx context.Context) {
	q.bridge.bound.Delete(q.session.ID)
	q.finish(ctx, q.session.ID, queue.Collect{Claim: q.claim}, func(s queue.Session) {
		q.archive(ctx, "session", s)
	}, "failed to close session %s after its result was sent: %v")
}

// startSummary stores that the agent has the discussion: its time for a summary begins. Then the next call may wait. A
// discussion whose result was not written is handed over by the next call.
func (q *question) startSummary(ctx context.Context) {
	_, err := q.doAction(ctx, q.session.ID, queue.ByCaller, queue.WriteSummary{ID: q.discussion.ID})
	if over := errors.Is(err, queue.ErrSettled) || errors.Is(err, queue.ErrFinal); err != nil && !over {
		q.bridge.logf("failed to note that the agent has the discussion of session %s: %v", q.session.ID, err)
	}
	q.releaseClaim(ctx, false)
}

// abandonSession handles a result that was not sent. A client that cancelled withdraws its question. A client that lost
// patience or its connection leaves it: the answer can be fetched later. A bound question ends with its call.
func (q *question) abandonSession(ctx context.Context, why error) {
	reason, withdraws := queue.CallerGone, q.session.Bound()
	var w *Withdrawn
	if errors.As(why, &w) {
		reason, withdraws = w.note(), withdraws || !w.timedOut()
	}
	if withdraws {
		_, err := q.doAction(ctx, q.session.ID, queue.ByCaller, queue.Cancel{Reason: reason})
		q.bridge.logWithdrawal(q.session.ID, err)
	}
	if q.claimed {
		q.releaseClaim(ctx, true)
	}
}

// releaseClaim gives the claim back. dropped means that the call broke off.
func (q *question) releaseClaim(ctx context.Context, dropped bool) {
	q.claimed = false
	q.finish(ctx, q.session.ID, queue.Release{Claim: q.claim, Dropped: dropped}, nil,
		"failed to release session %s: %v")
}
