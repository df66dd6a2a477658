package portal

import (
	"time"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/widen"
)

// teamField is the line for why a question that is with the team has to wait, as the page calls it.
const teamField = "team"

// deferring reports whether that line is open on the question of the page.
func (g *page) deferring() bool {
	return g.seat.Team.On().Line() == widen.LineDeferral && g.form() != nil && g.session().Pending() && g.held() == nil
}

// types reports whether a text is being typed on the page.
func (g *page) types() bool {
	if g.seat == nil { // it is being made
		return false
	}
	f := g.seat.Form()
	return g.deferring() || g.writing() || f != nil && f.Typing() != form.FieldNone
}

// takeTeam follows what is typed into that line.
func (t texts) takeTeam(d deed, now time.Time) {
	if d.Do == doText && t.deferring() {
		t.hand.Drop()
		t.seat.Guard.Type(now)
		t.seat.Team.On().Type(say.OneLine(d.Value))
		t.seat.HoldClock()
	}
}

// deferFoot fills in the bar while that line is open.
func (v viewer) deferFoot(made *footView) {
	asked, in := v.session().Widen != nil, v.speech()
	made.Reason = v.field(teamField, say.Page.WhyWait, "", keys.ActDefer)
	made.EndIt, made.Detail = say.Page.DeferIt, true
	ready := v.seat.Team.On().MayDefer() == nil
	line := say.TeamDeferEnter(ready, asked, in)
	if _, again := v.seat.Guard.RanOn(); again {
		line = say.Words(say.PressAgain(in.Enter))
	}
	v.setLine(made, line)
	made.Waits = !ready
}
