package editor

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
)

// keyEvents are the keys of these tests by name.
var keyEvents = map[string]*tcell.EventKey{
	"home":      tcell.NewEventKey(tcell.KeyHome, 0, tcell.ModNone),
	"end":       tcell.NewEventKey(tcell.KeyEnd, 0, tcell.ModNone),
	"left":      tcell.NewEventKey(tcell.KeyLeft, 0, tcell.ModNone),
	"up":        tcell.NewEventKey(tcell.KeyUp, 0, tcell.ModNone),
	"pgup":      tcell.NewEventKey(tcell.KeyPgUp, 0, tcell.ModNone),
	"pgdn":      tcell.NewEventKey(tcell.KeyPgDn, 0, tcell.ModNone),
	"backspace": tcell.NewEventKey(tcell.KeyBackspace, 0, tcell.ModNone),
	"S-home":    tcell.NewEventKey(tcell.KeyHome, 0, tcell.ModShift),
	"C-left":    tcell.NewEventKey(tcell.KeyLeft, 0, tcell.ModCtrl),
	"C-right":   tcell.NewEventKey(tcell.KeyRight, 0, tcell.ModCtrl),
	"A-left":    tcell.NewEventKey(tcell.KeyLeft, 0, tcell.ModAlt),
	"A-right":   tcell.NewEventKey(tcell.KeyRight, 0, tcell.ModAlt),
	"C-del":     tcell.NewEventKey(tcell.KeyDelete, 0, tcell.ModCtrl),
	"C-bs":      tcell.NewEventKey(tcell.KeyBackspace, 0, tcell.ModCtrl),
	"A-bs":      tcell.NewEventKey(tcell.KeyBackspace, 0, tcell.ModAlt),
	"A-b":       tcell.NewEventKey(tcell.KeyRune, 'b', tcell.ModAlt),
	"A-f":       tcell.NewEventKey(tcell.KeyRune, 'f', tcell.ModAlt),
	"A-d":       tcell.NewEventKey(tcell.KeyRune, 'd', tcell.ModAlt),
	"A-x":       tcell.NewEventKey(tcell.KeyRune, 'x', tcell.ModAlt),
	"C-1":       tcell.NewEventKey(tcell.KeyRune, '1', tcell.ModCtrl),
	"C-a":       ctrlKey('a'), "C-b": ctrlKey('b'), "C-e": ctrlKey('e'), "C-f": ctrlKey('f'), "C-k": ctrlKey('k'),
	"C-n": ctrlKey('n'), "C-p": ctrlKey('p'), "C-t": ctrlKey('t'), "C-u": ctrlKey('u'), "C-w": ctrlKey('w'),
	"C-y": ctrlKey('y'), "C-h": ctrlKey('h'), "C-d": ctrlKey('d'),
}

func ctrlKey(letter rune) *tcell.EventKey {
	return tcell.NewEventKey(tcell.KeyCtrlA+tcell.Key(letter-'a'), 0, tcell.ModCtrl)
}

// pressAll presses keys by name; anything else is typed.
func pressAll(e *Field, keys string) {
	for key := range strings.FieldsSeq(keys) {
		switch ev := keyEvents[key]; {
		case key == "undo":
			e.Undo()
		case ev != nil:
			e.Key(ev)
		default:
			for _, r := range key {
				e.Key(tcell.NewEventKey(tcell.KeyRune, r, tcell.ModNone))
			}
		}
	}
}

func TestKey_EditsAsInAShell(t *testing.T) {
	for _, c := range []struct{ text, keys, want string }{
		{"one two", "home A-f X", "oneX two"},
		{"one two", "home C-right X", "oneX two"},
		{"one two", "home A-right A-right X", "one twoX"},
		{"a b c", "home A-f X", "aX b c"},
		{"one, two", "home A-f A-f X", "one, twoX"},
		{"one\n\n two", "C-left C-left X", "Xone\n\n two"},
		{"one two ", "A-left X", "one Xtwo "},
		{"one two", "A-b A-b X", "Xone two"},
		{"don't stop", "home A-f X", "don'tX stop"},
		{"src/app.go", "A-b A-b X", "Xsrc/app.go"},
		{"größer größer", "home A-f X", "größerX größer"},
		{"one two", "A-b C-u X", "Xtwo"},
		{"one\ntwo three", "A-b C-u X", "one\nXthree"},
		{"one\ntwo", "C-u C-u X", "oneX"},
		{"one two", "A-b C-k X", "one X"},
		{"one\ntwo", "up home C-k X", "X\ntwo"},
		{"one\ntwo", "up end C-k X", "oneXtwo"},
		{"one two three", "A-b A-b A-d X", "one X three"},
		{"one two three", "A-b A-b C-del X", "one X three"},
		{"one two three", "A-b C-w X", "one Xthree"},
		{"one two", "A-bs X", "one X"},
		{"one two", "C-bs X", "one X"},
		{"one two", "C-w C-y C-y", "one twotwo"},
		{"one two three", "C-w C-w X C-y", "one Xtwo three"},
		{"one two three", "home A-d A-d X C-y", "Xone two three"},
		{"one two three", "A-b C-k C-u X C-y", "Xone two three"},
		{"one two", "C-w left C-w C-y", "one "},
		{"one two", "S-home C-w X", "X"},
		{"abc", "C-t X", "acbX"},
		{"abc", "home C-t X", "Xabc"},
		{"abc", "home C-f C-t X", "baXc"},
		{"a", "C-t X", "aX"},
		{"ä日", "C-t X", "日äX"},
		{"abc", "C-b X", "abXc"},
		{"abc", "home C-f X", "aXbc"},
		{"one\ntwo", "C-p X", "oneX\ntwo"},
		{"one\ntwo", "C-p C-n X", "one\ntwoX"},
		{"abc", "C-h C-a C-d X C-e Y", "XbY"},
		{"abc", "A-x C-1 X", "abcX"},
		{"", "C-w C-u C-k A-d A-b A-f C-t X", "X"},
		{"one two", "C-w X undo", "one "},
		{"one two", "C-w undo X", "one twoX"},
		{"one two", "C-u undo", "one two"},
	} {
		clipboard.Store(nil)
		for _, e := range []*Field{New(c.text), OneLine(c.text)} {
			if e.oneLine && strings.Contains(c.text, "\n") {
				continue
			}
			clipboard.Store(nil)
			pressAll(e, c.keys)
			assert.Equal(t, c.want, e.Text(), "%q, %s, one line %t", c.text, c.keys, e.oneLine)
		}
	}
}

