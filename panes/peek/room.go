// Package peek shows what the asking agent was doing, from its transcript or its tmux pane: the last lines in the empty
// rows beside the question, and a page of all. They are shown only here, and are not copied into drafts, history, logs
// or notices.
//
//	desk.Shown ─► subject ─► Due ─► the screen's clock ─► Tick ─► Look, beside the desk ─► took ─► Draw
package peek

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

const (
	// settles is the time for which a question must stay on screen before anything is read: walking through the queue
	// costs nothing.
	settles = 50 * time.Millisecond
	// paneEvery is the least time between two looks into a pane.
	paneEvery = 5 * time.Second
	// transcriptEvery is the least time between two looks into a transcript. It is long, because what an agent did
	// before a question hardly changes.
	transcriptEvery = 15 * time.Second
	// againAfter is the time after the first look into a transcript until the second one, because the agent may write
	// something a little later than it asks.
	againAfter = time.Second
	// soon is the time between the first looks for words that may be written a moment later. It grows with the time
	// since the question came, up to late.
	soon = 250 * time.Millisecond
	late = 3 * time.Second
	// rests is the time after the last key, or after the question came, in which the pane is still looked into.
	rests = time.Minute
	// within limits the time of a look.
	within = 3 * time.Second
)

// Shot holds what an agent was doing, at one moment: the content of its own transcript, or of its pane.
type Shot struct {
	Pane   string           // the id of the pane; empty before the first look, and for a transcript
	Where  string           // the source, such as tmux 2:1
	Mark   string           // changes when something is written there
	Text   string           // the content of a pane, not yet cleaned
	Lines  []say.BeforeLine // the content of a transcript
	Awaits bool             // a transcript, or its words of this turn, may be there a moment later
	Sought string           // the state of the transcripts in which the turn was not found; empty: it was found
	NoPane bool             // there was no pane to show meanwhile, which is not looked for at each look
}

// Look returns what an agent was doing when it asked. It gets what it returned last, which it may return again, and
// the zero Shot the first time. With an error, a Shot that awaits a transcript is looked for again.
type Look func(ctx context.Context, s queue.Session, last Shot) (Shot, error)

// Options connect the room with its surroundings.
type Options struct {
	Look  Look        // nil if nothing can be read
	Shown func() bool // reports whether its rows, or the page, are on screen

	// Elsewhere returns the other machine on which an agent runs, or an empty text for this one. It is nil if all
	// agents run here.
	Elsewhere func(o queue.Origin) string
}

// Room shows the last lines of the agent's pane below the question, and holds the state that it shares with the page.
type Room struct {
	*tview.Box
	host    panes.Host
	o       Options
	on      *subject
	looking bool // a look has begun and not ended
}

// subject identifies what is read: what the agent was doing whose question is on view.
type subject struct {
	session string    // empty if no question is on view
	came    time.Time // when the question came on view
	looked  time.Time // when the last look began; zero before the first
	shot    Shot
	lines   []say.BeforeLine // the lines that are drawn, made visible
	fault   error            // the error after which nothing is read any more
}

// New returns the peek at the host's desk.
func New(host panes.Host, o Options) *Room {
	r := &Room{Box: tview.NewBox(), host: host, o: o, on: &subject{}}
	desk.Hear(r.desk(), r.beginAgain)
	desk.Hear(r.desk(), func(desk.Ordered) {
		if r.host.View().Up() == "" { // the first agent that asks in its own pane may be another one
			r.follow()
		}
	})
	desk.Hear(r.desk(), func(desk.SettingsChanged) {
		if r.WhyOff() != "" {
			r.on = &subject{session: r.on.session, came: r.on.came}
		}
	})
	return r
}

func (r *Room) desk() *desk.Desk { return r.host.View().Desk() }

// beginAgain follows another question that has come on view.
func (r *Room) beginAgain(e desk.Shown) {
	if e.View == r.host.View() {
		r.on = &subject{}
		r.follow()
	}
}

