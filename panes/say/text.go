// Package say has the words that several frontends show to the person, so that each sentence is written once. The
// frontends are the full screen, the plain mode of lines and the page in the browser; commands use it too. The words
// are about events and their origin, the time left, refused keys, what Enter does, and agents' texts within a sentence.
//
//	desk and form: values ─ say: words, in forms of several lengths ─ ink, page, lines: the form that fits
//
// Its functions depend only on their arguments. They do not measure cells, and know keys only from a keys.Map that they
// are given.
package say

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// Text makes an agent's text of several lines visible for the screen; see queue.Visible.
func Text(s string) string { v, _ := queue.Visible(s); return v }

// OneLine makes an agent's text visible on one line; see queue.VisibleLine.
func OneLine(s string) string { v, _ := queue.VisibleLine(s); return v }

// Title returns an ask's title, visible and on one line. The title of an agent's own approval is stored as
// `Allow Bash: npm test` and shown as `Bash: npm test`.
func Title(a queue.Ask) string {
	v, _ := a.Visible(a.Title)
	title := OneLine(v)
	if a.Approval == nil || a.Approval.Tool == "" {
		return title
	}
	tool, _ := a.Approval.Shown()
	if words, ok := strings.CutPrefix(title, "Allow "); ok && strings.HasPrefix(words, OneLine(tool)) {
		return strings.TrimSuffix(words, "?")
	}
	return title
}

// HiddenCharacters warns that a question has hidden characters (Ask.Odd). Text and OneLine write them out.
const HiddenCharacters = "hidden characters, shown as <U+…>"

// Short returns an agent's text on one line, in at most the given number of characters. For a terminal, ink.Cut
// shortens text to cells.
func Short(s string, most int) string { return shorten(OneLine(s), most, most-1, "…") }

// ShortQuoted returns Short in quotes, for a sentence in lines. The quotes do not count.
func ShortQuoted(s string, most int) string { return `"` + Short(s, most) + `"` }

// shorten cuts a text that has more than most characters to its first keep characters, and appends behind to mark the
// cut.
func shorten(s string, most, keep int, behind string) string {
	if r := []rune(s); len(r) > most {
		return string(r[:keep]) + behind
	}
	return s
}

// Count returns a number with its noun, in the plural unless the number is one.
func Count(n int, of string) string { return fmt.Sprintf("%d %s", n, Noun(n, of)) }

// Noun returns the noun for a number, in the plural unless the number is one.
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

// Keyed puts an action's key between words. Without a key it returns nothing.
func Keyed(before, key, after string) string {
	if key == "" {
		return ""
	}
	return before + key + after
}

// Tilde returns a path with the home directory as ~.
func Tilde(dir, home string) string {
	if home != "" && (dir == home || strings.HasPrefix(dir, home+"/")) {
		return "~" + dir[len(home):]
	}
	return dir
}

// Cause returns the innermost error, the part that a person can act on and that a narrow line must not cut off. Of
// several joined errors it follows the first. For desk.ErrStuck it says that the disk does not answer.
func Cause(err error) string {
	if errors.Is(err, desk.ErrStuck) {
		return DiskMute
	}
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
