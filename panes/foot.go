package panes

import (
	"slices"
	"strings"
)

// FootView is what the two lines at the bottom show.
type FootView struct {
	Line  string // the Enter line: what Enter would do now, or why it does nothing
	Tails []Tail // said behind it as far as they fit
	Keys  []Hint // the keys of this place, in order
}

// Tail is something said behind the Enter line, longest form first.
type Tail []string

// Hint is one key in the foot. The highest Rank leaves first when there is no room; 0 never leaves.
type Hint struct {
	Action     Action
	Keys, Word string
	Rank       int
}

func (h Hint) text() string {
	if h.Word == "" {
		return h.Keys
	}
	return h.Keys + " " + h.Word
}

// DrawFoot draws the Enter line in bold and as many keys as fit.
func DrawFoot(c Canvas, r Rect, v FootView) {
	text := v.Line
	for _, tail := range v.Tails {
		for _, words := range tail {
			if words != "" && Width(text)+3+Width(words) <= r.W {
				text += " " + c.Glyphs.Dot + " " + words
				break
			}
		}
	}
	c.Put(r.X, r.Y, r.W, Bold, Cut(text, r.W, c.Glyphs.Ellipsis))
	c.Put(r.X, r.Y+1, r.W, Plain, FitHints(v.Keys, r.W))
}

// FitHints joins as many hints as fit w cells: the highest ranks leave first, then words are left out.
func FitHints(hints []Hint, w int) string {
	hints = slices.Clone(hints)
	for {
		text := joinHints(hints)
		if Width(text) <= w {
			return text
		}
		drop := -1
		for i, h := range hints {
			if h.Rank > 0 && (drop < 0 || h.Rank > hints[drop].Rank) {
				drop = i
			}
		}
		if drop < 0 {
			return Cut(text, w, "…")
		}
		if len(hints) <= 4 && shorten(hints) { // at least four stay, where four fit at all
			continue
		}
		hints = slices.Delete(hints, drop, drop+1)
	}
}

// shorten takes the word from the least important hint that still has one.
func shorten(hints []Hint) bool {
	at := -1
	for i, h := range hints {
		if h.Word != "" && h.Rank > 0 && (at < 0 || h.Rank > hints[at].Rank) {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	hints[at].Word = ""
	return true
}

func joinHints(hints []Hint) string {
	parts := make([]string, len(hints))
	for i, h := range hints {
		parts[i] = h.text()
	}
	return strings.Join(parts, "  ")
}
