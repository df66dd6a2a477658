package reading

import (
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// Approval lays out the request of an agent in lines of at most w cells: its Parts, then the tool and the directory,
// with home as ~.
func Approval(a *queue.Approval, home string, w int, g ink.Glyphs) (lines []ink.Line) {
	lines = Parts(a, w, g)
	if where := say.ApprovalWhere(a, home); where != "" {
		lines = Below(lines, plain(where, w))
	}
	return lines
}

// Parts lays out the parts of an agent's request in lines of at most w cells, each in full; see queue.Part.Shown.
func Parts(a *queue.Approval, w int, g ink.Glyphs) (lines []ink.Line) {
	if a == nil {
		return nil
	}
	for _, p := range a.Parts {
		p, _ = p.Shown()
		if g.ASCII {
			p = p.InASCII()
		}
		lines = Below(lines, part(p, w, len(a.Parts) > 1))
	}
	return lines
}

// Below returns lines followed by further lines, with a blank line between them.
func Below(above, lines []ink.Line) []ink.Line {
	if len(above) > 0 && len(lines) > 0 {
		above = append(above, nil)
	}
	return append(above, lines...)
}

// plain wraps a text without Markdown.
func plain(text string, w int) (lines []ink.Line) {
	for _, l := range ink.Wrap(text, max(w, 1)) {
		lines = append(lines, ink.PlainLine(l))
	}
	return lines
}

// part returns the lines of one shown part of an approval. beside: there are other parts, so this one has a heading.
func part(p queue.Part, w int, beside bool) (lines []ink.Line) {
	if heading := say.PartHeading(p, beside); heading != "" {
		lines = plain(heading, w)
	}
	switch p.Kind {
	case queue.PartPlan:
		return append(lines, Markdown(p.Text, w)...)
	case queue.PartDiff:
		return append(lines, Diff(p.Text, w)...)
	}
	for _, l := range Code(p.Text, w) {
		lines = append(lines, boldCode(l))
	}
	return lines
}

// boldCode returns a line of code in bold, because the decision is about this code.
func boldCode(l ink.Line) ink.Line {
	var out ink.Line
	for _, s := range l {
		if s != GoesOn {
			s.Style = s.Style.Bold(true)
		}
		out = append(out, s)
	}
	return out
}
