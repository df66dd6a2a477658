package question

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// ends says how many questions an interview still waits for, if the question on view is one of them, about which the
// team was asked; else it is empty.
func (o Options) ends(view *desk.View, s queue.Session) string {
	if o.Ends() == 0 || s.Origin.Dialect != queue.DialectInterview {
		return ""
	}
	left := 0
	for _, w := range view.Desk().Waiting() {
		at := w.Origin
		if at.Dialect == queue.DialectInterview && at.Thread == s.Origin.Thread && at.Cwd == s.Origin.Cwd {
			left++
		}
	}
	return fmt.Sprintf("%d of %d with the team; decide them to finish the interview", left, o.Ends())
}

// hearTeam shows what happened to the consultation about the question on view. A long reason of a failure is shown
// under the title, and not in these words.
func (r *Room) hearTeam(e desk.TeamNews) {
	if e.View != r.host.View() {
		return
	}
	if v := r.displays[e.View.Up()]; v != nil {
		v.forgetFit()
	}
	words := say.TeamNotNow
	if !say.TeamLong(e.Err) {
		words = say.TeamNews(e, say.OnScreen)
	}
	if words != "" {
		r.host.Say(words)
	}
}

// mostOfTeam limits the number of rows that say who was asked.
const mostOfTeam = 3

// faults returns lines that say what went wrong with asking the team, in full even in a small pane.
func (h heading) faults(w int) (lines []headingLine) {
	for _, l := range ink.Wrap("! "+say.TeamFailed(h.v.teamFault), w) {
		lines = append(lines, headingLine{text: l, kind: headNotice})
	}
	return lines
}

// teamLines returns the lines, of w cells, that say who of the team was asked and where they discuss the question.
func (h heading) teamLines(w int) (lines []headingLine) {
	if h.v.askingTeam {
		return []headingLine{{text: ink.Cut(say.TeamAsking, w, h.v.glyphs.Ellipsis), kind: headEnded}}
	}
	if h.v.interviewWords != "" {
		lines = append(lines, headingLine{text: ink.Cut(h.v.interviewWords, w, h.v.glyphs.Ellipsis), kind: headEnded})
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

// teamInOneLine returns a single line of the heading that says which teammates were asked.
func (h heading) teamInOneLine(w int) headingLine {
	kind, odd := headEnded, ""
	if h.v.hasHidden {
		kind, odd = headNotice, "! "+say.HiddenCharacters+" "
	}
	words := ink.Longest(say.TeamPanelShort(h.v.session), w-ink.Width(odd))
	if h.v.interviewWords != "" {
		words = h.v.interviewWords
	}
	return headingLine{text: ink.Cut(odd+words, w, h.v.glyphs.Ellipsis), kind: kind}
}

// teamOver returns the words in the line over a question that the team was asked about: that, and that its clock is
// stopped, longest form first. hours is how long the person has pressed no key; 0: less than an hour.
func teamOver(s queue.Session, hours int) []string {
	if hours > 0 && !s.Parked() {
		idle := say.Count(hours, "hour")
		return []string{"still waiting for the team after " + idle, "still waiting, " + idle, "still waiting"}
	}
	return []string{say.TeamStands, say.WithTheTeam + ", no clock", say.WithTheTeam}
}
