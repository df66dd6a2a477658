package plain

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// Exchange holds the person's lines for a conversation, and where it writes.
type Exchange struct {
	In        <-chan string // the person's lines; closed: there are no more
	Want      func()        // called once for each line that is read
	Interrupt <-chan struct{}
	Out       io.Writer
}

// discussing gives the person's lines to a conversation about a question, while one is under way. Other news is told
// after it.
type discussing struct {
	*voice
	have    func(context.Context, deed.Action, string, Exchange) error // see Options.Discuss
	gate    *gate
	ctx     context.Context
	in      chan string // nil: no conversation is under way
	wants   bool        // it wants a line
	pushed  chan struct{}
	closed  bool   // the input has ended
	over    func() // the conversation has ended
	offered bool   // the person was told, or could read, that the team can be asked
}

// offer says that the team can be asked about the question on view, where that became known.
func (d *discussing) offer() {
	was := d.offered
	d.offered = d.seat.Team.MayAsk() == nil
	if d.offered && !was && !d.underWay() {
		d.say(widensWith(d.speech()) + ".")
	}
}

// underWay reports whether a conversation has the lines.
func (d *discussing) underWay() bool { return d.in != nil }

// line gives the conversation the line that it wants.
func (d *discussing) line(text string) {
	d.wants = false
	d.in <- text
}

// want lets one line in; the conversation calls it.
func (d *discussing) want() {
	d.gate.oneMore()
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
	case d.pushed <- struct{}{}:
	default: // the one before was not read yet
	}
}

// begin starts the conversation of an action about the question that was named, else about the one on view.
func (d *discussing) begin(named string, about deed.Action) {
	if d.have == nil {
		d.say("There is no way to ask a team here.")
		return
	}
	id, ok := d.question(named)
	if !ok {
		d.say(noSuchLine(named))
		return
	}
	d.in, d.pushed, d.closed = make(chan string, 1), make(chan struct{}, 1), false
	d.wants = false
	on := Exchange{In: d.in, Want: d.want, Interrupt: d.pushed, Out: d.out}
	if d.ascii {
		on.Out = InASCII(d.out)
	}
	d.gate.narrow()
	d.hold()
	go func() {
		err := d.have(d.ctx, about, id, on)
		d.desk.Do(func() { d.end(err) })
	}()
}

// noSuchLine says that no question was found by the typed name.
func noSuchLine(named string) string {
	if named == "" {
		return "No question is on view. Name one by its id: list shows them."
	}
	return "No pending question is called " + say.ShortQuoted(named, 60) + ". list writes them all."
}

// end tells what happened meanwhile. A line that the conversation did not come to is refused: it was meant for it.
func (d *discussing) end(err error) {
	select {
	case text, more := <-d.in:
		if more {
			d.say(say.LineTooSoon(text))
		}
	default:
	}
	d.in = nil
	d.gate.widen()
	d.release()
	if err != nil && d.ctx.Err() == nil {
		d.complain(say.Cause(err))
	}
	d.over()
}

// question finds the question that a person names by its id, by its number in the list, or not at all.
func (d *discussing) question(named string) (id string, ok bool) {
	named = strings.TrimSpace(named)
	list := d.desk.Waiting()
	if named == "" {
		id := d.seat.Up()
		return id, id != ""
	}
	if n, err := strconv.Atoi(named); err == nil && n >= 1 && n <= len(list) {
		return list[n-1].ID, true
	}
	id, typed := queue.TypedID(named)
	return id, typed && d.position(id) >= 0
}

// InASCII writes what a terminal can show that knows nothing but ASCII. Each write holds whole characters.
func InASCII(out io.Writer) io.Writer { return asciiOnly{out} }

type asciiOnly struct{ out io.Writer }

func (a asciiOnly) Write(text []byte) (int, error) {
	_, err := io.WriteString(a.out, plainASCII(string(text)))
	return len(text), err
}
