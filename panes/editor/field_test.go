package editor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
)

// board returns a screen to draw on.
func board(t testing.TB, w, h int) (ink.Canvas, tcell.SimulationScreen) {
	t.Helper()
	s := tcell.NewSimulationScreen("UTF-8")
	require.NoError(t, s.Init())
	s.SetSize(w, h)
	return ink.Canvas{Screen: s, Glyphs: ink.Unicode}, s
}

func row(s tcell.SimulationScreen, y int) string {
	s.Show()
	cells, w, _ := s.GetContents()
	var b strings.Builder
	for _, c := range cells[y*w : (y+1)*w] {
		b.WriteString(string(c.Runes))
	}
	return strings.TrimRight(b.String(), " ")
}

func TestEditorTakesAnyLineEndingAndNoControls(t *testing.T) {
	for in, want := range map[string]string{"a\r\nb\rc\nd": "a\nb\nc\nd", "\ufeffx": "x",
		"a\x1b[31mb\x00\u009bc\td": "a[31mbc\td", "日本👩‍👩‍👧": "日本👩‍👩‍👧", "a\xffb": "a\ufffdb"} {
		e := New("")
		e.Paste(in)
		assert.Equal(t, want, e.Text())
		e.SetText(in)
		assert.Equal(t, want, e.Text())
	}
}

// TestOneLine_HasABlankForALineBreak breaks the line between two words with keys and with pastes.
func TestOneLine_HasABlankForALineBreak(t *testing.T) {
	key := func(k tcell.Key, r rune, mods tcell.ModMask) func(*Field) {
		return func(e *Field) { e.Key(tcell.NewEventKey(k, r, mods)) }
	}
	paste := func(s string) func(*Field) { return func(e *Field) { e.Paste(s) } }
	shift, alt := key(tcell.KeyEnter, 0, tcell.ModShift), key(tcell.KeyRune, 'm', tcell.ModAlt|tcell.ModCtrl)
	x, left := key(tcell.KeyRune, 'x', tcell.ModNone), key(tcell.KeyLeft, 0, tcell.ModNone)
	for name, c := range map[string]struct {
		keys []func(*Field)
		want string
	}{
		"Shift-Enter":               {[]func(*Field){x, shift, x}, "x x"},
		"Alt-Enter":                 {[]func(*Field){x, alt, x}, "x x"},
		"Ctrl-Enter and Ctrl-J":     {[]func(*Field){x, key(tcell.KeyEnter, 0, tcell.ModCtrl), key(tcell.KeyCtrlJ, 0, tcell.ModCtrl), x}, "x x"},
		"nothing before":            {[]func(*Field){shift, x}, "x"},
		"nothing behind":            {[]func(*Field){x, shift}, "x"},
		"a blank before":            {[]func(*Field){x, paste(" "), shift, x}, "x x"},
		"a blank behind":            {[]func(*Field){x, shift, paste(" x")}, "x x"},
		"the cursor went elsewhere": {[]func(*Field){x, shift, left, x}, "xx"},
		"a paste that ends a line":  {[]func(*Field){paste("one\n"), paste("two\n"), x}, "one two x"},
		"a paste that begins one":   {[]func(*Field){x, paste("\ntwo")}, "x two"},
		"a paste of a line break":   {[]func(*Field){x, paste("\n"), x}, "x x"},
		"a paste of blanks":         {[]func(*Field){x, paste("  "), x}, "x  x"},
		"all selected":              {[]func(*Field){x, (*Field).SelectAll, shift, x}, "x"},
	} {
		e := OneLine("")
		for _, do := range c.keys {
			do(e)
		}
		assert.Equal(t, c.want, e.Text(), name)
	}
	e := OneLine("")
	for _, do := range []func(*Field){x, shift, x} {
		do(e)
	}
	e.Undo()
	assert.NotContains(t, e.Text(), " x", "undo takes the blank back with the character")
}

func TestEditorUndoesTypingPastesAndReplacements(t *testing.T) {
	e := New("draft")
	e.Paste(" pasted")
	e.SetText("from the editor")
	e.Undo()
	require.Equal(t, "draft pasted", e.Text())
	e.Undo()
	require.Equal(t, "draft", e.Text())
	e.Redo()
	e.Redo()
	require.Equal(t, "from the editor", e.Text())
}

func TestWhatIsCutInOneFieldIsPutInAnother(t *testing.T) {
	a, b := New("words"), New("")
	c, _ := board(t, 20, 2)
	a.Draw(c, ink.Rect{X: 0, Y: 0, W: 20, H: 1})
	a.area.Select(0, 5)
	a.press(tcell.KeyCtrlX)
	b.press(tcell.KeyCtrlV)
	assert.Equal(t, "", a.Text())
	assert.Equal(t, "words", b.Text())
}

func TestEditorRowsAreTheOnesDrawn(t *testing.T) {
	for _, text := range []string{"", "a", "one two three four five six", "aaaa bbbb cccc", "aaaa    bbbb",
		"a\n\nb\n", "日本語日本語 日本", strings.Repeat("x", 40), "ab\tcd\tef", "word " + strings.Repeat("y",
			15) + " z", "👩‍👩‍👧 👍🏽 e\u0301 x", "12345678", "1234567 "} {
		for w := 3; w < 14; w++ {
			e := New(text)
			c, s := board(t, w, 60)
			e.Draw(c, ink.Rect{X: 0, Y: 0, W: w, H: 60})
			_, y, shown := s.GetCursor()
			require.True(t, shown)
			require.Equal(t, y+1, e.Rows(w), "%q at %d", text, w)
		}
	}
}

