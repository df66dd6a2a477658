// Package plain is the dashboard without a screen, and the form that is opened on one question alone (a hand-off). It
// reads and writes lines, for screen readers, dumb terminals and logs. It never sends an escape sequence and never
// writes over a line.
//
//	stdin ─► lines (each with its time) ─► Lines ─► commands ─► answering ─┬─► Keyboard ─► view ─► desk ─► store
//	clock ─► one timer, only while something waits ──┘                     └─► voice ─► printer ─► stdout
//	store ─► desk, view ─► events ─► news ─────────────────────────────────────┘
//
// The package is one of the program's frontends, beside app/screen and app/portal: it shows one view of queue/desk to a
// person. The desk knows the pending questions, stores answers and saves drafts; the view holds the form of the
// question on view. Each word that the person types is an action of queue/desk/action, whose Keyboard asks the guard
// whether the line came too early, and carries out the action. The package adds only what lines need: a vocabulary, a
// memory of what the person was asked last, texts of several lines, and a record of what was said about each question.
// One goroutine owns all of it.
//
// Lines behave like the full screen. A question is written in full when its turn comes, and numbers answer that
// question only. A question that arrives meanwhile gets one line. The lines repeat what the person chose, and Enter on
// an empty line sends it. The guard of the view refuses a line that was typed too early to be meant for the question on
// view.
package plain

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

const (
	// patience limits how long the store may take before the next line is read.
	patience = 5 * time.Second
	// lastTry limits how long storing an answer may take after the end of the input.
	lastTry = 10 * time.Second
)

// Run is the plain mode: it reads lines and writes lines until the person leaves, the input ends, the hand-off is over
// or ctx ends. It returns the session of a hand-off as last seen. Its errors are those of screen.Run, except the errors
// about screens.
func Run(ctx context.Context, o Options) (queue.Session, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	role := queue.RoleDashboard
	if o.Attach != "" {
		role = queue.RoleAttach
	}
	l := New(o)
	if s, err := l.desk.Open(ctx, role); err != nil {
		return s, err
	}
	l.desk.Start(ctx)
	go l.desk.Upkeep(ctx, func() {})
	l.team.ctx, l.typed = ctx, readLines(ctx, o.In, l.team.gate, l.desk.Now)
	err := l.loop(ctx, l.typed)
	l.over = true
	cancel()
	l.desk.Close()
	if err == nil {
		err = l.failed
	}
	s, _ := l.desk.Session(o.Attach)
	return s, err
}

// loop waits for the next line, event, signal or time, and handles it. Nothing else changes the state of the lines and
// of the desk, so neither needs a lock.
func (l *Lines) loop(ctx context.Context, lines <-chan line) error {
	signals := endingSignals()
	defer signal.Stop(signals)
	l.applySettings()
	if l.o.Attach == "" {
		l.say("choicetui in plain mode. help lists the commands.")
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
			l.routeLine(text, more)
		case sig := <-signals:
			if err := l.handleSignal(sig.(unix.Signal)); err != nil || l.over {
				return err
			}
		case <-ctx.Done():
			l.leave()
		case <-l.passTimer():
		}
		l.passTime()
	}
	return l.err
}

// endingSignals returns a channel that receives the signals that end a process, except those that this process ignores.
func endingSignals() chan os.Signal {
	signals := make(chan os.Signal, 1)
	for _, sig := range []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP} {
		if !signal.Ignored(sig) {
			signal.Notify(signals, sig)
		}
	}
	return signals
}

// routeLine hands a line to the conversation with the team while one is under way, else to the question on view. more
// is false at the end of the input.
func (l *Lines) routeLine(text line, more bool) {
	if more {
		l.team.gate.lineTaken()
		if !l.isPress(text) {
			return
		}
	}
	l.takeLine(text, more)
}

// isPress reports whether a line is a press of its own. An empty line may be the repeat of a held Enter, and is then
// handled later or not at all. The conversation with the team reads line by line, so it gets no line later, and another
// one for each that is no press.
func (l *Lines) isPress(typed line) bool {
	in, again := action.Input{Key: "line"}, func() { l.takeLine(typed, true) }
	if strings.TrimSpace(typed.text) == "" {
		in = action.Input{Action: action.Enter, Key: "enter"}
	}
	if !l.team.underWay() {
		return l.answer.board.IsPress(in, typed.at, again)
	}
	is := l.answer.board.IsPress(in, typed.at, nil)
	if !is {
		l.team.gate.letLineIn()
	}
	return is
}

// takeLine does the work of routeLine for a line that counts.
func (l *Lines) takeLine(text line, more bool) {
	if !more {
		l.answer.board.Overtake("", l.desk.Now())
	}
	switch {
	case l.team.underWay() && more && text.isCut(l.o.Typed):
		l.say(say.LineCut(len(text.text)))
		l.team.gate.letLineIn()
	case l.team.underWay() && more:
		l.team.giveLine(text.text)
	case l.team.underWay():
		l.team.inputEnded()
	case more:
		l.handleLine(text)
	default:
		l.inputEnded()
	}
}

