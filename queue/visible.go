package queue

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks limits the combining marks that may follow one letter; the rest are shown by code point.
const maxMarks = 4

// Visible cleans untrusted text for every sink: everything that a terminal or a reader would act on or not see
// (controls, bidi, zero-width, tags, blank letters, invalid bytes) becomes `<U+202E>`. Newlines and tabs stay. odd
// reports whether anything was replaced, for the warning badge. CRLF counts as a newline. Joined emoji are shown one by
// one (see tiesEmoji). Text of an approval goes through Ask.Visible and Part.Shown instead.
func Visible(s string) (shown string, odd bool) { return visible(s, false) }

// visible does the work of Visible; exact: what selects, joins or tints an emoji is written out too, as it takes no ink
// and makes another name.
func visible(s string, exact bool) (shown string, odd bool) {
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
		ties := (isEmoji(prev) || isVariation(prev)) && tiesEmoji(r, s[i+size:])
		if ties && !exact {
			continue
		}
		if !ties && showsRune(r, prev, s[i+size:], marks) && !(exact && isVariation(r)) {
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

// Shorten returns a text of at most so many characters unchanged. A longer text is cut to that length, and the mark is
// added, which does not count. The function is here, like Visible, because everybody who shows or stores an agent's
// text needs it; text that is drawn in cells is cut by ink.
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
	case isVariation(r): // one selector behind what it changes
		return r >= 0xFE0E && (isEmoji(prev) || isKeycap(prev, rest))
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
	case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), r == 0x2800:
		return true
	case r >= 0x180B && r <= 0x180F, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return r&0xFFFE == 0xFFFE || r >= 0xFDD0 && r <= 0xFDEF
}

func isVariation(r rune) bool { return r >= 0xFE00 && r <= 0xFE0F }

// tiesEmoji reports whether a rune only ties emoji together or tints one. Terminals do not agree on the width of such a
// sequence, and the rest of the row would move; so each of its emoji is shown separately, and the ties are left out.
func tiesEmoji(r rune, rest string) bool {
	if isTone(r) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return r == 0x200D && isEmoji(next)
}

func isTone(r rune) bool { return r >= 0x1F3FB && r <= 0x1F3FF }

func isJoining(r rune) bool { return isVariation(r) || r == 0x200D }

// isKeycap reports whether a selector between the two makes a key of a digit, # or *.
func isKeycap(prev rune, rest string) bool {
	return strings.ContainsRune("0123456789#*", prev) && strings.HasPrefix(rest, "\u20e3")
}

// isEmoji reports characters that a selector, a joiner or a skin tone changes.
func isEmoji(r rune) bool {
	switch {
	case isTone(r):
		return false
	case r >= 0x1F300 && r <= 0x1F64F, r >= 0x1F680 && r <= 0x1F6FF, r >= 0x1F7E0 && r <= 0x1F7FF,
		r >= 0x1F900 && r <= 0x1FAFF:
		return true
	}
	return r > 0x7F && strings.ContainsRune(emojiElsewhere, r)
}

// emojiElsewhere are the characters outside the blocks of pictographs that Unicode calls Emoji, apart from flags and
// keys.
const emojiElsewhere = "©®‼⁉™ℹ↔↕↖↗↘↙↩↪⌚⌛⌨⏏⏩⏪⏫⏬⏭⏮⏯⏰⏱⏲⏳⏸⏹⏺Ⓜ▪▫▶◀◻◼◽◾☀☁☂☃☄☎☑☔☕" +
	"☘☝☠☢☣☦☪☮☯☸☹☺♀♂♈♉♊♋♌♍♎♏♐♑♒♓♟♠♣♥♦♨♻♾♿⚒⚓⚔⚕⚖⚗⚙⚛⚜⚠⚡⚧⚪⚫⚰" +
	"⚱⚽⚾⛄⛅⛈⛎⛏⛑⛓⛔⛩⛪⛰⛱⛲⛳⛴⛵⛷⛸⛹⛺⛽✂✅✈✉✊✋✌✍✏✒✔✖✝✡✨✳✴❄❇❌❎❓❔❕❗❣" +
	"❤➕➖➗➡➰➿⤴⤵⬅⬆⬇⬛⬜⭐⭕〰〽㊗㊙🀄🃏🅰🅱🅾🅿🆎🆑🆒🆓🆔🆕🆖🆗🆘🆙🆚🈁🈂🈚🈯🈲🈳🈴🈵🈶🈷🈸🈹🈺" +
	"🉐🉑"
