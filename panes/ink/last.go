package ink

import (
	"strings"

	"github.com/choicetui/choicetui/panes/say"
)

const (
	lastLine = 24 // cells of a line to an agent, within its quotes
	lastLost = 12 // cells in which a lost question is worth saying
	leastSay = 12 // cells that are left to what was sent before its agent is cut
)

// FitLast is the last event in at most w cells, for the right end of a rule. Words of the answer are cut before it is
// left out to whom it went, and both before nothing is said. told: it says all of what was sent, and to whom.
func FitLast(l say.Last, w int, g Glyphs) (words string, told bool) {
	if l.Lost != "" {
		mark := ""
		if l.Warns {
			mark = "! "
		}
		if room := w - Width(mark); room >= lastLost {
			return mark + Cut(l.Lost, room, g.Ellipsis), false
		}
		return "", false
	}
	if l.State == "" {
		return "", false
	}
	forms, what := l.Forms(g.Done, g.Arrow), lastWhat(l, g)
	for _, whole := range []bool{true, false} {
		for i, f := range forms {
			room, cells := w-Width(f.Head+f.Tail), Width(what)
			if cells > room && (whole || room < f.Least) || whole && !f.Whole {
				continue
			}
			return f.Head + Cut(what, room, g.Ellipsis) + f.Tail, cells <= room && i < len(forms)-1
		}
	}
	if s := g.Done + forms[len(forms)-1].Tail; Width(s) <= w {
		return s, false
	}
	return "", false
}

// BriefLast is `✓ PostgreSQL → shop · claude` in at most w cells: what was just sent, for where the rule had no room to
// say it; see FitLast. Empty: nothing was sent.
func BriefLast(l say.Last, w int, g Glyphs) string {
	if l.State == "" {
		return ""
	}
	what, to := lastWhat(l, g), " "+g.Arrow+" "+l.Who
	if l.Dir != "" && Width(g.Done+" "+what+to) > w {
		to = " " + g.Arrow + " " + l.Dir
	}
	room := w - Width(g.Done+" "+to)
	return Cut(g.Done+" "+Cut(what, max(room, leastSay), g.Ellipsis)+to, w, g.Ellipsis)
}

// lastWhat is what was sent; a line to an agent in quotes, and not all of it.
func lastWhat(l say.Last, g Glyphs) string {
	if l.Quoted {
		return "“" + Cut(l.What, lastLine, g.Ellipsis) + "”"
	}
	return l.What
}

// LastLine is what FitLast or BriefLast said of the last event, in its styles.
func LastLine(l say.Last, words string, g Glyphs) Line {
	switch {
	case l.Lost != "" && l.Warns:
		return Line{{words, Danger}}
	case l.Lost != "":
		return PlainLine(words)
	}
	before, after, found := strings.Cut(words, g.Arrow)
	if !found {
		return Within(words, g.Done, Plain, Good)
	}
	name := l.Who
	if !strings.Contains(after, name) {
		name = l.Dir
	}
	return append(Within(before+g.Arrow, g.Done, Plain, Good), HueNamed(l.Who).Within(after, name, Plain)...)
}
