package screen

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

func TestScreensOfApprovals(t *testing.T) {
	asks := map[string]func() queue.Ask{"command": roomtest.ApproveCommand, "diff": roomtest.ApproveDiff,
		"blanks":  roomtest.ApproveBlanks,
		"address": approveAddress, "plan": approvePlan, "permissions": approvePermissions}
	for name, ask := range asks {
		for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				b := newBench(t, size[0], size[1])
				b.ask(ask(), shop())
				b.ask(small("Which database?", 552), web())
				b.clock.Pass(time.Second)
				b.golden(fmt.Sprintf("approval-%s-%dx%d", name, size[0], size[1]))
			})
		}
	}
}

func TestScreensOfAnApprovalThatIsMarkedAndRefused(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
		b := newBench(t, size[0], size[1])
		b.ask(roomtest.ApproveCommand(), shop())
		b.clock.Pass(time.Second)
		b.press("2")
		b.golden(fmt.Sprintf("approval-always-%dx%d", size[0], size[1]))
		b.press("n")
		b.write("delete only dist/old")
		b.golden(fmt.Sprintf("approval-refused-%dx%d", size[0], size[1]))
	}
}

func TestEnterSendsWhatIsMarkedOnceTheMarkStoodForAWhile(t *testing.T) {
	for key, want := range map[string]string{"y": "once", "1": "once", "2": "session", "3": "refuse", "j": "once",
		"k": "refuse", "G": "refuse"} {
		b := newBench(t, 80, 24)
		s := b.ask(roomtest.ApproveDiff(), shop())
		b.clock.Pass(time.Second)
		b.press(key)
		b.clock.Pass(desk.Pause - enterAfter - time.Millisecond)
		b.press("enter")
		require.True(t, b.get(s.ID).Pending(), "deaf after %s", key)
		require.Equal(t, "Not yet: press Enter again", b.footer())
		b.clock.Pass(time.Second)
		b.press("enter")
		require.Equal(t, []string{want}, b.get(s.ID).Outcome.Answer.Replies[0].Selected, key)
	}
}

func TestAKeyThatCameWithTheApprovalMarksNothing(t *testing.T) {
	for _, key := range []string{"y", "n", "1", "j", "k", "g", "G"} {
		b := newBench(t, 80, 24)
		b.ask(roomtest.ApproveDiff(), shop())
		b.clock.Pass(499 * time.Millisecond)
		b.press(key)
		require.Equal(t, key+" was ignored, press it again", b.footer())
		require.Empty(t, b.form().Here().Selected(), key)
	}
}

func TestTypingForAnotherPaneRefusesNothing(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(roomtest.ApproveDiff(), shop())
	b.clock.Pass(time.Second)
	for _, r := range "no, rename it" {
		b.Key(event(string(r)))
		b.clock.Pass(40 * time.Millisecond)
	}
	require.Contains(t, b.footer(), "⏎ twice: refuse and tell claude")
	require.Empty(t, b.form().Here().Selected(), "nothing is marked while it is not attached")
	b.clock.Pass(time.Second)
	b.press("enter")
	require.True(t, b.get(s.ID).Pending())
	require.Equal(t, "Was this meant for claude? ⏎ Refuse with it", b.footer())
	b.press("esc")
	require.Empty(t, b.form().Here().Selected(), "nothing was marked before")
	require.Empty(t, b.form().Draft().Answer.Replies[0].Notes)
	require.Equal(t, []string{"o, rename it"}, b.form().Typed())
	b.clock.Pass(time.Second)
	b.press("enter")
	require.True(t, b.get(s.ID).Pending())

	b.press("n")
	require.Equal(t, "o, rename it", b.room().Field().Text(), "it is brought back")
	b.clock.Pass(time.Second)
	b.press("enter")
	require.Equal(t, "o, rename it", b.get(s.ID).Outcome.Answer.Replies[0].Notes["refuse"])
}

