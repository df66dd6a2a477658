package screen

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// askAlike has an agent ask for commands by the same tool in the same directory, at once.
func (b *bench) askAlike(commands ...string) (list []queue.Session) {
	b.t.Helper()
	defer b.lay()
	for _, command := range commands {
		a := roomtest.ApproveTest()
		a.Approval.Parts[0].Text = command
		list = append(list, b.askNative(a, "claude:t1/"+command))
		b.clock.Pass(time.Millisecond)
	}
	b.clock.Pass(time.Second)
	return list
}

// slowly presses keys and gives each the time of a person who reads what it did: what was never drawn was not read.
func (b *bench) slowly(keys ...string) {
	for _, key := range keys {
		b.press(key)
		b.lay()
		b.clock.Pass(time.Second)
	}
}

func (b *bench) took(s queue.Session) string {
	o := b.get(s.ID).Outcome
	if o == nil || len(o.Answer.Replies) == 0 {
		return ""
	}
	return o.Answer.Replies[0].Selected[0]
}

// tookAll returns what was sent to each.
func (b *bench) tookAll(list []queue.Session) (all []string) {
	for _, s := range list {
		all = append(all, b.took(s))
	}
	return all
}

// longCommand has ten lines.
var longCommand = "python3 - <<'EOF'" + strings.Repeat("\nprint('a line')", 8) + "\nEOF"

func TestBatch_FourShortApprovalsTakeThreeKeys(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
		b := newBench(t, size[0], size[1])
		list := b.askAlike("npm test", "go test ./...", "make lint", "ls -la")
		if size[0] > 40 {
			require.Contains(t, b.picture(), "* 4 that are alike")
		}
		b.slowly("*")
		require.Equal(t, action.PlaceBatch, b.room().Place())
		require.Contains(t, b.picture(), "4 commands that are alike")
		require.Contains(t, b.footer(), "Not yet: no request is marked")
		b.slowly("y")
		require.Contains(t, b.footer(), "⏎ Allow 4")
		b.press("enter")
		require.Equal(t, []string{"once", "once", "once", "once"}, b.tookAll(list))
		for _, s := range list {
			s = b.get(s.ID)
			require.Len(t, s.Events, 2, "one entry in the trail each, behind that it was asked")
			require.Equal(t, queue.ByHuman, s.Outcome.By)
			require.Equal(t, queue.SurfaceDashboard, s.Outcome.Surface)
		}
		require.Equal(t, action.PlaceEmpty, b.room().Place())
	}
}

func TestBatch_KeysWaitUntilTheListWasOnScreen(t *testing.T) {
	b := newBench(t, 120, 40)
	list := b.askAlike("npm test", "ls")
	b.press("*")
	b.lay()
	b.clock.Pass(desk.Settle - time.Millisecond)
	b.press("y")
	require.Empty(t, b.view.Batch.Marked(), "the list has just come up")
	b.clock.Pass(time.Second)
	b.press("enter")
	b.clock.Pass(time.Second)
	b.press("y")
	require.Len(t, b.view.Batch.Marked(), 2)
	b.clock.Pass(desk.Pause - enterAfter - time.Millisecond)
	b.press("enter")
	require.Equal(t, []string{"", ""}, b.tookAll(list), "Enter waits behind a mark")
	b.clock.Pass(time.Second)
	b.press("enter")
	require.Equal(t, []string{"once", "once"}, b.tookAll(list))
}

func TestBatch_LettersOfASentenceMarkNothing(t *testing.T) {
	b := newBench(t, 120, 40)
	list := b.askAlike("npm test", "ls")
	b.slowly("*")
	for _, key := range strings.Split("yes, go on", "") {
		b.Key(event(strings.ReplaceAll(key, " ", "space")))
		b.clock.Pass(120 * time.Millisecond)
	}
	require.Empty(t, b.view.Batch.Marked())
	b.press("enter")
	b.clock.Pass(time.Second)
	b.press("enter")
	require.Equal(t, []string{"", ""}, b.tookAll(list))
}

func TestWhatWasNotMarkedOrNotShownInFullIsLeftOut(t *testing.T) {
	b := newBench(t, 80, 24)
	list := b.askAlike("npm test", "ls", longCommand)
	b.slowly("*")
	require.Contains(t, b.picture(), "9 more lines: ⏎ shows it")
	b.slowly("y")
	require.Contains(t, b.footer(), "⏎ Allow 2", "of the third only one line was on screen")
	b.slowly("space", "G", "space")
	require.Contains(t, b.said(), "not all of that request was on screen yet")
	b.press("enter") // shows it, and sends nothing
	require.Equal(t, []string{"", "", ""}, b.tookAll(list))
	b.slowly("esc", "g", "down")
	require.Contains(t, b.footer(), "space was ignored")
	b.slowly("enter")
	require.Equal(t, []string{"", "", ""}, b.tookAll(list))
	require.Contains(t, b.footer(), "⏎ Allow 1")
	b.press("enter")
	require.Equal(t, []string{"", "once", ""}, b.tookAll(list))
}

