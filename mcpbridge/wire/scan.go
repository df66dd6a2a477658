package wire

import "strings"

// Scanner finds the end of the first JSON object in a text that comes in pieces. It does not check the JSON in
// it, so that it finds the end of what is nested too deeply to be read, too.
type Scanner struct {
	depth            int
	began, other     bool
	inText, escaping bool
}

// Began reports whether anything but blanks has come.
func (s *Scanner) Began() bool { return s.began || s.other }

// Other reports whether something else than an object begins the text.
func (s *Scanner) Other() bool { return s.other }

// Scan reads the next piece. It returns the length of the part that belongs to the object or is before it, and whether
// the object ends there.
func (s *Scanner) Scan(piece []byte) (end int, found bool) {
	for i, c := range piece {
		switch {
		case s.other:
		case !s.began:
			s.began = c == '{'
			s.other = !s.began && !strings.ContainsRune(" \t\r\n", rune(c)) && !isMark(c)
			if s.began {
				s.depth = 1
			}
		case s.escaping:
			s.escaping = false
		case s.inText:
			s.escaping, s.inText = c == '\\', c != '"'
		case c == '"':
			s.inText = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth--; s.depth == 0 {
				return i + 1, true
			}
		}
	}
	return len(piece), false
}

// isMark reports whether a byte is one of the three of a byte order mark in UTF-8.
func isMark(c byte) bool { return c == 0xEF || c == 0xBB || c == 0xBF }
