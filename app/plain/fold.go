package plain

import (
	"strings"

	"github.com/rivo/uniseg"
)

// leastWidth is the narrowest a terminal is taken for; narrower ones break lines themselves.
const leastWidth = 20

// fold breaks a line into rows of at most w cells, the first behind first, the others behind next: between words, so
// that no number is cut, and within a word only where it is longer than a row. Joined, the rows are the line: all of
// its space is kept, as it may be a command's.
func fold(text, first, next string, w int) []string {
	w = max(w, leastWidth)
	if uniseg.StringWidth(first+text) <= w {
		return []string{first + text}
	}
	var rows []string
	head, row, used := first, "", 0
	room := func() int { return w - uniseg.StringWidth(head) }
	end := func() {
		rows = append(rows, head+row)
		head, row, used = next, "", 0
	}
	for text != "" {
		word := firstWord(text)
		text = text[len(word):]
		width := uniseg.StringWidth(word)
		if used > 0 && used+width > room() {
			end()
		}
		if used+width <= room() {
			row, used = row+word, used+width
			continue
		}
		for state := -1; word != ""; {
			var cluster string
			var cells int
			cluster, word, cells, state = uniseg.FirstGraphemeClusterInString(word, state)
			if used > 0 && used+cells > room() {
				end()
			}
			row, used = row+cluster, used+cells
		}
	}
	return append(rows, head+row)
}

// firstWord is a text's first word with the space around it.
func firstWord(s string) string {
	lead := len(s) - len(strings.TrimLeft(s, " "))
	n := strings.IndexByte(s[lead:], ' ')
	if n < 0 {
		return s
	}
	return s[:len(s)-len(strings.TrimLeft(s[lead+n:], " "))]
}
