package markdown

import (
	"regexp"
	"strconv"
	"strings"
)

// findDiffs marks the lines of diffs that are not in a fenced block of code, and reports which lines these are.
func (s *Sheet) findDiffs() []bool {
	lines := make([]string, len(s.Lines))
	for i, l := range s.Lines {
		lines[i] = s.Source[l.From:l.To]
	}
	in := diffLines(lines)
	for i, l := range s.Lines {
		if in[i] {
			s.paint(l.From, l.To, diffMark(lines[i]))
		}
	}
	return in
}

// diffMark returns the colour of a line of a diff. The colour repeats what the sign at the beginning of the line says.
func diffMark(l string) Mark {
	switch {
	case strings.HasPrefix(l, "+++ "), strings.HasPrefix(l, "--- "), strings.HasPrefix(l, "diff "):
		return Bold
	case strings.HasPrefix(l, "+"):
		return Good
	case strings.HasPrefix(l, "-"):
		return Danger
	}
	return 0
}

// isDiff reports whether a block of code is a diff.
func isDiff(lines []string) bool {
	for i := range lines {
		if diffHead(lines, i) {
			return true
		}
	}
	_, unconfirmed := unconfirmedRun(lines, 0)
	return unconfirmed
}

var (
	diffHunk  = regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@`)
	diffSign  = regexp.MustCompile(`^[+-](?:[^\s+-]|\s{2,}\S)`)
	fenceSign = regexp.MustCompile("^[ \t>]*(```|~~~)")
	diffMeta  = regexp.MustCompile(`^(?:index [0-9a-f]|new file|deleted file|old mode|new mode|rename |` +
		`similarity |copy |Binary )`)
)

// diffHead reports whether a diff, or a further part of one, begins at line i with a header.
func diffHead(lines []string, i int) bool {
	l := lines[i]
	return strings.HasPrefix(l, "diff --git ") || diffHunk.MatchString(l) ||
		strings.HasPrefix(l, "--- ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ ")
}

// diffLines reports for each line whether it belongs to a diff that is not in a fenced block of code.
func diffLines(lines []string) []bool {
	in := make([]bool, len(lines))
	fence, fenced := "", false
	for i := 0; i < len(lines); {
		if m := fenceSign.FindStringSubmatch(lines[i]); m != nil && (fence == "" || fence == m[1]) {
			if fence = m[1]; fenced {
				fence = ""
			}
			fenced = !fenced
		}
		if fenced || fenceSign.MatchString(lines[i]) {
			i++
			continue
		}
		end, diff := unconfirmedRun(lines, i)
		if diffHead(lines, i) {
			end, diff = headedRun(lines, i), true
		}
		end = max(end, i+1)
		for ; i < end; i++ {
			in[i] = diff
		}
	}
	return in
}

// headedRun returns the index behind the last line of a diff that begins with a header at line i. A blank line belongs
// to the diff as long as its hunk header announces more lines.
func headedRun(lines []string, i int) int {
	was, now := 0, 0
	for ; i < len(lines); i++ {
		l := lines[i]
		switch m := diffHunk.FindStringSubmatch(l); {
		case m != nil:
			was, now = hunkLines(m[1]), hunkLines(m[2])
		case was <= 0 && now <= 0 && diffHead(lines, i), diffMeta.MatchString(l), strings.HasPrefix(l,
			`\ No newline`):
		case strings.HasPrefix(l, "+"):
			now--
		case strings.HasPrefix(l, "-"):
			was--
		case strings.HasPrefix(l, " "), l == "" && (was > 0 || now > 0) && i+1 < len(lines):
			was, now = was-1, now-1
		default:
			return i
		}
	}
	return i
}

// hunkLines returns the number of lines in a hunk header, which may leave out a 1.
func hunkLines(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return 1
}

// unconfirmedRun returns the index behind the run of lines that begin with `+`, `-` or space at line i. diff is set if
// the run is a diff and not a list: it has added lines, and some of the signs cannot be bullets.
func unconfirmedRun(lines []string, i int) (end int, diff bool) {
	plus, signed, certain := 0, 0, 0
	for end = i; end < len(lines); end++ {
		l := lines[end]
		if strings.TrimSpace(l) == "" || !strings.ContainsRune("+- ",
			rune(l[0])) || fenceSign.MatchString(l) || diffHead(lines, end) {
			break
		}
		if l[0] == ' ' {
			continue
		}
		signed++
		if l[0] == '+' {
			plus++
		}
		if diffSign.MatchString(l) {
			certain++
		}
	}
	return end, plus > 0 && signed > 1 && certain > 0
}
