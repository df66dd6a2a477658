// Package peek shows the asking agent's own tmux pane: its last lines in the empty rows below the question, and a page
// of them. The lines are shown only here, and are not copied into drafts, history, logs or notices.
//
//	desk.Shown ─► subject ─► Due ─► the screen's clock ─► Tick ─► Look, beside the desk ─► took ─► Draw
package peek

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

const (
	// settles is the time for which a question must stay on screen before its agent's pane is looked into: walking
	// through the queue costs nothing.
	settles = 200 * time.Millisecond
	// every is the least time between two looks into a pane.
	every = 5 * time.Second
	// rests is how long after the last key, or after the question came on view, the pane is still looked into.
	rests = time.Minute
	// within limits the time of a look.
	within = 3 * time.Second
)

// Shot holds what an agent was doing, at one moment: the content of its own transcript, or of its pane.
type Shot struct {
	Pane  string // the id of the pane; empty before the first look, and for a transcript
	Where string // the source, such as tmux 2:1
	Mark  string // changes when something is written there
	Text  string // the content, not yet cleaned
}

// Look returns what an agent was doing. It gets what it returned last, which it may return again, and
// the zero Shot the first time.
type Look func(ctx context.Context, o queue.Origin, last Shot) (Shot, error)

// Options connect the room with its surroundings.
type Options struct {
	Look  Look        // nil if there are no panes to look into
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

// subject identifies the pane that is read: that of the agent whose question is on view.
type subject struct {
	session string    // empty if no question is on view
	came    time.Time // when the question came on view
	looked  time.Time // when the last look began; zero before the first
	shot    Shot
	lines   []string // the lines that are drawn, made visible
	fault   error    // the error after which the pane is not read any more
}

// New returns the peek at the host's desk.
func New(host panes.Host, o Options) *Room {
	r := &Room{Box: tview.NewBox(), host: host, o: o, on: &subject{}}
	r.desk().Subscribe(r.hear)
	return r
}

func (r *Room) desk() *desk.Desk { return r.host.Seat().Desk() }

// hear begins again when another question comes on view, and forgets the lines when the setting is switched off.
func (r *Room) hear(e desk.Event) {
	switch e := e.(type) {
	case desk.Shown:
		if e.Seat == r.host.Seat() {
			r.on = &subject{session: e.ID, came: r.desk().Now()}
		}
	case desk.SettingsChanged:
		if r.WhyOff() != "" {
			r.on = &subject{session: r.on.session, came: r.on.came}
		}
	}
}

// WhyOff explains why no pane can be shown here for any question; empty: panes can be shown.
func (r *Room) WhyOff() string {
	switch {
	case r.o.Look == nil:
		return "this is not in tmux, so no agent's pane can be shown"
	case !r.desk().Settings().Peek:
		return "this is switched off in the settings: what the agent was doing"
	}
	return ""
}

// WhyNot explains why there is nothing to show now; empty: there may be.
func (r *Room) WhyNot() string {
	if host := r.elsewhere(); host != "" && r.desk().Settings().Peek {
		return say.RunsOn(host) + ", so its pane cannot be shown here"
	}
	if why := r.WhyOff(); why != "" || r.on.session != "" {
		return why
	}
	return "no question is on screen"
}

// elsewhere returns the machine on which the agent of the question on view runs, if its pane cannot be read from here.
// It is empty for an agent on this machine or on a connected host.
func (r *Room) elsewhere() string {
	if r.o.Elsewhere == nil || r.on.session == "" {
		return ""
	}
	if o := r.host.Seat().Session().Origin; !o.Far { // a connected host reads the pane itself
		return r.o.Elsewhere(o)
	}
	return ""
}

// Due returns when the pane is looked into next: soon after the question came, then every five seconds until nobody has
// pressed a key for a minute. A key that is pressed later makes it due at once. Zero: not before something else
// happens.
func (r *Room) Due() time.Time {
	if r.looking || r.on.fault != nil || r.WhyNot() != "" || !r.o.Shown() {
		return time.Time{}
	}
	if r.on.looked.IsZero() {
		return r.on.came.Add(settles)
	}
	if next := r.on.looked.Add(every); next.Sub(r.awake()) < rests {
		return next
	}
	return time.Time{}
}

// awake returns when the person was last known to be present: at the last key, else when the question came.
func (r *Room) awake() time.Time {
	if key := r.host.Seat().LastKey(); key.After(r.on.came) {
		return key
	}
	return r.on.came
}

// Tick looks into the pane if that is due.
func (r *Room) Tick() {
	now := r.desk().Now()
	if due := r.Due(); due.IsZero() || now.Before(due) {
		return
	}
	s, o := r.on, r.host.Seat().Session().Origin
	last := s.shot
	r.looking, s.looked = true, now
	r.desk().Beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), within)
		defer cancel()
		shot, err := r.o.Look(ctx, o, last)
		r.desk().Do(func() { r.took(s, shot, err) })
	})
}

