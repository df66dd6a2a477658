package screen

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// styles returns the styles of the first of these words on screen, one a letter of them.
func (b *bench) styles(words string) []tcell.Style {
	b.t.Helper()
	b.picture()
	cells, w, h := b.screen.GetContents()
	for y := range h {
		var row []rune
		for x := range w {
			if r := cells[y*w+x].Runes; len(r) > 0 {
				row = append(row, r[0])
			}
		}
		at := strings.Index(string(row), words)
		if at < 0 {
			continue
		}
		from := len([]rune(string(row)[:at]))
		var found []tcell.Style
		for x := range len([]rune(words)) {
			found = append(found, cells[y*w+from+x].Style)
		}
		return found
	}
	b.t.Fatalf("%q is not on screen:\n%s", words, b.picture())
	return nil
}

// askGone asks for a caller whose process is gone.
func (b *bench) askGone(a queue.Ask, o queue.Origin) queue.Session {
	b.t.Helper()
	s := roomtest.CreateGone(b.t, b.o.Queue, a, o)
	b.settle()
	return s
}

func TestTheRuleDoesNotNameTheNextQuestionThatTheStripShows(t *testing.T) {
	b := newBench(t, 40, 12)
	a := small("Run the destroy of module.staging on the production account 4411?", 1740)
	a.Prompt, a.Questions[0].Options = "Yes?", a.Questions[0].Options[1:]
	for i := range a.Questions[0].Options {
		a.Questions[0].Options[i].Description = ""
	}
	s := b.ask(a, infra())
	b.ask(small("Deploy 2.4.1?", 78), shop())
	require.Equal(t, s.ID, b.shown())
	b.picture()
	require.NotEmpty(t, b.rowWith("1:18", "Deploy 2.4.1?"), b.picture())
	require.NotContains(t, b.rowWith("2 waiting"), "next", "it is in the strip")
}

func TestTheRuleOfAQueueThatIsReadSaysWhenTheNextIsDueOnlyWhereItHasNoRow(t *testing.T) {
	b := newBench(t, 40, 12)
	five(b)
	require.Contains(t, b.rowWith("5 waiting"), "next 0:42")
	b.press("tab")
	require.NotContains(t, b.rowWith("5 waiting"), "next")
	require.NotEmpty(t, b.rowWith("0:42", "Deploy"))
	b.press("/")
	b.write("token")
	b.press("enter")
	require.Contains(t, b.rowWith("of 5 waiting"), "next 0:42", "narrowed away")
}

func TestAQueueThatHurriesNobodyIsNotNext(t *testing.T) {
	b := newBench(t, 40, 12)
	b.ask(endpoints(), shop())
	b.askGone(small("Deploy?", 100), infra())
	require.NotContains(t, b.rowWith("2 waiting"), "next")
}

func TestAQueueWithTheFocusTakesRowsFromTheForm(t *testing.T) {
	for _, size := range [][2]int{{30, 10}, {34, 12}, {40, 12}, {50, 20}, {60, 20}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			b := newBench(t, size[0], size[1])
			five(b)
			b.press("J", "tab")
			before := b.shown()
			pic := b.picture()
			require.Contains(t, pic, "Which endpoints get a rate l", "the form keeps its title")
			times := 0
			for _, left := range []string{"  ? 0:42  ", "  ? 4:00  ", "▸ ? 9:12  ", "  ? 14m   ", "  ? 2h    "} {
				if strings.Contains(pic, left) {
					times++
				}
			}
			require.GreaterOrEqual(t, times, 3, pic)
			require.Equal(t, b.look.theme.On(256).OnCursorRow(ink.Plain), b.styles("▸ ? 9:12")[0], "its row has the accent")
			b.press("j")
			require.NotEqual(t, before, b.shown())
			require.Equal(t, b.look.theme.On(256).OnCursorRow(ink.Plain), b.styles("▸ ? 14m")[0])
			b.press("G")
			require.Equal(t, b.look.theme.On(256).OnCursorRow(ink.Plain), b.styles("▸ ? 2h")[0])
			require.Contains(t, b.picture(), " 0:42  ", "the soonest stays in sight")
		})
	}
}

func TestTheFormComesBackAsItWasWhenTheQueueLosesTheFocus(t *testing.T) {
	for name, set := range map[string]func(b *bench){
		"a question": five,
		"its confirmation": func(b *bench) {
			a := dropTable()
			a.TimeoutSeconds = 3000
			b.ask(a, infra())
			five(b)
			b.calm()
			b.press("enter")
			b.calm()
			require.True(b.t, b.form().Confirming())
		},
		"one that others joined": func(b *bench) {
			b.ask(database(), shop())
			b.calm()
			b.press("n")
			b.write("only the managed one")
			b.press("enter")
			b.picture()
			five(b)
		},
	} {
		for _, size := range [][2]int{{40, 12}, {50, 20}} {
			b := newBench(t, size[0], size[1])
			set(b)
			rows := lines(b.picture())[:size[1]-2] // above the footer: what was seen meanwhile is counted there
			b.press("tab")
			b.picture()
			b.press("esc")
			require.Equal(t, rows, lines(b.picture())[:size[1]-2], name)
		}
	}
}

func TestANarrowedQueueSaysSoFirstInItsRule(t *testing.T) {
	for w, want := range map[int]string{30: "─ /which 3 of 5 · next 0:42 ─", 40: "─ /which · 3 of 5 waiting · next 0:42 ─",
		120: "─ /which · 3 of 5 waiting ─"} {
		b := newBench(t, w, 30)
		five(b)
		b.press("tab", "/")
		b.write("which")
		require.Contains(t, b.picture(), "/ filter the queue: which")
		b.press("enter")
		require.Contains(t, b.picture(), want)
	}
}

