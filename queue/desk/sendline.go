package desk

import (
	"context"
	"errors"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// sendWithin is the longest that sending a line may take: a few calls of tmux, each with its own deadline.
const sendWithin = 20 * time.Second

// Why nothing is sent when the person sends a line.
var (
	ErrBusy     = errors.New("line underway")
	ErrClosed   = errors.New("chat closed")
	ErrNobody   = errors.New("nobody addressed")
	ErrBlank    = errors.New("blank line")
	ErrTooLong  = errors.New("long line")
	ErrLookAway = errors.New("looking again")
)

// Unnoted says that a line arrived and that only the queue could not note it. It comes in a *queue.Doubt.
type Unnoted struct{ Err error }

func (u *Unnoted) Error() string { return "unnoted: " + u.Err.Error() }

// Unwrap returns the cause.
func (u *Unnoted) Unwrap() error { return u.Err }

// LineSent says how sending a line went. After a *queue.Doubt it may have arrived although something went wrong, so it
// must not be sent again unseen.
type LineSent struct {
	Seat *Seat
	Err  error
}

// LineRefused says that a line was not sent, since its agent cannot be reached.
type LineRefused struct {
	Seat *Seat
	Err  error
}

// LineOpened says that the composer was opened, by the person or by the program.
type LineOpened struct{ Seat *Seat }

// LineChanged says that the text in the composer is another one, not by the person's keys.
type LineChanged struct{ Seat *Seat }

// LineTakenBack says how taking back the last line went.
type LineTakenBack struct {
	Seat     *Seat
	Session  queue.Session // in its present state
	Restored bool          // its text is in the composer again, which may have been left since
	Err      error
}

func (LineOpened) event()    {}
func (LineSent) event()      {}
func (LineRefused) event()   {}
func (LineChanged) event()   {}
func (LineTakenBack) event() {}

// line is one line on its way, beside the owner.
type line struct {
	chat   *Chat
	agent  *Agent // the owner's
	to     queue.Origin
	text   string
	mode   string
	bridge bool // a bridge of the agent's runs, so it can fetch messages

	fetcher queue.Origin // that bridge

	message queue.Session // what was to be stored and was not confirmed; the zero Session: it was not tried yet
	again   time.Time     // when it is to be tried again; zero: it is under way, or not to be
	left    bool          // the person has left it: it is not to be tried again
}

// send delivers the line the best way there is, and returns the message as the queue keeps it. Nothing is stored
// before there is a way; *queue.Doubt comes beside a message that is delivered for all we know, *unkept where the queue
// did not confirm it. A line that was tried before goes the way that it went then.
func (l line) send(ctx context.Context) (queue.Session, error) {
	why, ways := ErrNoTmux, l.chat.ways
	switch {
	case l.message.Claim != nil:
		s, err := l.handOver(ctx)
		if l.isDone(err) {
			return s, err
		}
		l.message = queue.Session{}
	case l.message.ID != "":
		return l.keep(ctx, l.message)
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
	return l.keep(ctx, queue.NewMessage(l.fetcher, l.text))
}

// isDone reports whether nothing else is to be tried after a message was handed over.
func (l line) isDone(err error) bool {
	var unsure *queue.Doubt
	var unconfirmed *unkept
	return err == nil || errors.As(err, &unsure) || errors.As(err, &unconfirmed) ||
		l.mode == config.DeliverTmux || !l.bridge
}

// keep stores the message of a draft, or stores an unconfirmed message again.
func (l line) keep(ctx context.Context, draft queue.Session) (queue.Session, error) {
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
			return queue.Session{}, &unkept{message, err}
		}
	}
	if err == nil && s.Outcome != nil && s.Outcome.Status != queue.StatusDelivered { // it was taken out when left
		l.message = queue.Session{}
		return l.keep(ctx, draft)
	}
	return s, err
}

// handOver stores the message under a claim of ours, so that next_message leaves it alone, gives it to the agent, and
// notes how that went, unless whoever gave it has. If this process dies in between, the claim is void and the agent may
// still fetch it.
func (l line) handOver(ctx context.Context) (queue.Session, error) {
	q := l.chat.d.o.Queue
	draft := l.message
	if draft.Claim == nil {
		draft = queue.NewMessage(l.to, l.text)
		draft.Claim = &queue.Claim{Instance: l.chat.d.o.Instance, Conn: queue.NewToken()}
	}
	s, err := l.keep(ctx, draft)
	if err != nil || s.Outcome != nil || s.Claim == nil || *s.Claim != *draft.Claim { // its agent fetched it
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
		failed = nil // it was noted already, and so
	}
	if failed == nil {
		_ = q.Store.Archive(step, done) // the next sweep does it
		s = done
	}
	if err == nil && failed != nil { // it arrived, and only the note of it is missing
		err = &queue.Doubt{Err: &Unnoted{failed}}
	}
	return s, err
}
