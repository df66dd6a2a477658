package markdown

import (
	"iter"
	"strings"
)

// mayVanish are the signs that are taken away where they are Markdown's own.
const mayVanish = "*_-`~[]()!|:"

// Complete reports whether every character of the text, except space and mayVanish, is in the words that are shown of
// it or in Gone, as often as there. If it is not, the text must be shown unchanged.
func (s *Sheet) Complete(shown iter.Seq[string]) bool {
	var ascii [128]int
	other := map[rune]int{}
	count := func(text string, by int) {
		for _, r := range text {
			switch {
			case r < 128:
				ascii[r] += by
			default:
				other[r] += by
			}
		}
	}
	count(s.Source, -1)
	count(s.Gone, 1)
	for words := range shown {
		count(words, 1)
	}
	for r, n := range ascii {
		if n < 0 && r > ' ' && !strings.ContainsRune(mayVanish, rune(r)) {
			return false
		}
	}
	for r, n := range other {
		if n < 0 && strings.TrimSpace(string(r)) != "" {
			return false
		}
	}
	return true
}
