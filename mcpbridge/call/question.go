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

// When a question's wait does more than wait.
const (
	deserted   = 10 * time.Second // this long after the last dashboard went, auto hands off
	rereadLost = time.Second      // how often the store is read while the watch is broken
	beatTitle  = 60               // characters of the title a heartbeat names
	shownID    = 40               // characters of an unknown session_id that are repeated
)

// question is a call that asks the person, or continues what was asked.
type question struct {
	*call
	dialect dialect.Dialect

	session queue.Session
	waiter  *waiter   // while the claim is this call's
	started time.Time // when the wait began
	readAt  time.Time // when the store was read last
	seen    sight     // what came of that
	joined  string    // why an earlier session is continued, as half a sentence
	auto    bool      // give up when no dashboard is open
	alone   bool      // no dashboard was open when the call came
	older   []string  // deprecated fields of the request, with the ones to use now
	claimed bool      // the claim is held, and must be given back or collected
	settled bool      // the result is an outcome: collect it once it was written
	stop    *stop     // tells that the client stopped the call without a word
	stopped bool      // it did
	// discussion is what the result hands to the agent to sum up; nil: nothing. The claim stays until it was written.
	discussion *queue.Request
}

func (q *question) serve(ctx context.Context, raw json.RawMessage) dialect.Result {
	q.stop = newStop(q.origin.Client, q.dialect.Tool.Name, q.origin.Cwd, raw)
	req, err := q.dialect.Parse(raw)
	if err != nil {
		return q.refuse(err, "")
	}
	if err := q.openQueue(ctx); err != nil {
		return q.refuse(err, "")
	}
	if req.Poll != nil {
		return q.poll(ctx, *req.Poll)
	}
	return q.ask(ctx, req)
}

// ask puts a new question into the queue, or continues the same one, and waits for its outcome.
func (q *question) ask(ctx context.Context, req dialect.Request) dialect.Result {
	settings := q.bridge.o.Settings()
	ask := Fill(req, settings)
	q.older = req.Deprecated
	where := transport(req.Transport, settings)
	ask.HandOff = where == config.TransportTerminal
	ask.Web = where == config.TransportWeb && q.bridge.o.Page != nil
	q.auto = !ask.HandOff
	if err := q.enter(ctx, ask); err != nil {
		return q.refuse(err, "")
	}
	if q.session.Ask.HandOff {
		return q.render(ctx, q.session)
	}
	wait := q.patience()
	if q.session.Ask.Web {
		q.alone = false // a page needs a moment to come up
		wait.none = q.joined == "" && !q.openPage(ctx) && !q.present(ctx).dashboard
	}
	return q.await(ctx, wait)
}

// poll continues a session by its id.
func (q *question) poll(ctx context.Context, p dialect.Poll) dialect.Result {
	if err := q.resume(ctx, p.Session); err != nil {
		return q.refuse(err, p.Session)
	}
	wait := q.patience()
	if p.Wait != nil {
		wait = patience{soft: *p.Wait, none: *p.Wait == 0}
	}
	return q.await(ctx, wait)
}

// openPage shows a new question in the person's browser. It reports whether the call may wait for the person there:
// where no browser can be opened and nobody looks anyway, the agent has to pass the link on. Where there is no page at
// all, the question waits as every other does.
func (q *question) openPage(ctx context.Context) (wait bool) {
	page, err := q.bridge.o.Page(ctx, q.session, true)
	if err != nil {
		q.bridge.logf("failed to open session %s in the browser: %v", q.session.ID, err)
		return true
	}
	if page.Opened {
		q.bridge.opened.Store(q.session.ID, true)
	}
	return page.Opened
}

// await waits and turns the way it ended into a result.
func (q *question) await(ctx context.Context, p patience) dialect.Result {
	q.started = q.watch.q.Now()
	q.readAt = q.started
	switch end := q.wait(ctx, q.waiter, p, q); {
	case end == endGone:
		q.reply.unsaid = true
		return dialect.Result{}
	case q.session.Outcome != nil:
		q.settled = true
	case q.session.SummaryWanted() != nil:
		q.discussion = q.session.SummaryWanted()
	case q.stopped:
		q.abandon(ctx, ErrClosed)
	case q.seen.dim():
		q.release(ctx, false)
		return q.dialect.Fail(q.seen.failure(q.session.ID))
	default:
		q.release(ctx, false)
	}
	return q.render(ctx, q.session)
}

