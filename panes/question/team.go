package question

import (
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// teammates are the keys for asking the team, and for what it said. The line and the pages of that are another room's:
// it follows what the desk does.
type teammates struct{ verbs }

func (r teammates) table() panes.Table {
	team := r.host.Seat().Team
	row := func(a keys.Action, do func(*view, string), may func() error) panes.Row {
		return panes.Row{Action: a, Do: r.act(do), When: func() bool { return may() == nil },
			WhyNot:  panes.Because(func() string { return teamWhyNot(may()) }),
			Refused: func(string, string) { r.refused(may()) }}
	}
	regroup := func(a keys.Action, state string) panes.Row {
		row := row(a, func(v *view, _ string) { r.regroup(v, state) }, func() error { return team.MayRegroup(state) })
		row.WhyNot = panes.Because(func() string { return whyNotRegrouped(r.host.Seat(), state) })
		return row
	}
	return panes.Table{
		row(keys.ActAskTeam, r.askTeam, team.MayAsk),
		row(keys.ActFetch, r.fetch, team.MayFetch),
		row(keys.ActDefer, r.postpone, team.MayDefer),
		regroup(keys.ActWait, queue.WidenBlocked),
		regroup(keys.ActGoOn, queue.WidenParked),
	}
}

// refused counts a letter that means nothing now as typing for another pane: most questions have no team. A long reason
// is shown under the title.
func (r teammates) refused(err error) {
	seat := r.host.Seat()
	seat.Guard.Stray(seat.Desk().Now())
	if panes.TeamLong(err) {
		seat.Team.Refuse(err)
	}
}

func (r teammates) askTeam(*view, string) { r.told(r.host.Seat().Team.Begin()) }

func (r teammates) postpone(*view, string) { r.told(r.host.Seat().Team.BeginDeferral()) }

// askWhy opens the line for why the person decides otherwise than the team; Enter sends there.
func (r teammates) askWhy() {
	seat := r.host.Seat()
	r.told(seat.Team.BeginRationale())
	seat.CameUp()
}

// fetch shows the review that is there, else it asks before it fetches what the team said.
func (r teammates) fetch(v *view, _ string) {
	team := r.host.Seat().Team
	if team.Reviewable() {
		team.Reopen()
		return
	}
	r.host.Offer(say.TeamFetches(v.speech()), func() { r.told(team.Fetch(false)) })
}

// regroup asks before it waits for the team or parks the question.
func (r teammates) regroup(v *view, state string) {
	r.host.Offer(say.TeamRegroups(state, v.speech()), func() { r.told(r.host.Seat().Team.Regroup(state)) })
}

// told says why the desk did not do it.
func (r teammates) told(err error) {
	if words := teamWhyNot(err); words != "" {
		r.host.Say(words)
		r.refused(err)
	}
}

// whyNotRegrouped says why the question is not waited for, or parked; empty: it is.
func whyNotRegrouped(seat *desk.Seat, state string) string {
	err := seat.Team.MayRegroup(state)
	if on := seat.Session(); err != nil && on.Pending() && on.Widen != nil && on.Widen.State == state {
		if state == queue.WidenParked {
			return say.TeamParked
		}
		return say.TeamWaited
	}
	return teamWhyNot(err)
}

// teamWhyNot says in a notice why nothing is done about the team; empty if it is. A long reason is shown under the
// title.
func teamWhyNot(err error) string {
	if panes.TeamLong(err) {
		return say.TeamNotNow
	}
	return panes.TeamWhyNot(err)
}

// withTeam reports whether the question on view is with the team.
func withTeam(v *view) bool { return v.session.Pending() && v.session.Widen != nil }

// ends says of a question of an interview that it is one of those that the interview waits for; empty: it is not.
func (o Options) ends(seat *desk.Seat, s queue.Session) string {
	if o.Ends == nil || o.Ends() == 0 || s.Origin.Dialect != queue.DialectInterview || !s.Pending() || s.Widen == nil {
		return ""
	}
	left := 0
	for _, w := range seat.Desk().Waiting() {
		at := w.Origin
		if at.Dialect == queue.DialectInterview && at.Thread == s.Origin.Thread && at.Cwd == s.Origin.Cwd {
			left++
		}
	}
	return say.InterviewEnds(left, o.Ends())
}

// mostOfTeam limits the rows that say who was asked.
const mostOfTeam = 3

// faults say what went wrong with the team, in full at any size. They are shown until the next key.
func (h heading) faults(w int) (lines []headingLine) {
	if h.v.fault == nil {
		return nil
	}
	for _, l := range ink.Wrap("! "+say.TeamFailed(h.v.fault), w) {
		lines = append(lines, headingLine{l, headNotice})
	}
	return lines
}

// ofTeam returns the lines that say who has the question and where they talk, in lines of w cells.
func (h heading) ofTeam(w int) (lines []headingLine) {
	if h.v.asking {
		return []headingLine{{ink.Cut(say.TeamAsking, w, h.v.glyphs.Ellipsis), headEnded}}
	}
	if !withTeam(h.v) {
		return nil
	}
	if h.v.ends != "" {
		lines = append(lines, headingLine{ink.Cut(h.v.ends, w, h.v.glyphs.Ellipsis), headEnded})
	}
	who, where := say.TeamPanel(h.v.session)
	rows := ink.Wrap(who, w)
	if len(rows) > mostOfTeam {
		rows = append(rows[:mostOfTeam-1], ink.Cut(rows[mostOfTeam-1], w-1, "")+h.v.glyphs.Ellipsis)
	}
	for _, l := range rows {
		lines = append(lines, headingLine{l, headEnded})
	}
	if where != "" {
		lines = append(lines, headingLine{ink.Cut(where, w, h.v.glyphs.Ellipsis), headTeam})
	}
	return lines
}

// oneOfTeam returns the same in one line.
func (h heading) oneOfTeam(w int) headingLine {
	kind, odd := headEnded, ""
	if h.v.odd {
		kind, odd = headNotice, "! "+say.HiddenCharacters+" "
	}
	words := ink.Longest(say.TeamPanelShort(h.v.session), w-ink.Width(odd))
	if h.v.ends != "" {
		words = h.v.ends
	}
	return headingLine{ink.Cut(odd+words, w, h.v.glyphs.Ellipsis), kind}
}
