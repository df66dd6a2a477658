package ink

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Width is the number of cells the text takes.
func Width(s string) int { return uniseg.StringWidth(s) }

// Cut shortens the text to w cells, ending in the ellipsis where something was left out.
func Cut(s string, w int, ellipsis string) string {
	if Width(s) <= w {
		return s
	}
	if w <= 0 {
		return ""
	}
	room := w - Width(ellipsis)
	if room < 0 {
		room, ellipsis = w, ""
	}
	var b strings.Builder
	used, state := 0, -1
	for rest := s; len(rest) > 0; {
		var cluster string
		var width int
		cluster, rest, width, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used+width > room {
			break
		}
		b.WriteString(cluster)
		used += width
	}
	return b.String() + ellipsis
}

// Wrap breaks visible text into lines of at most w cells, at line breaks and between words, within a word only
// where it is longer than a line. Tabs become four spaces. Leading space of a line of the text is kept, so that
// code and diffs keep their shape.
func Wrap(text string, w int) []string {
	if w < 1 {
		w = 1
	}
	var lines []string
	for para := range strings.SplitSeq(text, "\n") {
		para = strings.TrimRight(strings.ReplaceAll(para, "\t", "    "), " ")
		lines = append(lines, wrapLine(para, w)...)
	}
	return lines
}

func wrapLine(para string, w int) []string {
	if len(para) <= w && IsASCII(para) {
		return []string{para}
	}
	var lines []string
	var line strings.Builder
	used, state := 0, -1
	flush := func() {
		lines = append(lines, strings.TrimRight(line.String(), " "))
		line.Reset()
		used = 0
	}
	for len(para) > 0 {
		var segment string
		segment, para, _, state = uniseg.FirstLineSegmentInString(para, state)
		width := Width(strings.TrimRight(segment, " "))
		if used > 0 && used+width > w {
			flush()
		}
		for width > w { // a word longer than a line
			head := Cut(segment, w-used, "")
			if head == "" {
				head = Cut(segment, w, "")
				if head == "" { // a wide character in a one-cell line
					head = segment
				}
			}
			line.WriteString(head)
			segment = segment[len(head):]
			if segment == "" {
				break
			}
			flush()
			width = Width(strings.TrimRight(segment, " "))
		}
		line.WriteString(segment)
		used = Width(line.String())
	}
	if line.Len() > 0 || len(lines) == 0 {
		flush()
	}
	return lines
}

// IsASCII reports whether each byte of the text is a character; of printable ones, each takes a cell.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Longest is the first of several ways to say something, longest first, that fits w cells; else the last.
func Longest(ways []string, w int) string {
	for _, s := range ways {
		if Width(s) <= w {
			return s
		}
	}
	return ways[len(ways)-1]
}
