package team

import (
	"errors"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/widen"
)

// line is the line that is typed about the team: who is asked, why the decision has to wait, or why it differs from the
// team's.
type line struct {
	host  panes.Host
	field *editor.Field
	of    lineOf // what the field was made for
}

// lineOf identifies a line of a question.
type lineOf struct {
	session string
	field   desk.TeamField
}

func (l *line) team() *desk.Teamwork { return l.host.Seat().Team }

// now returns the line that is open; its field is desk.TeamNoField while none is.
func (l *line) now() (lineOf, *desk.Consultation) {
	c := l.team().On()
	if c == nil {
		return lineOf{}, nil
	}
	return lineOf{l.host.Seat().Up(), c.Field}, c
}

// open reports whether a line is typed. A line that was left is filled again from the desk's text, which may have
// changed since.
func (l *line) open() bool {
	return l.edited() != nil
}

// edited returns the field of the line that is open; nil: none is.
func (l *line) edited() *editor.Field {
	of, c := l.now()
	if of.field == desk.TeamNoField {
		l.field, l.of = nil, lineOf{}
		return nil
	}
	if l.field == nil || l.of != of {
		l.field, l.of = editor.OneLine(c.Text(of.field)), of
	}
	return l.field
}

// typed takes the text over, and holds the clock for it.
func (l *line) typed() {
	if field := l.edited(); field != nil {
		l.team().Type(field.Text())
		l.host.Seat().HoldClock()
	}
}

func (l *line) key(ev *tcell.EventKey) {
	if field := l.edited(); field != nil {
		field.Key(ev)
		l.typed()
	}
}

func (l *line) paste(text string) {
	if field := l.edited(); field != nil {
		field.Paste(say.OneLine(text))
		l.typed()
	}
}

// whyNotEnter says why Enter does nothing with the line; empty: it does.
func (l *line) whyNotEnter() string {
	switch of, _ := l.now(); of.field {
	case desk.TeamNames:
		return say.TeamWhyNot(l.team().MayProceed(), say.FaceScreen)
	case desk.TeamDeferral:
		return say.TeamWhyNot(l.team().Ready(), say.FaceScreen)
	}
	return ""
}

// enter does what the Enter line says.
func (l *line) enter() {
	told := func(err error) {
		if why := say.TeamWhyNot(err, say.FaceScreen); why != "" {
			l.host.Say(why)
		}
	}
	switch of, _ := l.now(); of.field {
	case desk.TeamNames:
		told(l.team().Proceed())
	case desk.TeamDeferral:
		told(l.team().Defer())
	case desk.TeamRationale:
		accept(l.host)
	}
}

// enterLine says what Enter does with the line.
func (l *line) enterLine() say.Line {
	of, c := l.now()
	in := speech(l.host)
	if _, asked := l.host.Seat().Guard.RanOn(); asked {
		return say.Words(say.PressAgain(l.host.Keys().KeyOf(keys.PlaceTeamLine, keys.ActEnter)))
	}
	switch of.field {
	case desk.TeamNames:
		switch err := l.team().MayProceed(); {
		case widen.IsCancel(c.Text(of.field)):
			return say.TeamNamingLeaves(in)
		case errors.Is(err, desk.ErrTeamUnknown):
			return say.Words(say.TeamNamingLooks)
		}
		return say.TeamNaming(c.Invited, c.Unknown, c.ByName, in)
	case desk.TeamDeferral:
		return say.TeamDeferEnter(l.team().Ready() == nil, l.host.Seat().Session().Widen != nil, in)
	case desk.TeamRationale:
		return acceptLine(l.host, c)
	}
	return say.Line{}
}

// draw draws the line into a row.
func (l *line) draw(c ink.Canvas, row ink.Rect) {
	if field := l.edited(); field != nil {
		field.DrawBehind(c, row, ink.Longest(l.labels(), row.W-leastTyped))
	}
}

// leastTyped is the least width of a row that stays for typing.
const leastTyped = 16

// labels returns the labels before the text, longest first.
func (l *line) labels() []string {
	of, c := l.now()
	in := speech(l.host)
	switch of.field {
	case desk.TeamNames:
		return say.TeamLabels(c.Audience, c.Known, in)
	case desk.TeamDeferral:
		return say.TeamDeferLabels(l.host.Seat().Session().Widen != nil, in)
	}
	return say.TeamRationaleLabels()
}

// accept resolves the question on view with the answer of its review, or has the person pick the option.
func accept(host panes.Host) {
	if host.Seat().Team.AsksWhy() { // the option was picked in the form
		if why := say.TeamWhyNot(host.Seat().Send(), say.FaceScreen); why != "" {
			host.Say(why)
		}
		return
	}
	how, err := host.Seat().Team.Accept()
	switch {
	case errors.Is(err, desk.ErrNoAnswer):
		host.Say(say.TeamNothingToAccept(speech(host)))
	case err != nil:
		host.Say(say.TeamWhyNot(err, say.FaceScreen))
	case how == desk.AcceptPicks:
		host.Say(say.TeamPickNow(host.Seat().Session().Ask))
	}
}

// acceptLine says what accepting does.
func acceptLine(host panes.Host, c *desk.Consultation) say.Line {
	in, on := speech(host), host.Seat().Session()
	if host.Seat().Team.AsksWhy() {
		return say.TeamSends(say.TeamPicked(on.Ask, host.Seat().Form().Answer()), false, true, in)
	}
	answer, how := c.Accepts(on)
	switch how {
	case desk.AcceptEmpty:
		return say.TeamEmpty(in)
	case desk.AcceptPicks:
		return say.TeamPicks(on.Ask, in)
	}
	own := len(answer.Replies) > 0 && !queue.Blank(answer.Replies[0].Text)
	return say.TeamSends(on.Ask.Summary(answer), own && len(on.Ask.Questions[0].Options) > 0, c.Final != nil, in)
}

// speech returns the screen's way to word things.
func speech(host panes.Host) say.Speech {
	g := host.Ink(nil).Glyphs
	cut := func(text string, cells int) string { return ink.Cut(text, cells, g.Ellipsis) }
	return say.Speech{Face: say.FaceScreen, Keys: host.Keys(), Enter: g.Enter, Down: g.Down, Cut: cut}
}