// follow takes up what is asked now.
func (r *Room) follow() {
	if id := r.asks().ID; id != r.on.session {
		r.on = &subject{session: id, came: r.desk().Now()}
	}
}

// asks returns the question on view. If there is none, it returns the first agent that asks in its own pane.
func (r *Room) asks() queue.Session {
	if r.host.View().Up() != "" {
		return r.host.View().Session()
	}
	for _, call := range r.desk().Calls() {
		if call.Ask.Kind == queue.KindNotice {
			return *call.Session
		}
	}
	return queue.Session{}
}

// Knows reports whether there is something to draw.
func (r *Room) Knows() bool {
	return r.desk().Settings().Peek && (len(r.on.lines) > 0 || r.elsewhere() != "")
}

// WhyOff explains why nothing is shown, whatever the question; empty: something can be.
func (r *Room) WhyOff() string {
	switch {
	case r.o.Look == nil:
		return "this is not in tmux, so no agent's pane can be shown"
	case !r.desk().Settings().Peek:
		return say.BeforeOff
	}
	return ""
}

// WhyNot explains why there is nothing to show now; empty: there may be.
func (r *Room) WhyNot() string {
	if host := r.elsewhere(); host != "" && r.desk().Settings().Peek {
		return say.BeforeElsewhere(host)
	}
	if why := r.WhyOff(); why != "" || r.on.session != "" {
		return why
	}
	return "no question is on screen"
}

// elsewhere returns the machine on which the agent that asks runs, if nothing can be read of it from here. It is empty
// for an agent on this machine or on a connected host.
func (r *Room) elsewhere() string {
	if r.o.Elsewhere == nil || r.on.session == "" {
		return ""
	}
	if o := r.asks().Origin; !o.Remote { // a connected host reads it itself
		return r.o.Elsewhere(o)
	}
	return ""
}

// Due returns when the next look is: soon after the question came, then again and again until nobody has pressed a key
// for a minute. A key that is pressed later makes it due at once. Zero: not before something else happens.
func (r *Room) Due() time.Time {
	if r.looking || r.on.fault != nil && !r.on.shot.Awaits || r.WhyNot() != "" || !r.o.Shown() {
		return time.Time{}
	}
	if r.on.looked.IsZero() {
		return r.on.came.Add(settles)
	}
	pause := paneEvery
	switch age := r.on.looked.Sub(r.on.came); {
	case r.on.shot.Awaits:
		pause = min(max(age/4, soon), late)
	case r.on.shot.Pane != "":
	case age < againAfter:
		pause = againAfter
	case age < late: // words that come later than others of the same turn
		pause = late
	default:
		pause = transcriptEvery
	}
	if next := r.on.looked.Add(pause); next.Sub(r.awake()) < rests {
		return next
	}
	return time.Time{}
}

// awake returns when the person was last known to be present: at the last key, else when the question came.
func (r *Room) awake() time.Time {
	if key := r.host.View().LastKey(); key.After(r.on.came) {
		return key
	}
	return r.on.came
}

// Tick looks if that is due.
func (r *Room) Tick() {
	now := r.desk().Now()
	if due := r.Due(); due.IsZero() || now.Before(due) {
		return
	}
	s, asks := r.on, r.asks()
	last := s.shot
	r.looking, s.looked = true, now
	r.desk().Beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), within)
		defer cancel()
		shot, err := r.o.Look(ctx, asks, last)
		r.desk().Do(func() { r.storeShot(s, shot, err) })
	})
}

// storeShot stores the lines that a look has read. If the look failed, the lines of the one before stay.
func (r *Room) storeShot(s *subject, shot Shot, err error) {
	r.looking = false
	if s.fault = err; err != nil {
		s.shot.Awaits, s.shot.Sought, s.shot.NoPane = shot.Awaits, shot.Sought, shot.NoPane
	}
	if err != nil || s != r.on || r.WhyOff() != "" {
		return
	}
	lines := shot.Lines
	if shot.Pane != "" {
		lines = paneLines(shot.Text)
	}
	s.shot, s.lines = shot, nil
	for _, l := range lines {
		s.lines = append(s.lines, say.NewBeforeLine(ink.Untab(l.Text), l.Sign))
	}
}

