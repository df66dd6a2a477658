package editor

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"

	"github.com/choicetui/choicetui/panes/say"
)

// edits are the editing keys that TextArea lacks, or has in a way that people do not expect from a shell: a word ends
// behind its last letter, Ctrl-U deletes only to the start of the line, and Ctrl-Y puts back what was deleted. The
// other keys, such as arrows and those that select, are TextArea's own.
var edits = map[string]func(*Field){
	"alt+b": (*Field).wordLeft, "alt+left": (*Field).wordLeft, "ctrl+left": (*Field).wordLeft,
	"alt+f": (*Field).wordRight, "alt+right": (*Field).wordRight, "ctrl+right": (*Field).wordRight,

	"ctrl+w":         (*Field).deleteWordLeft,
	"alt+backspace":  (*Field).deleteWordLeft,
	"ctrl+backspace": (*Field).deleteWordLeft,
	"alt+d":          (*Field).deleteWordRight,
	"alt+delete":     (*Field).deleteWordRight,
	"ctrl+delete":    (*Field).deleteWordRight,

	"ctrl+u": (*Field).deleteToStart, "ctrl+k": (*Field).deleteToEnd, "ctrl+y": (*Field).yank,
	"ctrl+t": (*Field).swap, "ctrl+h": (*Field).backspace,
	"ctrl+f": (*Field).right, "ctrl+b": (*Field).left,
	"ctrl+n": (*Field).down, "alt+down": (*Field).down,
	"ctrl+p": (*Field).up, "alt+up": (*Field).up,
}

// editName names a key as edits lists it. A key that selects has no name.
func editName(ev *tcell.EventKey) string {
	mods := ev.Modifiers()
	if mods&tcell.ModShift != 0 {
		return ""
	}
	name := map[tcell.Key]string{tcell.KeyLeft: "left", tcell.KeyRight: "right", tcell.KeyUp: "up",
		tcell.KeyDown: "down", tcell.KeyDelete: "delete", tcell.KeyBackspace: "backspace"}[ev.Key()]
	switch k := ev.Key(); {
	case k == tcell.KeyRune && mods == tcell.ModAlt:
		name = string(unicode.ToLower(ev.Rune()))
	case name == "" && k >= tcell.KeyCtrlA && k <= tcell.KeyCtrlZ:
		return "ctrl+" + string(rune('a'+k-tcell.KeyCtrlA))
	}
	switch {
	case mods&tcell.ModAlt != 0:
		return "alt+" + name
	case mods&tcell.ModCtrl != 0:
		return "ctrl+" + name
	}
	return ""
}

// isTyped reports whether a key is a character that can be typed. With Ctrl or Alt it is a key without a meaning here.
func isTyped(ev *tcell.EventKey) bool {
	return ev.Modifiers()&(tcell.ModCtrl|tcell.ModAlt) == 0 && say.Typable(string(ev.Rune())) != ""
}

// selection returns the text, and which part of it is selected; both ends are the cursor if none is.
func (e *Field) selection() (text string, from, to int) {
	_, from, to = e.area.GetSelection()
	return e.Text(), from, to
}

// nearby is how many bytes moveTo goes with arrows at most: further on it costs less to find all rows.
const nearby = 100

// moveTo puts the cursor at an offset of the text.
func (e *Field) moveTo(at int) {
	if !e.stepTo(at) {
		e.jumpTo(at)
	}
}

// jumpTo puts the cursor at an offset of the text, wherever it is and whatever was changed.
func (e *Field) jumpTo(at int) {
	e.findRows()
	e.area.Select(at, at)
}

// stepTo goes to an offset nearby with arrows, each of which costs no more than a row. It reports whether the cursor is
// there.
func (e *Field) stepTo(at int) bool {
	text, from, to := e.selection()
	if from != to || at < from-nearby || at > from+nearby {
		return false
	}
	arrow, between := tcell.KeyRight, text[min(at, from):max(at, from)]
	if at < from {
		arrow = tcell.KeyLeft
	}
	for between != "" {
		between = between[firstCharacter(between):]
		e.apply(tcell.NewEventKey(arrow, 0, tcell.ModNone))
	}
	_, from, to = e.selection()
	return from == at && to == at
}

// replace replaces a part of the text, and puts the cursor behind what was inserted.
func (e *Field) replace(from, to int, insert string) {
	e.findRows()
	e.area.Replace(from, to, insert)
	e.jumpTo(from + len(insert))
}

// findRows has TextArea find all rows again. It keeps those that it has found, as far as it needed them; some of them
// may be of a former text. An offset in rows that it does not know is taken for one in the last row that it does know.
func (e *Field) findRows() {
	e.area.SetWordWrap(false).SetWordWrap(true)
	e.apply(tcell.NewEventKey(tcell.KeyCtrlL, 0, tcell.ModNone)) // selects all, and therefore goes through all rows
}

// remove deletes a part of the text. What was deleted can be put back in any field; several deletions in a row are put
// back together.
func (e *Field) remove(text string, from, to int) {
	if from >= to {
		return
	}
	gone := text[from:to]
	if before := clipboard.Load(); e.removed && before != nil {
		if from < e.removedAt {
			gone += *before
		} else {
			gone = *before + gone
		}
	}
	clipboard.Store(&gone)
	e.replace(from, to, "")
	e.removing, e.removedAt = true, from
}

