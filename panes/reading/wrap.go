package reading

import (
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/reading/markdown"
)

// markStyle returns the style of a mark.
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

// wrap breaks the text into lines of at most w cells, between words if possible. All lines but the first begin with the
// prefix.
func wrap(t markdown.Piece, prefix string, w int) []ink.Line {
	if len(t.Text) <= w && ink.IsASCII(t.Text) {
		return []ink.Line{line(t, 0, len(t.Text))}
	}
	if w-ink.Width(prefix) < leastMarkdown {
		prefix = ""
	}
	r := rows{room: w, next: w - ink.Width(prefix), hangs: true}
	r.row = func(from, to int) ink.Line {
		l := line(t, from, to)
		if len(r.out) > 0 && prefix != "" && len(l) > 0 {
			l = append(ink.Line{{Text: prefix, Style: ink.Plain}}, l...)
		}
		return l
	}
	for rest, state := t.Text, -1; len(rest) > 0; {
		var word string
		word, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
		r.add(word)
	}
	return r.all(t.Text)
}

// GoesOn is the sign before a row that continues the line of code above it. Code itself never has this style.
var GoesOn = ink.Span{Text: ink.Unicode.GoesOn, Style: ink.Dim}

// wrapCode breaks a line of code into rows of at most w cells, between words if possible. Unless
// the screen is very narrow, all rows but the first begin with the sign GoesOn between two texts, which are before and
// behind. The rows without these beginnings, joined, are the line without the spaces at its end.
func wrapCode(t markdown.Piece, before, behind string, w int) []ink.Line {
	text := strings.TrimRight(t.Text, " ")
	if len(text) <= w && ink.IsASCII(text) {
		return []ink.Line{line(t, 0, len(text))}
	}
	head := codeHead(before, behind, w)
	r := rows{room: w, next: w - head.Width()}
	r.row = func(from, to int) ink.Line {
		l := spans(t, from, to)
		if len(r.out) > 0 {
			l = append(head[:len(head):len(head)], l...)
		}
		return l
	}
	for rest := text; len(rest) > 0; {
		word := codeWord(rest)
		rest = rest[len(word):]
		r.add(word)
	}
	return r.all(text)
}

// codeHead returns the beginning of the rows that continue a line of code. It is shortened if it would leave no room
// for code.
func codeHead(before, behind string, w int) ink.Line {
	head := ink.Line{{Text: before, Style: ink.Plain}, GoesOn, {Text: behind, Style: ink.Plain}}
	if least := max(w/3, leastMarkdown); w-head.Width() < least {
		head = ink.Line{{Text: ink.Cut(before, max(w-least-2, 0), ""), Style: ink.Plain}, GoesOn,
			{Text: " ", Style: ink.Plain}}
	}
	if w-head.Width() < leastMarkdown {
		return nil
	}
	return head
}

// rows breaks a text into rows, word by word.
type rows struct {
	row   func(from, to int) ink.Line // returns a part of the text as the next row
	room  int                         // the cells of the present row
	next  int                         // the cells of each further row
	hangs bool                        // a space at the end of a row takes no cell

	start, at, used int // the offsets where the row begins and ends, and its cells
	out             []ink.Line
}

// add puts the next word into the row, or into the next row.
func (r *rows) add(word string) {
	solid := word
	if r.hangs {
		solid = strings.TrimRight(word, " ")
	}
	width := ink.Width(solid)
	if r.used > 0 && r.used+width > r.room && (width <= r.next || r.used > r.room/2) {
		r.end()
	}
	if r.used+width <= r.room {
		r.at, r.used = r.at+len(word), r.used+width+len(word)-len(solid)
		return
	}
	r.addLong(word)
}

// addLong breaks a word that is longer than a row.
func (r *rows) addLong(word string) {
	for state := -1; len(word) > 0; {
		var cluster string
		var cells int
		cluster, word, cells, state = uniseg.FirstGraphemeClusterInString(word, state)
		if r.used > 0 && r.used+cells > r.room && (cluster != " " || !r.hangs) {
			r.end()
		}
		r.at, r.used = r.at+len(cluster), r.used+cells
	}
}

// end ends the row.
func (r *rows) end() {
	r.out = append(r.out, r.row(r.start, r.at))
	r.start, r.used, r.room = r.at, 0, r.next
}

// all returns the rows of the text, at least one.
func (r *rows) all(text string) []ink.Line {
	if r.start < len(text) || len(r.out) == 0 {
		r.end()
	}
	return r.out
}

// codeWord returns the first word of code with the spaces around it. Only spaces separate words, because a path that is
// broken behind a slash could be read as another path.
func codeWord(s string) string {
	lead := len(s) - len(strings.TrimLeft(s, " "))
	n := strings.IndexByte(s[lead:], ' ')
	if n < 0 {
		return s
	}
	end := lead + n
	return s[:len(s)-len(strings.TrimLeft(s[end:], " "))]
}

// line returns a part of the text as spans, without the spaces at its end.
func line(t markdown.Piece, from, to int) ink.Line {
	return spans(t, from, from+len(strings.TrimRight(t.Text[from:to], " ")))
}

// spans returns the piece's text from one offset to another as spans of one style each. No span begins inside a
// character.
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

// uniform reports whether all bytes have the same marks.
func uniform(k []markdown.Mark) bool {
	for _, i := range k {
		if i != k[0] {
			return false
		}
	}
	return true
}
