package queue

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks limits the combining marks that may follow one letter. Further marks are shown as code points.
const maxMarks = 4

// Visible cleans untrusted text for display. Every character that a terminal would act on, or that a reader would not
// see (controls, bidi, zero-width, tags, blank letters, invalid bytes), is written out as `<U+202E>`. Newlines and
// tabs stay, and CRLF counts as a newline. odd reports whether anything was replaced, for the warning badge. Joined
// emoji are shown separately (see tiesEmoji). Texts of an approval use Ask.Visible and Part.Shown instead.
func Visible(s string) (shown string, odd bool) { return visible(s, false) }

// visibleExactly is a Visible that also writes out the invisible characters that select, join or tint an emoji, because
// they make a different name.
func visibleExactly(s string) (shown string, odd bool) { return visible(s, true) }

// visible does the work of Visible, and with exact that of visibleExactly.
func visible(s string, exact bool) (shown string, odd bool) {
	if isPlainASCII(s) {
		return s, false
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	b.Grow(len(s) + 16)
	marks := 0       // the combining marks since the last base character
	prev := rune(-1) // the character before r, if it was shown as it is
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
		ties := (isEmoji(prev) || isVariation(prev)) && tiesEmoji(r, s[i+size:]) // r is an invisible part of an emoji
		if ties && !exact {
			continue
		}
		if !ties && showsRune(r, prev, s[i+size:], marks) && !(exact && isVariation(r)) {
			b.WriteRune(r)
			prev = r
		} else {
			fmt.Fprintf(&b, "<U+%04X>", r)
			odd, prev = true, -1 // a following mark or joiner has nothing to combine with
		}
	}
	return b.String(), odd
}

// VisibleLine cleans text like Visible for a place with one line: newlines and tabs become single spaces.
func VisibleLine(s string) (shown string, odd bool) {
	shown, odd = Visible(s)
	if strings.ContainsAny(shown, "\n\t") {
		shown = strings.Join(strings.FieldsFunc(shown, func(r rune) bool { return r == '\n' || r == '\t' }), " ")
	}
	return strings.TrimSpace(shown), odd
}

// Shorten cuts a text to at most that many characters and appends suffix, which does not count. A shorter text is
// unchanged. Shorten counts characters of stored text; a text that is drawn on the screen is cut by its width in
// cells.
func Shorten(s string, most int, suffix string) string {
	n := 0
	for i := range s {
		if n++; n > most {
			return string([]rune(s[:i])) + suffix // the conversion replaces invalid bytes
		}
	}
	return s
}

// isPlainASCII reports whether a text has only printable ASCII, newlines and tabs. Most texts do and need no further
// check.
func isPlainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' && c != '\n' && c != '\t') || c >= 0x7f {
			return false
		}
	}
	return true
}

// showsRune reports whether a rune is shown as it is. prev is the rune before it, rest the text behind it, and marks
// the number of combining marks since the last letter.
func showsRune(r, prev rune, rest string, marks int) bool {
	switch {
	case r == '\n' || r == '\t':
		return true
	case isVariation(r): // one selector behind the character that it changes
		return r >= 0xFE0E && (isEmoji(prev) || isKeycap(prev, rest))
	case isHidden(r):
		return false
	}
	return marks <= maxMarks
}

// isHidden reports whether a character is invisible, or changes the terminal's state or the reading order.
// Private-use characters count as hidden too: each font draws its own glyph for them, or nothing, and Linux consoles
// take it straight from the font.
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

// isVariation reports whether a rune selects a variant of the character before it.
func isVariation(r rune) bool { return r >= 0xFE00 && r <= 0xFE0F }

// tiesEmoji reports whether a rune only joins emoji or tints one. Terminals disagree about the width of such a
// sequence, so the rest of the row would move. Each emoji is therefore shown separately, without these runes.
func tiesEmoji(r rune, rest string) bool {
	if isTone(r) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return r == 0x200D && isEmoji(next)
}

// isTone reports whether a rune gives the emoji before it a skin tone.
func isTone(r rune) bool { return r >= 0x1F3FB && r <= 0x1F3FF }

// isJoining reports whether a rune selects a variant or joins two emoji.
func isJoining(r rune) bool { return isVariation(r) || r == 0x200D }

// isKeycap reports whether a selector between prev and rest turns a digit, # or * into a keycap.
func isKeycap(prev rune, rest string) bool {
	return strings.ContainsRune("0123456789#*", prev) && strings.HasPrefix(rest, "\u20e3")
}

// isEmoji reports whether a selector, a joiner or a skin tone can change the character.
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

// emojiElsewhere lists the characters outside the blocks of pictographs that Unicode calls Emoji, except flags and
// keycaps.
const emojiElsewhere = "©®‼⁉™ℹ↔↕↖↗↘↙↩↪⌚⌛⌨⏏⏩⏪⏫⏬⏭⏮⏯⏰⏱⏲⏳⏸⏹⏺Ⓜ▪▫▶◀◻◼◽◾☀☁☂☃☄☎☑☔☕" +
	"☘☝☠☢☣☦☪☮☯☸☹☺♀♂♈♉♊♋♌♍♎♏♐♑♒♓♟♠♣♥♦♨♻♾♿⚒⚓⚔⚕⚖⚗⚙⚛⚜⚠⚡⚧⚪⚫⚰" +
	"⚱⚽⚾⛄⛅⛈⛎⛏⛑⛓⛔⛩⛪⛰⛱⛲⛳⛴⛵⛷⛸⛹⛺⛽✂✅✈✉✊✋✌✍✏✒✔✖✝✡✨✳✴❄❇❌❎❓❔❕❗❣" +
	"❤➕➖➗➡➰➿⤴⤵⬅⬆⬇⬛⬜⭐⭕〰〽㊗㊙🀄🃏🅰🅱🅾🅿🆎🆑🆒🆓🆔🆕🆖🆗🆘🆙🆚🈁🈂🈚🈯🈲🈳🈴🈵🈶🈷🈸🈹🈺" +
	"🉐🉑"
