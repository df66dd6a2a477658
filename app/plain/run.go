package plain

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

const (
	// patience limits how long the store may take before the next line is read.
	patience = 5 * time.Second
	// lastTry limits how long storing an answer may take after the end of the input.
	lastTry = 10 * time.Second
)

// Run reads lines and writes lines until the person leaves, the input ends, the hand-off is over or ctx ends. Its
// errors are app.Run's, apart from those about screens.
func Run(ctx context.Context, o Options) (Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	role := queue.RoleDashboard
	if o.Attach != "" {
		role = queue.RoleAttach
	}
	l := New(o)
	if s, err := l.desk.Open(ctx, role); err != nil {
		return Result{Session: s}, err
	}
	l.desk.Start(ctx)
	go l.desk.Upkeep(ctx, func() {})
	l.team.ctx = ctx
	err := l.loop(ctx, read(ctx, o.In, l.team.gate, l.desk.Now))
	l.over = true
	cancel()
	l.desk.Close()
	if err == nil {
		err = l.failed
	}
	s, _ := l.desk.Session(o.Attach)
	return Result{Session: s, Left: l.left}, err
}

// loop is the one place where the state changes, of the desk too: it owns it.
func (l *Lines) loop(ctx context.Context, lines <-chan line) error {
	signals := endingSignals()
	defer signal.Stop(signals)
	l.newSettings()
	if l.o.Attach == "" {
		l.say("choicetui, the plain mode. help says what can be typed.")
	}
	if l.o.Aside > 0 {
		l.complain(say.LieAside(l.o.Aside)[0])
	}
	for !l.over && l.err == nil {
		open := lines
		if !l.ready() {
			open = nil
		}
		select {
		case <-l.desk.Bell():
			l.desk.Drain()
		case text, more := <-open:
			if !more {
				lines = nil
			}
			l.take(text, more)
		case sig := <-signals:
			if err := l.signalled(sig.(unix.Signal)); err != nil || l.over {
				return err
			}
		case <-ctx.Done():
			l.leave()
		case <-l.timer():
		}
		l.pass()
	}
	return l.err
}

// endingSignals brings the signals that end a process and that it does not ignore.
func endingSignals() chan os.Signal {
	signals := make(chan os.Signal, 1)
	for _, sig := range []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP} {
		if !signal.Ignored(sig) {
			signal.Notify(signals, sig)
		}
	}
	return signals
}

// take gives a line, or the end of all, to whom it is for.
func (l *Lines) take(text line, more bool) {
	if more {
		l.team.gate.took()
	}
	switch {
	case l.team.underWay() && more:
		l.team.line(text.text)
	case l.team.underWay():
		l.team.inputEnded()
	case more:
		l.line(text)
	default:
		l.inputEnded()
	}
}

// ready reports whether a line may be taken now: not before the queue was read, nor while an answer is on its way.
func (l *Lines) ready() bool {
	if l.team.underWay() {
		return l.team.wants
	}
	until, sending := l.answer.underWay()
	return (l.desk.Loaded() || l.desk.Trouble().Queue != nil) && (!sending || l.desk.Now().After(until))
}

// pass does what time brings, and writes what belongs on view.
func (l *Lines) pass() {
	now := l.desk.Now()
	if until, sending := l.answer.underWay(); sending && now.After(until) {
		l.complain("the disk does not answer; the answer under way is not saved yet")
	}
	l.desk.Tick()
	l.news.warn(now)
	if l.team.underWay() {
		return
	}
	l.giveWay()
	if l.over {
		return
	}
	l.bringUp()
	if l.seat.Up() == l.news.view.id {
		l.seat.Guard.Drawn(now)
	}
	switch {
	case l.seat.Up() != "" || !l.desk.Loaded():
	case l.o.Attach != "":
		l.over = true
	default:
		l.news.tellNothing()
	}
	if !l.closing.IsZero() && (l.desk.Outbox().Len() == 0 || now.After(l.closing)) {
		l.leave()
	}
}

// timer fires when pass has something to do; nil: nothing will be without anything happening.
func (l *Lines) timer() <-chan time.Time {
	next := l.next()
	if next.IsZero() {
		return nil
	}
	return time.After(l.nap(next.Sub(l.desk.Now())))
}

// nap returns how long to sleep before pass has something to do; it is at most until.
func (l *Lines) nap(until time.Duration) time.Duration {
	if len(l.desk.Waiting()) == 0 {
		return until
	}
	return min(until, desk.LookAgain)
}

// next is when pass has something to do; zero: never.
func (l *Lines) next() time.Time {
	next := l.desk.NextTick()
	sooner := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	sooner(l.news.alerts.Next())
	sooner(l.closing)
	if until, sending := l.answer.underWay(); sending && !l.desk.Now().After(until) {
		sooner(until.Add(time.Millisecond))
	}
	return next
}

// inputEnded leaves, once an answer under way is stored.
func (l *Lines) inputEnded() {
	l.seat.SendNow()
	if asked := l.answer.asked; asked == asksEnter || asked == asksConfirm || asked == asksRound {
		l.say("The input ended before that was confirmed: nothing was sent.")
	}
	unsaved := l.desk.Outbox().Len()
	if n := len(l.desk.Waiting()); n > 1 || n == 1 && unsaved == 0 {
		l.say("The input ended; " + say.Stay(n) + ".")
	}
	l.closing = l.desk.Now()
	if unsaved > 0 {
		l.closing = l.closing.Add(lastTry)
	}
}

// signalled is Ctrl-C, which a conversation takes while one is under way, or the end by a signal.
func (l *Lines) signalled(sig unix.Signal) error {
	if sig == unix.SIGINT && l.team.underWay() {
		l.team.interrupt()
		return nil
	}
	return l.stopped(sig)
}

// stopped is the end by a signal; Ctrl-C is the person's way to leave.
func (l *Lines) stopped(sig unix.Signal) error {
	l.leave()
	if sig == unix.SIGINT {
		return nil
	}
	return term.Signal{Sig: sig}
}

// quit leaves, on the second time while something waits.
func (l *Lines) quit(string) {
	n := len(l.desk.Waiting())
	unsaved := l.desk.Outbox().Len() > 0
	quit := l.words.short("quit")
	switch {
	case l.answer.asked == asksQuit || n == 0 && !unsaved:
		l.leave()
		return
	case unsaved:
		l.say(say.AgainLoses(quit, say.FaceLines))
	case l.o.Attach != "":
		l.say(say.AgainLeaves(quit, say.FaceLines))
	default:
		l.say(say.AgainQuits(quit, n, say.FaceLines))
	}
	l.answer.asked = asksQuit
}

// leave ends the plain mode; pending questions stay in the queue.
func (l *Lines) leave() {
	l.over = true
	_, l.left = l.waiting(l.o.Attach)
	for _, out := range l.desk.Outbox().Unsaved() {
		why := out.Err.Error()
		if errors.Is(out.Err, desk.ErrStuck) {
			why = say.DiskMute
		}
		l.failed = errors.New(say.LeftUnsaved(out.Session, why))
	}
}
