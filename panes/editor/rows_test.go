package editor

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rivo/tview"
	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
)

// areaRows counts the rows of a text as TextArea breaks it: between words, and within a word only if the word is longer
// than a row. Spaces at the end of a row count.
func areaRows(text string, w int) (rows int, full bool) {
	last := 0
	for para := range strings.SplitSeq(text, "\n") {
		n := 1
		if last = len(para); last > w || !ink.IsASCII(para) || strings.Contains(para, "\t") {
			n, last = paraRows(para, w)
		}
		rows += n
	}
	if last >= w {
		return rows + 1, true
	}
	return rows, false
}

// paraRows returns the rows of a text without newlines, and the cells of the last one.
func paraRows(para string, w int) (rows, width int) {
	rows = 1
	sinceBreak, state := 0, -1
	canBreak, started := false, false // whether the row can be broken between words, and whether it has any text
	for rest := para; len(rest) > 0; {
		var cluster string
		var bounds int
		cluster, rest, bounds, state = uniseg.StepString(rest, state)
		cells := bounds >> uniseg.ShiftWidth
		if cluster == "\t" {
			cells = tview.TabSize
		}
		width, sinceBreak = width+cells, sinceBreak+cells
		switch {
		case width <= w && bounds&uniseg.MaskLine == uniseg.LineMustBreak && rest != "": // uniseg reports this after 👍🏽
			rows, width, sinceBreak, canBreak, started = rows+1, 0, 0, false, false
			continue
		case width > w && canBreak:
			rows, width, canBreak = rows+1, sinceBreak, false
		case width > w && started:
			rows, width = rows+1, cells
		}
		if bounds&uniseg.MaskLine == uniseg.LineCanBreak {
			canBreak, sinceBreak = true, 0
		}
		started = true
	}
	return rows, width
}

// TestRows_FollowAnyChange changes a text at random places, and compares its rows with those of the text as a whole.
func TestRows_FollowAnyChange(t *testing.T) {
	parts := []string{"a", " ", "  ", "\n", "\n\n", "-", "word", "two words", "日本", "é", "e\u0301", "👍🏽", "\t", "x/y.z", "7,5 %",
		strings.Repeat("long", 9), "one two three four five six seven\neight nine ten", "\u00ad", "👩‍👩‍👧"}
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 5))
		var r rows
		text, w := "", 3+random.IntN(20)
		for step := range 60 {
			at := random.IntN(len(text) + 1)
			to := min(at+random.IntN(12)*random.IntN(2)*random.IntN(3), len(text))
			insert := parts[random.IntN(len(parts))]
			if random.IntN(4) == 0 {
				insert = ""
			}
			text = text[:at] + insert + text[to:]
			if random.IntN(20) == 0 {
				w = 3 + random.IntN(20)
			}
			n, full := r.count(text, w)
			wantN, wantFull := areaRows(text, w)
			require.Equal(t, fmt.Sprint(wantN, wantFull), fmt.Sprint(n, full), "seed %d, step %d: %q at %d", seed, step, text, w)
		}
	}
}

// TestRows_FollowAChangeOnly counts the characters that are looked at.
func TestRows_FollowAChangeOnly(t *testing.T) {
	random, words := rand.New(rand.NewPCG(1, 5)), ""
	for range 6000 {
		words += strings.Repeat("x", 1+random.IntN(9)) + " "
	}
	for name, c := range map[string]struct {
		text string
		at   int
	}{
		"at the end of words": {words, len(words)}, "within words": {words, len(words) / 2}, "before words": {words, 0},
		"at the end of a word": {strings.Repeat("x", 32000), 32000}, "within lines": {strings.Repeat("a line\n", 5000), 7000},
		"before long lines":   {strings.Repeat(strings.Repeat("a line ", 40)+"\n", 100), 0},
		"behind wide letters": {strings.Repeat("日本 ", 5000), 35000},
	} {
		var r rows
		r.count(c.text, 60)
		whole := r.stepped
		r.count(c.text[:c.at]+"y"+c.text[c.at:], 60)
		require.Less(t, r.stepped-whole, 2000, "%s: a letter; all of it is %d", name, whole)
		whole = r.stepped
		r.count(c.text[:c.at]+"y"+c.text[c.at:], 60)
		require.Equal(t, whole, r.stepped, "%s: no change", name)
	}
}
