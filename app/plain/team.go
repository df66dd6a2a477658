package plain

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// Team discusses one question with the team, on lines. Each method returns when the conversation is over; its error is
// what kept it from being had.
type Team interface {
	// Ready reports whether the team can be reached; it takes half a second at most, and asks once a minute.
	Ready(ctx context.Context) error
	Widen(ctx context.Context, session string, on Exchange) error
	Fetch(ctx context.Context, session string, on Exchange) error
	Defer(ctx context.Context, session string, on Exchange) error
}

// Exchange is what a conversation reads and writes while it lasts.
type Exchange struct {
	In        <-chan string // the person's lines; closed: there are no more
	Want      func()        // called once for each line that is read
	Interrupt <-chan struct{}
	Out       io.Writer
}

// discussing has the person's lines for a conversation about a question, while one is under way. What is to be told
// besides waits until it is over.
type discussing struct {
	*voice
	team   Team
	gate   *gate
	ctx    context.Context
	in     chan string // nil: none is under way
	wants  bool        // it wants a line
	pushed chan struct{}
	closed bool   // the input has ended
	over   func() // the conversation has ended
	looks  bool   // it is being found out whether the team can be reached
}

// look finds out, beside the lines, whether the team can be reached about the question on view, and says so where that
// is new.
func (d *discussing) look() {
	if d.team == nil || d.looks || !d.mayWiden() {
		return
	}
	d.looks = true
	id, ctx := d.seat.Up(), d.ctx
	d.desk.Beside(func() {
		err := d.team.Ready(ctx)
		d.desk.Do(func() {
			was := d.reached
			d.looks, d.reached = false, err == nil
			if d.reached && !was && d.seat.Up() == id && d.mayWiden() && !d.underWay() {
				d.say(widensWith(d.speech()) + ".")
			}
		})
	})
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

// inputEnded says that there are no more lines.
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

// begin starts a conversation about the question that was named, else about the one on view.
func (d *discussing) begin(named string, have func(Team, context.Context, string, Exchange) error) {
	if d.team == nil {
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
		err := have(d.team, d.ctx, id, on)
		d.desk.Do(func() { d.end(err) })
	}()
}

// noSuchLine says that no question was found by the typed name.
func noSuchLine(named string) string {
	if named == "" {
		return "No question is on view. Name one by its id: list writes them."
	}
	return "No question that waits is called " + say.ShortQuoted(named, 60) + ". list writes them all."
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

// question is the question that a person names by its id, by its number in the list, or not at all.
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