// spinner matches the row in which an agent shows that it works: a sign that turns, a word, and perhaps the seconds.
var spinner = regexp.MustCompile(`^\s*[·✢✳✶✻✽*∴\x{2800}-\x{28ff}] ?\S[^“”"]*(…|\.\.\.)(\s*\(.*\)?)?$`)

// paneLines returns the rows of a pane that say something: without spinners, with one empty row in place of several,
// and none before and behind the others.
func paneLines(text string) (rows []say.BeforeLine) {
	blank := false
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " \t\u00a0")
		switch {
		case spinner.MatchString(line):
		case line == "":
			blank = rows != nil
		default:
			if blank {
				rows = append(rows, say.BeforeLine{})
			}
			rows, blank = append(rows, say.BeforeLine{Text: line}), false
		}
	}
	return rows
}

// Draw draws the divider in the first row, and the last lines below it.
func (r *Room) Draw(screen tcell.Screen) {
	x, y, w, h := r.GetRect()
	if h < 2 || !r.Knows() {
		return
	}
	host := r.elsewhere()
	c := r.host.Ink(screen)
	right := r.asOf()
	if key := r.host.Keys().KeyOf(action.PlaceQuestion, action.Peek); right == nil && key != "" && host == "" {
		right = ink.PlainLine(key + " more")
	}
	r.drawDivider(c, ink.Rect{X: x, Y: y, W: w, H: 1}, right)
	if host != "" { // one row, and nothing is read
		drawLine(c, ink.Rect{X: x, Y: y + 1, W: w, H: 1}, say.BeforeLine{Text: say.BeforeElsewhere(host)})
		return
	}
	lines := r.on.lines[max(len(r.on.lines)-(h-1), 0):]
	if r.on.shot.Pane == "" { // prose, which is wrapped; the rows of a pane are cut
		lines = wrapped(lines, w-2)
		lines = lines[max(len(lines)-(h-1), 0):]
	}
	for n, l := range lines {
		drawLine(c, ink.Rect{X: x, Y: y + 1 + n, W: w, H: 1}, l)
	}
}

// wrapped returns the lines wrapped to w cells.
func wrapped(lines []say.BeforeLine, w int) (all []say.BeforeLine) {
	for _, l := range lines {
		for _, row := range ink.Wrap(l.Text, max(w, 1)) {
			all = append(all, say.BeforeLine{Text: row, Sign: l.Sign})
		}
	}
	return all
}

// drawDivider draws the divider: where the lines are from.
func (r *Room) drawDivider(c ink.Canvas, divider ink.Rect, right ink.Line) {
	name := say.BeforeThis
	if where := r.on.shot.Where; r.on.session != "" && where != "" {
		name += " " + c.Glyphs.Dot + " " + where
	}
	ink.DrawDivider(c, divider, ink.PlainLine(name), right)
}

// asOf returns when the lines were read, once they are not followed any more.
func (r *Room) asOf() ink.Line {
	if r.looking || r.on.looked.IsZero() || !r.Due().IsZero() {
		return nil
	}
	return ink.PlainLine("as of " + r.on.looked.Local().Format("15:04"))
}

// drawLine draws a line, dim and with a mark so that nobody takes it for a line of choicetui.
func drawLine(c ink.Canvas, row ink.Rect, line say.BeforeLine) {
	style := ink.Dim
	switch line.Sign {
	case '+':
		style = ink.Good.Dim(true)
	case '-':
		style = ink.Danger.Dim(true)
	}
	c.Put(row.X, row.Y, 1, ink.Dim, c.Glyphs.Bar)
	c.Put(row.X+2, row.Y, row.W-2, style, ink.Cut(line.Text, row.W-2, c.Glyphs.Ellipsis))
}
