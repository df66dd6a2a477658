package ink

import (
	"cmp"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
)

// The Enter line is a budget of cells. First come the verb, what is added to the answer and the warnings; the label of
// what is sent takes what they leave, cut with …. Where even that is too little, words become shorter ones, first
// those that matter least.

// Tail is something said behind the Enter line, longest form first. One that ends with "" may be left out; any other
// is a warning and stays, in its last form if need be.
type Tail []string

// Part is a piece of the Enter line that may be said shorter.
type Part struct {
	Text  string   // as it stands in the line
	Short []string // said instead, longest first
	Least int      // cut with … down to so many cells; 0: it is not cut
	Nice  bool     // shorter before any tail is
}

// piece is a part of the line, a tail, or the fixed words between them.
type piece struct {
	forms  []string
	said   int // which form
	least  int // of the part that is cut
	nice   bool
	behind bool // a tail
}

func (p piece) text() string { return p.forms[p.said] }

// FitLine is the Enter line with its tails in at most w cells. Where there are more warnings than room, the first ones
// stay.
func FitLine(line string, parts []Part, tails []Tail, w int, g Glyphs) string {
	tails = slices.DeleteFunc(slices.Clone(tails), func(t Tail) bool { return len(t) == 0 || t[0] == "" })
	for {
		text, fits := fitPieces(lineParts(line, parts), tails, w, g)
		if fits || len(tails) == 0 {
			return Cut(text, w, g.Ellipsis)
		}
		tails = tails[:len(tails)-1]
	}
}

// Fit is the Enter line with its tails in at most w cells. Where there are more warnings than room, the first ones
// stay.
func Fit(l say.Line, w int, g Glyphs) string {
	tails := make([]Tail, len(l.Tails))
	for i, t := range l.Tails {
		tails[i] = Tail(t)
	}
	for {
		pieces := make([]piece, len(l.Pieces))
		for i, p := range l.Pieces {
			pieces[i] = piece{forms: p.Forms, least: p.Least, nice: p.Nice}
		}
		text, fits := fitPieces(pieces, tails, w, g)
		if fits || len(tails) == 0 {
			return Cut(text, w, g.Ellipsis)
		}
		tails = tails[:len(tails)-1]
	}
}

// fitPieces shortens pieces and tails until the label has its cells, and reports whether it has.
func fitPieces(pieces []piece, tails []Tail, w int, g Glyphs) (text string, fits bool) {
	label := slices.IndexFunc(pieces, func(p piece) bool { return p.least > 0 })
	for _, t := range tails {
		pieces = append(pieces, piece{forms: t, behind: true})
	}
	whole, least, wanted := 0, 0, 0 // cells of the label, how few it may have, and how many it should
	if label >= 0 {
		whole = Width(pieces[label].text())
		least = min(whole, pieces[label].least)
		wanted = min(whole, max(least, w/3-2))
	}
	room := func() int { return w - Width(joinPieces(pieces, g)) + whole }
	for room() < whole && leaveOut(pieces) {
	}
	for room() < wanted && sayShorter(pieces) {
	}
	left := room()
	if label >= 0 && left < whole {
		pieces[label].forms, pieces[label].said = []string{Cut(pieces[label].text(), max(left, 4), g.Ellipsis)}, 0
	}
	return joinPieces(pieces, g), left >= least
}

// lineParts takes the line to pieces at its parts. The label is the first of its text there, anything else the last:
// an option may be called like what we say of it.
func lineParts(line string, parts []Part) []piece {
	type span struct {
		from, to int
		p        piece
	}
	var spans []span
	for _, part := range parts {
		at := strings.LastIndex(line, part.Text)
		if part.Least > 0 {
			at = strings.Index(line, part.Text)
		}
		if part.Text == "" || at < 0 {
			continue
		}
		spans = append(spans, span{at, at + len(part.Text), piece{forms: append([]string{part.Text}, part.Short...),
			least: part.Least, nice: part.Nice}})
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var pieces []piece
	end := 0
	for _, s := range spans {
		if s.from < end {
			continue
		}
		pieces = append(pieces, piece{forms: []string{line[end:s.from]}}, s.p)
		end = s.to
	}
	return append(pieces, piece{forms: []string{line[end:]}})
}

// leaveOut says a part shorter that may be left out: it goes before anything of the label; false: there is none.
func leaveOut(pieces []piece) bool {
	for i, p := range pieces {
		if p.nice && p.said+1 < len(p.forms) && p.forms[len(p.forms)-1] == "" {
			pieces[i].said++
			return true
		}
	}
	return false
}

// sayShorter says one piece one form shorter: what is nice to know, else the one that was shortened least so far, the
// last of them; false: all are as short as they can be.
func sayShorter(pieces []piece) bool {
	at := -1
	for i, p := range pieces {
		if p.said+1 >= len(p.forms) {
			continue
		}
		if at < 0 || p.nice && !pieces[at].nice || p.nice == pieces[at].nice && p.said <= pieces[at].said {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	pieces[at].said++
	return true
}

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