// look is there when the session has an outcome, when the agent is to sum up what the team said, when an auto call
// gives up, when the client stopped the call, or when the store cannot show the session for a while. It stores the
// timeout when the deadline passes; the deadline can move meanwhile.
func (q *question) look(ctx context.Context, now time.Time) (there bool, next time.Time) {
	var reread bool
	if q.session, reread = q.waiter.newerThan(q.session); reread || now.Sub(q.readAt) >= q.rereads() {
		q.readAt, q.session = now, q.reread(ctx, q.session)
	}
	due := q.session.Outcome == nil && q.session.At(now).Outcome != nil
	if due && !q.seen.dim() {
		q.readAt, q.session = now, q.expire(ctx, q.session)
	}
	q.stopped, next = q.stop.due()
	over := q.stopped || q.seen.over(now) || q.session.Outcome != nil || q.session.SummaryWanted() != nil
	if over || q.auto && !q.seen.dim() && q.handsOff(ctx, now) {
		return true, time.Time{}
	}
	if next = sooner(q.readAt.Add(q.rereads()), next); !due {
		next = sooner(next, q.session.Deadline)
	}
	if since, open := q.watch.deserted(); q.auto && !open {
		if due := later(since, q.started).Add(deserted); due.After(now) {
			next = sooner(next, due)
		}
	}
	return false, next
}

// rereads returns the interval at which the store is read even if nothing rang.
func (q *question) rereads() time.Duration {
	if q.watch.trouble() != nil || q.seen.dim() {
		return rereadLost
	}
	return lookAgain
}

// beatWords name the question and what is left of its time.
func (q *question) beatWords(now time.Time) string {
	name, _ := queue.VisibleLine(queue.Shorten(q.session.Ask.Title, beatTitle, ""))
	words := "waiting for the person: " + name
	if !q.seen.away.IsZero() {
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
	if open || now.Sub(later(since, q.started)) < deserted && !q.alone {
		return false
	}
	p, form := q.present(ctx), q.session.Attached
	return !p.dashboard && (form == nil || !p.runs(form.Instance))
}

// expire stores what the clock decided and returns the session as it is: the deadline may have moved unseen. If
// the store fails, the clock is right all the same, unless the store is only out of sight: there it may be answered.
func (q *question) expire(ctx context.Context, s queue.Session) queue.Session {
	stored, err := q.do(ctx, s.ID, queue.ByClock, queue.Expire{})
	if q.seen.note(err, q.watch.q.Now()); q.seen.dim() {
		return s
	}
	if err != nil {
		q.bridge.logf("failed to store the timeout of session %s: %v", s.ID, err)
		return s.At(q.watch.q.Now())
	}
	return stored
}

// reread looks into the store; an error leaves s as it was.
func (q *question) reread(ctx context.Context, s queue.Session) queue.Session {
	fresh, err := q.readSession(ctx, s.ID)
	q.seen.note(err, q.watch.q.Now())
	if err == nil && fresh.Revision > s.Revision {
		return fresh
	}
	return s
}

// render shows the session in the format it was asked in. The attach command goes with every hand-off, and with
// "still waiting" unless a dashboard is open, or the agent has the team's discussion to sum up.
func (q *question) render(ctx context.Context, s queue.Session) dialect.Result {
	d := dialect.Delivery{Now: q.watch.q.Now(), Joined: q.joined, Deprecated: q.older, Discussion: q.discussion}
	waits := !q.settled && q.discussion == nil
	if waits {
		d.Page, d.Opened = q.pageLink(ctx, s)
	}
	if waits && d.Page == "" && (q.waiter == nil || !q.present(ctx).dashboard) {
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
	if _, opened = q.bridge.opened.Load(s.ID); opened {
		return page.Bare, true
	}
	return page.Link, false
}

// refuse says in the caller's format why there is no session to show.
func (q *question) refuse(err error, id string) dialect.Result {
	var bad *queue.Invalid
	var used *usedError
	switch {
	case errors.As(err, &bad):
		return q.dialect.Fail(dialect.Invalid(bad.Problems))
	case errors.As(err, &used):
		return q.dialect.Fail(used.failure(id))
	case errors.Is(err, queue.ErrNotFound):
		shown, _ := queue.VisibleLine(queue.Shorten(id, shownID, ""))
		return q.dialect.Fail(dialect.Failure{Code: dialect.CodeNotFound, ID: id,
			Message: fmt.Sprintf("There is no session %q. Check the session_id, or ask anew.", shown)})
	}
	return q.dialect.Fail(unavailable(err, id))
}
