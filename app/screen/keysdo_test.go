package screen

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
)

func three() queue.Ask {
	a := database()
	for i, mode := range []string{queue.ModeSingle, queue.ModeMulti} {
		q := one(mode, nil).Questions[0]
		q.ID, q.Header = fmt.Sprintf("q%d", i+2), []string{"Cache", "Replicas"}[i]
		a.Questions = append(a.Questions, q)
	}
	a.Questions[0].Header = "Store"
	return a
}

func TestTheCancelLineCanBeCarriedOutWhateverTheSettingsSayOfEnter(t *testing.T) {
	b := newBench(t, 80, 24)
	b.fixed().Keys = map[string]config.Keys{"enter": nil}
	b.newSettings()
	require.Contains(t, b.picture(), "keys.enter cannot be unbound, only rebound")
	s := b.ask(database(), shop())
	b.calm()
	b.press("x")
	b.calm()
	b.press("enter")
	require.Equal(t, queue.StatusCancelled, b.get(s.ID).Status())

	b.fixed().Keys = map[string]config.Keys{"enter": {"ctrl+d"}, "half_down": {"f5"}}
	b.newSettings()
	s = b.ask(database(), shop())
	b.calm()
	b.press("x", "enter")
	require.Equal(t, "Enter was enter, now ^D: your own keys", b.said())
	require.Empty(t, b.form().Draft().Reason, "nor is it text in a line of one row")
	b.press("down")
	require.Contains(t, b.foot(), "^D cancel and tell claude")
	b.calm()
	b.press("ctrl+d")
	require.Equal(t, queue.StatusCancelled, b.get(s.ID).Status())
}

func TestOwnKeysForDigitsReachWhatTheRowsAndTheFootSay(t *testing.T) {
	b := newBench(t, 120, 40)
	b.fixed().Keys = map[string]config.Keys{"digit": {"!", "@"}, "change_one": {"f5", "b", "c"}, "connect": {"e", "w"}}
	b.newSettings()
	require.Contains(t, b.picture(), "   w  Codex")
	require.NotContains(t, b.picture(), "a digit cop")
	b.press("c")
	b.calm()
	b.press("w")
	require.Equal(t, "copied: codex mcp add choicetui -- choicetui mcp", b.said())

	s := b.ask(three(), shop())
	b.calm()
	require.Contains(t, b.picture(), "! ● PostgreSQL")
	require.Contains(t, b.picture(), "@ ○ SQLite")
	require.Contains(t, b.picture(), "  ○ DynamoDB")
	require.Contains(t, b.picture(), "! @ choose")
	b.press("1")
	require.Equal(t, "1 was digit, now ! @: your own keys", b.said())
	b.calm()
	b.press("@", "enter", "!", "enter", "@", "enter")
	require.Contains(t, b.picture(), "F5 Store")
	require.Contains(t, b.picture(), "b  Cache")
	require.Contains(t, b.picture(), "F5 b c change one")
	b.calm()
	b.press("b")
	require.Contains(t, b.picture(), "▸ Cache")
	b.press("@", "enter")
	b.calm()
	b.press("enter")
	got := b.get(s.ID).Outcome.Answer.Replies
	for _, reply := range got {
		require.Equal(t, []string{"lite"}, reply.Selected)
	}
	require.Len(t, got, 3)
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
		require.Contains(t, b.foot(), "⏎ or c runs choicetui setup · 1-4 copies that agent's line")
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

func TestHidingWorksInEveryQuestionOfAForm(t *testing.T) {
	b := newBenchOnFile(t, 80, 24, "")
	s := b.ask(three(), shop())
	b.calm()
	b.press("right", "j", "V")
	b.calm()
	b.press("enter")
	require.Contains(t, b.said(), "hidden in all future questions")
	b.press("left")
	require.NotContains(t, b.picture(), "2 ○ SQLite", "the same option of the same client, in another question")
	hidden := []config.HiddenOption{{Client: "claude-code", ID: "lite", Label: "SQLite"}}
	require.Equal(t, hidden, b.desk.Settings().HiddenOptions)
	b.press("v", "2", "V")
	require.Contains(t, b.said(), "shown again from now on")
	require.Empty(t, b.desk.Settings().HiddenOptions)
	b.press("right")
	require.Contains(t, b.picture(), "2 ● SQLite", "its dot never moved")
	require.True(t, b.get(s.ID).Pending())
}

func TestUndoAndRedoAreTheSameTwoKeysInEveryTextField(t *testing.T) {
	undo, redo := tcell.KeyCtrlZ, tcell.KeyCtrlY
	for round, own := range []map[string]config.Keys{nil, {"undo_typing": {"f5"}, "redo_typing": nil}} {
		if own != nil {
			undo, redo = tcell.KeyF5, tcell.KeyCtrlY
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
			b.ctrl(redo)
			require.Equal(t, own == nil, b.room().Field().Text() == "word", "%s: redo", name)
		}
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

func TestEscLeavesFullHeight(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(migration(), infra())
	before := b.picture()
	require.NotContains(t, before, "z back")
	b.press("z")
	require.Contains(t, b.picture(), "z back")
	b.press("esc")
	want := strings.Replace(before, "82 lines below, unread", "82 lines below, 74 unread", 1)
	require.NotEqual(t, before, want)
	require.Equal(t, lines(want)[:22], lines(b.picture())[:22], "only what was seen has grown")
	require.NotNil(t, b.form())
}

func TestUnboundKeysAreNotInTheFoot(t *testing.T) {
	b := newBench(t, 120, 40)
	b.ask(database(), shop())
	offered := map[string]string{"n note": "note", "a comment": "comment", "1-3 choose": "digit", "? keys": "help"}
	for key, action := range offered {
		b.fixed().Keys = nil
		b.newSettings()
		require.Contains(t, b.picture(), key)
		b.fixed().Keys = map[string]config.Keys{action: nil}
		b.newSettings()
		foot := lines(b.picture())[39]
		_, word, _ := strings.Cut(key, " ")
		require.NotContains(t, foot, word, action)
	}
	b.fixed().Keys = map[string]config.Keys{"back": nil}
	b.newSettings()
	b.press("n")
	require.NotContains(t, b.picture(), "back, text kept")
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
	require.Len(t, b.seat.Listed(), 2, "which endpoints get a rate limit too")
	b.write("epl")
	require.Len(t, b.seat.Listed(), 1)
}

func TestHistoryCopiesTheWholeSession(t *testing.T) {
	b := newBench(t, 80, 24)
	b.past(time.Hour, database(), shop(), 9*time.Second, queue.Settle{Answer: chose("lite")}, true)
	var copied string
	b.o.Copy = func(_ context.Context, text string) (bool, error) { copied = text; return true, nil }
	b.press("h", "y")
	for _, part := range []string{"Which database?", "The order service needs transactions", "SQLite", "by claude"} {
		require.Contains(t, copied, part)
	}
	require.Contains(t, b.said(), "copied: ")
}
