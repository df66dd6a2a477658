package question

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/queue"
)

func hybrid() queue.Ask {
	a := database()
	a.Questions[0].Mode, a.Questions[0].Min = queue.ModeHybrid, 0
	return a
}

// typed returns all that was typed, a text a line group.
func (b *bench) typed() string { return strings.Join(b.View().Form().Typed(), "\n\n") }

func TestUndoWhileTypingTakesBackAPasteAndReachesTheDraft(t *testing.T) {
	b := newBench(t, 60, 20)
	b.ask(hybrid(), shop())
	b.pass(time.Second)
	b.press("t")
	b.write("mine")
	b.paste("\r\nfrom elsewhere")
	require.Equal(t, "mine\nfrom elsewhere", b.typed())
	b.press("ctrl+z")
	require.Equal(t, "mine", b.typed())
	require.Equal(t, "mine", b.View().Form().Draft().Answer.Replies[0].Text)
	b.press("alt+z")
	require.Equal(t, "mine\nfrom elsewhere", b.typed())
}

func TestNothingTypedIsLostWhenThePaneChangesSize(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(hybrid(), shop())
	b.pass(time.Second)
	b.press("t")
	want := ""
	for i, size := range [][2]int{{80, 24}, {30, 10}, {120, 40}, {34, 12}, {200, 60}} {
		b.size(size[0], size[1])
		b.picture()
		words := fmt.Sprintf("part %d 日本\n", i)
		b.write(strings.TrimSuffix(words, "\n"))
		b.press("ctrl+j")
		want += words
		require.Equal(t, want, b.View().Form().Draft().Answer.Replies[0].Text)
		b.picture()
		_, _, shown := b.screen.GetCursor()
		require.True(t, shown, "no cursor at %v", size)
	}
}

// TestTextBeingTypedIsInSight types into each field at each size: the last word and the cursor are on screen.
func TestTextBeingTypedIsInSight(t *testing.T) {
	for _, size := range sizes {
		for _, key := range []string{"t", "n", "a", "x"} {
			t.Run(fmt.Sprintf("%s at %dx%d", key, size[0], size[1]), func(t *testing.T) {
				t.Parallel()
				b := newBench(t, size[0], size[1])
				b.ask(hybrid(), shop())
				b.ask(small("Another?", 100), web())
				b.pass(time.Second)
				b.press("a")
				b.write(strings.Repeat("a comment that stands there ", 5))
				b.press("enter", key)
				typed, screen := strings.Repeat("some words ", 20)+"end", ""
				for n, r := range typed {
					panes.Type(b.room, tcell.NewEventKey(tcell.KeyRune, r, tcell.ModNone))
					switch {
					case n == len(typed)-1:
						screen = b.picture()
					case n%7 == 0 || r == 'd':
						b.draw()
					}
				}
				require.Contains(t, screen, "end", screen)
				_, _, shown := b.screen.GetCursor()
				require.True(t, shown, screen)
			})
		}
	}
}

func TestAReasonTooLongIsNotSent(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(hybrid(), shop())
	b.pass(time.Second)
	b.press("x")
	b.paste(strings.Repeat("é", queue.MaxNote+3))
	require.Contains(t, b.footer(), "3 characters too long (at most 8000)")
	b.press("enter")
	require.True(t, b.stored(s.ID).Pending())
	require.NotNil(t, b.room.Field())
}

func TestCancelIsOnScreenWhileTypingAtEverySize(t *testing.T) {
	for w, want := range map[int]string{30: "^J line  Esc back, x cancel", 40: "^J line  ^G editor  Esc back, x cancel",
		80: "^J new line  ^G editor  Esc back (keeps text), then x cancels"} {
		b := newBench(t, w, 24)
		s := b.ask(database(), shop())
		b.calm()
		b.press("n")
		require.Contains(t, b.picture(), want+"\n")
		b.SettleElsewhere(s, queue.SurfaceWeb, "lite")
		require.NotContains(t, b.picture(), "x cancel", "there is nothing left to cancel")
	}
}
