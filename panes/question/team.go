package question

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/widen"
)

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
	return fmt.Sprintf("%d of %d with the team; decide them to finish the interview", left, o.Ends())
}

// mostOfTeam limits the number of rows that say who was asked.
const mostOfTeam = 3

// faults say what went wrong with the team, in full at any size. They are shown until the next key.
func (h heading) faults(w int) (lines []headingLine) {
	if h.v.fault == nil {
		return nil
	}
	for _, l := range ink.Wrap("! "+say.TeamFailed(h.v.fault), w) {
		lines = append(lines, headingLine{text: l, kind: headNotice})
	}
	return lines
}

// teamAsking is shown under the title while the call to the team is under way.
const teamAsking = "The team is being asked; you can answer here meanwhile."

// ofTeam returns the lines that say who has the question and where they talk, in lines of w cells.
func (h heading) ofTeam(w int) (lines []headingLine) {
	if h.v.asking {
		return []headingLine{{text: ink.Cut(teamAsking, w, h.v.glyphs.Ellipsis), kind: headEnded}}
	}
	if !withTeam(h.v) {
		return nil
	}
	if h.v.ends != "" {
		lines = append(lines, headingLine{text: ink.Cut(h.v.ends, w, h.v.glyphs.Ellipsis), kind: headEnded})
	}
	who, where := say.TeamPanel(h.v.session)
	rows := ink.Wrap(who, w)
	if len(rows) > mostOfTeam {
		rows = append(rows[:mostOfTeam-1], ink.Cut(rows[mostOfTeam-1], w-1, "")+h.v.glyphs.Ellipsis)
	}
	for _, l := range rows {
		lines = append(lines, headingLine{text: l, kind: headEnded})
	}
	if where != "" {
		lines = append(lines, headingLine{text: ink.Cut(where, w, h.v.glyphs.Ellipsis), kind: headTeam})
	}
	return lines
}

// teamInOneLine returns a single heading line that says which teammates have the question and where they discuss it.
func (h heading) teamInOneLine(w int) headingLine {
	kind, odd := headEnded, ""
	if h.v.odd {
		kind, odd = headNotice, "! "+say.HiddenCharacters+" "
	}
	words := ink.Longest(say.TeamPanelShort(h.v.session), w-ink.Width(odd))
	if h.v.ends != "" {
		words = h.v.ends
	}
	return headingLine{text: ink.Cut(odd+words, w, h.v.glyphs.Ellipsis), kind: kind}
}

// nothingToAccept says why an empty candidate is not accepted, and which keys lead on.
func nothingToAccept(m keys.Map) string {
	key := func(a keys.Action) string { return m.KeyOf(keys.PlaceTeamReview, a) }
	why := say.TeamWhyNot(widen.ErrNoAnswer, say.FaceScreen)
	return why + ": " + key(deed.Editor) + " writes one, " + key(deed.Defer) + " puts it off"
}

// teamOver returns the ways to say over a question that the team has it and its clock is stopped, longest first. hours
// is the time for which nobody has pressed a key; 0: less than an hour.
func teamOver(s queue.Session, hours int) []string {
	switch {
	case s.Parked():
		return []string{"with the team · clock paused", "with the team, no clock", "with the team"}
	case hours > 0:
		idle := say.Count(hours, "hour")
		return []string{"still waiting for the team after " + idle, "still waiting, " + idle, "still waiting"}
	}
	return []string{say.WithTheTeam + ", the clock is stopped", say.WithTheTeam + ", no clock", say.WithTheTeam}
}
