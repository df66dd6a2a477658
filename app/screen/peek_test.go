package screen

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/peek"
	"github.com/choicetui/choicetui/panes/question"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// paneText holds the text of an agent's pane.
const paneText = "\n● Bash(go test ./...)\n  ⎿  ok   shop/cart      0.41s\n     FAIL shop/payment   1.20s\n\n" +
	"● 结账 fails in two tests, both about refunds.\n  I need to know which database they run on.\n\n\n"

// agentPane is a pane that a test looks into.
type agentPane struct {
	text  string
	err   error
	looks []time.Time // when it was looked into
	clock *roomtest.Clock
}

func (p *agentPane) look(_ context.Context, _ queue.Session, _ peek.Shot) (peek.Shot, error) {
	p.looks = append(p.looks, p.clock.T)
	return peek.Shot{Pane: "%3", Where: "tmux 2:1", Text: p.text}, p.err
}

// peekBench returns a screen in tmux, with the pane of every agent.
func peekBench(t *testing.T, w, h int) (*bench, *agentPane) {
	p := &agentPane{text: paneText}
	b := newBenchWith(t, w, h, func(o *Options) { o.Peek = p.look })
	p.clock = b.clock
	return b, p
}

// run lets time go by, with the clock's turns where its alarm is set.
func (b *bench) run(d time.Duration) {
	for end := b.now().Add(d); ; {
		b.draw()
		next := b.nextTick()
		if next.IsZero() || next.After(end) {
			b.clock.T = end
			return
		}
		if next.After(b.now()) {
			b.clock.T = next
		}
		b.tick()
		b.settle()
	}
}

func TestScreenPeek(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}, {200, 60}} {
		b, _ := peekBench(t, size[0], size[1])
		b.ask(database(), shop())
		b.ask(small("Deploy?", 900), infra())
		b.run(time.Second)
		b.golden(fmt.Sprintf("peek-%dx%d", size[0], size[1]))
		b.press("P")
		b.golden(fmt.Sprintf("peek-page-%dx%d", size[0], size[1]))
	}
}

func TestThePeekLooksAtMostEveryFiveSecondsAndRestsAMinuteAfterTheLastKey(t *testing.T) {
	b, p := peekBench(t, 120, 40)
	b.ask(small("Deploy?", 36000), infra())
	b.run(time.Second)
	require.Len(t, p.looks, 1, "when its question comes on screen")
	b.run(10 * time.Minute)
	require.Len(t, p.looks, 12)
	for i, at := range p.looks[1:] {
		require.GreaterOrEqual(t, at.Sub(p.looks[i]), 5*time.Second)
	}
	require.Less(t, p.looks[11].Sub(noon), time.Minute)
	require.NotEmpty(t, b.rowWith("─ before this · tmux 2:1 ─", " as of 14:02 ─"), b.picture())

	b.press("j")
	b.run(2 * time.Second)
	require.Len(t, p.looks, 13, "a key wakes it at once")
	require.NotContains(t, b.picture(), "as of")
	for range 60 {
		b.press("j", "k")
		b.run(time.Second)
	}
	require.InDelta(t, 13+12, len(p.looks), 1, "keys do not make it look more often")
}

func TestWalkingThroughTheQueueLooksIntoNoPane(t *testing.T) {
	b, p := peekBench(t, 120, 40)
	for i := range 9 {
		b.ask(small(fmt.Sprintf("Question %d?", i), 900+i), infra())
	}
	b.run(time.Second)
	p.looks = nil
	for range 8 {
		b.press("J")
		b.run(40 * time.Millisecond)
	}
	require.Empty(t, p.looks)
	b.run(time.Second)
	require.Len(t, p.looks, 1)
}

func TestThePeekIsNotLookedIntoWhereNobodySeesIt(t *testing.T) {
	b, p := peekBench(t, 120, 40)
	b.ask(small("Deploy?", 36000), infra())
	b.press("h")
	b.run(30 * time.Second)
	require.Empty(t, p.looks, "a page covers it")
	b.press("esc")
	b.run(time.Second)
	require.Len(t, p.looks, 1)

	b, p = peekBench(t, 40, 12)
	b.ask(database(), shop())
	b.run(30 * time.Second)
	require.Empty(t, p.looks, "there are no rows for it")
	b.press("P")
	b.run(time.Second)
	require.Len(t, p.looks, 1, "but a page")
	require.Contains(t, b.picture(), "│ ● Bash(go test ./...)")
}

