package say

// Line holds the words of the Enter line, which says what the next Enter does: pieces in a row, and additions behind
// them, called tails. If there is no room for all, pieces and tails are shortened; see ink.Fit.
type Line struct {
	Pieces []Piece
	Tails  []Tail // most important first
	Sends  bool   // the next Enter sends an answer or a cancel: a screen draws the line as a button
	Leads  bool   // the next Enter sends nothing and leads on: a screen draws the line bold, without the sign for Enter
	Beside string // words beside the button that are never shortened; may be empty
}

// Piece is a part of a line. A piece with one form has fixed words.
type Piece struct {
	Forms []string // longest first; a piece whose last form is empty may be left out
	Least int      // the least cells to which the piece is cut with …; 0 if it is never cut
	Nice  bool     // the piece is shortened before any tail

	// Instead replaces the piece if its Forms do not fit uncut, longest first; empty if the piece may be cut.
	Instead []string
}

// Tail holds the forms of an addition behind a line, longest first. A tail whose last form is empty may be left out;
// any other tail is a warning and stays, in its last form if need be.
type Tail []string

// Words returns a line of words that are never shortened.
func Words(words string) Line { return Line{Pieces: []Piece{Fixed(words)}} }

// Fixed returns words that are never shortened.
func Fixed(words string) Piece { return Piece{Forms: []string{words}} }

// Named returns a piece for a name or label, which is cut to a few cells if there is little room.
func Named(name string) Piece { return Piece{Forms: []string{name}, Least: 8} }

// wholeName returns a piece for a name that must not be cut. Everything else is shortened first. If that is not enough,
// one of the texts of instead replaces the name.
func wholeName(name string, instead ...string) Piece {
	return Piece{Forms: []string{name}, Least: 8, Instead: instead}
}

// Nice returns a piece of words that are nice to know: it is shortened before any warning, longest form first.
func Nice(forms ...string) Piece { return Piece{Forms: forms, Nice: true} }

// With adds pieces to a line.
func (l Line) With(pieces ...Piece) Line {
	l.Pieces = append(l.Pieces[:len(l.Pieces):len(l.Pieces)], pieces...)
	return l
}

// Behind adds tails to a line and skips empty ones.
func (l Line) Behind(tails ...Tail) Line {
	l.Tails = l.Tails[:len(l.Tails):len(l.Tails)]
	for _, t := range tails {
		if len(t) > 0 && t[0] != "" {
			l.Tails = append(l.Tails, t)
		}
	}
	return l
}

// Blank reports whether the line has no words.
func (l Line) Blank() bool {
	for _, p := range l.Pieces {
		if p.Forms[0] != "" {
			return false
		}
	}
	return len(l.Tails) == 0
}

// In returns the line as text with every part in its longest form, for a face that has room for that.
func (l Line) In(dot string) string {
	words := ""
	for _, p := range l.Pieces {
		words += p.Forms[0]
	}
	for _, t := range l.Tails {
		words += " " + dot + " " + t[0]
	}
	return words
}
