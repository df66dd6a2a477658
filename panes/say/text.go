// Package say holds the words, once, for every face and command: what happened and through what, the time left,
// refusals, and how an agent's text is put into a sentence. It is pure, knows no cells and no keys but those of the
// keys.Map it is given.
package say

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue"
)

// Text cleans an agent's text of several lines for the screen.
func Text(s string) string { v, _ := queue.Visible(s); return v }

// OneLine cleans an agent's text of one line for the screen.
func OneLine(s string) string { v, _ := queue.VisibleLine(s); return v }

// Title returns an ask's title as it comes on screen.
func Title(a queue.Ask) string { v, _ := a.Visible(a.Title); return OneLine(v) }

// HiddenCharacters warns of an ask that is Odd: Text and OneLine write these characters out.
const HiddenCharacters = "hidden characters, shown as <U+…>"

// HoldsHidden is the same in lines, where the sign is written out.
const HoldsHidden = "It holds hidden characters; they are written as <U+202E> and the like."

// Short returns an agent's text of one line in at most so many characters, for what is not drawn in cells; ink.Cut
// shortens what is.
func Short(s string, most int) string { return shorten(OneLine(s), most, most-1, "…") }

// ShortQuoted returns the same in the quotes of a sentence in lines, which do not count.
func ShortQuoted(s string, most int) string { return `"` + Short(s, most) + `"` }

// Heard keeps a sentence short enough to be heard; the typed text is above it anyway.
func Heard(s string) string {
	const most = 300
	return shorten(s, most, most, fmt.Sprintf("… (%d characters in all)", utf8.RuneCountInString(s)))
}

// shorten keeps the first characters of a text that has more than most, with what says so behind them.
func shorten(s string, most, keep int, behind string) string {
	if r := []rune(s); len(r) > most {
		return string(r[:keep]) + behind
	}
	return s
}

// Count returns a number with its word, plural where it is not one.
func Count(n int, of string) string { return fmt.Sprintf("%d %s", n, Noun(n, of)) }

// Noun returns the noun alone, as the number wants it.
func Noun(n int, of string) string {
	if n == 1 {
		return of
	}
	if strings.HasSuffix(of, "s") {
		return of + "es"
	}
	return of + "s"
}

// Number writes a number with a comma between thousands: 1,284.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Keyed puts an action's key between words; without a key there is nothing to say.
func Keyed(before, key, after string) string {
	if key == "" {
		return ""
	}
	return before + key + after
}

// Tilde writes the home directory as ~.
func Tilde(dir, home string) string {
	if home != "" && (dir == home || strings.HasPrefix(dir, home+"/")) {
		return "~" + dir[len(home):]
	}
	return dir
}

// Cause returns the innermost error, which is what a person can act on and what a narrow line must not cut off. Of
// several that were joined it is the first one's.
func Cause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if several, ok := err.(interface{ Unwrap() []error }); ok && len(several.Unwrap()) > 0 {
			inner = several.Unwrap()[0]
		}
		if inner == nil {
			return OneLine(err.Error())
		}
		err = inner
	}
}