func TestEditorKeepsItsCursorInSightAndNoRowEmpty(t *testing.T) {
	e := New("")
	c, s := board(t, 12, 12)
	at := func(h int) (x, y int) {
		s.Clear()
		e.Draw(c, ink.Rect{X: 0, Y: 0, W: 12, H: h})
		x, y, shown := s.GetCursor()
		require.True(t, shown)
		return x, y
	}
	for n := range 8 { // grows by a row each time, as the form lets it up to 4
		for _, r := range fmt.Sprintf("line %d", n) {
			e.Key(tcell.NewEventKey(tcell.KeyRune, r, tcell.ModNone))
			_, y := at(min(e.Rows(12), 4))
			require.Equal(t, min(n, 3), y)
		}
		require.Equal(t, fmt.Sprintf("line %d", max(n-3, 0)), row(s, 0))
		e.NewLine()
	}
	at(1) // the pane becomes small
	at(9) // and large: all of the text is back
	require.Equal(t, "line 0", row(s, 0))
	for range 8 {
		e.press(tcell.KeyUp)
	}
	_, y := at(2)
	require.Equal(t, 0, y)
	require.Equal(t, "line 0\nline 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\n", e.Text())
}

func TestEditorPutsTheRealCursorBehindWideCharacters(t *testing.T) {
	e := New("日本")
	c, s := board(t, 12, 3)
	e.Draw(c, ink.Rect{X: 2, Y: 1, W: 8, H: 1})
	x, y, shown := s.GetCursor()
	require.True(t, shown)
	require.Equal(t, []int{6, 1}, []int{x, y})
}

func BenchmarkTypingAtTheEndOf32KiB(b *testing.B) {
	e := New(strings.Repeat("some words of a long answer that wraps\n", 32<<10/40))
	c, _ := board(b, 40, 12)
	for b.Loop() {
		e.Key(tcell.NewEventKey(tcell.KeyRune, 'x', tcell.ModNone))
		e.Draw(c, ink.Rect{X: 0, Y: 0, W: 40, H: 10})
	}
}

// lineAt draws a one-line field w cells wide and returns what is seen, and the column of the cursor.
func lineAt(t *testing.T, e *Field, w int) (string, int) {
	t.Helper()
	screen := tcell.NewSimulationScreen("UTF-8")
	require.NoError(t, screen.Init())
	screen.SetSize(w+10, 1)
	e.Draw(ink.Canvas{Screen: screen, Glyphs: ink.Unicode}, ink.Rect{X: 5, Y: 0, W: w, H: 1})
	screen.Show()
	cells, _, _ := screen.GetContents()
	var row strings.Builder
	for x := 0; x < w+10; x++ {
		if len(cells[x].Runes) == 0 {
			row.WriteByte(' ')
		}
		row.WriteString(string(cells[x].Runes))
	}
	require.Empty(t, strings.TrimSpace(row.String()[:5]), "nothing is drawn beside the field")
	x, _, shown := screen.GetCursor()
	require.True(t, shown)
	return strings.TrimRight(row.String()[5:], " "), x - 5
}

func TestALineScrollsBackWhenItsTextIsReplacedAndSaysWhereItIsCut(t *testing.T) {
	e := OneLine("")
	lines := []string{"not now, do something else first", "none of these: ask again with different options",
		"stop here, I'll take over"}
	for _, reason := range append(lines, lines...) {
		e.SetText(reason)
		got, at := lineAt(t, e, 24)
		require.Equal(t, "…"+reason[max(len(reason)-22, 0):], "…"+strings.TrimPrefix(got, "…"),
			"all 24 cells are used")
		require.Equal(t, len(reason) > 23, strings.HasPrefix(got, "…"))
		require.Equal(t, min(len(reason), 23), at)
	}
	e.SetText("short")
	got, at := lineAt(t, e, 24)
	require.Equal(t, "short", got)
	require.Equal(t, 5, at)

	e.SetText("~/choicetui-2026-11-19-which-store-default-hidden.txt")
	e.Key(tcell.NewEventKey(tcell.KeyHome, 0, tcell.ModNone))
	got, at = lineAt(t, e, 24)
	require.Equal(t, "~/choicetui-2026-11-19-…", got)
	require.Zero(t, at)
	for range 30 {
		e.Key(tcell.NewEventKey(tcell.KeyRight, 0, tcell.ModNone))
	}
	got, at = lineAt(t, e, 24)
	require.Equal(t, "…", string([]rune(got)[0]))
	require.Equal(t, "…", string([]rune(got)[23]))
	require.LessOrEqual(t, at, 22, "the cursor keeps clear of the ellipsis")

	e.SetText("漢字かな交じり文の長いラベルはここ")
	e.Key(tcell.NewEventKey(tcell.KeyHome, 0, tcell.ModNone))
	got, _ = lineAt(t, e, 10)
	require.Contains(t, got, "…")
}
