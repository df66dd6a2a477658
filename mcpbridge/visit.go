package mcpbridge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// storeWithin bounds one step in the store; it goes on when the call is cancelled, so that what was begun is known.
const storeWithin = 30 * time.Second

// visit is one tool call from its arguments to its result. One goroutine owns it.
type visit struct {
	bridge  *bridge
	client  peer
	dialect dialect.Dialect
	reply   *reply
	origin  queue.Origin
	claim   queue.Claim
	token   any // the client's progress token; nil: it wants no progress

	roster  *roster
	session queue.Session
	stay    *stay
	joined  string   // why an earlier session is continued, as half a sentence
	alone   bool     // no dashboard was open when the call came
	older   []string // deprecated fields of the request, with the ones to use now
	claimed bool     // the claim is held, and must be given back or collected
	settled bool     // the result is an outcome: collect it once it was written
}

func (v *visit) serve(ctx context.Context, raw []byte) dialect.Result {
	req, err := v.dialect.Parse(raw)
	if err != nil {
		return v.refuse(err, "")
	}
	if v.roster, err = v.bridge.open(ctx); err != nil {
		return v.refuse(err, "")
	}
	if req.Poll != nil {
		return v.poll(ctx, *req.Poll)
	}
	return v.ask(ctx, req)
}

// ask puts a new question into the queue, or continues the same one, and waits for its outcome.
func (v *visit) ask(ctx context.Context, req dialect.Request) dialect.Result {
	settings := v.bridge.o.Settings()
	ask := Fill(req, settings)
	v.older = req.Deprecated
	ask.HandOff = transport(req.Transport, settings) == config.TransportTerminal
	p := patience{soft: softLimit(settings, v.origin.Client, v.token != nil), auto: !ask.HandOff}
	if err := v.enter(ctx, ask, p.auto); err != nil {
		return v.refuse(err, "")
	}
	if v.session.Ask.HandOff {
		return v.render(ctx, v.session)
	}
	return v.await(ctx, p)
}

// poll continues a session by its id.
func (v *visit) poll(ctx context.Context, p dialect.Poll) dialect.Result {
	if err := v.resume(ctx, p.Session); err != nil {
		return v.refuse(err, p.Session)
	}
	wait := patience{soft: softLimit(v.bridge.o.Settings(), v.origin.Client, v.token != nil)}
	if p.Wait != nil {
		wait.soft, wait.none = *p.Wait, *p.Wait == 0
	}
	return v.await(ctx, wait)
}

// await waits and turns the way it ended into a result.
func (v *visit) await(ctx context.Context, p patience) dialect.Result {
	s, why := v.wait(ctx, p)
	switch why {
	case endSettled:
		v.settled = true
	case endGone:
		v.reply.unsaid = true
		return dialect.Result{}
	default:
		v.release(ctx, false)
	}
	return v.render(ctx, s)
}

// render shows the session in the format it was asked in. The attach command goes with every hand-off, and with
// "still waiting" unless a dashboard is open.
func (v *visit) render(ctx context.Context, s queue.Session) dialect.Result {
	d := dialect.Delivery{Now: v.roster.q.Now(), Joined: v.joined, Deprecated: v.older}
	if !v.settled && (v.stay == nil || !v.present(ctx).dashboard) {
		d.Attach = v.bridge.o.AttachCommand(s.ID)
	}
	return dialect.For(s.Origin.Dialect).Render(s, d)
}

// refuse says in the caller's format why there is no session to show.
func (v *visit) refuse(err error, id string) dialect.Result {
	var bad *queue.Invalid
	var used *usedError
	switch {
	case errors.As(err, &bad):
		return v.dialect.Fail(dialect.Invalid(bad.Problems))
	case errors.As(err, &used):
		return v.dialect.Fail(used.failure(id))
	case errors.Is(err, queue.ErrNotFound):
		return v.dialect.Fail(dialect.Failure{Code: dialect.CodeNotFound, ID: id,
			Message: fmt.Sprintf("There is no session %q. Check the session_id, or ask anew.", clip(id))})
	}
	return v.dialect.Fail(dialect.Failure{Code: dialect.CodeUnavailable, ID: id,
		Message: fmt.Sprintf("The queue cannot be used: %v. Tell the person, and do not choose for them.", err)})
}

// hold answers for the session from here to the call's end, whatever that is. With a claim the call stays with it.
func (v *visit) hold(ctx context.Context, s queue.Session, claimed bool) {
	v.session, v.claimed = s, claimed
	v.reply.asked, v.reply.bound = s.ID, s.Bound()
	if claimed {
		v.stay = v.roster.join(ctx, s.ID)
		v.session = v.reread(ctx, s) // what changed before it was on the roster rang nobody
	}
	v.reply.after = func(err error) {
		ctx := context.WithoutCancel(ctx)
		switch {
		case err != nil:
			v.abandon(ctx, err)
		case v.settled:
			v.collect(ctx)
		case v.claimed: // a panic on the way to the result
			v.release(ctx, true)
		}
		if v.stay != nil {
			v.roster.leave(s.ID, v.stay)
		}
	}
}

// collect closes the session after its result went out.
func (v *visit) collect(ctx context.Context) {
	v.bridge.bound.drop(v.session.ID)
	s, err := v.do(ctx, queue.ByCaller, queue.Collect{Claim: v.claim})
	if err != nil {
		v.bridge.logf("failed to close session %s after its result was sent: %v", v.session.ID, err)
		return
	}
	ctx, cancel := stepContext(ctx)
	defer cancel()
	if err := v.roster.q.Store.Archive(ctx, s); err != nil {
		v.bridge.logf("failed to archive session %s: %v", s.ID, err)
	}
}

// abandon is for a result that did not go out. A client that cancelled withdraws its question; one that lost
// patience or its connection leaves it: the answer can be fetched later. A bound question goes with its call.
func (v *visit) abandon(ctx context.Context, why error) {
	var w *withdrawn
	withdrew := errors.As(why, &w)
	bound := v.session.Bound() && !errors.Is(why, errResumed)
	if bound || withdrew && !w.timedOut() {
		reason := queue.CallerGone
		if withdrew {
			reason = cut(w.reason, queue.MaxNote)
		}
		_, err := v.do(ctx, queue.ByCaller, queue.Cancel{Reason: reason})
		if err != nil && !errors.Is(err, queue.ErrSettled) && !errors.Is(err, queue.ErrFinal) {
			v.bridge.logf("failed to withdraw session %s: %v", v.session.ID, err)
		}
	}
	if v.claimed {
		v.release(ctx, true)
	}
}

func (v *visit) release(ctx context.Context, dropped bool) {
	v.claimed = false
	_, err := v.do(ctx, queue.ByCaller, queue.Release{Claim: v.claim, Dropped: dropped})
	if err != nil && !errors.Is(err, queue.ErrFinal) {
		v.bridge.logf("failed to release session %s: %v", v.session.ID, err)
	}
}

// do applies a command to the visit's session.
func (v *visit) do(ctx context.Context, by string, a queue.Action) (queue.Session, error) {
	ctx, cancel := stepContext(ctx)
	defer cancel()
	return v.roster.q.Do(ctx, v.session.ID, queue.Command{ID: queue.NewToken(), By: by, Surface: queue.SurfaceClient, Do: a})
}

func stepContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), storeWithin)
}

// cut shortens text of the client's to what the queue takes.
func cut(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most])
	}
	return s
}

func clip(s string) string {
	v, _ := queue.VisibleLine(cut(s, 40))
	return v
}