// wordLeft moves the cursor to the start of a word: the one in which it is, or the one before.
func (e *Field) wordLeft() {
	text, from, _ := e.selection()
	e.moveTo(wordStart(text, from))
}

// wordRight moves the cursor behind a word: the one in which it is, or the next one.
func (e *Field) wordRight() {
	text, _, to := e.selection()
	e.moveTo(wordEnd(text, to))
}

// deleteWordLeft deletes to the start of a word, or what is selected.
func (e *Field) deleteWordLeft() {
	text, from, to := e.selection()
	if from == to {
		from = wordStart(text, to)
	}
	e.remove(text, from, to)
}

// deleteWordRight deletes to the end of a word, or what is selected.
func (e *Field) deleteWordRight() {
	text, from, to := e.selection()
	if from == to {
		to = wordEnd(text, from)
	}
	e.remove(text, from, to)
}

// deleteToStart deletes to the start of the line, and there the line break.
func (e *Field) deleteToStart() {
	text, from, to := e.selection()
	if from == to {
		from = strings.LastIndexByte(text[:to], '\n') + 1
	}
	if from == to && from > 0 {
		from--
	}
	e.remove(text, from, to)
}

// deleteToEnd deletes to the end of the line, and there the line break.
func (e *Field) deleteToEnd() {
	text, from, to := e.selection()
	if from == to {
		if n := strings.IndexByte(text[from:], '\n'); n >= 0 {
			to += max(n, 1)
		} else {
			to = len(text)
		}
	}
	e.remove(text, from, to)
}

// yank puts back what was deleted last, in this field or in another one.
func (e *Field) yank() { e.press(tcell.KeyCtrlV) }

// swap swaps the characters before and behind the cursor; at the end of a line, the two before it.
func (e *Field) swap() {
	text, at, to := e.selection()
	if at != to {
		return
	}
	if at == len(text) || text[at] == '\n' {
		at -= lastCharacter(text[:at])
	}
	before, behind := lastCharacter(text[:at]), firstCharacter(text[at:])
	if before == 0 || behind == 0 || text[at-1] == '\n' || text[at] == '\n' {
		return
	}
	e.replace(at-before, at+behind, text[at:at+behind]+text[at-before:at])
}

// right moves the cursor by a character.
func (e *Field) right() { e.press(tcell.KeyRight) }

// left moves the cursor back by a character.
func (e *Field) left() { e.press(tcell.KeyLeft) }

// up moves the cursor up by a row.
func (e *Field) up() { e.press(tcell.KeyUp) }

// down moves the cursor down by a row.
func (e *Field) down() { e.press(tcell.KeyDown) }

// backspace deletes the character before the cursor.
func (e *Field) backspace() { e.press(tcell.KeyBackspace) }

// firstCharacter returns the length of the first character of a text, with all that belongs to it.
func firstCharacter(text string) int {
	cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(text, -1)
	return len(cluster)
}

// lastCharacter returns the length of the last character of a text. A character is within a line, so only the last line
// is read.
func lastCharacter(text string) (n int) {
	if strings.HasSuffix(text, "\n") {
		return 1
	}
	for rest := text[strings.LastIndexByte(text, '\n')+1:]; rest != ""; rest = rest[n:] {
		n = firstCharacter(rest)
	}
	return n
}

// wordEnd returns where the word ends that is at an offset or behind it; without one, where the text ends.
func wordEnd(text string, at int) int {
	end := wordEdge(text, at)
	for rest, state := text[end:], -1; rest != ""; {
		var word string
		word, rest, state = uniseg.FirstWordInString(rest, state)
		if end += len(word); end > at && isWord(word) {
			return end
		}
	}
	return len(text)
}

// wordStart returns where the word begins that ends at an offset or before; without one, where the text begins.
func wordStart(text string, at int) int {
	for at > 0 {
		from := wordEdge(text, at)
		found, start := -1, from
		for rest, state := text[from:], -1; rest != "" && start < at; {
			var word string
			word, rest, state = uniseg.FirstWordInString(rest, state)
			if isWord(word) {
				found = start
			}
			start += len(word)
		}
		if found >= 0 {
			return found
		}
		at = from - 1
	}
	return 0
}

// wordEdge returns an offset before at, or at, where a word or something else begins for certain: at the beginning of
// the line, or behind a blank. The words between the two need not be known before.
func wordEdge(text string, at int) int {
	edge := strings.LastIndexByte(text[:at], '\n') + 1
	for near := at; near > edge; near-- {
		if near < len(text) && text[near-1] == ' ' && text[near] > ' ' && text[near] < utf8.RuneSelf && at > near {
			return near
		}
	}
	return edge
}

// isWord reports whether a part of a text is a word, and not blanks or punctuation.
func isWord(part string) bool {
	r, _ := utf8.DecodeRuneInString(part)
	return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_' || unicode.Is(unicode.So, r)
}
