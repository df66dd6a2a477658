package screen

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/desk/action"
)

func TestScreenMarkdown(t *testing.T) {
	atSizes(t, "markdown", func(b *bench) {
		b.ask(marked(), shop())
		b.clock.Pass(time.Second)
	})
}

func TestScreenMarkdownAtFullHeight(t *testing.T) {
	atSizes(t, "markdown-full", func(b *bench) {
		b.ask(marked(), shop())
		b.clock.Pass(time.Second)
		b.press("z")
		b.picture()
		b.press("pgdn")
	})
}

// linesBelow is how a question says how many lines of it are below, as long as one of them was never on screen.
var linesBelow = regexp.MustCompile(`▼ (\d+) lines? below, unread`)

// unseen returns how many lines the screen says are below and not seen.
func (b *bench) unseen() int {
	found := linesBelow.FindStringSubmatch(b.picture())
	if found == nil {
		return 0
	}
	n, err := strconv.Atoi(found[1])
	require.NoError(b.t, err)
	return n
}

func TestTheQuestionIsReadFromTheQueueToo(t *testing.T) {
	b := newBench(t, 120, 40)
	a := database()
	a.Prompt = strings.Repeat("a line of the prompt\n\n", 60)
	b.ask(a, shop())
	b.ask(small("Another", 300), web())
	b.press("tab")
	require.Equal(t, action.PlaceQueue, b.room().Place())
	before := b.unseen()
	require.NotZero(t, before)
	b.press("pgdn")
	assert.Less(t, b.unseen(), before)
	require.NotContains(t, b.picture(), "z back")
	b.press("z")
	assert.Contains(t, b.picture(), "z back", "it is at full height")
	assert.Equal(t, action.PlaceQueue, b.room().Place())
}

func TestAQueueThatTheTextCoversTakesNoKeys(t *testing.T) {
	b := newBench(t, 80, 24)
	a := database()
	a.Prompt = strings.Repeat("a line of the prompt\n\n", 60)
	first := b.ask(a, shop())
	b.ask(small("Another", 600), web())
	b.calm()
	b.press("tab")
	require.Equal(t, action.PlaceQueue, b.room().Place())
	b.press("z")
	require.NotContains(t, b.picture(), "Another")
	require.Contains(t, b.picture(), "─ 2 waiting · next 10m ─")
	require.NotContains(t, b.picture(), "Tab area")
	require.Equal(t, action.PlaceQuestion, b.room().Place())
	b.press("tab", "down")
	require.Equal(t, first.ID, b.shown(), "the arrow has scrolled")
	b.press("esc")
	require.Contains(t, b.picture(), "Another")
	require.Equal(t, action.PlaceQueue, b.room().Place(), "as it was")
}

func TestThePeekIsBackBehindTheText(t *testing.T) {
	b, _ := peekBench(t, 120, 50)
	b.ask(database(), shop())
	b.calm()
	b.picture()
	rows := b.frame.ground.at.peek
	require.False(t, rows.Empty())
	b.press("z")
	b.picture()
	require.True(t, b.frame.ground.at.peek.Empty())
	b.press("z")
	b.picture()
	require.Equal(t, rows, b.frame.ground.at.peek)
}

func TestWhatAPageCoversIsNotReadHoweverLargeThePaneGets(t *testing.T) {
	b := newBench(t, 40, 12)
	b.ask(database(), shop())
	b.calm()
	before := b.footer()
	require.Contains(t, before, "unread")
	b.press("?")
	b.picture()
	for _, size := range [][2]int{{200, 60}, {40, 12}} {
		b.screen.SetSize(size[0], size[1])
		b.picture()
	}
	b.press("esc")
	b.calm()
	require.Equal(t, before, b.footer())
}

func TestAQueueThatLeavesTheOptionsNoRowIsDrawn(t *testing.T) {
	for _, size := range [][2]int{{30, 10}, {30, 11}, {40, 12}, {80, 12}} {
		for _, n := range []int{2, 3, 5} {
			b := newBench(t, size[0], size[1])
			b.ask(endpoints(), shop())
			for i := range n - 1 {
				b.ask(small(fmt.Sprintf("Question %d?", i), 700+i), shop())
			}
			b.picture()
			b.calm()
			b.press("g", "j", "tab")
			require.NotPanics(t, func() { b.picture() }, size)
		}
	}
}