func TestBatch_ALongRequestCanBeMarkedOnceItsEndWasOnScreen(t *testing.T) {
	b := newBench(t, 40, 12)
	list := b.askAlike("npm test", longCommand)
	b.slowly("*", "j")
	require.Contains(t, b.footer(), "Show all of it")
	b.slowly("enter")
	require.Contains(t, b.picture(), "python3 - <<'EOF'")
	require.Contains(t, b.footer(), "unread")
	b.slowly("space")
	require.Empty(t, b.view.Batch.Marked())
	b.slowly("enter") // to the list, as the button says
	b.slowly("enter", "pgdn", "pgdn")
	require.Contains(t, b.picture(), "EOF")
	require.NotContains(t, b.footer(), "unread")
	b.slowly("space")
	require.Len(t, b.view.Batch.Marked(), 1, "it is marked, and the list is back")
	require.Contains(t, b.picture(), "2 commands that are alike")
	b.slowly("y")
	require.Contains(t, b.footer(), "⏎ Allow 2")
	b.press("enter")
	require.Equal(t, []string{"once", "once"}, b.tookAll(list))
}

func TestBatch_ApproveWithOneKeySendsNothingFromTheList(t *testing.T) {
	b := newBench(t, 80, 24)
	b.settings.S.ApproveWithOneKey = true
	b.desk.SetSettings(b.settings.S)
	list := b.askAlike("npm test", "ls")
	b.slowly("*", "y")
	require.Equal(t, []string{"", ""}, b.tookAll(list))
	require.Contains(t, b.footer(), "⏎ Allow 2")
}

func TestBatch_AChangeOfThreeLinesIsShownInFull(t *testing.T) {
	b := newBench(t, 80, 24)
	for i, text := range []string{"@@ -1,4 +1,5 @@\n begin\n-old\n+new\n+newer\n end\n", "-1\n-2\n+3\n+4\n"} {
		a := roomtest.ApproveDiff()
		a.Approval.Parts = []queue.Part{{Kind: queue.PartDiff, Label: "store.go", Text: text}}
		b.askNative(a, fmt.Sprint("claude:t1/", i))
	}
	b.clock.Pass(time.Second)
	b.slowly("*")
	require.Contains(t, b.picture(), "2 changes that are alike")
	require.Contains(t, b.picture(), "+newer")
	require.NotContains(t, b.picture(), "+4")
	b.slowly("y")
	require.Contains(t, b.footer(), "⏎ Allow 1")
}

func TestBatch_WhatIsBelowTheScreenIsNotMarked(t *testing.T) {
	b := newBench(t, 80, 12)
	var commands []string
	for i := range 20 {
		commands = append(commands, fmt.Sprintf("go test ./p%d", i))
	}
	b.askAlike(commands...)
	b.slowly("*", "y")
	n := len(b.view.Batch.Marked())
	require.Less(t, n, 20)
	require.Contains(t, b.picture(), fmt.Sprintf("%d lines below", 20-n))
	for range 20 {
		b.slowly("j")
	}
	b.slowly("y")
	require.Len(t, b.view.Batch.Marked(), 20)
}

func TestAMarkThatChangedSinceItCountedIsNotSent(t *testing.T) {
	b := newBench(t, 120, 40)
	list := b.askAlike("npm test", "ls", "make")
	b.slowly("*", "y", "space")
	require.Contains(t, b.footer(), "⏎ Allow 2", "the first mark is taken away again")
	other := b.get(list[1].ID)
	other.Ask.Approval.Parts[0].Text = "ls; rm -rf ~"
	_, err := b.o.Queue.Store.Put(t.Context(), other)
	require.NoError(t, err)
	b.settle()
	require.Contains(t, b.picture(), "not here: it has changed")
	require.Contains(t, b.footer(), "⏎ Allow 1")
	b.clock.Pass(time.Second)
	b.press("enter")
	require.Equal(t, []string{"", "", "once"}, b.tookAll(list))
}

