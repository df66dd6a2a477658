package prompt

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// A line is a message from the person to an agent. If the agent's plugin takes lines, a line reaches the session that
// asked in these steps. The desk is the dashboard's side, and a taker is the process that serves the plugin:
//
//	desk ─ Create, claimed ─► OfferLine ─ Take: the plugin's ─► taker ─ Take: being given ─► plugin ─► the session
//	                             ▲                                                              │ done, or not
//	                             └───────────── watch ◄── Deliver or Cancel ◄───────────────────┘
//
// Each Take is a compare-and-swap on the line's claim, so a line that the desk has taken back is never given.

const (
	// heardWithin is the time that the taker has to pick a line up. Then the desk takes the line back and may try
	// another way.
	heardWithin = 3 * time.Second
	// GivenWithin limits a whole delivery. After that nobody knows whether the line arrived.
	GivenWithin = 5 * time.Second
)

var (
	// ErrUnheard reports that nobody picked a line up. The line was taken back, so nobody will.
	ErrUnheard = errors.New("nobody picked the line up")
	// ErrUngiven reports that the agent did not take a line.
	ErrUngiven = errors.New("the agent did not take the line")
	// ErrUnsaid reports that nobody knows whether the agent took a line.
	ErrUnsaid = errors.New("the agent did not say whether it took the line")
)

// TakesLines reports whether the process that put the question of this agent into the queue takes lines for the agent
// now.
func TakesLines(ctx context.Context, q *queue.Queue, o queue.Origin) bool {
	if o.Dialect != queue.DialectNative || o.Instance == "" || o.Thread == "" {
		return false
	}
	present, _ := q.Store.Present(ctx, queue.RoleTaker)
	return slices.ContainsFunc(present, func(p queue.Presence) bool { return p.Instance == o.Instance })
}

// OfferLine asks the process that put the agent's question into the queue to give the agent a message. The caller has
// the message's claim. nil means that the message was delivered, and the queue says so. The errors are ErrUnheard (the
// caller has the claim again), ErrUngiven (the message is cancelled), *queue.Doubt (nobody knows whether it arrived),
// and those of the store.
func OfferLine(ctx context.Context, q *queue.Queue, s queue.Session) error {
	o := offer{queue: q, id: s.ID, own: *s.Claim, to: queue.Claim{Instance: s.Origin.Instance, Conn: queue.NewToken()}}
	if err := o.moveClaim(ctx, o.to, o.own); err != nil {
		return err
	}
	if over, err := o.awaitEnd(ctx, heardWithin); over {
		return err
	}
	if err := o.moveClaim(ctx, o.own, o.to); err == nil {
		return ErrUnheard
	}
	if over, err := o.awaitEnd(ctx, GivenWithin-heardWithin); over {
		return err
	}
	// A message without a claim was closed by the taker, which has noted the doubt.
	if now, err := q.Store.Get(ctx, o.id); err == nil && now.Claim != nil {
		_ = o.moveClaim(ctx, o.own, *now.Claim)
	}
	return &queue.Doubt{Err: ErrUnsaid}
}

// offer holds a message on its way to the process that gives it to its agent.
type offer struct {
	queue   *queue.Queue
	id      string
	own, to queue.Claim // the caller's claim, and the one that the taker looks for
}

// moveClaim gives the message the claim in place of the claim over.
func (o offer) moveClaim(ctx context.Context, claim, over queue.Claim) error {
	_, err := o.queue.Do(ctx, o.id, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard,
		Do: queue.Take{Claim: claim, Over: over}})
	return err
}

// awaitEnd waits until the message has an outcome, but no longer than within. over reports that there is nothing more
// to wait for; err then says how the delivery ended.
func (o offer) awaitEnd(ctx context.Context, within time.Duration) (over bool, err error) {
	step, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	switch s, err := o.queue.Await(step, o.id, 0, nil); {
	case err != nil:
		return ctx.Err() != nil, ctx.Err()
	case s.Outcome.Status == queue.StatusDelivered:
		return true, nil
	default:
		return true, ErrUngiven
	}
}

