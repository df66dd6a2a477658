package panes

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/keys"
)

// FootView is what the two lines at the bottom show.
type FootView struct {
	Line    string      // the Enter line: what Enter would do now, or why it does nothing
	Parts   []Part      // of Line, most important first: what may be said shorter
	Tails   []Tail      // said behind it, most important first
	Message string      // what the person's last key did, or why nothing: in the Enter line's place, the keys' too if it is long
	Keys    []keys.Hint // the keys of this place, in order
}

// DrawFoot draws the Enter line in bold and as many keys as fit. A message takes the line of the keys too where it is
// longer than one line: any key takes it away.
func DrawFoot(c Canvas, r Rect, v FootView) {
	if v.Message == "" {
		c.Put(r.X, r.Y, r.W, Bold, FitLine(v, r.W, c.Glyphs))
		c.Put(r.X, r.Y+1, r.W, Plain, FitHints(v.Keys, r.W))
		return
	}
	lines := Wrap(v.Message, r.W)
	c.Put(r.X, r.Y, r.W, Bold, lines[0])
	if len(lines) == 1 {
		c.Put(r.X, r.Y+1, r.W, Plain, FitHints(v.Keys, r.W))
		return
	}
	used := c.Put(r.X, r.Y+1, r.W, Bold, Cut(strings.Join(lines[1:], " "), r.W, c.Glyphs.Ellipsis))
	stay := slices.DeleteFunc(slices.Clone(v.Keys), func(h keys.Hint) bool { return h.Rank > 0 })
	if keys := joinHints(stay); Width(keys) <= r.W-used-3 {
		c.PutRight(r.X, r.Y+1, r.W, Plain, keys)
	}
}

// enoughHints is how many keys the foot has at least, where so many fit with a word each.
const enoughHints = 4

// FitHints joins as many hints as fit w cells, the lowest ranks first. The first few have short words rather than
// none of them goes, and long ones where there is room; then come what else fits. A key goes rather than its word.
func FitHints(hints []keys.Hint, w int) string {
	order := make([]int, len(hints))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return hints[a].Rank - hints[b].Rank })
	used, said := -2, map[int]keys.Hint{}
	for _, i := range order {
		h := hints[i].Shorter()
		if cells := hintCells(h); h.Rank == 0 || len(said) < enoughHints && used+cells <= w {
			said[i], used = h, used+cells
		}
	}
	for _, i := range order {
		short, picked := said[i]
		for _, h := range []keys.Hint{hints[i], hints[i].Shorter()} {
			more := hintCells(h)
			if picked {
				more -= hintCells(short)
			}
			if used+more <= w {
				said[i], used = h, used+more
				break
			}
		}
	}
	var picked []keys.Hint
	for i := range hints {
		if h, ok := said[i]; ok {
			picked = append(picked, h)
		}
	}
	return Cut(joinHints(picked), w, "…")
}

// hintCells are what a hint takes with the gap beside it.
func hintCells(h keys.Hint) int { return Width(h.Text()) + 2 }

func joinHints(hints []keys.Hint) string {
	parts := make([]string, len(hints))
	for i, h := range hints {
		parts[i] = h.Text()
	}
	return strings.Join(parts, "  ")
}
