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
	handOffAfter = 10 * time.Second // from the end of the last dashboard until a call with transport auto stops waiting
	rereadBroken = time.Second      // between two reads of the store while the watch is broken
	beatTitle    = 60               // the characters of the title in a heartbeat
)

// question is a call that asks the person, or continues an earlier question.
type question struct {
	*toolCall
	dialect dialect.Dialect

	session     queue.Session
	waiter      *waiter   // nil unless the call has claimed the session
	started     time.Time // when the wait began
	readAt      time.Time // when the store was read last
	outage      outage    // the outage that these reads have found
	joined      string    // Delivery.Joined
	deprecated  []string  // Request.Deprecated
	auto        bool      // the transport is auto: the call stops waiting if no dashboard is open
	noDashboard bool      // no dashboard was open when the call came
	claimed     bool      // the call has the claim, and must release or collect the session
	settled     bool      // the result is an outcome, so the session is collected after it was written
	silentStop  *silentStop
	stopped     bool // silentStop found that the client stopped the call
	// discussion is sent to the agent with the result, to be summed up; nil if there is none. The call keeps its claim
	// until the result was written.
	discussion *queue.Request
}

// serve parses the call's arguments, and asks a new question or continues an earlier one.
func (q *question) serve(ctx context.Context, raw json.RawMessage) dialect.Result {
	q.silentStop = q.client.newSilentStop(q.dialect.Tool.Name, q.origin.Cwd, raw)
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
		q.noDashboard = false // the page takes a moment to open, so the call does not give up at once
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

// Whether Options.Page opens the page in the browser or only makes a link to it.
const inBrowser, linkOnly = true, false

// openPage shows a new question in the person's browser. wait reports whether the call may wait for the person. It is
// false if no browser could be opened, because then the agent has to pass the link on. After an error of the page it is
// true, and the question waits like any other.
func (q *question) openPage(ctx context.Context) (wait bool) {
	page, err := q.bridge.o.Page(ctx, q.session, inBrowser)
	if err != nil {
		q.bridge.logf("failed to open session %s in the browser: %v", q.session.ID, err)
		return true
	}
	if page.Opened {
		q.bridge.pagesOpened.Store(q.session.ID, true)
	}
	return page.Opened
}

// await waits for the session, and returns a result for the way in which the wait ended.
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
		q.releaseClaim(ctx, endedNormally)
		return q.dialect.Fail(q.outage.failure(q.session.ID))
	default:
		q.releaseClaim(ctx, endedNormally)
	}
	return q.render(ctx, q.session)
}

// look implements awaited. The wait is over when the session has an outcome, when the agent has to sum up the team's
// discussion, when handsOff says so, when the client stopped the call, or when an outage lasts too long. look also
// stores the timeout after the deadline, which can move meanwhile.
func (q *question) look(ctx context.Context, now time.Time) (ready bool, next time.Time) {
	var reread bool
	if q.session, reread = q.waiter.newerThan(q.session); reread || now.Sub(q.readAt) >= q.rereadInterval() {
		q.readAt, q.session = now, q.reread(ctx, q.session)
	}
	timedOut := q.session.Outcome == nil && q.session.At(now).Outcome != nil
	if timedOut && !q.outage.ongoing() {
		q.readAt, q.session = now, q.storeTimeout(ctx, q.session)
	}
	var nextSearch time.Time
	q.stopped, nextSearch = q.silentStop.searchIfDue()
	over := q.stopped || q.outage.tooLong(now) || q.session.Outcome != nil || q.session.SummaryWanted() != nil
	if over || q.auto && !q.outage.ongoing() && q.handsOff(ctx, now) {
		return true, time.Time{}
	}
	next = sooner(nextSearch, q.readAt.Add(q.rereadInterval()))
	if !timedOut { // a deadline that is over changes nothing more
		next = sooner(next, q.session.Deadline)
	}
	return false, sooner(next, q.handsOffAt(now))
}

// rereadInterval returns the time after which the store is read even if the watch reports no change.
func (q *question) rereadInterval() time.Duration {
	if q.watch.err() != nil || q.outage.ongoing() {
		return rereadBroken
	}
	return lookAgain
}

// beatWords implements awaited.
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

// handsOff reports whether a call with transport auto stops waiting, so that its agent can give the person the command
// that opens the question. It stops ten seconds after the last dashboard has closed, or at once if none was open when
// the call came, unless the form of this session is open in a terminal.
func (q *question) handsOff(ctx context.Context, now time.Time) bool {
	since, open := q.watch.deserted()
	if open || now.Sub(later(since, q.started)) < handOffAfter && !q.noDashboard {
		return false
	}
	p, form := q.readPresence(ctx), q.session.Attached
	return !p.dashboard && (form == nil || !p.runs(form.Instance))
}

// handsOffAt returns the time from which handsOff may report true without a further change; zero: there is none after
// now.
func (q *question) handsOffAt(now time.Time) time.Time {
	since, open := q.watch.deserted()
	at := later(since, q.started).Add(handOffAfter)
	if !q.auto || open || !at.After(now) {
		return time.Time{}
	}
	return at
}

// storeTimeout stores the timeout and returns the stored session, whose deadline may have moved meanwhile. If the store
// fails, the session counts as timed out all the same, except during an outage: then it may have been answered in the
// store.
func (q *question) storeTimeout(ctx context.Context, s queue.Session) queue.Session {
	stored, err := q.doAction(ctx, s.ID, queue.ByClock, queue.TimeOut{})
	if q.outage.noteLook(err, q.watch.q.Now()); q.outage.ongoing() {
		return s
	}
	if err != nil {
		q.bridge.logf("failed to store the timeout of session %s: %v", s.ID, err)
		return s.At(q.watch.q.Now())
	}
	return stored
}

