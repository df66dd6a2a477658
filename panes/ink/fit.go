package ink

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
)

// The Enter line, which says what Enter would do, must fit a number of cells. The verb, the additions to the answer and
// the warnings get their cells first. The label of the answer gets the cells that are left and is cut with …. If that
// is too little, words are replaced by shorter forms, beginning with those that matter least.

// piece is a piece of the line, or one of the tails behind it, in one of its forms.
type piece struct {
	say.Piece
	said   int  // the index of its present form
	behind bool // the piece is a tail
}

// text returns the words of the piece in its present form.
func (p piece) text() string { return p.Forms[p.said] }

// Fit returns the Enter line with its tails in at most w cells. Where there are more warnings than room, the first ones
// stay.
func Fit(l say.Line, w int, g Glyphs) string {
	if asks, rest := splitAsks(l, w, g); asks != "" {
		return asks + Fit(rest, w-Width(asks), g)
	}
	if l.Beside != "" {
		beside := besideGap + l.Beside
		l.Beside = ""
		return Fit(l, w-Width(beside), g) + beside
	}
	if at := slices.IndexFunc(l.Pieces, isWhole); at >= 0 {
		if text, fits := fitTails(l, w, g); fits {
			return text
		}
		l.Pieces = slices.Clone(l.Pieces)
		l.Pieces[at] = say.Piece{Forms: l.Pieces[at].Instead}
	}
	text, _ := fitTails(l, w, g)
	return Cut(text, w, g.Ellipsis)
}

// splitAsks returns the question before the button in the longest form that leaves room for the button, and the rest of
// the line. Without a question it returns no words.
func splitAsks(l say.Line, w int, g Glyphs) (asks string, rest say.Line) {
	forms := l.Asks.Forms
	if l.Asks = (say.Piece{}); len(forms) == 0 {
		return "", l
	}
	whole := Width(Fit(l, w, g))
	return Longest(forms, w-whole), l
}

// fitTails returns the line with as many of its tails as there is room for, and reports whether it fits.
func fitTails(l say.Line, w int, g Glyphs) (text string, fits bool) {
	tails := l.Tails
	for {
		if text, fits = fitPieces(piecesOf(l), tails, w, g); fits || len(tails) == 0 {
			return text, fits
		}
		tails = tails[:len(tails)-1]
	}
}

// isWhole reports whether a piece must not be cut: it is shown in full, or its Instead is shown.
func isWhole(p say.Piece) bool { return len(p.Instead) > 0 }

// piecesOf returns the pieces of a line, each in its longest form.
func piecesOf(l say.Line) []piece {
	pieces := make([]piece, len(l.Pieces))
	for i, p := range l.Pieces {
		pieces[i] = piece{Piece: p}
	}
	return pieces
}

// besideGap is the space between the button and the words beside it.
const besideGap = "  "

// EnterLine returns the result of Fit with styles. If the next Enter sends, the line is a button in reverse video. If
// Enter does something else, it is bold.
func EnterLine(l say.Line, w int, g Glyphs) Line {
	if asks, rest := splitAsks(l, w, g); asks != "" {
		return append(Line{{asks, Bold}}, EnterLine(rest, w-Width(asks), g)...)
	}
	text := Fit(l, w, g)
	beside := ""
	if l.Beside != "" {
		beside = besideGap + l.Beside
		text = strings.TrimSuffix(text, beside)
	}
	style := Plain
	switch {
	case l.Sends:
		style = Button
	case l.Leads, strings.HasPrefix(text, g.Enter):
		style = Bold
	}
	return Line{{text, style}, {beside, Bold}}
}

// fitPieces shortens pieces and tails until the label has enough cells, and reports whether that was possible.
func fitPieces(pieces []piece, tails []say.Tail, w int, g Glyphs) (text string, fits bool) {
	label := slices.IndexFunc(pieces, func(p piece) bool { return p.Least > 0 })
	for _, t := range tails {
		pieces = append(pieces, piece{Piece: say.Piece{Forms: t}, behind: true})
	}
	whole, least, wanted := 0, 0, 0 // cells of the label: all, those it must have, those it should have
	if label >= 0 {
		whole = Width(pieces[label].text())
		least = min(whole, pieces[label].Least)
		wanted = min(whole, max(least, w/3-2))
		if isWhole(pieces[label].Piece) {
			least, wanted = whole, whole
		}
	}
	room := func() int { return w - Width(joinPieces(pieces, g)) + whole }
	for room() < whole && leaveOut(pieces) {
	}
	for room() < wanted && sayShorter(pieces) {
	}
	left := room()
	if label >= 0 && left < whole {
		pieces[label].Forms, pieces[label].said = []string{Cut(pieces[label].text(), max(left, 4), g.Ellipsis)}, 0
	}
	return joinPieces(pieces, g), left >= least
}

// leaveOut shortens a piece that may be left out entirely. It returns false if there is no such piece any more.
func leaveOut(pieces []piece) bool {
	for i, p := range pieces {
		if p.Nice && p.said+1 < len(p.Forms) && p.Forms[len(p.Forms)-1] == "" {
			pieces[i].said++
			return true
		}
	}
	return false
}

// sayShorter makes one piece shorter by one form: a piece that is nice to know, else the last of those that were
// shortened least so far. It returns false if all are as short as they can be.
func sayShorter(pieces []piece) bool {
	at := -1
	for i, p := range pieces {
		if p.said+1 >= len(p.Forms) {
			continue
		}
		if at < 0 || p.Nice && !pieces[at].Nice || p.Nice == pieces[at].Nice && p.said <= pieces[at].said {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	pieces[at].said++
	return true
}

// joinPieces joins the present forms of the pieces; a dot is before each tail.
func joinPieces(pieces []piece, g Glyphs) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.behind && p.text() != "" && b.Len() > 0 {
			b.WriteString(" " + g.Dot + " ")
		}
		b.WriteString(p.text())
	}
	return b.String()
}
