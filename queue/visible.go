package queue

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks is how many combining marks may follow one letter before the rest is shown by code point.
const maxMarks = 4

// Visible is the one way untrusted text reaches a sink: everything that a terminal or a reader would act on or
// not see (controls, bidi, zero-width, tags, blank letters, invalid bytes) becomes `<U+202E>`. Newlines and tabs
// stay. odd reports whether anything was replaced, for the warning badge. CRLF counts as a newline. Joined emoji are
// shown one by one (see tiesEmoji).
func Visible(s string) (shown string, odd bool) {
	if isPlainASCII(s) {
		return s, false
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	b.Grow(len(s) + 16)
	marks := 0
	prev := rune(-1)
	for i, r := range s {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				fmt.Fprintf(&b, "<0x%02X>", s[i])
				odd, prev = true, -1
				continue
			}
		}
		if unicode.In(r, unicode.Mn, unicode.Me) && !isVariation(r) {
			marks++
		} else if !isJoining(r) {
			marks = 0
		}
		if isPictograph(prev) && tiesEmoji(r, s[i+size:]) {
			continue
		}
		if showsRune(r, prev, s[i+size:], marks) {
			b.WriteRune(r)
			prev = r
		} else {
			fmt.Fprintf(&b, "<U+%04X>", r)
			odd, prev = true, -1 // nothing may lean on what is not there
		}
	}
	return b.String(), odd
}

// VisibleLine is Visible for places with one line: newlines and tabs become single spaces.
func VisibleLine(s string) (shown string, odd bool) {
	shown, odd = Visible(s)
	if strings.ContainsAny(shown, "\n\t") {
		shown = strings.Join(strings.FieldsFunc(shown, func(r rune) bool { return r == '\n' || r == '\t' }), " ")
	}
	return strings.TrimSpace(shown), odd
}

// Shorten is a text of at most so many characters as it is; of a longer one it is these characters and the mark behind
// them, which does not count. It stands here, like Visible, as everybody who shows or stores an agent's text needs it;
// what is drawn in cells is cut by ink.
func Shorten(s string, most int, mark string) string {
	n := 0
	for i := range s {
		if n++; n > most {
			return string([]rune(s[:i])) + mark // half a character becomes one that can be stored
		}
	}
	return s
}

// isPlainASCII is the fast path: printable ASCII, newline and tab.
func isPlainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' && c != '\n' && c != '\t') || c >= 0x7f {
			return false
		}
	}
	return true
}

func showsRune(r, prev rune, rest string, marks int) bool {
	switch {
	case r == '\n' || r == '\t':
		return true
	case isVariation(r): // one selector behind a visible character
		return r >= 0xFE0E && prev > ' ' && !isVariation(prev) && !unicode.Is(unicode.Mn, prev)
	case isHidden(r):
		return false
	}
	return marks <= maxMarks
}

// isHidden reports characters that take no visible ink or steer the terminal or the reading order, and those of private
// use: each font draws its own there, nothing or a letter that is not meant, and Linux consoles straight from the font.
func isHidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Cs, unicode.Co):
		return true
	case r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, r == 0x2800, r == 0x034F, r == 0x17B4, r == 0x17B5:
		return true
	case r >= 0x180B && r <= 0x180F, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return r&0xFFFE == 0xFFFE || r >= 0xFDD0 && r <= 0xFDEF
}

func isVariation(r rune) bool { return r >= 0xFE00 && r <= 0xFE0F }

// tiesEmoji reports what only ties emoji together or tints one. Terminals do not agree how wide such a sequence is, and
// the rest of the row would move; so every emoji of it is shown by itself, and what ties them is left out.
func tiesEmoji(r rune, rest string) bool {
	if r >= 0x1F3FB && r <= 0x1F3FF {
		return true
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return r == 0x200D && isPictograph(next)
}

func isJoining(r rune) bool { return isVariation(r) || r == 0x200D }

func isPictograph(r rune) bool {
	return r >= 0x2190 && r <= 0x2BFF || r >= 0x1F000 && r <= 0x1FAFF || isVariation(r) && r >= 0xFE0E
}