// took stores the lines that a look has read. If the look failed, the lines of the one before stay.
func (r *Room) took(s *subject, shot Shot, err error) {
	r.looking = false
	if s.fault = err; err != nil || s != r.on || r.WhyOff() != "" {
		return
	}
	if shot != s.shot {
		s.shot, s.lines = shot, linesOf(shot.Text)
	}
}

// linesOf returns the rows of a pane as they may be drawn, without the empty ones before and behind them.
func linesOf(text string) []string {
	shown, _ := queue.Visible(text)
	lines := strings.Split(strings.ReplaceAll(shown, "\t", "    "), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	written := func(l string) bool { return l != "" }
	first := slices.IndexFunc(lines, written)
	if first < 0 {
		return nil
	}
	for lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines[first:]
}

// Draw draws a line that says where the pane is in the first row, and the pane's last lines below it.
func (r *Room) Draw(screen tcell.Screen) {
	x, y, w, h := r.GetRect()
	if h < 2 || len(r.on.lines) == 0 {
		return
	}
	c := r.host.Ink(screen)
	right := r.asOf()
	if key := r.host.Keys().KeyOf(keys.PlaceQuestion, keys.ActPeek); right == nil && key != "" {
		right = ink.PlainLine(key + " more")
	}
	r.drawRule(c, ink.Rect{X: x, Y: y, W: w, H: 1}, right)
	lines := r.on.lines
	if r.on.shot.Pane == "" { // prose, which is wrapped; the rows of a pane are cut
		lines = wrapped(lines, w-2)
	}
	lines = lines[max(len(lines)-(h-1), 0):]
	for n, l := range lines {
		drawLine(c, ink.Rect{X: x, Y: y + 1 + n, W: w, H: 1}, l)
	}
}

// wrapped returns the lines wrapped to w cells.
func wrapped(lines []string, w int) (all []string) {
	for _, l := range lines {
		all = append(all, ink.Wrap(l, max(w, 1))...)
	}
	return all
}

// drawRule draws the line above the pane's text, which says where the pane is.
func (r *Room) drawRule(c ink.Canvas, rule ink.Rect, right ink.Line) {
	if r.on.session == "" {
		ink.DrawNamedRule(c, rule, "before this", "")
		return
	}
	name := "before this"
	if where := r.on.shot.Where; where != "" {
		name += " " + c.Glyphs.Dot + " " + where
	}
	ink.DrawRule(c, rule, ink.PlainLine(name), right)
}

// asOf returns when the lines were read, once the pane is not followed any more.
func (r *Room) asOf() ink.Line {
	if r.looking || r.on.looked.IsZero() || !r.Due().IsZero() {
		return nil
	}
	return ink.PlainLine("as of " + r.on.looked.Local().Format("15:04"))
}

// drawLine draws a line of the pane, with a mark so that nobody takes it for a line of choicetui.
func drawLine(c ink.Canvas, row ink.Rect, line string) {
	c.Put(row.X, row.Y, 1, ink.Dim, c.Glyphs.Bar)
	c.Put(row.X+2, row.Y, row.W-2, ink.Dim, ink.Cut(line, row.W-2, c.Glyphs.Ellipsis))
}
