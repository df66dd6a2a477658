package native

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// How a line of the person's reaches a session whose own prompt was asked here, where the agent's plugin takes lines:
//
//	desk ─ Create, claimed ─► OfferLine ─ Take: the plugin's ─► taker ─ Take: being given ─► plugin ─► the session
//	                             ▲                                                              │ done, or not
//	                             └───────────── watch ◄── Deliver or Cancel ◄───────────────────┘
//
// Each Take is a compare-and-swap, so a line that was taken back here is never given there.

const (
	// heardWithin is the time for which a line waits to be picked up. Then it is taken back, and another way may be
	// tried.
	heardWithin = 3 * time.Second
	// givenWithin limits the time of a whole delivery. After it nobody knows whether the line arrived.
	givenWithin = 5 * time.Second
)

var (
	// ErrUnheard says that nobody picked a line up. It was taken back, so nobody will.
	ErrUnheard = errors.New("nobody picked the line up")
	// ErrUngiven says that the agent did not take a line.
	ErrUngiven = errors.New("the agent did not take the line")
	// ErrUnsaid says that nobody knows whether the agent took a line.
	ErrUnsaid = errors.New("the agent did not say whether it took the line")
)

// TakesLines reports whether a process that asked for an agent takes lines for it now.
func TakesLines(ctx context.Context, q *queue.Queue, o queue.Origin) bool {
	if o.Dialect != queue.DialectNative || o.Instance == "" || o.Thread == "" {
		return false
	}
	present, _ := q.Store.Present(ctx, queue.RoleTaker)
	return slices.ContainsFunc(present, func(p queue.Presence) bool { return p.Instance == o.Instance })
}

// OfferLine has a message, whose claim the caller has, given to its agent by the process that asked for it. After nil
// the queue says that it was delivered. It fails with ErrUnheard, and the caller has the claim again; with ErrUngiven,
// and the message is cancelled; with *queue.Doubt; or with the store's error.
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
	if over, err := o.awaitEnd(ctx, givenWithin-heardWithin); over {
		return err
	}
	if now, err := q.Store.Get(ctx, o.id); err == nil && now.Claim != nil { // else whoever has it notes the doubt
		_ = o.moveClaim(ctx, o.own, *now.Claim)
	}
	return &queue.Doubt{Err: ErrUnsaid}
}

// offer is a message on its way to the process that gives it to its agent.
type offer struct {
	queue   *queue.Queue
	id      string
	own, to queue.Claim
}

// moveClaim moves the claim from one to another.
func (o offer) moveClaim(ctx context.Context, claim, over queue.Claim) error {
	_, err := o.queue.Do(ctx, o.id, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard,
		Do: queue.Take{Claim: claim, Over: over}})
	return err
}

// awaitEnd waits until the message is over, but no longer than that.
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

// taker takes the lines for one agent's sessions out of the queue.
type taker struct {
	queue    *queue.Queue
	instance string
	// give hands a line to the plugin. It fails with ErrUngiven, or with anything else where nobody knows.
	give func(ctx context.Context, s queue.Session) error
	why  string // the reason of a line that the agent did not take
}

// run serves until ctx ends. begin runs each delivery on its own goroutine; the caller of run waits for these.
func (t taker) run(ctx context.Context, begin func(func())) {
	for ctx.Err() == nil {
		if err := t.watchLines(ctx, begin); err != nil {
			select {
			case <-time.After(lookEvery):
			case <-ctx.Done():
			}
		}
	}
}

// watchLines looks for lines until the watch fails.
func (t taker) watchLines(ctx context.Context, begin func(func())) error {
	w, err := t.queue.Store.Follow(ctx)
	if err != nil {
		return err
	}
	defer w.Close()
	release, err := t.queue.Store.Announce(ctx, queue.Presence{Instance: t.instance, Role: queue.RoleTaker})
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	given := map[string]bool{} // their claim is ours, too
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

// takeLine gives one line to the agent, if it is still offered, and notes how that went.
func (t taker) takeLine(ctx context.Context, s queue.Session) {
	giving := queue.Claim{Instance: t.instance, Conn: queue.NewToken()}
	if _, err := t.do(ctx, s.ID, queue.Take{Claim: giving, Over: *s.Claim}); err != nil {
		return
	}
	var how queue.Action = queue.Deliver{Claim: giving, Surface: queue.SurfaceNative}
	switch err := t.give(ctx, s); {
	case errors.Is(err, ErrUngiven):
		how = queue.Cancel{Reason: t.why}
		if _, err := t.do(context.WithoutCancel(ctx), s.ID, queue.Take{Claim: giving}); err != nil {
			return // who offered it could not wait, and has it again
		}
	case err != nil:
		how = queue.Deliver{Claim: giving, Surface: queue.SurfaceNative, Doubt: err.Error()}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepWithin)
	defer cancel()
	if done, err := t.do(ctx, s.ID, how); err == nil {
		_ = t.queue.Store.Archive(ctx, done) // else the sweep does it
	}
}

func (t taker) do(ctx context.Context, id string, a queue.Action) (queue.Session, error) {
	return t.queue.Do(ctx, id, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceNative, Do: a})
}