func TestThePeekIsOffByItsSettingAndSaysSo(t *testing.T) {
	b, p := peekBench(t, 120, 40)
	b.ask(database(), shop())
	b.run(time.Second)
	require.Contains(t, b.picture(), "go test")
	b.fixed().Peek = false
	b.newSettings()
	require.NotContains(t, b.picture(), "go test", "at once")
	n := len(p.looks)
	b.run(30 * time.Second)
	require.Len(t, p.looks, n)
	b.press("P")
	require.Equal(t, "this is switched off (setting “what the agent was doing”)", b.said())

	b = newBench(t, 120, 40)
	b.ask(database(), shop())
	b.press("P")
	require.Equal(t, "this is not in tmux, so no agent's pane can be shown", b.said())
	b, _ = peekBench(t, 120, 40)
	b.press("P")
	require.Equal(t, "no question is on screen", b.said())
}

func TestAPaneThatIsNotFoundLeavesTheRowsEmptyAndThePageSaysWhy(t *testing.T) {
	b, p := peekBench(t, 120, 40)
	p.err = errors.New("it is in no pane of this tmux")
	b.ask(database(), shop())
	before := b.picture()
	b.run(100 * time.Millisecond)
	b.run(20 * time.Second)
	require.Len(t, p.looks, 1, "nor is it looked for again")
	require.NotContains(t, b.picture(), "before this")
	require.NotContains(t, before, "before this")
	b.press("P")
	b.run(time.Second)
	require.Len(t, p.looks, 2, "but when somebody asks")
	require.Contains(t, b.picture(), "  No record of what the agent was doing: it is in no pane of this tmux.")
	b.press("P")
	require.Contains(t, b.picture(), "Which database?", "the same key leaves")
}

func TestThePeekGivesWayToTheQuestionAndNeverGrowsOverIt(t *testing.T) {
	b, p := peekBench(t, 80, 24)
	p.text = strings.Repeat("line\n", 40)
	b.ask(database(), shop())
	b.run(time.Second)
	rows := func() (n int) { return strings.Count(b.picture(), "│ line") }
	first, at := rows(), b.frame.ground.at.peek
	require.GreaterOrEqual(t, first, 2)
	b.calm()
	b.press("n")
	b.write("a note\nof two lines")
	b.ctrlJ(3)
	require.Less(t, rows(), first, b.picture())
	require.Contains(t, b.picture(), "a note")
	b.press("esc")
	for i := range 3 {
		b.ask(small(fmt.Sprintf("Deploy %d?", i), 900), infra())
		require.LessOrEqual(t, rows(), first)
		if now := b.frame.ground.at.peek; !now.Empty() {
			require.GreaterOrEqual(t, now.Y, at.Y)
		}
	}
	b.screen.SetSize(80, 14)
	require.Zero(t, rows(), "a smaller pane takes its rows")
}

// ctrlJ adds empty lines to what is typed.
func (b *bench) ctrlJ(n int) {
	for range n {
		b.press("ctrl+j")
	}
}

func TestNothingOfThePeekReachesTheStoreOrAnotherScreen(t *testing.T) {
	b, p := peekBench(t, 120, 40)
	p.text = "the secret of the pane"
	other := b.beside("other")
	s := b.ask(database(), shop())
	b.run(time.Second)
	require.Contains(t, b.picture(), "the secret of the pane")
	b.calm()
	b.press("n")
	b.write("fast")
	b.press("enter", "P")
	b.run(6 * time.Second)
	b.press("esc")
	b.view.SaveDraft()
	b.settle()
	other.settle()
	require.NotContains(t, other.picture(), "secret")
	drafts, err := b.o.Queue.Store.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	require.NotEmpty(t, drafts)
	require.NotContains(t, fmt.Sprintf("%+v", drafts), "secret")
	b.calm()
	b.press("enter")
	require.Equal(t, queue.StatusSelected, b.get(s.ID).Status())
	require.NotContains(t, fmt.Sprintf("%+v", b.get(s.ID)), "secret")
	b.press("h")
	require.NotContains(t, b.picture(), "secret")
	b.press("enter")
	require.NotContains(t, b.picture(), "secret")
}