func TestYank_PutsLinesInAFieldOfOneLine(t *testing.T) {
	pressAll(New("one\ntwo"), "C-u C-u C-u")
	e := OneLine("")
	pressAll(e, "C-y")
	assert.Equal(t, "one two", e.Text())
}

// TestKey_MovesByPages goes through a text of 40 rows in a field of 10.
func TestKey_MovesByPages(t *testing.T) {
	var lines []string
	for n := range 40 {
		lines = append(lines, fmt.Sprintf("line %02d", n))
	}
	e := New(strings.Join(lines, "\n"))
	c, s := board(t, 12, 10)
	rect := ink.Rect{W: 12, H: 10}
	e.Draw(c, rect)
	require.Equal(t, "line 39", row(s, 9))
	pressAll(e, "pgup")
	e.Draw(c, rect)
	require.Equal(t, "line 29", row(s, 0), "a page up keeps the row of the cursor in sight")
	pressAll(e, "pgup pgup pgup pgup X")
	require.True(t, strings.HasPrefix(e.Text(), "X"))
	pressAll(e, "pgdn pgdn pgdn pgdn pgdn Y")
	require.True(t, strings.HasSuffix(e.Text(), "Y"))
}

func TestKey_TypesWhatAPasteWouldBring(t *testing.T) {
	e := New("")
	for _, r := range "a\u009b\u202e\ufeff\u2066b\u200e\u200däc" {
		e.Key(tcell.NewEventKey(tcell.KeyRune, r, tcell.ModNone))
	}
	assert.Equal(t, "ab\u200e\u200däc", e.Text())
	p := New("")
	p.Paste("a\u009b\u202e\ufeff\u2066\x7fb\u200e\u200däc")
	assert.Equal(t, e.Text(), p.Text())
}

func TestPaste_KeepsTheBlanksOfOneLine(t *testing.T) {
	for in, want := range map[string]string{" b ": " b ", "a  b": "a  b", "\na\n\tb\n": "a b", "x\u2028y": "x y"} {
		e := OneLine("")
		e.Paste(in)
		assert.Equal(t, want, e.Text())
	}
}

// TestKey_KeepsTheCursorWhereAModelHasIt presses random keys and types, and checks each time that the text is what a
// string with an offset makes of them.
func TestKey_KeepsTheCursorWhereAModelHasIt(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		text, at := "one zwei 日本, three\nfour  fünf\n\nsix", 0
		e := New(text)
		at = len(text)
		c, _ := board(t, 20, 4)
		for step := range 60 {
			switch random.IntN(7) {
			case 0:
				pressAll(e, "A-b")
				at = wordStart(text, at)
			case 1:
				pressAll(e, "A-f")
				at = wordEnd(text, at)
			case 2:
				pressAll(e, "C-w")
				from := wordStart(text, at)
				text, at = text[:from]+text[at:], from
			case 3:
				pressAll(e, "A-d")
				text = text[:at] + text[wordEnd(text, at):]
			case 4:
				pressAll(e, "left")
				at -= lastCharacter(text[:at])
			default:
				pressAll(e, "xy")
				text, at = text[:at]+"xy"+text[at:], at+2
			}
			if random.IntN(3) == 0 {
				e.Draw(c, ink.Rect{W: 20, H: 4})
			}
			require.Equal(t, text, e.Text(), "seed %d, step %d", seed, step)
		}
	}
}

// TestWordEdge_ChangesNoWord compares the words of a text with those that are found from the beginning of its lines.
func TestWordEdge_ChangesNoWord(t *testing.T) {
	parts := []string{"a", "word", " ", "  ", "\n", "-", "3.5", "日本", "e\u0301", "'", "👍🏽", "\t", "_x", "don't"}
	for seed := range uint64(300) {
		random, text := rand.New(rand.NewPCG(seed, 1)), ""
		for range 20 {
			text += parts[random.IntN(len(parts))]
		}
		for at := range len(text) + 1 {
			from := strings.LastIndexByte(text[:at], '\n') + 1
			edge, found := wordEdge(text, at), false
			require.GreaterOrEqual(t, edge, from)
			for rest, state, end := text[from:], -1, from; end <= edge; {
				if end == edge {
					found = true
					break
				}
				var word string
				word, rest, state = uniseg.FirstWordInString(rest, state)
				end += len(word)
			}
			require.True(t, found, "%q at %d: a word goes over %d", text, at, edge)
		}
	}
}
