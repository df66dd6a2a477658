package queue

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a person allows is shown so that two different requests never look the same. What takes no ink, or would be
// taken for something else, is written out between angle brackets:
//
//	<U+202E>             a character that a reader would not see, as in Visible
//	<1 blank>, <4 tabs>  blanks and tabs where they cannot be seen: at the end of a line, around and twice in a name,
//	                     and in a change where the two sides would look the same
//	<1 CR>               a carriage return before a line break of a change
//	<U+003C>             the sign < of a text that itself reads like one of these
//
// The signs are the same on every screen. A plan is prose: its line ends and blanks are unchanged.

// Shown returns the part as the person sees it before they allow it. odd reports whether it contains characters that
// would not be seen, or would be taken for others; the usual blanks, tabs and line ends of files do not count.
func (p Part) Shown() (shown Part, odd bool) {
	var inLabel, inPlace, inText bool
	p.Label, inLabel = ShownName(p.Label)
	p.Leads, inPlace = ShownPlace(p.Leads)
	switch p.Kind {
	case PartPlan:
		p.Text, inText = visibleExactly(escapeMarks(p.Text))
	case PartDiff:
		c := ShownChange(p.Text)
		p.Text, p.OnlyBlanks, inText = c.Text, c.OnlyBlanks, c.Odd
	case PartCommand:
		p.Text, inText = showLines(p.Text, isOddInCommand)
	default:
		p.Text, inText = showLines(p.Text, isOddInText)
	}
	return p, inLabel || inPlace || inText
}

// InASCII returns a part that Shown returned for a terminal that shows only ASCII: all other characters are written
// out. There another character that looks alike stands for some of them, such as a dash, and nothing for most.
func (p Part) InASCII() Part {
	p.Label, p.Leads, p.Text = inASCII(p.Label), inASCII(p.Leads), inASCII(p.Text)
	return p
}

