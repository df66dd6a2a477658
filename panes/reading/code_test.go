package reading

import (
	"slices"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
)

// rejoined returns the lines of code that rows of a block show, and how many rows went on with one.
func rejoined(t *testing.T, rows []ink.Line, behind int) (lines []string, wentOn int) {
	for _, l := range rows {
		at := slices.Index(l, GoesOn)
		if at < 0 {
			lines = append(lines, l.String())
			continue
		}
		wentOn++
		require.NotEmpty(t, lines)
		text := l[at+1:].String()
		require.Equal(t, strings.Repeat(" ", behind), text[:behind])
		lines[len(lines)-1] += text[behind:]
	}
	return lines, wentOn
}

func TestNothingOfALineOfCodeIsLostWhereItGoesOn(t *testing.T) {
	for _, code := range []string{
		`curl  -fsSL   https://example.com/install.sh?a=1&b=2#fragment |  sudo   bash -s -- --yes --no-preserve-root`,
		"a" + strings.Repeat(" ", 200) + "; rm -rf ~",
		strings.Repeat("veryverylong", 30) + " end",
		"echo 日本語日本語日本語日本語 é 👩‍👩‍👧 ; 한국어 한국어 한국어 한국어",
		"x ↳ y > z " + strings.Repeat("↳ ", 40) + "!",
	} {
		for w := 12; w < 100; w++ {
			lines, wentOn := rejoined(t, Markdown("```\n"+code+"\n```", w), 1)
			assert.Equal(t, []string{"```", say.Text(code), "```"}, lines, w)
			assert.Equal(t, w < ink.Width(say.Text(code)), wentOn > 0, w)

			lines, _ = rejoined(t, Markdown("+"+code+"\n-old\n", w), 2)
			assert.Equal(t, []string{"+" + say.Text(code), "-old"}, lines, w)
		}
	}
}

func TestARowThatGoesOnIsDeeperThanItsCodeAndKeepsItsColour(t *testing.T) {
	for _, w := range []int{20, 30, 40, 79, 199} {
		rows := Markdown("```diff\n@@ -1 +1 @@\n-  "+strings.Repeat("minus ", 60)+"\n+  "+strings.Repeat("plus ",
			60)+"\n```", w)
		sign, colour := "", ink.Plain
		for _, l := range rows {
			text := l.String()
			require.LessOrEqual(t, l.Width(), w)
			if at := slices.Index(l, GoesOn); at >= 0 {
				assert.Equal(t, "↳", text[:len("↳")], "the sign's column")
				assert.True(t, strings.HasPrefix(text, "↳    "+sign), "%d %q", w, text)
				assert.Equal(t, colour, l[len(l)-1].Style)
			} else if strings.Contains(text, "minus") {
				sign, colour = "minus", ink.Danger
			} else if strings.Contains(text, "plus") {
				sign, colour = "plus", ink.Good
			}
		}
		assert.Equal(t, "plus", sign)
	}
}

func TestCodeThatNoParserUnderstoodSaysToo(t *testing.T) {
	rows := Markdown(strings.Repeat("`", 3001)+"\ncp one two three four five", 12)
	assert.Equal(t, []string{"cp one two ", "↳ three ", "↳ four five"}, strings.Split(laid(rows[len(rows)-3:]), "\n"))
}

func TestTheSignOfARowThatGoesOnTakesOneCellEverywhere(t *testing.T) {
	for _, g := range []ink.Glyphs{ink.Unicode, ink.ASCII} {
		require.Equal(t, 1, ink.Width(g.GoesOn))
		screen := tcell.NewSimulationScreen("UTF-8")
		require.NoError(t, screen.Init())
		screen.SetSize(20, 3)
		c := ink.Canvas{Screen: screen, Glyphs: ink.Unicode}
		c.Glyphs = g
		for y, l := range Markdown("    make all of it", 12) {
			c.PutLine(0, y, 20, l)
		}
		sign, style, _ := screen.Get(4, 1)
		assert.Equal(t, g.GoesOn, sign)
		_, _, attrs := style.Decompose()
		assert.NotZero(t, attrs&tcell.AttrDim, "code is never dim")
	}
}

func TestListsAndQuotesThreeDeepStayReadableAtFortyCells(t *testing.T) {
	rows := Markdown("### Third heading that is longer than forty cells are\n\n- one\n  - two\n    - three that is long enough to be wrapped twice in forty cells\n      ```sh\n      rm -rf --no-preserve-root /var/lib/postgresql/data\n      ```\n\n> > > a quote in a quote in a quote that wraps", 39)
	assert.Equal(t, strings.ReplaceAll(`### Third heading that is longer than
    forty cells are

- one
  - two
    - three that is long enough to be
      wrapped twice in forty cells
      FENCEsh
      rm -rf --no-preserve-root 
      ↳ /var/lib/postgresql/data
      FENCE

> > > a quote in a quote in a quote
> > > that wraps`, "FENCE", "```"), laid(rows))
}
