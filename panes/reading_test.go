package panes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
)

// words are w000, w001 and so on, so that a missing one is seen.
func words(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "w%03d ", i)
	}
	return strings.TrimSpace(b.String())
}

func asking(title, prompt string) *Form {
	return NewForm(queue.Session{ID: "s", Ask: queue.Ask{Kind: queue.KindChoice, Title: title, Prompt: prompt,
		Questions: []queue.Question{{ID: "q1", Mode: queue.ModeSingle, Min: 1, Max: 1, Annotate: true, Options: []queue.Option{
			{ID: "a", Label: "A"}, {ID: "b", Label: "B"}, {ID: "c", Label: "C"}}}},
		TimeoutSeconds: 60, OnTimeout: queue.OnTimeoutNone}}, nil, nil)
}

func TestReadingOnShowsEveryWordBeforeNothingIsCalledUnseen(t *testing.T) {
	for _, w := range []int{30, 40, 61, 80} {
		for h := 1; h <= 9; h++ {
			f := asking("T", words(60))
			var seen strings.Builder
			for page := 0; ; page++ {
				require.Less(t, page, 70, "%d×%d never ends", w, h)
				c, sim := board(t, w, h)
				f.drawPrompt(c, ink.Rect{X: 0, Y: 0, W: w, H: h})
				seen.WriteString(drawnRows(sim) + "\n")
				if f.Unseen() == 0 {
					break
				}
				f.Scroll(2)
			}
			for i := range 60 {
				assert.Contains(t, seen.String(), fmt.Sprintf("w%03d", i), "%d×%d", w, h)
			}
		}
	}
}

func TestWhatWasSeenStaysSeenAtAnotherWidth(t *testing.T) {
	f := asking("T", words(60))
	c, _ := board(t, 80, 9)
	f.drawPrompt(c, ink.Rect{X: 0, Y: 0, W: 80, H: 9})
	require.Zero(t, f.Unseen())
	c, _ = board(t, 40, 2)
	f.drawPrompt(c, ink.Rect{X: 0, Y: 0, W: 40, H: 2})
	assert.Zero(t, f.Unseen())
}

func TestALineBehindAGapIsNotSeen(t *testing.T) {
	f := asking("T", words(60))
	c, _ := board(t, 40, 3)
	f.drawPrompt(c, ink.Rect{X: 0, Y: 0, W: 40, H: 3})
	before := f.Unseen()
	f.scroll = 7
	f.drawPrompt(c, ink.Rect{X: 0, Y: 0, W: 40, H: 3})
	assert.Equal(t, before, f.Unseen())
}

func TestOptionRowsOfASmallWindowSayHowManyAreAboveAndBelow(t *testing.T) {
	f := asking("T", "")
	f.Session.Ask.Questions[0].Options = nil
	for i := range 13 {
		f.Session.Ask.Questions[0].Options = append(f.Session.Ask.Questions[0].Options, queue.Option{ID: fmt.Sprint(i), Label: fmt.Sprintf("option %d", i+1)})
	}
	f.relist()
	f.goTo(6)
	c, sim := board(t, 40, 3)
	f.drawOptions(c, ink.Rect{X: 0, Y: 0, W: 40, H: 3}, Fit{stage: stageScroll}, true)
	rows := strings.Split(drawnRows(sim), "\n")
	assert.Regexp(t, `^ 6 ○ option 6 +▲ 5$`, rows[0])
	assert.Regexp(t, `^▸7 ● option 7$`, rows[1])
	assert.Regexp(t, `^ 8 ○ option 8 +▼ 5$`, rows[2])
}

func TestHiddenDefaultOfARadioStaysChosenAndShown(t *testing.T) {
	f := asking("T", "")
	f.Session.Ask.Questions[0].Defaults = []string{"b"}
	f = NewForm(f.Session, Hidden{"q1": {"b": true, "c": true}}, nil)
	assert.Equal(t, []string{"b"}, f.Answer().Replies[0].Selected)
	assert.Equal(t, 1, f.HiddenRows(), "c alone has no row")
	c, sim := board(t, 40, 6)
	f.drawOptions(c, ink.Rect{X: 0, Y: 0, W: 40, H: 6}, Fit{}, true)
	assert.Contains(t, drawnRows(sim), "▸2 ● B                           hidden")
}

func TestHidingAnOptionLeavesTheCursorInItsPlace(t *testing.T) {
	f := asking("T", "")
	f.goTo(1)
	f.SetHidden(Hidden{"q1": {"b": true}})
	o, ok := f.current()
	require.True(t, ok)
	assert.Equal(t, "c", o.ID)
}

func TestNarrowedOptionsSayThatTheyAre(t *testing.T) {
	f := asking("T", "")
	f.StartFind()
	f.editor.SetText("b")
	f.TypedChanged()
	f.EndTyping()
	assert.Contains(t, f.heading(60, false), headingLine{" /b · 1 of 3 options · Esc shows all", headTabs})
}

func TestFoldedNoteHasItsSignOnTheRow(t *testing.T) {
	f := asking("T", "")
	f.reply.Notes["a"], f.reply.Notes["b"] = "in the block below", "only then"
	c, sim := board(t, 40, 6)
	f.drawOptions(c, ink.Rect{X: 0, Y: 0, W: 40, H: 6}, Fit{stage: stageFolded}, true)
	assert.Contains(t, drawnRows(sim), "▸1 ● A\n 2 ○ B ✎\n")
}

func TestStartingOverIsAskedTwice(t *testing.T) {
	s := asking("T", "").Session
	s.Ask.Questions = append(s.Ask.Questions, s.Ask.Questions[0])
	s.Ask.Questions[1].ID = "q2"
	f := NewForm(s, nil, nil)
	f.reply.Notes["a"], f.touched = "kept", true
	f.TakeAnswer()
	f.TakeAnswer()
	require.True(t, f.Reviewing())
	f.StartOver()
	assert.Equal(t, "0 again forgets all answers and notes", f.Note)
	assert.Contains(t, f.Typed(), "kept")
	f.goTo(1)
	f.StartOver()
	assert.Contains(t, f.Typed(), "kept", "only at the second press in a row")
	f.StartOver()
	assert.Empty(t, f.Typed())
}

// drawnRows is the screen, one line a row, without the spaces at its right end.
func drawnRows(s tcell.SimulationScreen) string {
	s.Show()
	cells, w, h := s.GetContents()
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

func TestAFirstHeadingThatIsTheTitleIsNotSaidTwice(t *testing.T) {
	assert.Equal(t, "Why it matters.", asking("Which database?", "# Which database?\n\nWhy it matters.").promptText())
	assert.Equal(t, "# Another\n\nWhy.", asking("Which database?", "# Another\n\nWhy.").promptText())
	assert.Equal(t, "Which database?\n\nWhy.", asking("Which database?", "Which database?\n\nWhy.").promptText(), "no heading")
}

func TestSignsStayNearTheTextOnAWideScreen(t *testing.T) {
	f := asking("T", "A prompt")
	f.Session.Ask.Questions[0].Options[0].Recommended = true
	c, sim := board(t, 190, 20)
	f.Draw(c, ink.Rect{X: 0, Y: 0, W: 190, H: 20}, f.Fit(190, 20, 0), true)
	for row := range strings.SplitSeq(drawnRows(sim), "\n") {
		assert.LessOrEqual(t, ink.Width(row), measure)
	}
	assert.Contains(t, drawnRows(sim), "★ recommended")
}