// inASCII returns a text with all characters written out that are not ASCII.
func inASCII(text string) string {
	if isPlainASCII(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}

// Shown returns the tool and the directory as the person sees them. Each Part has its own Shown.
func (a *Approval) Shown() (tool, dir string) {
	tool, _ = ShownName(a.Tool)
	dir, _ = ShownName(a.Dir)
	return tool, dir
}

// Odd reports whether the approval contains characters that would not be seen, or would be taken for others.
func (a *Approval) Odd() bool {
	if a == nil {
		return false
	}
	_, oddTool := ShownName(a.Tool)
	_, oddDir := ShownName(a.Dir)
	return oddTool || oddDir || slices.ContainsFunc(a.Parts, func(p Part) bool { _, odd := p.Shown(); return odd })
}

// ShownName returns a name as the person sees it, such as a path, in one line: line breaks, tabs, other blanks than the
// plain one, two blanks in a row, blanks at its ends and arrows are written out. An arrow stands between a link and the
// place where it leads. odd reports whether anything was written out.
func ShownName(name string) (shown string, odd bool) {
	if isPlainName(name) {
		return name, false
	}
	escaped := escapeMarks(name)
	text := strings.TrimLeft(escaped, " ")
	lead := len(escaped) - len(text)
	text = strings.TrimRight(text, " ")
	trail := len(escaped) - lead - len(text)
	var b strings.Builder
	writeRun(&b, escaped[:lead])
	for text != "" {
		if n := blanksAhead(text); n > 1 {
			writeRun(&b, text[:n])
			text = text[n:]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		if unicode.Is(unicode.Zs, r) && r != ' ' || strings.ContainsRune("\n\t→", r) {
			fmt.Fprintf(&b, "<U+%04X>", r)
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	writeRun(&b, escaped[len(escaped)-trail:])
	written := b.String()
	shown, odd = visibleExactly(written)
	return shown, odd || written != escaped
}

// ShownPlace returns the place to which a path leads as the person sees it; see Part.Leads.
func ShownPlace(leads string) (shown string, odd bool) {
	if leads == LeadsNowhere {
		return "a place that could not be found out", false
	}
	return ShownName(leads)
}

// shownLabel returns the label of an approval's option as the person sees it, in one line. It may be words of ours with
// the agent's in them, such as a rule or a path, so it is stricter than Visible, and blanks within it are unchanged.
func shownLabel(label string) string {
	text := strings.Trim(label, endBlanks)
	lead := strings.Index(label, text)
	var b strings.Builder
	writeRun(&b, label[:lead])
	shown, _ := visibleExactly(strings.NewReplacer("\r", "<U+000D>", "\n", "<U+000A>", "\t", "<U+0009>").Replace(text))
	b.WriteString(shown)
	writeRun(&b, label[lead+len(text):])
	return b.String()
}

// isPlainName reports whether ShownName returns the name unchanged.
func isPlainName(name string) bool {
	return isPlainASCII(name) && !strings.ContainsAny(name, "<\n\t") && !strings.Contains(name, "  ") &&
		strings.Trim(name, " ") == name
}

// blanksAhead returns the number of plain blanks with which the text begins.
func blanksAhead(text string) int { return len(text) - len(strings.TrimLeft(text, " ")) }

// isOddInText reports whether a character is written out in text that is not prose: a carriage return, and blanks other
// than the plain one and wideBlank, since a shell does not end a word at them.
func isOddInText(r rune) bool { return isOddInChange(r) || r == '\r' }

// isOddInChange does the same for the lines of a change without their ends.
func isOddInChange(r rune) bool {
	return unicode.Is(unicode.Zs, r) && r != ' ' && r != wideBlank || r == '\r'
}

// isOddInCommand does the same for a text that a shell would run, in which wideBlank is odd too.
func isOddInCommand(r rune) bool { return isOddInText(r) || r == wideBlank }

// wideBlank is the ideographic space of East Asian text.
const wideBlank = '\u3000'

// showLines returns a text with the blanks at the end of each line written out, and every character for which isOdd
// returns true. odd does not count blanks and tabs.
func showLines(text string, isOdd func(rune) bool) (shown string, odd bool) {
	if isPlainASCII(text) && !strings.Contains(text, "<") && !endsInBlank(text) {
		return text, false
	}
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		body := strings.TrimRight(line, endBlanks)
		written, isOdd := writeOdd(body, isOdd)
		b.WriteString(written)
		writeRun(&b, line[len(body):])
		odd = odd || isOdd
	}
	return b.String(), odd
}

// endBlanks lists the blanks that are written out at the end of a line.
const endBlanks = " \t\u3000"

// endsInBlank reports whether a line of an ASCII text ends with a blank or a tab.
func endsInBlank(text string) bool {
	return strings.Contains(text, " \n") || strings.Contains(text, "\t\n") || strings.HasSuffix(text, " ") ||
		strings.HasSuffix(text, "\t")
}

// writeOdd returns a text with the characters written out for which isOdd returns true, beside those that Visible
// writes out, and those that select, join or tint an emoji.
func writeOdd(text string, isOdd func(rune) bool) (shown string, odd bool) {
	if isPlainASCII(text) && !strings.Contains(text, "<") {
		return text, false
	}
	text = escapeMarks(text)
	found := false
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if isOdd(r) {
			fmt.Fprintf(&b, "<U+%04X>", r)
			found = true
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	shown, odd = visibleExactly(b.String())
	return shown, odd || found
}

// writeRun writes blanks, tabs and carriage returns out, alike ones together: `<4 blanks>`.
func writeRun(b *strings.Builder, run string) {
	for run != "" {
		r, size := utf8.DecodeRuneInString(run)
		n := 1
		for strings.HasPrefix(run[n*size:], run[:size]) {
			n++
		}
		run = run[n*size:]
		switch {
		case r == '\r':
			fmt.Fprintf(b, "<%d CR>", n)
		case r == wideBlank:
			b.WriteString(strings.Repeat("<U+3000>", n))
		case r == '\t' && n == 1:
			b.WriteString("<1 tab>")
		case r == '\t':
			fmt.Fprintf(b, "<%d tabs>", n)
		case n == 1:
			b.WriteString("<1 blank>")
		default:
			fmt.Fprintf(b, "<%d blanks>", n)
		}
	}
}

// escapeMarks writes out the sign < where a text itself reads like a character that is written out, so that it is not
// taken for that.
func escapeMarks(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<")
		b.WriteString(before)
		switch {
		case !found:
			return b.String()
		case readsAsMark(rest):
			b.WriteString("<U+003C>")
		default:
			b.WriteByte('<')
		}
		text = rest
	}
}

// longestMark is the length of the longest text between the brackets of something written out.
const longestMark = 16

// readsAsMark reports whether a text behind the sign < reads like a character that is written out.
func readsAsMark(text string) bool {
	end := strings.IndexByte(text[:min(len(text), longestMark+1)], '>')
	if end < 0 {
		return false
	}
	inside := text[:end]
	if code, ok := strings.CutPrefix(inside, "U+"); ok {
		return len(code) >= 4 && len(code) <= 6 && strings.Trim(code, "0123456789ABCDEF") == ""
	}
	if code, ok := strings.CutPrefix(inside, "0x"); ok {
		return len(code) == 2 && strings.Trim(code, "0123456789ABCDEF") == ""
	}
	number, unit, _ := strings.Cut(inside, " ")
	return number != "" && strings.Trim(number, "0123456789") == "" &&
		slices.Contains([]string{"blank", "blanks", "tab", "tabs", "CR"}, unit)
}