func TestWhatStandsInThePaneCannotActOnTheScreenOrHide(t *testing.T) {
	b, p := peekBench(t, 120, 40)
	p.text = "a\x1b]52;c;eA==\x07b\nrm \u202e-rf\n[:::x]tag[red]\n" + strings.Repeat("宽", 200)
	b.ask(database(), shop())
	b.run(time.Second)
	pic := b.picture()
	require.Contains(t, pic, "│ a<U+001B>]52;c;eA==<U+0007>b")
	require.Contains(t, pic, "│ rm <U+202E>-rf")
	require.Contains(t, pic, "│ [:::x]tag[red]")
	for row := range strings.SplitSeq(pic, "\n") {
		require.LessOrEqual(t, len([]rune(row)), 120, "a row is a cell a character here")
	}
}

func TestTheAgentOfTheDemoHasNoPane(t *testing.T) {
	b := newBenchWith(t, 80, 24, func(o *Options) {
		o.Scratch = true
		o.GoToPane = func(context.Context, queue.Origin) error { panic("there is no pane") }
	})
	o := shop()
	o.PID = 4711
	b.ask(database(), o)
	b.calm()
	b.press("p")
	require.Equal(t, "the demo's agent has no pane of its own", b.said())
}

func TestNoTurnOfAnAgentMovesTheScreenOrPassesForIt(t *testing.T) {
	dim := func(text string) (*bench, []string) {
		b := newBenchWith(t, 120, 40, func(o *Options) {
			o.Peek = func(context.Context, queue.Session, peek.Shot) (peek.Shot, error) {
				return peek.Shot{Where: "claude transcript", Lines: []say.BeforeLine{{Text: text}, {Text: "+" + text, Sign: '+'}}}, nil
			}
		})
		b.ask(roomtest.ApproveTest(), shop())
		b.run(time.Second)
		return b, strings.Split(b.picture(), "\n")
	}
	_, calm := dim("words")
	for _, text := range roomtest.Hostile() {
		b, rows := dim(text)
		require.Len(t, rows, len(calm), "%q", text)
		from := slices.IndexFunc(rows, func(r string) bool { return strings.Contains(r, "─ before this · claude transcript") })
		require.Positive(t, from, "%q", text)
		for i, row := range rows {
			switch area := b.frame.ground.at.peek; {
			case i <= area.Y || i >= area.Y+area.H:
				require.Equal(t, calm[i], row, "%q changes nothing else", text)
			case strings.TrimSpace(row) != "" && len([]rune(row)) > area.X+2:
				require.Contains(t, "│ ", string([]rune(row)[area.X]), "%q is behind a bar: %s", text, row)
			}
		}
	}
}

func TestThePageOfThePeekScrolls(t *testing.T) {
	b, p := peekBench(t, 60, 20)
	p.text = ""
	for i := range 40 {
		p.text += fmt.Sprintf("line %02d\n", i)
	}
	b.ask(database(), shop())
	b.press("P")
	b.run(time.Second)
	require.Contains(t, b.picture(), "│ line 39\n ▲ 25 lines above")
	b.press("g")
	require.Contains(t, b.picture(), "│ line 00\n")
	require.Contains(t, b.picture(), "▼ 25 lines below")
	b.press("g")
	require.Equal(t, "this is the beginning", b.said())
	b.press("pgdn", "pgdn", "pgdn")
	require.Contains(t, b.picture(), "│ line 39\n")
	b.press("j")
	require.Equal(t, "this is the end", b.said())
	p.text += "line 40\n"
	b.run(6 * time.Second)
	require.Contains(t, b.picture(), "│ line 40\n", "it follows what is written")
}

func TestTheRowsOfThePeekAreThoseThatTheQuestionLeavesEmpty(t *testing.T) {
	came := ink.Rect{Y: 9, W: 80, H: 9}
	for _, c := range []struct {
		name       string
		fit        question.Fit
		stays      bool
		came, want ink.Rect
	}{
		{"it came up", question.Fit{H: 17, Free: 10}, false, ink.Rect{}, came},
		{"with few empty rows", question.Fit{H: 17, Free: 3}, false, ink.Rect{}, ink.Rect{}},
		{"with all its rows", question.Fit{H: 17}, false, ink.Rect{}, ink.Rect{}},
		{"with very many", question.Fit{H: 47, Free: 46}, false, ink.Rect{}, ink.Rect{Y: 3, W: 80, H: mostPeek}},
		{"it stays", question.Fit{H: 17, Free: 10}, true, came, came},
		{"it grows", question.Fit{H: 17, Free: 6}, true, came, ink.Rect{Y: 13, W: 80, H: 5}},
		{"it shrinks", question.Fit{H: 17, Free: 14}, true, came, came},
		{"the queue grows", question.Fit{H: 14, Free: 7, QueueStrip: 3}, true, came, ink.Rect{Y: 9, W: 80, H: 6}},
		{"little is left", question.Fit{H: 11, Free: 4, QueueStrip: 6}, true, came, ink.Rect{Y: 9, W: 80, H: 3}},
		{"too little is left", question.Fit{H: 10, Free: 3, QueueStrip: 7}, true, came, ink.Rect{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := needs{question: fixedFit{c.fit}, sameQuestion: c.stays, firstPeek: c.came}
			require.Equal(t, c.want, shareScreen(80, max(c.fit.H+3, 20), n).peek)
		})
	}
}

