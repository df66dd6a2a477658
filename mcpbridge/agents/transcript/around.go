package transcript

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// aroundLines is the number of lines of a file that Around returns before and after a change.
const aroundLines = 10

// Around returns a diff with ten lines of the file before and after each of its changes. A diff that only adds lines
// replaces the whole file, unless it says where they are added. ok is false if the file is no regular file of this
// user, is longer than 512 KiB or has not each changed text exactly once.
func Around(path, diff string) (shown string, ok bool) {
	f, ok := below(filepath.Dir(path), path)
	if !ok || f.length > MostBytes {
		return "", false
	}
	raw, err := f.Tail(context.Background())
	if err != nil {
		return "", false
	}
	text := string(raw)
	var b strings.Builder
	for _, hunk := range hunksOf(diff) {
		if addsSomewhere(diff) && onlyAdds(hunk) || !aroundHunk(&b, text, hunk) {
			return "", false
		}
	}
	return b.String(), b.Len() > 0
}

// addsSomewhere reports whether a diff has a heading that names a place in a file which is not empty.
func addsSomewhere(diff string) bool {
	for line := range strings.Lines(diff) {
		if strings.HasPrefix(line, "@@") && !strings.HasPrefix(line, "@@ -0,0 ") {
			return true
		}
	}
	return false
}

// onlyAdds reports whether a hunk has nothing but added lines.
func onlyAdds(hunk []string) bool {
	return !slices.ContainsFunc(hunk, func(line string) bool { return line[0] != '+' })
}

// hunksOf returns the lines of a diff with their signs, in one list for each "@@".
func hunksOf(diff string) (hunks [][]string) {
	var hunk []string
	for line := range strings.Lines(diff) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "@@"):
			if hunk != nil {
				hunks = append(hunks, hunk)
			}
			hunk = nil
		case line != "" && strings.ContainsAny(line[:1], "+- "):
			hunk = append(hunk, line)
		}
	}
	if hunk != nil {
		hunks = append(hunks, hunk)
	}
	return hunks
}

// aroundHunk writes a hunk with the lines of the file around it. It returns false, and writes nothing, if the file does
// not have the text that the hunk changes exactly once.
func aroundHunk(out *strings.Builder, text string, hunk []string) bool {
	var old []string
	for _, line := range hunk {
		if line[0] != '+' {
			old = append(old, line[1:])
		}
	}
	if len(old) == 0 {
		hunk = replacingHunk(text, hunk)
		for _, line := range hunk {
			out.WriteString(line + "\n")
		}
		return true
	}
	was := strings.Join(old, "\n")
	if was == "" || strings.Count(text, was) != 1 {
		return false
	}
	head, rest, _ := strings.Cut(text, was)
	// The diff has whole lines, and the changed text may begin and end in the middle of one.
	start := strings.LastIndexByte(head, '\n') + 1
	before, after := head[start:], rest
	if end := strings.IndexByte(rest, '\n'); end >= 0 {
		after = rest[:end]
	}
	if before+after != "" {
		hunk = withWholeLines(hunk, before, after)
	}
	above, below := linesOf(head[:start]), linesOf(strings.TrimPrefix(rest[len(after):], "\n"))
	for _, line := range above[max(0, len(above)-aroundLines):] {
		out.WriteString(" " + line + "\n")
	}
	for _, line := range hunk {
		out.WriteString(line + "\n")
	}
	for _, line := range below[:min(aroundLines, len(below))] {
		out.WriteString(" " + line + "\n")
	}
	return true
}

// withWholeLines returns a hunk with the rest of the lines in which its change begins and ends: before is the beginning
// of the first line, after is the end of the last.
func withWholeLines(hunk []string, before, after string) (whole []string) {
	for _, sign := range "-+" {
		var side []string
		for _, line := range hunk {
			if line[0] == byte(sign) || line[0] == ' ' {
				side = append(side, line[1:])
			}
		}
		if len(side) == 0 {
			side = []string{""}
		}
		side[0] = before + side[0]
		side[len(side)-1] += after
		for _, line := range side {
			whole = append(whole, string(sign)+line)
		}
	}
	return whole
}

// replacingHunk returns the hunk of a diff that only adds lines, and so replaces the whole text: what differs between
// the text and these lines, with the lines around it.
func replacingHunk(text string, hunk []string) (whole []string) {
	now := make([]string, 0, len(hunk))
	for _, line := range hunk {
		now = append(now, line[1:])
	}
	was := linesOf(text)
	same, end := 0, 0
	for same < min(len(was), len(now)) && was[same] == now[same] {
		same++
	}
	for end < min(len(was), len(now))-same && was[len(was)-1-end] == now[len(now)-1-end] {
		end++
	}
	signed := func(sign string, lines []string) {
		for _, line := range lines {
			whole = append(whole, sign+line)
		}
	}
	signed(" ", was[max(0, same-aroundLines):same])
	signed("-", was[same:len(was)-end])
	signed("+", now[same:len(now)-end])
	signed(" ", was[len(was)-end:min(len(was), len(was)-end+aroundLines)])
	return whole
}

// linesOf splits a text into its lines.
func linesOf(text string) (lines []string) {
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	return lines
}