// reread returns the session as it is in the store, or s if the store fails or has no newer revision of it.
func (q *question) reread(ctx context.Context, s queue.Session) queue.Session {
	fresh, err := q.readSession(ctx, s.ID)
	q.outage.noteLook(err, q.watch.q.Now())
	if err == nil && fresh.Revision > s.Revision {
		return fresh
	}
	return s
}

// render returns the result for a session, in the format in which it was asked. The attach command is part of every
// hand-off. It is also part of "still waiting", unless a dashboard is open or the agent has to sum up a discussion.
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

// pageLink returns the link for a question that belongs in a browser; "" if there is none. If this bridge opened the
// page, opened is true and the link contains no secret.
func (q *question) pageLink(ctx context.Context, s queue.Session) (link string, opened bool) {
	if !s.Ask.Web || q.bridge.o.Page == nil {
		return "", false
	}
	page, err := q.bridge.o.Page(ctx, s, linkOnly)
	if err != nil {
		q.bridge.logf("failed to make a link to session %s: %v", s.ID, err)
		return "", false
	}
	if _, opened = q.bridge.pagesOpened.Load(s.ID); opened {
		return page.Bare, true
	}
	return page.Link, false
}

// refuse returns the result for an error in the caller's format. id is the session_id of a poll; empty: the call was an
// ask.
func (q *question) refuse(err error, id string) dialect.Result {
	var bad *queue.Invalid
	var used *usedError
	switch {
	case errors.As(err, &bad):
		return q.dialect.Fail(dialect.Invalid(bad.Problems))
	case errors.As(err, &used):
		return q.dialect.Fail(used.failure(id))
	case errors.Is(err, queue.ErrNotFound):
		return q.dialect.Fail(notFound(id, "Check the session_id, or ask again."))
	}
	return q.dialect.Fail(unavailable(err, id))
}

// adoptClaimed makes s, whose claim this call has, the session of this call, and learns of its changes from now on.
func (q *question) adoptClaimed(ctx context.Context, s queue.Session) {
	q.adopt(ctx, s)
	q.claimed, q.waiter = true, q.watch.addWaiter(ctx, s.ID, q.silentStop)
	q.session = q.reread(ctx, s) // the waiter does not learn of changes before addWaiter
}

// adopt makes s the session of this call, and registers what happens to it when the call ends.
func (q *question) adopt(ctx context.Context, s queue.Session) {
	q.session, q.reply.session = s, s.ID
	q.reply.ended = func(err error) {
		ctx := context.WithoutCancel(ctx)
		switch {
		case err != nil:
			q.abandonSession(ctx, err)
		case q.settled:
			q.collectSession(ctx)
		case q.discussion != nil:
			q.startSummary(ctx)
		case q.claimed: // the call panicked before it had a result
			q.releaseClaim(ctx, brokeOff)
		}
		if q.waiter != nil {
			q.watch.removeWaiter(s.ID, q.waiter)
		}
	}
}

// collectSession closes the session after its result was written.
func (q *question) collectSession(ctx context.Context) {
	q.bridge.endsWithMe.Delete(q.session.ID)
	q.finish(ctx, q.session.ID, queue.Collect{Claim: q.claim}, func(s queue.Session) {
		q.archive(ctx, "session", s)
	}, "failed to close session %s after its result was sent: %v")
}

// startSummary stores that the agent has the discussion, so that its time for a summary begins, and releases the claim
// for the next call. If the result was not written, the next call sends the discussion again.
func (q *question) startSummary(ctx context.Context) {
	_, err := q.doAction(ctx, q.session.ID, queue.ByCaller, queue.WriteSummary{ID: q.discussion.ID})
	if over := errors.Is(err, queue.ErrSettled) || errors.Is(err, queue.ErrFinal); err != nil && !over {
		q.bridge.logf("failed to note that the agent has the discussion of session %s: %v", q.session.ID, err)
	}
	q.releaseClaim(ctx, endedNormally)
}

// abandonSession handles a result that was not written. If the client cancelled the call, the question is withdrawn. If
// the client lost patience or its connection, the question stays and its answer can be fetched later. A question that
// ends with its call ends with its call.
func (q *question) abandonSession(ctx context.Context, why error) {
	reason, withdraws := queue.CallerGone, q.session.EndsWithCall()
	var w *Withdrawn
	if errors.As(why, &w) {
		reason, withdraws = w.note(), withdraws || !w.timedOut()
	}
	if withdraws {
		_, err := q.doAction(ctx, q.session.ID, queue.ByCaller, queue.Cancel{Reason: reason})
		q.bridge.logWithdrawal(q.session.ID, err)
	}
	if q.claimed {
		q.releaseClaim(ctx, brokeOff)
	}
}

// How a call ended whose claim releaseClaim releases.
const brokeOff, endedNormally = true, false

// releaseClaim releases the claim. dropped means that the call broke off, so that perhaps nobody comes back.
func (q *question) releaseClaim(ctx context.Context, dropped bool) {
	q.claimed = false
	q.finish(ctx, q.session.ID, queue.Release{Claim: q.claim, Dropped: dropped}, nil,
		"failed to release session %s: %v")
}