func TestMarkedOnesAreListedAndCannotBeMarked(t *testing.T) {
	b := newBench(t, 120, 40)
	red := b.askNative(roomtest.ApproveCommand(), "claude:t1/marked")
	hidden := roomtest.ApproveTest()
	hidden.Approval.Parts[0].Text = "ls\u200b -la"
	b.askNative(hidden, "claude:t1/hidden")
	grey := roomtest.ApproveTest()
	grey.Approval.Parts[0].Text, grey.Approval.Marks = "git fetch", []string{queue.MarkNetwork}
	network := b.askNative(grey, "claude:t1/grey")
	list := b.askAlike("npm test")
	b.slowly("*")
	picture := b.picture()
	for _, words := range []string{"(not here: may be destructive", "(not here: hidden characters", "(uses the network)"} {
		require.Contains(t, picture, words)
	}
	b.slowly("space")
	require.Contains(t, b.said(), "that one is decided on its own")
	b.slowly("y")
	require.Contains(t, b.footer(), "⏎ Allow 2")
	b.press("enter")
	require.Equal(t, []string{"once", "once", ""}, b.tookAll([]queue.Session{list[0], network, red}))
	require.Len(t, b.desk.Waiting(), 2)
	require.Equal(t, red.ID, b.shown())
}

func TestBatch_NothingJoinsItAndWhatEndedIsLeftOut(t *testing.T) {
	b := newBench(t, 120, 40)
	list := b.askAlike("npm test", "ls", "make")
	b.slowly("*", "y")
	late := b.askAlike("late")[0]
	b.byWatcher(list[0], queue.ByCaller, queue.Elsewhere{Where: "in codex"})
	require.Equal(t, action.PlaceBatch, b.room().Place(), "the list stays, although the question on view has ended")
	require.NotEmpty(t, b.rowWith("npm test", "(no longer pending)"), b.picture())
	require.Contains(t, b.picture(), "1 more arrived, not in this list")
	require.Contains(t, b.footer(), "⏎ Allow 2")
	b.slowly("space")
	require.Contains(t, b.said(), "that request is no longer pending")
	b.slowly("y")
	b.press("enter")
	require.Equal(t, []string{"", "once", "once", ""}, b.tookAll(append(list, late)))
	require.Equal(t, late.ID, b.shown())
}

func TestBatch_ClosesOnceAllHaveEnded(t *testing.T) {
	b := newBench(t, 120, 40)
	list := b.askAlike("npm test", "ls")
	b.slowly("*", "y")
	for _, s := range list {
		b.byWatcher(s, queue.ByCaller, queue.Elsewhere{Where: "in codex"})
	}
	require.False(t, b.view.Batch.On())
}

func TestBatch_EscSendsNothing(t *testing.T) {
	for _, key := range []string{"esc", "q"} {
		b := newBench(t, 120, 40)
		list := b.askAlike("npm test", "ls")
		b.slowly("*", "y", key)
		require.Contains(t, b.said(), "nothing was sent")
		require.Equal(t, action.PlaceApproval, b.room().Place())
		require.False(t, b.view.Batch.On())
		require.Equal(t, []string{"", ""}, b.tookAll(list))
		b.slowly("*")
		require.Empty(t, b.view.Batch.Marked(), "it begins without marks")
	}
}

func TestBatch_AnotherQuestionOnViewClosesIt(t *testing.T) {
	b := newBench(t, 120, 40)
	b.askAlike("npm test", "ls")
	other := b.ask(database(), shop())
	b.slowly("*")
	b.view.Show(other.ID)
	require.False(t, b.view.Batch.On())
	require.Equal(t, action.PlaceQuestion, b.room().Place())
}

func TestBatch_WithoutAnotherThatCanBeMarkedThereIsNone(t *testing.T) {
	several := roomtest.ApproveTest()
	q := &several.Questions[0]
	q.Mode, q.Min, q.Max = queue.ModeMulti, 0, len(q.Options)
	for name, asks := range map[string][]queue.Ask{
		"one alone":                {roomtest.ApproveTest()},
		"two with red marks":       {roomtest.ApproveCommand(), roomtest.ApproveCommand()},
		"two with several answers": {several, several},
		"another tool":             {roomtest.ApproveTest(), roomtest.ApproveDiff()},
	} {
		b := newBench(t, 120, 40)
		for i, a := range asks {
			b.askNative(a, fmt.Sprint("codex:t1/", i))
		}
		b.clock.Pass(time.Second)
		require.Zero(t, b.view.Batch.Alike(), name)
		b.slowly("*")
		if b.room().Place() == action.PlaceApproval {
			require.Contains(t, b.said(), "no other requests that can be allowed together", name)
		}
		require.False(t, b.view.Batch.On(), name)
	}
}

func TestScreensOfABatch(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		b := newBench(t, size[0], size[1])
		b.askAlike("npm test -- --coverage --reporters=default", "go test ./...", longCommand, "ls -la")
		red := roomtest.ApproveCommand()
		b.askNative(red, "claude:t1/marked")
		b.clock.Pass(time.Second)
		b.slowly("*", "y")
		b.golden("batch-" + name)
		b.slowly("j", "j", "enter")
		b.golden("batch-whole-" + name)
	}
}
