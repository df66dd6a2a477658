package ink

import (
	"slices"
	"strings"
)

// Hint is a key and its words in the footer. If there is too little room, the hint with the highest Rank is left out
// first. A hint of rank 0 is never left out.
type Hint struct {
	Text, Short string // Short replaces Text if there is little room; both may be the same
	Key         string // the key that both begin with
	Rank        int
}

// enoughHints is the least number of hints in the footer, if that many fit with a word each.
const enoughHints = 4

// HintLine joins as many hints as fit w cells, the lowest ranks first. Before one of the first enoughHints is left out,
// their words are shortened. Room that remains is for long words, then for further hints. A hint is shown with its
// words or not at all. The words are dim, because the person looks for the keys.
func HintLine(hints []Hint, w int) Line {
	order := make([]int, len(hints))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return hints[a].Rank - hints[b].Rank })
	said := map[int]string{} // the words of each hint that is shown, by its index
	used := -2               // the cells of these hints; the first one has no gap before it
	for _, i := range order {
		short := hints[i].Short
		if cells := hintCells(short); hints[i].Rank == 0 || len(said) < enoughHints && used+cells <= w {
			said[i], used = short, used+cells
		}
	}
	for _, i := range order {
		short, picked := said[i]
		for _, text := range []string{hints[i].Text, hints[i].Short} {
			more := hintCells(text)
			if picked {
				more -= hintCells(short)
			}
			if used+more <= w {
				said[i], used = text, used+more
				break
			}
		}
	}
	var line Line
	for i, h := range hints {
		if text, ok := said[i]; ok {
			line = append(line, h.spans(text, len(line) > 0)...)
		}
	}
	for i := range line {
		if line[i].Style == Plain {
			line[i].Style = Dim
		}
	}
	return line.Cut(w, "…")
}

// spans returns a hint with the given words, and its key highlighted. gap is set if a gap goes before the hint.
func (h Hint) spans(text string, gap bool) (l Line) {
	if gap {
		l = Line{{hintGap, Plain}}
	}
	if words, ok := strings.CutPrefix(text, h.Key); ok {
		return append(l, Span{h.Key, Key}, Span{words, Plain})
	}
	return append(l, Span{text, Plain})
}

const hintGap = "  "

// hintCells returns the cells that a hint takes with the gap beside it.
func hintCells(text string) int { return Width(text) + Width(hintGap) }

// JoinHints joins all hints in full.
func JoinHints(hints []Hint) (l Line) {
	for i, h := range hints {
		l = append(l, h.spans(h.Text, i > 0)...)
	}
	return l
}

// KeyCell returns a key that is drawn in the two cells before a row, or nothing for a longer key.
func KeyCell(key string) string {
	if Width(key) > 2 {
		return ""
	}
	return key
}
