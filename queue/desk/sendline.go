package desk

import (
	"context"
	"errors"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// sendWithin limits the time for sending one line: a few calls of tmux, each with its own deadline.
const sendWithin = 20 * time.Second

// Errors of Chat.Send. The text stays in the composer.
var (
	ErrBusy     = errors.New("line underway")
	ErrClosed   = errors.New("chat closed") // a question waits for an answer, so no line may be sent
	ErrNobody   = errors.New("nobody addressed")
	ErrBlank    = errors.New("blank line")
	ErrTooLong  = errors.New("long line")
	ErrLookAway = errors.New("looking again") // the agent was not found; Chat looks for it once more
)

// Unnoted says that a line arrived, but the queue could not store that. It is wrapped in a *queue.Doubt.
type Unnoted struct{ Err error }

func (u *Unnoted) Error() string { return "unnoted: " + u.Err.Error() }

// Unwrap returns the cause.
func (u *Unnoted) Unwrap() error { return u.Err }

// LineSent reports the result of sending a line. After a *queue.Doubt the line may have arrived in spite of the error,
// so it must not be sent again without the person's consent.
type LineSent struct {
	Seat *Seat
	Err  error
}

// LineRefused says that a line was not sent because its agent cannot be reached.
type LineRefused struct {
	Seat *Seat
	Err  error
}

// LineOpened says that the composer was opened, by the person or by the program.
type LineOpened struct{ Seat *Seat }

// LineChanged says that the text in the composer changed, and not by the person's keys.
type LineChanged struct{ Seat *Seat }

// LineTakenBack reports the result of taking back the last line.
type LineTakenBack struct {
	Seat     *Seat
	Session  queue.Session // in its present state
	Restored bool          // the line's text was put back into the composer
	Err      error
}

func (LineOpened) event()    {}
func (LineSent) event()      {}
func (LineRefused) event()   {}
func (LineChanged) event()   {}
func (LineTakenBack) event() {}

// line is one line to an agent while it is being sent. It is sent on a goroutine of its own, not the owner's.
type line struct {
	chat   *Chat
	agent  *Agent // only the owner may touch it
	to     queue.Origin
	text   string
	mode   string // the setting chat.deliver when it was sent
	bridge bool   // a bridge of the agent runs, so the agent can fetch messages

	fetcher queue.Origin // the origin of that bridge

	message queue.Session // the message that was not confirmed; the zero Session: no attempt was made
	again   time.Time     // when the line is to be tried again; zero: an attempt is under way, or none will follow
	left    bool          // the person has closed the composer, so the line is not tried again
}

// deliver delivers the line in the best way that works, and returns its message as stored. It stores nothing before it
// has found a way. A *queue.Doubt says that the message probably arrived, *maybeStored that the queue did not confirm
// the message. A line that was tried before is sent the same way again.
func (l line) deliver(ctx context.Context) (queue.Session, error) {
	why, ways := ErrNoTmux, l.chat.ways
	if l.to.Far {
		return l.chat.d.o.Remote.SendLine(ctx, l.to, l.text)
	}
	switch {
	case l.message.Claim != nil:
		s, err := l.handOver(ctx)
		if l.isDone(err) {
			return s, err
		}
		l.message = queue.Session{}
	case l.message.ID != "":
		return l.storeMessage(ctx, l.message)
	case l.mode != config.DeliverMCP && ways != nil:
		at := ways.Reach(ctx, l.to)
		if at.Ready() {
			s, err := l.handOver(ctx)
			if l.isDone(err) {
				return s, err
			}
			at.Err = err
		}
		if at.Err != nil {
			why = at.Err
		}
	}
	switch {
	case l.mode == config.DeliverTmux:
		return queue.Session{}, why
	case !l.bridge && l.mode == config.DeliverMCP:
		return queue.Session{}, ErrNoBridge
	case !l.bridge:
		return queue.Session{}, why
	}
	return l.storeMessage(ctx, queue.NewMessage(l.fetcher, l.text))
}

// isDone reports whether no other way is to be tried after handing a message over ended with err.
func (l line) isDone(err error) bool {
	var unsure *queue.Doubt
	var unconfirmed *maybeStored
	return err == nil || errors.As(err, &unsure) || errors.As(err, &unconfirmed) ||
		l.mode == config.DeliverTmux || !l.bridge
}

// storeMessage stores a new message made from draft, or stores the unconfirmed message again.
func (l line) storeMessage(ctx context.Context, draft queue.Session) (queue.Session, error) {
	q, message := l.chat.d.o.Queue, l.message
	if message.ID == "" {
		var err error
		if message, err = q.Prepare(draft); err != nil {
			return queue.Session{}, err
		}
	}
	s, err := q.Keep(ctx, message)
	for _, open := range []error{queue.ErrInDoubt, queue.ErrUnreachable, context.DeadlineExceeded} {
		if errors.Is(err, open) {
			return queue.Session{}, &maybeStored{message, err}
		}
	}
	// The unconfirmed message was cancelled after the person left the line, so a new message is stored.
	if err == nil && s.Outcome != nil && s.Outcome.Status != queue.StatusDelivered {
		l.message = queue.Session{}
		return l.storeMessage(ctx, draft)
	}
	return s, err
}

// handOver stores the message under a claim of this process, so that next_message does not return it, and types it for
// the agent or gives it to the agent's server. Then it stores the result, unless that was stored already. If this
// process dies in between, the claim becomes void and the agent can fetch the message.
func (l line) handOver(ctx context.Context) (queue.Session, error) {
	q := l.chat.d.o.Queue
	draft := l.message
	if draft.Claim == nil {
		draft = queue.NewMessage(l.to, l.text)
		draft.Claim = &queue.Claim{Instance: l.chat.d.o.Instance, Conn: queue.NewToken()}
	}
	s, err := l.storeMessage(ctx, draft)
	if err != nil || s.Outcome != nil || s.Claim == nil || *s.Claim != *draft.Claim { // the agent has fetched it
		return s, err
	}
	sent, err := l.chat.ways.Send(ctx, s)
	var unsure *queue.Doubt
	var do queue.Action = queue.Deliver{Claim: *s.Claim, Surface: sent.Surface, Detail: sent.Where}
	switch {
	case errors.As(err, &unsure):
		do = queue.Deliver{Claim: *s.Claim, Surface: sent.Surface, Detail: sent.Where, Doubt: err.Error()}
	case err != nil:
		do = queue.Cancel{Reason: err.Error()}
	}
	step, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWithin)
	defer cancel()
	done, failed := q.Do(step, s.ID, queue.Command{By: queue.ByHuman, Surface: l.chat.seat.surface, Do: do})
	if o := done.Outcome; failed != nil && o != nil && err == nil == (o.Status == queue.StatusDelivered) {
		failed = nil // the same result was stored already
	}
	if failed == nil {
		_ = q.Store.Archive(step, done) // after an error the next sweep archives it
		s = done
	}
	if err == nil && failed != nil { // the line arrived, and only the record of that is missing
		err = &queue.Doubt{Err: &Unnoted{failed}}
	}
	return s, err
}
