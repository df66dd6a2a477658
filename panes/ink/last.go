package ink

import "github.com/choicetui/choicetui/panes/say"

const (
	lastLine = 24 // the most cells of a line to an agent, within its quotes
	lastLost = 12 // the least cells for a lost question
	leastSay = 12 // the least cells for the answer before the agent is cut
)

// FitLast returns the words of the last event in at most w cells, for the right end of a divider. If there is too
// little room, the answer is cut first, then the receiver is left out, and at last everything. told: the answer and its
// receiver are complete.
func FitLast(l say.Last, w int, g Glyphs) (line Line, told bool) {
	if l.Lost != "" {
		return fitLost(l, w, g), false
	}
	if l.State == "" {
		return nil, false
	}
	forms, what, done := l.Forms(g.Arrow), lastWhat(l, g), Span{g.Done, Good}
	lastForm := len(forms) - 1 // it has no receiver
	for _, uncut := range []bool{true, false} {
		for i, form := range forms {
			tail := Line{{form.To, Plain}, {form.Who, HueNamed(l.Who).Of(Plain)}, {form.Behind, Plain}}
			room := w - Width(g.Done+" ") - tail.Width()
			fits := Width(what) <= room
			if uncut && !(fits && form.Whole) || !fits && room < form.Least {
				continue
			}
			line = append(Line{done, {" " + Cut(what, room, g.Ellipsis), Plain}}, tail...)
			return line, fits && i < lastForm
		}
	}
	if line = (Line{done, {forms[lastForm].Behind, Plain}}); line.Width() <= w {
		return line, false
	}
	if line = PlainLine(l.State); l.Undelivered && line.Width() <= w {
		return line, false
	}
	return nil, false
}

// fitLost returns the words for a question that ended without the person, or nothing if there is no room to name it.
func fitLost(l say.Last, w int, g Glyphs) Line {
	mark, style := "", Plain
	switch {
	case l.Warns:
		mark, style = "! ", Danger
	case l.Ruled:
		mark, style = g.Done+" ", Good
	}
	room := w - Width(mark)
	if room < lastLost {
		return nil
	}
	return Line{{mark + Cut(l.Lost, room, g.Ellipsis), style}}
}

// BriefLast returns the answer that was just sent, in at most w cells: `✓ PostgreSQL → shop · AGENT`. It is used if
// the divider has no room for the result of FitLast. A line that is not delivered yet is always marked as such. The
// result is empty if nothing was sent.
func BriefLast(l say.Last, w int, g Glyphs) string {
	if l.State == "" {
		return ""
	}
	if l.Undelivered {
		line, _ := FitLast(l, max(w, Width(l.State)), g)
		return line.String()
	}
	what, to := lastWhat(l, g), " "+g.Arrow+" "+l.Who
	if l.Dir != "" && Width(g.Done+" "+what+to) > w {
		to = " " + g.Arrow + " " + l.Dir
	}
	room := w - Width(g.Done+" "+to)
	return Cut(g.Done+" "+Cut(what, max(room, leastSay), g.Ellipsis)+to, w, g.Ellipsis)
}

// lastWhat returns what was sent; a line to an agent is quoted and cut.
func lastWhat(l say.Last, g Glyphs) string {
	if l.Quoted {
		return "“" + Cut(l.What, lastLine, g.Ellipsis) + "”"
	}
	return l.What
}
