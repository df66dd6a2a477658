package desk

import (
	"context"
	"errors"
	"maps"
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
	View *View
	Err  error
}

// LineRefused says that a line was not sent because its agent cannot be reached.
type LineRefused struct {
	View *View
	Err  error
}

// LineOpened says that the composer was opened, by the person or by the program.
type LineOpened struct{ View *View }

// LineClosed says that the composer was closed.
type LineClosed struct{ View *View }

// LineChanged says that the text in the composer changed, and not by the person's keys.
type LineChanged struct{ View *View }

// LineTakenBack reports the result of taking back the last line.
type LineTakenBack struct {
	View     *View
	Session  queue.Session // in its present state
	Restored bool          // the line's text was put back into the composer
	Err      error
}

func (LineOpened) event()    {}
func (LineClosed) event()    {}
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
	if l.to.Remote {
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
	done, failed := q.Do(step, s.ID, queue.Command{By: queue.ByHuman, Surface: l.chat.view.surface, Do: do})
	if failed != nil && done.Outcome != nil {
		arrived, stored := err == nil, done.Outcome.Status == queue.StatusDelivered
		if arrived == stored {
			failed = nil // the same result was stored already
		}
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

// ErrUnconfirmed says that the person closed the composer before the queue confirmed the line, so nobody knows whether
// the line was sent.
var ErrUnconfirmed = errors.New("unconfirmed line")

// maybeStored is the error of an attempt to store a message that may have succeeded all the same. The next attempt must
// use the same message, so that the line is not stored twice.
type maybeStored struct {
	message queue.Session
	err     error
}

func (u *maybeStored) Error() string { return u.err.Error() }

// Unwrap returns the error of the attempt to store it.
func (u *maybeStored) Unwrap() error { return u.err }

// outgoingLines tracks lines that were sent and that the queue did not confirm. A line keeps its message as long as its
// text is the same, so that it never reaches its agent twice.
//
//	Send ─► going ─┬ confirmed ─► LineSent
//	          ▲    └ not ─► again after RetryIn, unless it was left or chat is closed; then it is kept as it is:
//	          └── Send of the same text        the watch may find that the queue has it after all
type outgoingLines struct {
	chat   *Chat
	going  *line            // the line that is being sent or will be tried again; nil: none
	unsure map[string]*line // by session: the lines that may be in the queue
}

// TryingAgain reports whether the line being sent was tried before and not confirmed.
func (o *outgoingLines) TryingAgain() bool { return o.going != nil && o.going.message.ID != "" }

// startLine sends a line. If an unconfirmed line to the same agent has the same text, it sends that one again.
func (o *outgoingLines) startLine(l *line) {
	for _, tried := range o.unsure {
		if tried.agent == l.agent && tried.text == l.text {
			l = tried
		}
	}
	l.left = false
	o.going, o.chat.busy = l, l.text
	o.tryLine()
}

// tryLine makes one attempt to send the current line, on a goroutine.
func (o *outgoingLines) tryLine() {
	l := o.going
	l.again = time.Time{}
	tried := *l
	o.chat.agents.errands.runErrand(func() {
		ctx, cancel := context.WithTimeout(context.Background(), sendWithin)
		defer cancel()
		s, err := tried.deliver(ctx)
		o.chat.d.Do(func() { o.chat.lineTried(l, s, err) })
	})
}

// retryLater keeps an unconfirmed line to be tried again, unless the person has left it.
func (o *outgoingLines) retryLater(l *line, u *maybeStored) {
	l.message, l.again = u.message, o.chat.d.Now().Add(RetryIn)
	o.unsure[l.message.ID] = l
	if l.left {
		o.giveLineUp()
		o.chat.d.tell(LineSent{View: o.chat.view, Err: ErrUnconfirmed})
	}
}

// leaveLine marks the current line as one that is not tried again.
func (o *outgoingLines) leaveLine() {
	if o.going == nil {
		return
	}
	if o.going.left = true; !o.going.again.IsZero() {
		o.giveLineUp()
	}
}

// giveLineUp stops trying to send the current line, although it is unknown whether it arrived. If the watch has already
// reported the line, findLine handles it.
func (o *outgoingLines) giveLineUp() {
	id := o.going.message.ID
	o.going, o.chat.busy = nil, ""
	if s, ok := o.chat.d.Session(id); ok {
		o.findLine(s)
	}
}

// forgetSent forgets a line whose result is known.
func (o *outgoingLines) forgetSent(l *line) {
	if o.going == l {
		o.going, o.chat.busy = nil, ""
	}
	maps.DeleteFunc(o.unsure, func(_ string, other *line) bool { return other == l })
}

// nextTry returns when a line is to be tried again; zero: never.
func (o *outgoingLines) nextTry() time.Time {
	if o.going == nil {
		return time.Time{}
	}
	return o.going.again
}

// retryDue tries the line again if that is due. While chat is closed it gives the line up, so that no line is sent at
// the moment when chat opens.
func (o *outgoingLines) retryDue(now time.Time) {
	due := o.nextTry()
	if due.IsZero() || now.Before(due) {
		return
	}
	if closing, _ := o.chat.d.Closing(); closing > 0 {
		o.leaveLine()
		return
	}
	o.tryLine()
}

// findLine handles a line that was given up and then turns up in the queue. If its agent fetches it, it counts as sent.
// If this process was to hand it over, it is cancelled.
func (o *outgoingLines) findLine(s queue.Session) {
	l := o.unsure[s.ID]
	if l == nil || l == o.going {
		return
	}
	ours := l.message.Claim != nil && s.Claim != nil && *s.Claim == *l.message.Claim
	switch {
	case s.Outcome == nil && ours:
		cancel := queue.Command{By: queue.ByHuman, Surface: o.chat.view.surface, Do: queue.Cancel{}}
		o.chat.d.runCommand(s.ID, cancel, nil)
	case s.Outcome != nil && s.Outcome.Status != queue.StatusDelivered:
		o.forgetSent(l)
	default:
		o.forgetSent(l)
		o.chat.takeOutText(l.agent, l.text)
		o.chat.d.last.noteLine(s)
	}
}