// TakeLines takes the lines for the sessions of one agent out of the queue and gives them to the agent, until ctx ends.
// give fails with ErrUngiven if the agent did not take the line, and with another error if nobody knows. begin starts
// each delivery on a goroutine of its own, and the caller waits for these.
func (in *Intake) TakeLines(
	ctx context.Context, give func(ctx context.Context, s queue.Session) error, begin func(func()),
) {
	t := taker{queue: in.queue, instance: in.Origin.Instance, give: give}
	t.run(ctx, begin)
}

// taker takes the lines for the sessions of one agent out of the queue and gives them to its plugin.
type taker struct {
	queue    *queue.Queue
	instance string
	// give hands a line to the plugin. It fails with ErrUngiven if the agent did not take the line, and with another
	// error if nobody knows.
	give func(ctx context.Context, s queue.Session) error
}

// run takes lines until ctx ends. begin starts each delivery on a goroutine of its own, and the caller waits for these.
func (t taker) run(ctx context.Context, begin func(func())) {
	for ctx.Err() == nil {
		if err := t.watchLines(ctx, begin); err != nil {
			select {
			case <-time.After(LookEvery):
			case <-ctx.Done():
			}
		}
	}
}

// watchLines announces the taker and takes lines until the watch over the store fails.
func (t taker) watchLines(ctx context.Context, begin func(func())) error {
	w, err := t.queue.Store.Watch(ctx, queue.FewNews)
	if err != nil {
		return err
	}
	defer w.Close()
	release, err := t.queue.Store.Announce(ctx, queue.Presence{Instance: t.instance, Role: queue.RoleTaker})
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	given := map[string]bool{} // the lines that were taken; the watch still reports them with our claim
	for {
		changes, err := w.Next(ctx)
		if err != nil {
			return err
		}
		for _, s := range changes.Sessions {
			if s.IsMessage() && s.Outcome == nil && s.Claim != nil && s.Claim.Instance == t.instance && !given[s.ID] {
				given[s.ID] = true
				begin(func() { t.takeLine(ctx, s) })
			}
		}
		for _, id := range changes.Gone {
			delete(given, id)
		}
	}
}

// takeLine claims a line, if it is still offered, gives it to the agent and stores the result.
func (t taker) takeLine(ctx context.Context, s queue.Session) {
	giving := queue.Claim{Instance: t.instance, Conn: queue.NewToken()}
	if _, err := t.do(ctx, s.ID, queue.Take{Claim: giving, Over: *s.Claim}); err != nil {
		return
	}
	var how queue.Action = queue.Deliver{Claim: giving, Surface: queue.SurfaceNative}
	switch err := t.give(ctx, s); {
	case errors.Is(err, ErrUngiven):
		how = queue.Cancel{Reason: LineUntaken}
		if _, err := t.do(context.WithoutCancel(ctx), s.ID, queue.Take{Claim: giving}); err != nil {
			return // the desk has taken the line back meanwhile
		}
	case err != nil:
		how = queue.Deliver{Claim: giving, Surface: queue.SurfaceNative, Doubt: err.Error()}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepWithin)
	defer cancel()
	if done, err := t.do(ctx, s.ID, how); err == nil {
		_ = t.queue.Store.Archive(ctx, done) // after an error the sweep archives it
	}
}

// do applies an action of the person's, whose line this is, to a message.
func (t taker) do(ctx context.Context, id string, a queue.Action) (queue.Session, error) {
	return t.queue.Do(ctx, id, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceNative, Do: a})
}

// Host has what a process needs that serves an agent's plugin.
type Host struct {
	Open func(ctx context.Context) (*Intake, error) // opens the queue and announces an intake; called once
	// Dashboard reports whether a dashboard is open.
	Dashboard func(ctx context.Context) bool
	// Unread is called for a line that cannot be read; nil: nobody notes that.
	Unread func()
	// Dir is the directory for the socket over which dashboards read what an agent was doing; empty: there is none.
	Dir string
}