// fixedFit is a question that has one fit.
type fixedFit struct{ fit question.Fit }

func (f fixedFit) Fit(_, _, _ int) question.Fit                      { return f.fit }
func (f fixedFit) Squeezed(_ question.Fit, _, rows int) question.Fit { return question.Fit{H: rows} }

func TestAnAgentOnAnotherMachineIsSaidToRunThereByEveryKeyThatWouldShowItsPane(t *testing.T) {
	there := func(o queue.Origin) string { return o.Host }
	for _, inTmux := range []bool{true, false} {
		p := &agentPane{text: paneText}
		b := newBenchWith(t, 120, 40, func(o *Options) {
			o.Elsewhere = there
			if o.GoToPane = nil; inTmux {
				o.Peek, o.GoToPane = p.look, func(context.Context, queue.Origin) error { return nil }
			}
		})
		p.clock = b.clock
		o := shop()
		o.Host = "devbox"
		b.ask(database(), o)
		b.run(time.Minute)
		require.Empty(t, p.looks, "there is nothing to look into")
		b.press("P")
		require.Equal(t, "it runs on devbox, and what it was doing can be read only there", b.said())
		require.Contains(t, b.picture(), "│ it runs on devbox, and what it was doing can be read only there")
		b.press("p")
		require.Equal(t, "cannot go to its pane: it runs on devbox", b.said())
	}
}

func TestAnAgentThatAsksInItsOwnPaneIsLookedAtOnTheEmptyScreen(t *testing.T) {
	b, p := peekBench(t, 120, 40)
	b.need(b.needing(infra(), "Confirm Shell Command: make all", false))
	b.run(time.Second)
	require.Contains(t, b.picture(), "│ ● Bash(go test ./...)")
	require.Len(t, p.looks, 1)
	b.need()
	require.NotContains(t, b.picture(), "before this")
	b.need(b.needing(infra(), "Claude is waiting for your input", true))
	b.run(time.Second)
	require.Len(t, p.looks, 1, "it asks nothing")
}

// TestWordsThatAreWrittenLateAreShownWithoutAKey has an agent without a pane write its words down after it asked.
func TestWordsThatAreWrittenLateAreShownWithoutAKey(t *testing.T) {
	for _, late := range []time.Duration{200 * time.Millisecond, 800 * time.Millisecond, 3 * time.Second, 20 * time.Second} {
		for name, before := range map[string]peek.Shot{
			"nothing is known before":  {Awaits: true, Sought: "1"},
			"its command is known":     {Where: "claude transcript", Mark: "1", Awaits: true, Lines: []say.BeforeLine{{Text: "✓ make"}}},
			"other words of this turn": {Where: "claude transcript", Mark: "1", Lines: []say.BeforeLine{{Text: "first"}}},
		} {
			looks := 0
			b := newBenchWith(t, 120, 40, func(o *Options) {
				o.Peek = func(_ context.Context, _ queue.Session, last peek.Shot) (peek.Shot, error) {
					if looks++; b0.now().Sub(noon) < late {
						if before.Sought != "" { // and no pane
							before.NoPane = true
							return before, errors.New("its pane is not known")
						}
						return before, nil
					}
					return peek.Shot{Where: "claude transcript", Mark: "2", Lines: []say.BeforeLine{{Text: "“The last words.”"}}}, nil
				}
			})
			b0 = b
			b.ask(small("Deploy?", 36000), infra())
			wait := late + late/4 + 300*time.Millisecond
			if !before.Awaits { // nothing tells that more is to come, so later looks are rare
				wait = max(late+15*time.Second, 0)
			}
			b.run(wait)
			require.Contains(t, b.picture(), "│ “The last words.”", "%s, %v", name, late)
			b.run(10 * time.Minute)
			require.Less(t, looks, 40, "%s, %v", name, late)
			require.True(t, b.rooms.peek.Due().IsZero(), "nothing is looked for a minute after the last key")
		}
	}
}

// b0 is the bench whose clock a look reads.
var b0 *bench