// ready reports whether the next line may be read. No line is read before the queue was read, nor while an answer is
// being stored.
func (l *Lines) ready() bool {
	if l.team.underWay() {
		return l.team.wants
	}
	until, sending := l.answer.sendingUntil()
	return (l.desk.Loaded() || l.desk.Trouble().Queue != nil) && (!sending || l.desk.Now().After(until))
}

// passTime carries out the work that is due by the clock, writes the question that has come on view, and leaves once
// the input has ended and nothing is left to store.
func (l *Lines) passTime() {
	now := l.desk.Now()
	if until, sending := l.answer.sendingUntil(); sending && now.After(until) {
		l.complain("the disk does not respond; the answer being sent is not saved yet")
	}
	if len(l.typed) == 0 { // else the next line decides
		l.answer.board.ActLate(now)
	}
	l.desk.Tick()
	l.news.warnOfClock(now)
	if l.team.underWay() {
		return
	}
	l.leaveEnded()
	if l.over {
		return
	}
	l.announceNew()
	if l.view.Up() == l.news.last.id {
		l.view.Guard.Drawn(now)
	}
	switch {
	case l.view.Up() != "" || !l.desk.Loaded():
	case l.o.Attach != "":
		l.over = true
	default:
		l.news.tellNothing()
	}
	if !l.closing.IsZero() && (l.desk.Outbox().Len() == 0 || now.After(l.closing)) {
		l.leave()
	}
}

// passTimer returns a channel that fires when passTime has work to do. It returns nil if only an event can bring work.
func (l *Lines) passTimer() <-chan time.Time {
	next := l.nextPass()
	if next.IsZero() {
		return nil
	}
	return time.After(l.napFor(next.Sub(l.desk.Now())))
}

// napFor returns how long to sleep before passTime has work to do. While questions are pending it is at most
// desk.LookAgain.
func (l *Lines) napFor(until time.Duration) time.Duration {
	if len(l.desk.Waiting()) == 0 {
		return until
	}
	return min(until, desk.LookAgain)
}

// nextPass returns the time at which passTime has work to do; zero: never.
func (l *Lines) nextPass() time.Time {
	next := l.desk.NextTick()
	sooner := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	if l.news.alerts != nil {
		sooner(l.news.alerts.Next())
	}
	sooner(l.closing)
	if len(l.typed) == 0 {
		sooner(l.answer.board.Due())
	}
	if until, sending := l.answer.sendingUntil(); sending && !l.desk.Now().After(until) {
		sooner(until.Add(time.Millisecond))
	}
	return next
}

// inputEnded leaves the plain mode when the input has ended, but waits up to lastTry for an answer that is being
// stored.
func (l *Lines) inputEnded() {
	l.view.SendNow()
	if asked := l.answer.asked; asked == asksEnter || asked == asksConfirm || asked == asksBatch {
		l.say("The input ended before that was confirmed: nothing was sent.")
	}
	unsaved := l.desk.Outbox().Len()
	// An answer that is not stored yet leaves its question waiting, so one waiting question may be that one.
	if stay, withdrawn := l.desk.Left(); stay+withdrawn > 1 || stay+withdrawn == 1 && unsaved == 0 {
		l.say("The input ended; " + say.Stay(stay, withdrawn) + ".")
	}
	l.closing = l.desk.Now()
	if unsaved > 0 {
		l.closing = l.closing.Add(lastTry)
	}
}

// handleSignal interrupts the conversation with the team on Ctrl-C. Without a conversation any signal ends the plain
// mode. Ctrl-C is the person's way to leave, so it is no error.
func (l *Lines) handleSignal(sig unix.Signal) error {
	if sig == unix.SIGINT && l.team.underWay() {
		l.team.interrupt()
		return nil
	}
	l.leave()
	if sig == unix.SIGINT {
		return nil
	}
	return term.Signal{Sig: sig}
}

// quit leaves. While questions are pending or an answer is not stored yet, it warns the first time and leaves the
// second time.
func (l *Lines) quit(string) {
	stay, withdrawn := l.desk.Left()
	unsaved := l.desk.Outbox().Len() > 0
	quit := l.words.shortForm("quit")
	switch {
	case l.answer.asked == asksQuit || stay+withdrawn == 0 && !unsaved:
		l.leave()
		return
	case unsaved:
		l.say(say.AgainLoses(quit, say.InLines))
	case l.o.Attach != "":
		l.say(say.AgainLeaves(quit, say.InLines))
	default:
		l.say(say.AgainQuits(quit, stay, withdrawn, say.InLines))
	}
	l.answer.asked = asksQuit
}

// leave ends the plain mode. Pending questions stay in the queue; an answer that could not be stored becomes the error
// of Run.
func (l *Lines) leave() {
	l.over = true
	for _, out := range l.desk.Outbox().Unsaved() {
		why := out.Err.Error()
		if errors.Is(out.Err, desk.ErrStuck) {
			why = say.DiskMute
		}
		l.failed = errors.New(say.LeftUnsaved(out.Session, why))
	}
}
