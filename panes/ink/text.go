package ink

import (
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/choicetui/choicetui/panes/reading/markdown"
)

// Width returns the number of cells the text takes.
func Width(s string) int {
	if isPrintable(s) {
		return len(s)
	}
	return uniseg.StringWidth(s)
}

// isPrintable reports whether each byte of the text is a character that takes one cell. Most text is like that, and
// measuring it cluster by cluster would take most of the time of a key press on a long question.
func isPrintable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Cut shortens the text to w cells, ending in the ellipsis where something was left out. It reads no more of the text
// than it needs.
func Cut(s string, w int, ellipsis string) string {
	room := w - Width(ellipsis)
	if room < 0 {
		room, ellipsis = max(w, 0), ""
	}
	used, end, state := 0, 0, -1
	for rest := s; len(rest) > 0; {
		var width int
		_, rest, width, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used += width; used > w {
			if w <= 0 {
				return ""
			}
			return s[:end] + ellipsis
		}
		if used <= room {
			end = len(s) - len(rest)
		}
	}
	return s
}

// Wrap breaks visible text into lines of at most w cells, at line breaks and between words, and within a word or a path
// only if it is longer than a line. Tabs become spaces, see Untab. Spaces at the beginning of a line of the text are
// kept, so that code and diffs keep their shape.
func Wrap(text string, w int) []string {
	if w < 1 {
		w = 1
	}
	var lines []string
	for para := range strings.SplitSeq(text, "\n") {
		para = strings.TrimRight(Untab(para), " ")
		lines = append(lines, wrapLine(para, w)...)
	}
	return lines
}

// Untab returns a line with spaces in place of each tab, up to the next tab stop.
func Untab(line string) string { return markdown.Untab(line, 0) }

// wrapLine breaks a text without line breaks into lines of at most w cells.
func wrapLine(para string, w int) []string {
	if len(para) <= w && IsASCII(para) {
		return []string{para}
	}
	p := paragraph{w: w}
	var parts []string // of a path, which unlike a URL is broken only if it is longer than a line
	for state := -1; len(para) > 0; {
		var segment string
		segment, para, _, state = uniseg.FirstLineSegmentInString(para, state)
		if parts = append(parts, segment); strings.HasSuffix(segment, "/") && para != "" {
			continue
		}
		path := strings.Join(parts, "")
		if !strings.Contains(path, "://") && Width(strings.TrimRight(path, " ")) <= w {
			parts = append(parts[:0], path)
		}
		for _, part := range parts {
			p.add(part)
		}
		parts = parts[:0]
	}
	if p.line.Len() > 0 || len(p.lines) == 0 {
		p.endLine()
	}
	return p.lines
}

// paragraph is a line of text being broken into lines of at most w cells.
type paragraph struct {
	w     int
	lines []string
	line  strings.Builder // the last line, which is not in lines yet
	used  int             // the cells used of the last line
}

// add puts a word with the space behind it into the line, or into the next lines if it does not fit.
func (p *paragraph) add(word string) {
	width := Width(strings.TrimRight(word, " "))
	if p.used > 0 && p.used+width > p.w {
		p.endLine()
	}
	for width > p.w { // the word is longer than a line
		head := Cut(word, p.w, "")
		if head == "" { // a wide character in a one-cell line
			head = word
		}
		p.line.WriteString(head)
		if word = word[len(head):]; word == "" {
			break
		}
		p.endLine()
		width -= Width(head)
	}
	p.line.WriteString(word)
	p.used = Width(p.line.String())
}

// endLine ends the last line, and begins an empty one.
func (p *paragraph) endLine() {
	p.lines = append(p.lines, strings.TrimRight(p.line.String(), " "))
	p.line.Reset()
	p.used = 0
}

// IsASCII reports whether the text is ASCII, so that each printable character is one byte and takes one cell.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Longest returns the first of several wordings that fits w cells, else the last. They are sorted longest first.
func Longest(ways []string, w int) string {
	for _, s := range ways {
		if Width(s) <= w {
			return s
		}
	}
	return ways[len(ways)-1]
}

// Laid caches texts that are wrapped in lines, because every frame needs them several times. A key holds all values
// that the lines depend on. Callers share the lines and must not change them.
type Laid[K comparable] map[K][]Line

// MostLaid limits the wrapped texts that are cached; a full cache is emptied. The limit is enough for all options of a
// question at two widths, and the prompt.
const MostLaid = 512

// Once returns the lines of a key. It calls lay only if they are not cached.
func (l *Laid[K]) Once(key K, lay func() []Line) []Line {
	if lines, ok := (*l)[key]; ok {
		return lines
	}
	lines := slices.Clip(lay())
	if *l == nil || len(*l) >= MostLaid {
		*l = Laid[K]{}
	}
	(*l)[key] = lines
	return lines
}
