package screen

import (
	"context"
	"fmt"
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
)

func TestOwnKeysForConnectCopyTheirLines(t *testing.T) {
	b := newBench(t, 120, 40)
	b.fixed().Keys = map[string][]string{"open_one": {"e", "w"}}
	b.newSettings()
	require.Contains(t, b.picture(), "   w  Codex")
	require.NotContains(t, b.picture(), "a digit cop")
	b.press("c")
	b.calm()
	b.press("w")
	require.Equal(t, "copied: codex mcp add choicetui -- choicetui mcp", b.said())
}

func TestDigitsCopyTheConnectLines(t *testing.T) {
	for key, want := range map[string]string{"1": "claude mcp add", "2": "codex mcp add", "3": "gemini mcp add"} {
		b := newBench(t, 80, 24)
		copied := ""
		b.o.Copy = func(_ context.Context, text string) (bool, error) { copied = text; return true, nil }
		b.press(key)
		require.Equal(t, "c first, then "+key+" copies that line", b.said())
		b.press("c", key)
		require.Empty(t, copied, "so soon it may have been typing")
		require.Contains(t, b.footer(), "⏎ or c runs choicetui setup · 1-5 copies that agent's line")
		b.calm()
		b.press("l", key)
		require.Empty(t, copied, "another key has left the choice")
		b.calm()
		b.press("c")
		b.calm()
		b.press(key)
		require.Contains(t, copied, want)
	}
}

func TestUndoAndRedoAreTheSameTwoKeysInEveryTextField(t *testing.T) {
	undo, redo := tcell.KeyCtrlZ, tcell.NewEventKey(tcell.KeyRune, 'z', tcell.ModAlt)
	for round, own := range []map[string][]string{nil, {"undo_typing": {"f5"}, "redo_typing": nil}} {
		if own != nil {
			undo = tcell.KeyF5
		}
		for name, open := range map[string]func(b *bench){
			"note":   func(b *bench) { b.press("n") },
			"reason": func(b *bench) { b.press("x") },
			"find":   func(b *bench) { b.press("tab", "/") },
			"help":   func(b *bench) { b.press("?", "/") },
			"value":  func(b *bench) { b.press("s"); b.to("timeout_seconds"); b.press("enter"); b.room().Field().SetText("") },
			"chat":   func(b *bench) { b.press("i") },
		} {
			b := newBench(t, 80, 24)
			b.fixed().Keys = own
			b.newSettings()
			b.ask(database(), shop())
			b.ask(small("Deploy?", 900), infra())
			b.calm()
			open(b)
			b.write("word")
			if own != nil {
				b.ctrl(tcell.KeyCtrlZ)
				require.Equal(t, "word", b.room().Field().Text(), "%s: ^Z is not undo any more", name)
				require.Equal(t, "^Z was undo_typing, now F5: your own keys", b.said())
			}
			b.ctrl(undo)
			require.NotNil(t, b.room().Field(), name)
			require.NotEqual(t, "word", b.room().Field().Text(), "%s %d", name, round)
			b.Key(redo)
			b.settle()
			require.Equal(t, own == nil, b.room().Field().Text() == "word", "%s: redo", name)
		}
	}
}

// TestEditingKeys_AreTheSameInEveryTextField moves by a word and deletes a word in each field of the screen.
func TestEditingKeys_AreTheSameInEveryTextField(t *testing.T) {
	for name, c := range inALine {
		t.Run(name, func(t *testing.T) {
			b := newTeamBench(t, 120, 40).bench
			b.o.Chat = &panesFake{}
			b.ask(database(), shop())
			b.ask(endpoints(), infra())
			for _, k := range c.keys {
				b.calm()
				b.press(k)
			}
			b.reached(c.place)
			b.room().Field().SetText("")
			b.calm()
			b.write("one two three")
			for _, ev := range []*tcell.EventKey{
				tcell.NewEventKey(tcell.KeyRune, 'b', tcell.ModAlt), tcell.NewEventKey(tcell.KeyLeft, 0, tcell.ModAlt),
				tcell.NewEventKey(tcell.KeyCtrlW, 0, tcell.ModCtrl), tcell.NewEventKey(tcell.KeyRight, 0, tcell.ModCtrl),
				tcell.NewEventKey(tcell.KeyCtrlY, 0, tcell.ModCtrl),
			} {
				b.Key(ev)
				b.settle()
			}
			require.Equal(t, "twoone  three", b.room().Field().Text())
			b.Key(tcell.NewEventKey(tcell.KeyCtrlUnderscore, 0, tcell.ModCtrl))
			require.Equal(t, "two three", b.room().Field().Text())
		})
	}
}

func TestAPaneThatIsNotSurelyTheAgentsIsSaid(t *testing.T) {
	b := newBench(t, 80, 24)
	o := shop()
	o.PID = 4711
	var asked queue.Origin
	b.o.GoToPane = func(_ context.Context, o queue.Origin) error {
		asked = o
		return fmt.Errorf("it is not running in this tmux server")
	}
	b.ask(database(), o)
	b.calm()
	b.press("p")
	require.Equal(t, 4711, asked.PID, "its process is what tells")
	require.Equal(t, "cannot go to its pane: it is not running in this tmux server", b.said())
}

func TestTheThemeOfTheSettingsIsInForceAndNoColorIsMono(t *testing.T) {
	b := newBench(t, 80, 24)
	require.Equal(t, []bool{true, false}, b.colours(), "the terminal's own")
	b.fixed().Theme = ink.ThemeDark
	b.newSettings()
	require.Equal(t, []bool{true, true}, b.colours())
	b.o.NoColor = true
	b.newSettings()
	require.Equal(t, []bool{false, false}, b.colours())
}

// colours says whether anything on screen has a colour, and whether the ground has one, which is one everywhere.
func (b *bench) colours() []bool {
	b.picture()
	any, grounds := false, map[tcell.Color]bool{}
	cells, _, _ := b.screen.GetContents()
	for _, c := range cells {
		fg, bg, _ := c.Style.Decompose()
		any, grounds[bg] = any || fg != tcell.ColorDefault, true
	}
	require.Len(b.t, grounds, 1)
	return []bool{any, !grounds[tcell.ColorDefault]}
}

func TestALineDeliveredByMCPIsNeverPasted(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	b.fixed().Chat.Deliver = config.DeliverMCP
	b.newSettings()
	b.press("i")
	b.write("later")
	b.press("enter")
	require.Empty(t, ways.pasted)
	require.Contains(t, b.picture(), "delivered when it next asks")
}

func TestWhatIsTypedNarrowsOptionsAndQueueWithEveryLetter(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(endpoints(), shop())
	b.ask(small("Deploy?", 900), infra())
	b.calm()
	b.press("/")
	b.write("ca")
	require.Contains(t, b.picture(), "POST /cart")
	require.NotContains(t, b.picture(), "POST /login")
	b.write("rd")
	require.Contains(t, b.picture(), "POST /checkout", "its description has it")
	require.NotContains(t, b.picture(), "POST /cart")
	b.press("esc", "tab", "/")
	b.write("D")
	require.Len(t, b.view.Listed(), 2, "which endpoints get a rate limit too")
	b.write("epl")
	require.Len(t, b.view.Listed(), 1)
}
