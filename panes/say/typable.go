package say

import "strings"

// lineEndings makes a newline of each line ending.
var lineEndings = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n")

// Typable returns a text with only what a person can mean to type: a newline for each line ending, no other control
// character but tab, valid UTF-8, no byte order mark, and no character that changes the direction of the text behind
// it, because an agent would read another text than the person sees.
func Typable(s string) string {
	s = lineEndings.Replace(strings.ToValidUTF8(s, "\ufffd"))
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ' && r != '\n' && r != '\t', r >= 0x7f && r < 0xa0, r == '\ufeff',
			r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
			return -1
		}
		return r
	}, s)
}
