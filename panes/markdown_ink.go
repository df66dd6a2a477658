package panes

import (
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"
)

// ink is how one byte of a text is drawn.
type ink uint8

const (
	inkBold ink = 1 << iota
	inkItalic
	inkStrike
	inkDim
	inkGood
	inkDanger
)

func (k ink) style() tcell.Style {
	s := Plain
	switch {
	case k&inkGood != 0:
		s = Good
	case k&inkDanger != 0:
		s = Danger
	}
	if k&inkDim != 0 {
		return s.Dim(true)
	}
	return s.Bold(k&inkBold != 0).Italic(k&inkItalic != 0).StrikeThrough(k&inkStrike != 0)
}

const tabStop = "    "

// inked is a text of one line with the ink of each byte.
type inked struct {
	text string
	ink  []ink
}

// inker builds an inked text.
type inker struct {
	text strings.Builder
	ink  []ink
}

// add appends a piece of the source; tabs become spaces.
func (b *inker) add(s string, k []ink) {
	for i := strings.IndexByte(s, '\t'); i >= 0; i = strings.IndexByte(s, '\t') {
		b.text.WriteString(s[:i] + tabStop)
		b.ink = append(append(b.ink, k[:i]...), k[i], k[i], k[i], k[i])
		s, k = s[i+1:], k[i+1:]
	}
	b.text.WriteString(s)
	b.ink = append(b.ink, k...)
}

// put appends words of ours.
func (b *inker) put(s string) {
	b.text.WriteString(s)
	b.ink = append(b.ink, make([]ink, len(s))...)
}

func (b *inker) done() inked { return inked{b.text.String(), b.ink} }

// wrap breaks the text into lines of at most w cells, between words where it can; lines after the first start with
// the prefix.
func (t inked) wrap(prefix string, w int) []Line {
	if len(t.text) <= w && isASCII(t.text) {
		return []Line{t.line(0, len(t.text))}
	}
	if w-Width(prefix) < leastMarkdown {
		prefix = ""
	}
	var out []Line
	start, at, used, room := 0, 0, 0, w
	emit := func() {
		l := t.line(start, at)
		if len(out) > 0 && prefix != "" && len(l) > 0 {
			l = append(Line{{prefix, Plain}}, l...)
		}
		out = append(out, l)
		start, used, room = at, 0, w-Width(prefix)
	}
	for rest, state := t.text, -1; len(rest) > 0; {
		var word string
		word, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
		ink := strings.TrimRight(word, " ")
		width := Width(ink)
		if used > 0 && used+width > room && (width <= w-Width(prefix) || used > room/2) {
			emit()
		}
		end := at + len(word)
		if used+width <= room {
			used += width + len(word) - len(ink)
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
	if start < len(t.text) || len(out) == 0 {
		emit()
	}
	return out
}

// goesOn begins a row that goes on with the line of code above it. Its style is one that code never has.
var goesOn = Span{Unicode.GoesOn, Dim}

// wrapCode breaks a line of code into lines of at most w cells, between words where it can. Those after the first
// begin with goesOn between before and behind; what follows, joined, is the line: no space is left out.
func (t inked) wrapCode(before, behind string, w int) []Line {
	text := strings.TrimRight(t.text, " ")
	if len(text) <= w && isASCII(text) {
		return []Line{t.line(0, len(text))}
	}
	head := Line{{before, Plain}, goesOn, {behind, Plain}}
	if least := max(w/3, leastMarkdown); w-head.Width() < least {
		head = Line{{Cut(before, max(w-least-2, 0), ""), Plain}, goesOn, {" ", Plain}}
	}
	if w-head.Width() < leastMarkdown {
		head = nil
	}
	var out []Line
	start, at, used, room, next := 0, 0, 0, w, w-head.Width()
	emit := func() {
		l := t.spans(start, at)
		if len(out) > 0 {
			l = append(head[:len(head):len(head)], l...)
		}
		out = append(out, l)
		start, used, room = at, 0, next
	}
	for rest := text; len(rest) > 0; {
		word := codeWord(rest)
		rest = rest[len(word):]
		width := Width(word)
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
func (t inked) line(from, to int) Line {
	return t.spans(from, from+len(strings.TrimRight(t.text[from:to], " ")))
}

// spans is a part of the text. A span never begins inside a character.
func (t inked) spans(from, to int) Line {
	text := t.text[from:to]
	if text == "" {
		return nil
	}
	var out Line
	if uniform(t.ink[from : from+len(text)]) {
		return Line{{text, t.ink[from].style()}}
	}
	start, at := 0, 0
	for rest, state := text, -1; len(rest) > 0; {
		if at > start && t.ink[from+at] != t.ink[from+start] {
			out = append(out, Span{text[start:at], t.ink[from+start].style()})
			start = at
		}
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		at += len(cluster)
	}
	return append(out, Span{text[start:], t.ink[from+start].style()})
}

func uniform(k []ink) bool {
	for _, i := range k {
		if i != k[0] {
			return false
		}
	}
	return true
}
