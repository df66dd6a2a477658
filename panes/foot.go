package panes

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
)

// FootView is what the two lines at the bottom show.
type FootView struct {
	Line  string     // the Enter line: what Enter would do now, or why it does nothing
	Parts []ink.Part // of Line, most important first: what may be said shorter
	Tails []ink.Tail // said behind it, most important first
	// Message is what the person's last key did, or why nothing: in the Enter line's place, the keys' too if it is long.
	Message string
	Keys    []keys.Hint // the keys of this place, in order
}

// DrawFoot draws the Enter line in bold and as many keys as fit. A message takes the line of the keys too where it is
// longer than one line: any key takes it away.
func DrawFoot(c ink.Canvas, r ink.Rect, v FootView) {
	if v.Message == "" {
		c.Put(r.X, r.Y, r.W, ink.Bold, ink.FitLine(v.Line, v.Parts, v.Tails, r.W, c.Glyphs))
		c.Put(r.X, r.Y+1, r.W, ink.Plain, fitHints(v.Keys, r.W))
		return
	}
	lines := ink.Wrap(v.Message, r.W)
	c.Put(r.X, r.Y, r.W, ink.Bold, lines[0])
	if len(lines) == 1 {
		c.Put(r.X, r.Y+1, r.W, ink.Plain, fitHints(v.Keys, r.W))
		return
	}
	used := c.Put(r.X, r.Y+1, r.W, ink.Bold, ink.Cut(strings.Join(lines[1:], " "), r.W, c.Glyphs.Ellipsis))
	stay := slices.DeleteFunc(slices.Clone(v.Keys), func(h keys.Hint) bool { return h.Rank > 0 })
	if text := ink.JoinHints(cellHints(stay)); ink.Width(text) <= r.W-used-3 {
		c.PutRight(r.X, r.Y+1, r.W, ink.Plain, text)
	}
}

// fitHints joins as many keys as fit w cells.
func fitHints(hints []keys.Hint, w int) string { return ink.FitHints(cellHints(hints), w) }

func cellHints(hints []keys.Hint) []ink.Hint {
	out := make([]ink.Hint, len(hints))
	for i, h := range hints {
		out[i] = ink.Hint{Text: h.Text(), Short: h.Shorter().Text(), Rank: h.Rank}
	}
	return out
}
