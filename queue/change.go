package queue

import (
	"slices"
	"strings"
)

// Change is the text of a change as it is shown.
type Change struct {
	Text       string // the lines, each with its sign
	OnlyBlanks bool   // the two sides differ only in blanks, tabs and line ends
	Odd        bool   // it contains characters that would not be seen, beside blanks and line ends
}

// ShownChange returns a change as it is shown. Its lines begin with a sign: "-" for the old side, "+" for the new
// one, a blank for both; all other lines are headings. What differs can be seen: blanks and carriage returns at the
// end of a line are written out, and blanks and tabs within it where a line of one side looks like a line of the
// other.
func ShownChange(text string) Change {
	lines := changeLines(text)
	c := Change{OnlyBlanks: onlyBlanks(lines)}
	inRuns := differingRuns(lines, text, c.OnlyBlanks)
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l.sign)
		body := strings.TrimRight(l.body, endBlanks+"\r")
		c.Odd = writeBody(&b, body, inRuns[i]) || c.Odd
		writeRun(&b, l.body[len(body):])
	}
	c.Text = b.String()
	return c
}

// writeBody writes a line without its end, with these of its runs of blanks written out, and reports whether it is odd.
func writeBody(b *strings.Builder, body string, inRuns []bool) (odd bool) {
	flush := func(text string) {
		written, isOdd := writeOdd(text, isOddInChange)
		b.WriteString(written)
		odd = odd || isOdd
	}
	if inRuns == nil {
		flush(body)
		return odd
	}
	text := "" // is written together, because a sign < and the text behind it may be in several pieces
	for j, piece := range pieces(body) {
		if j%2 == 0 && inRuns[j/2] {
			flush(text)
			writeRun(b, piece)
			text = ""
			continue
		}
		text += piece
	}
	flush(text)
	return odd
}

// changeLine is a line of a change: its sign, which a heading does not have, and the line itself.
type changeLine struct{ sign, body string }

// changeLines splits a change into its lines. The names of the two files above the first place, `--- a` and `+++ b`,
// are headings.
func changeLines(text string) (lines []changeLine) {
	all := strings.Split(text, "\n")
	for i, l := range all {
		named := strings.HasPrefix(l, "--- ") && i+1 < len(all) && strings.HasPrefix(all[i+1], "+++ ") ||
			strings.HasPrefix(l, "+++ ") && i > 0 && strings.HasPrefix(all[i-1], "--- ")
		if l == "" || named || !strings.Contains("-+ ", l[:1]) {
			lines = append(lines, changeLine{"", l})
			continue
		}
		lines = append(lines, changeLine{l[:1], l[1:]})
	}
	return lines
}

// onlyBlanks reports whether both sides of a change have lines of their own, and differ only in blanks, tabs and line
// ends. A change that only adds lines may replace a file that is not known, so nothing is said about that.
func onlyBlanks(lines []changeLine) bool {
	before, after := sideOf(lines, "-"), sideOf(lines, "+")
	has := func(sign, begins string) bool {
		return slices.ContainsFunc(lines, func(l changeLine) bool {
			return l.sign == sign && strings.HasPrefix(l.body, begins)
		})
	}
	differs := before != after || has("", `\`) // such a heading says how a side ends
	return has("-", "") && has("+", "") && differs && solid(before) == solid(after)
}

// sideOf returns the text of one side of a change.
func sideOf(lines []changeLine, sign string) string {
	var b strings.Builder
	for _, l := range lines {
		if l.sign == sign || l.sign == " " {
			b.WriteString(l.body + "\n")
		}
	}
	return b.String()
}

// solid returns a text without blanks, tabs and line ends.
func solid(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n", r) {
			return -1
		}
		return r
	}, text)
}

// pieces splits a line into blanks and words in turn. The first piece has the blanks at the beginning and may be empty.
func pieces(line string) (list []string) {
	isBlank := true
	start := 0
	for i, r := range line {
		if now := strings.ContainsRune(endBlanks, r); now != isBlank {
			list = append(list, line[start:i])
			start, isBlank = i, now
		}
	}
	return append(list, line[start:])
}

// twins holds the lines of a change that differ at most in their blanks: their numbers, and their text on each side.
type twins struct {
	lines         []int
	before, after []string
}

// differingRuns returns for each line, by its number, which of its runs of blanks are written out, by their numbers.
// These are the runs that differ between lines of the two sides with the same words, where a reader could take them for
// the same: one has a tab, or a wide blank, where the other has something else. With all, the other runs that differ
// count too.
func differingRuns(lines []changeLine, text string, all bool) map[int][]bool {
	if !all && !strings.ContainsAny(text, "\t\u3000") {
		return nil
	}
	groups := map[string]*twins{}
	for i, l := range lines {
		if l.sign == "" {
			continue
		}
		body := strings.TrimRight(l.body, endBlanks+"\r")
		key := wordsOf(body)
		g := groups[key]
		if g == nil {
			g = &twins{}
			groups[key] = g
		}
		g.lines = append(g.lines, i)
		if l.sign != "+" {
			g.before = append(g.before, body)
		}
		if l.sign != "-" {
			g.after = append(g.after, body)
		}
	}
	marked := map[int][]bool{}
	for _, g := range groups {
		if runs := g.differing(all && !slices.Equal(g.before, g.after)); slices.Contains(runs, true) {
			for _, i := range g.lines {
				marked[i] = runs
			}
		}
	}
	return marked
}

// wordsOf returns a line with one blank in place of each run of blanks, and none at the beginning.
func wordsOf(line string) string {
	var b strings.Builder
	for j, piece := range pieces(line) {
		switch {
		case j%2 == 1:
			b.WriteString(piece)
		case j > 0:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// differing returns which runs of blanks differ between the lines, by their numbers; see differingRuns.
func (g *twins) differing(all bool) (runs []bool) {
	var found [][]string // the different runs at each place
	for _, line := range slices.Concat(g.before, g.after) {
		own := pieces(line)
		if found == nil {
			found, runs = make([][]string, (len(own)+1)/2), make([]bool, (len(own)+1)/2)
		}
		for j := 0; j < len(own); j += 2 {
			if !slices.Contains(found[j/2], own[j]) {
				found[j/2] = append(found[j/2], own[j])
			}
		}
	}
	for j, some := range found {
		runs[j] = len(some) > 1 && (all || mayLookAlike(some))
	}
	return runs
}

// mayLookAlike reports whether two of these different runs of blanks may look the same: more than one has blanks, and
// not all have plain blanks alone, or tabs alone.
func mayLookAlike(runs []string) bool {
	all, n := "", 0
	for _, run := range runs {
		if run != "" {
			all, n = all+run, n+1
		}
	}
	return n > 1 && strings.Trim(all, " ") != "" && strings.Trim(all, "\t") != ""
}
