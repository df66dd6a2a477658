package question

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// drawn returns what draw draws on a screen of its own, one line a row, without the spaces at its right end.
func drawn(t *testing.T, w, h int, draw func(c ink.Canvas, r ink.Rect)) string {
	t.Helper()
	s := tcell.NewSimulationScreen("UTF-8")
	require.NoError(t, s.Init())
	s.SetSize(w, h)
	draw(ink.Canvas{Screen: s, Glyphs: ink.Unicode}, ink.Rect{W: w, H: h})
	s.Show()
	cells, _, _ := s.GetContents()
	var rows []string
	for y := range h {
		var b strings.Builder
		for _, c := range cells[y*w : (y+1)*w] {
			if len(c.Runes) == 0 {
				c.Runes = []rune{' '}
			}
			b.WriteString(string(c.Runes))
		}
		rows = append(rows, strings.TrimRight(b.String(), " "))
	}
	return strings.Join(rows, "\n")
}

// drawnOptions returns the options of a display at a stage.
func drawnOptions(t *testing.T, v *display, w, h, stage int) string {
	t.Helper()
	return drawn(t, w, h, func(c ink.Canvas, r ink.Rect) {
		p := optionPainter{options: options{v}, c: c, focus: true}
		p.draw(p.arrange(r, Fit{stage: stage}))
	})
}

func TestOptionRowsOfASmallWindowSayHowManyAreAboveAndBelow(t *testing.T) {
	var all []queue.Option
	for i := range 13 {
		all = append(all, queue.Option{ID: fmt.Sprint(i), Label: fmt.Sprintf("option %d", i+1)})
	}
	v := asking("T", "", all...)
	v.form.Move(6)
	rows := strings.Split(drawnOptions(t, v, 40, 3, stageScroll), "\n")
	assert.Regexp(t, `^ 6 ○ option 6 +▲ 5$`, rows[0])
	assert.Regexp(t, `^▸7 ● option 7$`, rows[1])
	assert.Regexp(t, `^ 8 ○ option 8 +▼ 5$`, rows[2])
}

func TestHiddenDefaultOfARadioStaysChosenAndShown(t *testing.T) {
	v := asking("T", "", abc()...)
	s := v.session
	s.Ask.Questions[0].Defaults = []string{"b"}
	v.form = form.New(s, form.Options{Points: true, Rules: form.Rules{Hidden: form.Hidden{"q1": {"b": true, "c": true}}}})
	assert.Equal(t, 1, v.q().HiddenRows(), "c alone has no row")
	assert.Contains(t, drawnOptions(t, v, 40, 6, stageRoomy), "▸2 ● B                           hidden")
}

func TestNarrowedOptionsSayThatTheyAre(t *testing.T) {
	v := asking("T", "", abc()...)
	v.q().Narrow("b")
	assert.Contains(t, heading{v}.wholeLines(60), headingLine{text: " /b · 1 of 3 options · Esc shows all", kind: headWords})
}

func TestFoldedNoteHasItsSignOnTheRow(t *testing.T) {
	v := asking("T", "", abc()...)
	v.q().Note("a", "in the block below")
	v.q().Note("b", "only then")
	assert.Contains(t, drawnOptions(t, v, 40, 6, stageFolded), "▸1 ● A\n 2 ○ B ✎\n")
}

func TestSignsStayNearTheTextOnAWideScreen(t *testing.T) {
	all := abc()
	all[0].Recommended = true
	v := asking("T", "A prompt", all...)
	screen := drawn(t, 190, 20, func(c ink.Canvas, r ink.Rect) {
		v.arrange(r, v.fit(r.W, r.H, 0))
		v.draw(c, r, true)
	})
	for row := range strings.SplitSeq(screen, "\n") {
		assert.LessOrEqual(t, ink.Width(row), panes.Measured(1000))
	}
	assert.Contains(t, screen, "★ recommended")
}

func TestTheRowUnderTheCursorIsNeverColourAlone(t *testing.T) {
	for _, theme := range []string{ink.ThemeAuto, ink.ThemeDark, ink.ThemeLight, ink.ThemeMono} {
		v := asking("T", "", abc()...)
		drawn(t, 40, 6, func(c ink.Canvas, r ink.Rect) {
			c.Theme = ink.ThemeNamed(theme)
			p := optionPainter{options: options{v}, c: c, focus: true}
			p.draw(p.arrange(r, Fit{}))
			sign, style, _ := c.Screen.Get(0, 0)
			require.Equal(t, "▸", sign)
			cursorRow := c.Theme.Of(c.Theme.OnCursorRow(ink.Plain))
			require.Equal(t, cursorRow, style, theme)
			_, mark, _ := c.Screen.Get(3, 0)
			_, end, _ := c.Screen.Get(39, 0)
			_, other, _ := c.Screen.Get(3, 1)
			require.Equal(t, cursorRow, end, "the band ends with the row")
			require.Equal(t, c.Theme.Of(c.Theme.OnCursorRow(c.Theme.Of(ink.Good))), mark, "bold in mono")
			require.Equal(t, c.Theme.Of(ink.Plain), other, "it is not chosen")
		})
	}
}