func TestWhatIsMarkedAsDangerousIsConfirmedBeforeItIsSent(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(roomtest.ApproveCommand(), shop())
	b.clock.Pass(time.Second)
	require.Equal(t, ink.Warn, b.styles("! Destructive · network")[0])
	b.press("y")
	require.Contains(t, b.footer(), "⏎ Allow once, then confirm")
	b.clock.Pass(time.Second)
	b.press("enter")
	require.Equal(t, action.PlaceConfirm, b.room().Place())
	require.Contains(t, b.picture(), "may be destructive")
	require.Contains(t, b.picture(), "rm -rf ./dist && docker build", "what is confirmed stands there once more")
	b.clock.Pass(time.Second)
	b.press("y")
	b.clock.Pass(time.Second)
	b.press("enter")
	require.Equal(t, []string{"once"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestKeysOfAQuestionMeanNothingOnAnApproval(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(roomtest.ApproveDiff(), shop())
	b.clock.Pass(time.Second)
	was := b.form().Draft()
	for _, key := range []string{"space", "a", "r", "V", "m", "L", "t", "v"} {
		b.press(key)
		require.Contains(t, b.said(), "does nothing here; you can only allow or refuse", key)
	}
	require.Equal(t, was, b.form().Draft())
	b.calm()
	b.press("y")
	b.clock.Pass(400 * time.Millisecond)
	b.press("m", "enter")
	require.Contains(t, b.said(), "(typed too fast), press it again")
	require.True(t, b.get(s.ID).Pending())
}

func TestAnApprovalOfACommandIsDecidedInTheSamePlace(t *testing.T) {
	b := newBench(t, 80, 24)
	a := approvePlan()
	a.Approval = nil
	b.ask(a, shop())
	b.clock.Pass(time.Second)
	require.Equal(t, action.PlaceApproval, b.room().Place())
}

func TestScreensOfTheConfirmationOfAnApproval(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
		b := newBench(t, size[0], size[1])
		b.ask(roomtest.ApproveCommand(), shop())
		b.clock.Pass(time.Second)
		b.press("y")
		b.clock.Pass(time.Second)
		b.press("enter")
		b.golden(fmt.Sprintf("approval-confirm-%dx%d", size[0], size[1]))
	}
}

func TestAPasteOverAnApprovalGoesNowhereAndSaysWhichKeyTakesText(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(roomtest.ApproveDiff(), shop())
	b.clock.Pass(time.Second)
	b.press("y")
	b.clock.Pass(time.Second)
	b.Paste("y\ny\n")
	require.Contains(t, b.said(), "pasting needs a text field: press n first")
	b.press("enter")
	require.True(t, b.get(s.ID).Pending())
}

func TestTheScreenWritesOutWhatTakesNoInkInAnApproval(t *testing.T) {
	b := newBench(t, 120, 40)
	a := roomtest.ApproveCommand()
	a.Title, a.Prompt, a.ConfirmMessage, a.Confirm = "Run ⚠\ufe0f1", "Why ⚠\ufe0f2", "Sure ⚠\ufe0f3", true
	a.Approval.Tool, a.Approval.Dir, a.Approval.Parts[0].Text = "Bash⚠\ufe0f4", "/⚠\ufe0f5", "rm ⚠\ufe0f6"
	a.Questions[0].Options[0].Label, a.Questions[0].Options[0].Description = "Yes ⚠\ufe0f7", "once ⚠\ufe0f8"
	s := b.ask(a, shop())
	b.clock.Pass(time.Second)
	pictures := b.picture()
	require.Contains(t, pictures, "hidden characters")
	b.press("y")
	b.clock.Pass(time.Second)
	b.press("enter")
	b.clock.Pass(time.Second)
	pictures += b.picture()
	b.press("y")
	b.clock.Pass(time.Second)
	b.press("enter")
	b.clock.Pass(time.Second)
	require.False(t, b.get(s.ID).Pending())
	b.press("h")
	pictures += b.picture()
	require.NotContains(t, pictures, "\ufe0f")
	for n := range 8 {
		require.Contains(t, pictures, fmt.Sprintf("⚠<U+FE0F>%d", n+1))
	}
	require.GreaterOrEqual(t, strings.Count(b.picture(), "⚠<U+FE0F>1"), 1, b.picture())
	b.press("enter")
	require.Contains(t, b.picture(), "⚠<U+FE0F>6", "the history has it too")
	require.NotContains(t, b.picture(), "\ufe0f")
}

func TestTheConfirmationOfALinkShowsWhereItLeads(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		b := newBench(t, 80, 24)
		arrow, name := "→", "cleän.sh"
		if ascii {
			b.look.glyphs = ink.ASCII
			arrow, name = ">", "cle<U+00E4>n.sh"
		}
		a := roomtest.ApproveBlanks()
		a.Confirm, a.Approval.Parts[0].Label = true, "cleän.sh"
		b.ask(a, shop())
		b.clock.Pass(time.Second)
		place := name + " " + arrow + " /home/me/bin/clean.sh"
		require.Contains(t, b.picture(), "only blanks differ: "+place)
		b.press("y")
		b.clock.Pass(time.Second)
		b.press("enter")
		require.Contains(t, b.picture(), "Confirm")
		require.Contains(t, b.picture(), place)
	}
}

// approveOwn returns roomtest.ApproveTest from an agent that offers to make a rule of its own for the same command.
func approveOwn() queue.Ask {
	a := roomtest.ApproveTest()
	a.Questions[0].Options = []queue.Option{roomtest.AllowOnce, {ID: "session-1",
		Label:       "Allow for this session: Bash(npm test)",
		Description: "claude will not ask again for Bash(npm test) until this session ends.", Act: queue.ActSession,
		Exact: true}, roomtest.Refuse}
	return a
}

// approveAddress asks to fetch an address that has an invisible character.
func approveAddress() queue.Ask {
	return roomtest.Approval("Allow WebFetch: https://docs.examp\u200ble.com/releases/2.4?token=4f1c#flags",
		"The release notes say how the flag is called now.",
		queue.Approval{Tool: "WebFetch", Dir: "/home/me/src/shop", Marks: []string{queue.MarkNetwork},
			Parts: []queue.Part{{Kind: queue.PartAddress, Label: "docs.examp\u200ble.com",
				Text: "https://docs.examp\u200ble.com/releases/2.4?token=4f1c#flags"}}},
		roomtest.AllowOnce, roomtest.Refuse)
}

// approvePlan asks for the approval of a plan.
func approvePlan() queue.Ask {
	return roomtest.Approval("Plan: Rate limits", "",
		queue.Approval{Tool: "ExitPlanMode", Dir: "/home/me/src/shop", Parts: []queue.Part{{Kind: queue.PartPlan,
			Text: "# Rate limits\n\n1. Count requests by client in **Redis**, one key a minute.\n2. Refuse with `429` and " +
				"`Retry-After`.\n3. Roll out to 10 % on Monday.\n\n## What is left out\n\nThe old app polls every 5 s; " +
				"it gets a limit of its own."}}},
		queue.Option{ID: "once", Label: "Go ahead", Act: queue.ActOnce},
		queue.Option{ID: "session-1", Label: "Go ahead, and edit without asking", Act: queue.ActSession,
			Description: "claude will edit files without asking until this session ends."},
		queue.Option{ID: "refuse", Label: "Keep planning", Act: queue.ActRefuse})
}

// approvePermissions asks for three permissions, each of which may be allowed or not.
func approvePermissions() queue.Ask {
	a := roomtest.Approval("codex wants 3 more permissions", "The build fetches its modules.",
		queue.Approval{Tool: "permissions", Dir: "/home/me/src/shop",
			Marks: []string{queue.MarkOutside, queue.MarkNetwork}, Parts: []queue.Part{{Kind: queue.PartText,
				Text: "Use the network\nRead /srv/modules\nWrite /srv/cache"}}},
		queue.Option{ID: "network", Label: "Use the network"}, queue.Option{ID: "read-1", Label: "Read /srv/modules"},
		queue.Option{ID: "write-1", Label: "Write /srv/cache"},
		queue.Option{ID: "turn", Label: "Allow for this turn", Act: queue.ActOnce},
		queue.Option{ID: "session", Label: "Allow for this session", Act: queue.ActSession}, roomtest.Refuse)
	q := &a.Questions[0]
	q.Text, q.Mode, q.Max = "Which of these do you allow, and for how long?", queue.ModeMulti, 4
	return a
}