func TestGoneQuestionsAreCountedTheSameEverywhere(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	b.ask(small("Deploy?", 3000), infra())
	b.askGone(small("Rename?", 3000), web())
	b.clock.Pass(2 * time.Minute)
	b.tick()
	b.settle()
	require.Contains(t, b.picture(), "─ 3 waiting (1 gone) ─")
	b.press("i")
	require.Contains(t, b.picture(), "─ chat closed: 3 waiting (1 gone) ")
	b.press("esc", "h")
	require.Contains(t, b.picture(), "─ 3 waiting (1 gone) · ")
}

func TestTheCountReadsWellInANarrowPane(t *testing.T) {
	b := newBench(t, 30, 10)
	b.ask(database(), shop())
	b.ask(small("Deploy?", 3000), infra())
	require.Contains(t, b.picture(), "─ 2 waiting · next 50m ─")
	for range 9 {
		b.ask(small("Deploy?", 3000), infra())
	}
	require.Contains(t, b.picture(), "─ 11 waiting · next 50m ──")
}

func TestAKeyWithoutEffectSaysWhy(t *testing.T) {
	over := func(b *bench) {
		s := b.ask(database(), shop())
		b.press("j")
		b.settleElsewhere(s, queue.SurfaceCLI, "lite")
	}
	many := func(b *bench) { five(b) }
	confirm := func(b *bench) {
		b.ask(dropTable(), infra())
		b.calm()
		b.press("enter")
	}
	later := func(b *bench) {
		b.ask(database(), shop())
		b.calm()
		b.press("enter")
		b.calm()
	}
	aside := func(b *bench) {
		b.ask(database(), shop())
		b.calm()
		b.press("L")
		b.calm()
		b.press("enter")
		b.calm()
	}
	for _, c := range []struct {
		set  func(*bench)
		keys []string
		want string
	}{
		{confirm, []string{"z"}, "z does nothing here; n goes back"},
		{over, []string{"j"}, "this question is closed; j does nothing, Enter continues"},
		{over, []string{"x"}, "this question is closed; x does nothing, Enter continues"},
		{aside, []string{"x"}, "set aside; x does nothing, Enter brings it back"},
		{later, []string{"p"}, "nothing is waiting, and no agent needs you in its pane"},
		{later, []string{"n"}, "nothing is waiting; n does nothing here"},
		{later, []string{"ctrl+r"}, "^R takes a line back in the chat; i opens it"},
		{later, []string{"/"}, "nothing is waiting; / does nothing here"},
		{later, []string{"1"}, "nothing to copy: choicetui help connect"},
		{many, []string{"tab", "n"}, "n does nothing here; ⏎ opens the question"},
		{many, []string{"tab", "9"}, "the queue has no question 9"},
		{many, []string{"Q"}, "Q does nothing here"},
		{many, []string{"backspace"}, "Backspace does nothing here"},
		{many, []string{"0"}, "0 does nothing here"},
	} {
		b := newBench(t, 80, 24)
		c.set(b)
		b.press(c.keys...)
		assert.Contains(t, b.said()+"\n"+b.footer(), c.want)
	}
}

func TestADigitInTheQueueGoesToThatQuestionAndNeverSubmits(t *testing.T) {
	b := newBench(t, 80, 24)
	five(b)
	third := b.view.Listed()[2]
	b.press("tab", "3")
	require.Equal(t, third.ID, b.view.Up())
	require.False(t, b.frame.ground.onQuestion(), "the queue keeps the focus")
	require.Equal(t, "Open Which endpoints get a rate limit?", b.footer())
	b.press("enter")
	require.True(t, b.frame.ground.onQuestion())
	b.press("enter")
	require.Len(t, b.desk.Waiting(), 5)
}

func TestNothingIsCancelledFromTheQueueThatIsOver(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	b.settleElsewhere(b.view.Session(), queue.SurfaceCLI, "lite")
	b.press("tab")
	b.calm()
	b.press("x")
	require.Contains(t, b.said(), "this question is closed")
	require.Equal(t, form.FieldNone, b.form().Typing())
}

func TestTimesOfTheTopOfTheQueueTickWhileALateQuestionIsOnScreen(t *testing.T) {
	b := newBench(t, 40, 12)
	for i := range 40 {
		b.ask(small("Later", 7200+i), shop())
	}
	b.press("tab", "G", "esc")
	b.picture()
	b.ask(small("Deploy?", 300), infra())
	require.LessOrEqual(t, b.nextTick().Sub(b.clock.Now()), 2*time.Second, "the strip shows 5:00")
}

func TestAfterTheLastQuestionComesTheFirst(t *testing.T) {
	b := newBench(t, 80, 24)
	for n, title := range []string{"One?", "Two?", "Three?"} {
		b.ask(small(title, 300+100*n), shop())
	}
	b.calm()
	seen := []string{b.view.Up()}
	for range 3 {
		b.press("J")
		b.calm()
		seen = append(seen, b.view.Up())
	}
	require.Equal(t, seen[0], seen[3])
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(seen))), 3)
	b.press("K")
	b.calm()
	require.Equal(t, seen[2], b.view.Up(), "and before the first the last")
	b.press("tab", "down", "down", "down")
	require.Equal(t, seen[2], b.view.Up(), "the cursor of the queue stays at its end")
}
