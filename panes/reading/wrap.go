package reading

import (
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/reading/markdown"
)

// markStyle is how a mark is drawn.
func markStyle(k markdown.Mark) tcell.Style {
	s := ink.Plain
	switch {
	case k&markdown.Good != 0:
		s = ink.Good
	case k&markdown.Danger != 0:
		s = ink.Danger
	}
	if k&markdown.Dim != 0 {
		return s.Dim(true)
	}
	return s.Bold(k&markdown.Bold != 0).Italic(k&markdown.Italic != 0).StrikeThrough(k&markdown.Strike != 0)
}

// wrap breaks the text into lines of at most w cells, between words where it can; lines after the first start with
// the prefix.
func wrap(t markdown.Piece, prefix string, w int) []ink.Line {
	if len(t.Text) <= w && ink.IsASCII(t.Text) {
		return []ink.Line{line(t, 0, len(t.Text))}
	}
	if w-ink.Width(prefix) < leastMarkdown {
		prefix = ""
	}
	var out []ink.Line
	start, at, used, room := 0, 0, 0, w
	emit := func() {
		l := line(t, start, at)
		if len(out) > 0 && prefix != "" && len(l) > 0 {
			l = append(ink.Line{{Text: prefix, Style: ink.Plain}}, l...)
		}
		out = append(out, l)
		start, used, room = at, 0, w-ink.Width(prefix)
	}
	for rest, state := t.Text, -1; len(rest) > 0; {
		var word string
		word, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
		solid := strings.TrimRight(word, " ")
		width := ink.Width(solid)
		if used > 0 && used+width > room && (width <= w-ink.Width(prefix) || used > room/2) {
			emit()
		}
		end := at + len(word)
		if used+width <= room {
			used += width + len(word) - len(solid)
			at = end
			continue
		}
		for inner, s := word, -1; len(inner) > 0; { // a word longer than a line
			var cluster string
			var cells int
			cluster, inner, cells, s = uniseg.FirstGraphemeClusterInString(inner, s)
			if used > 0 && used+cells > room && cluster != " " {
				emit()
			}
			at, used = at+len(cluster), used+cells
		}
	}
	if start < len(t.Text) || len(out) == 0 {
		emit()
	}
	return out
}

// GoesOn begins a row that goes on with the line of code above it. Its style is one that code never has.
var GoesOn = ink.Span{Text: ink.Unicode.GoesOn, Style: ink.Dim}

// wrapCode breaks a line of code into lines of at most w cells, between words where it can. Those after the first
// begin with GoesOn between before and behind; what follows, joined, is the line: no space is left out.
func wrapCode(t markdown.Piece, before, behind string, w int) []ink.Line {
	text := strings.TrimRight(t.Text, " ")
	if len(text) <= w && ink.IsASCII(text) {
		return []ink.Line{line(t, 0, len(text))}
	}
	head := ink.Line{{Text: before, Style: ink.Plain}, GoesOn, {Text: behind, Style: ink.Plain}}
	if least := max(w/3, leastMarkdown); w-head.Width() < least {
		head = ink.Line{{Text: ink.Cut(before, max(w-least-2, 0), ""), Style: ink.Plain}, GoesOn,
			{Text: " ", Style: ink.Plain}}
	}
	if w-head.Width() < leastMarkdown {
		head = nil
	}
	var out []ink.Line
	start, at, used, room, next := 0, 0, 0, w, w-head.Width()
	emit := func() {
		l := spans(t, start, at)
		if len(out) > 0 {
			l = append(head[:len(head):len(head)], l...)
		}
		out = append(out, l)
		start, used, room = at, 0, next
	}
	for rest := text; len(rest) > 0; {
		word := codeWord(rest)
		rest = rest[len(word):]
		width := ink.Width(word)
		if used > 0 && used+width > room && (width <= next || used > room/2) {
			emit()
		}
		if used+width <= room {
			at, used = at+len(word), used+width
			continue
		}
		for inner, s := word, -1; len(inner) > 0; { // a word longer than a line
			var cluster string
			var cells int
			cluster, inner, cells, s = uniseg.FirstGraphemeClusterInString(inner, s)
			if used > 0 && used+cells > room {
				emit()
			}
			at, used = at+len(cluster), used+cells
		}
	}
	if start < len(text) || len(out) == 0 {
		emit()
	}
	return out
}

// codeWord is the first word of code with the space around it. Signs part no words there: a path broken behind a
// slash reads as another path.
func codeWord(s string) string {
	lead := len(s) - len(strings.TrimLeft(s, " "))
	n := strings.IndexByte(s[lead:], ' ')
	if n < 0 {
		return s
	}
	end := lead + n
	return s[:len(s)-len(strings.TrimLeft(s[end:], " "))]
}

// line is a part of the text as spans, without the space at its end.
func line(t markdown.Piece, from, to int) ink.Line {
	return spans(t, from, from+len(strings.TrimRight(t.Text[from:to], " ")))
}

// spans is a part of the text. A span never begins inside a character.
func spans(t markdown.Piece, from, to int) ink.Line {
	text := t.Text[from:to]
	if text == "" {
		return nil
	}
	var out ink.Line
	if uniform(t.Marks[from : from+len(text)]) {
		return ink.Line{{Text: text, Style: markStyle(t.Marks[from])}}
	}
	start, at := 0, 0
	for rest, state := text, -1; len(rest) > 0; {
		if at > start && t.Marks[from+at] != t.Marks[from+start] {
			out = append(out, ink.Span{Text: text[start:at], Style: markStyle(t.Marks[from+start])})
			start = at
		}
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		at += len(cluster)
	}
	return append(out, ink.Span{Text: text[start:], Style: markStyle(t.Marks[from+start])})
}

func uniform(k []markdown.Mark) bool {
	for _, i := range k {
		if i != k[0] {
			return false
		}
	}
	return true
}
