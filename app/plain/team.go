package plain

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/widen"
)

// Exchange connects a conversation with the person: it holds the lines that they type, and the place that the
// conversation writes to.
type Exchange struct {
	In        <-chan string   // the person's lines; closed: there are no more
	Want      func()          // the conversation calls it once before each line that it reads
	Interrupt <-chan struct{} // receives a value for each Ctrl-C
	Out       io.Writer
}

// discussing passes the person's lines to a conversation while one is under way, in which they ask the team about a
// question or look at what the team said. Other news is written after the conversation.
type discussing struct {
	*voice
	converse   func(context.Context, action.Name, string, Exchange) error // see Options.Discuss
	gate       *gate
	ctx        context.Context
	in         chan string   // nil: no conversation is under way
	wants      bool          // whether the conversation waits for a line
	interrupts chan struct{} // see Exchange.Interrupt
	closed     bool          // the input has ended
	over       func()        // called when the conversation has ended
	offered    bool          // whether the person was told that the team can be asked
}

// offerTeam says that the team can be asked about the question on view, when that has just become possible.
func (d *discussing) offerTeam() {
	was := d.offered
	d.offered = d.view.Team.WhyNot((*widen.Consult).Begin) == nil
	if d.offered && !was && !d.underWay() {
		d.say(widensWith(d.speech()) + ".")
	}
}

// underWay reports whether a conversation has the lines.
func (d *discussing) underWay() bool { return d.in != nil }

// giveLine gives the conversation the line that it wants.
func (d *discussing) giveLine(text string) {
	d.wants = false
	d.in <- text
}

// awaitLine has the next line read and passed to the conversation. The conversation calls it before each line that it
// reads.
func (d *discussing) awaitLine() {
	d.gate.letLineIn()
	d.desk.Do(func() { d.wants = true })
}

// inputEnded tells the conversation that there are no more lines.
func (d *discussing) inputEnded() {
	d.closed, d.wants = true, false
	close(d.in)
}

// interrupt gives the conversation a Ctrl-C.
func (d *discussing) interrupt() {
	select {
	case d.interrupts <- struct{}{}:
	default: // the conversation has not read the last Ctrl-C yet
	}
}

// begin starts the conversation of an action about the question that was named, else about the one on view.
func (d *discussing) begin(named string, about action.Name) {
	if d.converse == nil {
		d.say("There is no way to ask a team here.")
		return
	}
	id, ok := d.findQuestion(named)
	if !ok {
		d.say(noSuchLine(named))
		return
	}
	d.in, d.interrupts, d.closed = make(chan string, 1), make(chan struct{}, 1), false
	d.wants = false
	on := Exchange{In: d.in, Want: d.awaitLine, Interrupt: d.interrupts, Out: d.out}
	if d.ascii {
		on.Out = InASCII(d.out)
	}
	d.gate.readOneByOne()
	d.hold()
	go func() {
		err := d.converse(d.ctx, about, id, on)
		now, unread := d.desk.Queue().Get(d.ctx, id)
		d.desk.Do(func() {
			if unread == nil {
				d.desk.See(now) // the watch may report later what the conversation did
			}
			d.endTalk(err)
		})
	}()
}

// noSuchLine says that no question was found by the typed name.
func noSuchLine(named string) string {
	if named == "" {
		return "There is no current question. Give the id of one: list shows them."
	}
	return "No pending question is called " + say.ShortQuoted(named, 60) + ". list shows them all."
}

// endTalk ends the conversation and writes the news that came meanwhile. A line that the conversation did not read is
// refused, because it was meant for the conversation.
func (d *discussing) endTalk(err error) {
	select {
	case text, more := <-d.in:
		if more {
			d.say(say.LineTooSoon(text))
		}
	default:
	}
	d.in = nil
	d.gate.readAll()
	d.release()
	if err != nil && d.ctx.Err() == nil {
		d.complain(say.Cause(err))
	}
	d.over()
}

// findQuestion finds the question that a person names by its id or by its number in the list. Without a name it is the
// question on view.
func (d *discussing) findQuestion(named string) (id string, ok bool) {
	named = strings.TrimSpace(named)
	list := d.desk.Waiting()
	if named == "" {
		id := d.view.Up()
		return id, id != ""
	}
	if n, err := strconv.Atoi(named); err == nil && n >= 1 && n <= len(list) {
		return list[n-1].ID, true
	}
	id, typed := queue.TypedID(named)
	return id, typed && d.position(id) >= 0
}

// InASCII returns a writer that replaces each character that an ASCII terminal cannot show. Each Write must hold whole
// characters.
func InASCII(out io.Writer) io.Writer { return asciiOnly{out} }

type asciiOnly struct{ out io.Writer }

func (a asciiOnly) Write(text []byte) (int, error) {
	_, err := io.WriteString(a.out, plainASCII(string(text)))
	return len(text), err
}
