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

func TestWhatIsMarkedAsDangerousNeedsASecondKeyInTheSamePlace(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(roomtest.ApproveCommand(), shop())
	b.clock.Pass(time.Second)
	require.Equal(t, ink.Warn, b.styles("! Destructive · network")[0])
	b.press("y")
	require.Contains(t, b.footer(), "⏎ Allow once, then confirm")
	b.clock.Pass(time.Second)
	b.press("enter")
	require.Equal(t, action.PlaceConfirm, b.room().Place())
	require.Contains(t, b.footer(), "Press y again to allow “rm -rf ./dist && docker build")
	require.Contains(t, b.picture(), "rm -rf ./dist && docker build --no-cache -t", "the request is still there")
	b.clock.Pass(time.Second)
	b.press("enter")
	b.clock.Pass(time.Second)
	require.True(t, b.get(s.ID).Pending(), "Enter does nothing here")
	b.press("y")
	b.clock.Pass(time.Second)
	require.Equal(t, []string{"once"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
}

// redBench has a request with a red mark on screen that has been there for a while.
func redBench(t *testing.T) (*bench, queue.Session) {
	b := newBench(t, 80, 24)
	s := b.ask(roomtest.ApproveCommand(), shop())
	b.clock.Pass(time.Second)
	b.picture()
	return b, s
}

// types presses one key as a terminal sends it, and lets the time pass until the next one.
func (b *bench) types(key string, after time.Duration) {
	b.Key(event(key))
	b.idle(after)
}

// idle lets the time pass step by step, so that what waits acts when its time has come.
func (b *bench) idle(after time.Duration) {
	b.settle()
	for end := b.now().Add(after); b.now().Before(end); {
		b.clock.Pass(min(5*time.Millisecond, end.Sub(b.now())))
		b.keyboard.actLate(b.now())
		b.settle()
	}
}

func TestNoRhythmAndNoWordConfirmsARedMark(t *testing.T) {
	const ms = time.Millisecond
	for gap := 60 * ms; gap <= 500*ms; gap += 40 * ms {
		b, s := redBench(t)
		for _, key := range []string{"y", "enter", "y"} {
			b.types(key, gap)
		}
		b.idle(time.Second)
		require.True(t, b.get(s.ID).Pending(), "y ⏎ y, %v apart", gap)
	}
	for gap := 60 * ms; gap <= 500*ms; gap += 40 * ms {
		for _, keys := range []string{"y⏎y⏎y", "y⏎⏎y", "y⏎y⏎y⏎y"} {
			b, s := redBench(t)
			for _, key := range strings.Split(keys, "") {
				b.types(strings.ReplaceAll(key, "⏎", "enter"), gap)
			}
			b.idle(time.Second)
			require.True(t, b.get(s.ID).Pending(), "%s, %v apart", keys, gap)
		}
	}
	for _, first := range []time.Duration{250 * ms, 290 * ms} { // until a keyboard repeats a held key
		for _, next := range []time.Duration{33 * ms, 90 * ms} {
			for _, seen := range []time.Duration{0, 200 * ms, 700 * ms} {
				b, s := confirmingBench(t)
				b.idle(seen)
				b.types("y", first)
				for range 30 {
					b.types("y", next)
				}
				b.idle(time.Second)
				require.True(t, b.get(s.ID).Pending(), "y held %v after the sentence: %v, then %v", seen, first, next)
			}
		}
	}
	for _, text := range []string{"yes", "yy", "really", "try y", "my yes"} {
		for _, gap := range []time.Duration{20 * ms, 120 * ms, 250 * ms} {
			b, s := confirmingBench(t)
			b.idle(700 * ms)
			for _, key := range strings.Split(text, "") {
				b.types(strings.ReplaceAll(key, " ", "space"), gap)
			}
			b.types("enter", time.Second)
			require.True(t, b.get(s.ID).Pending(), "%q, %v a key", text, gap)
		}
	}
}

// confirmingBench asks for the second key on a request with a red mark.
func confirmingBench(t *testing.T) (*bench, queue.Session) {
	b, s := redBench(t)
	b.types("y", 400*time.Millisecond)
	b.types("enter", 0)
	require.Equal(t, action.PlaceConfirm, b.room().Place())
	return b, s
}

func TestWhatWasNotOnScreenIsNotConfirmed(t *testing.T) {
	b := newBench(t, 40, 12)
	s := b.ask(roomtest.ApproveCommand(), shop())
	b.clock.Pass(time.Second)
	b.types("y", time.Second)
	b.types("enter", time.Second)
	b.types("y", time.Second)
	require.True(t, b.get(s.ID).Pending())
	require.Contains(t, b.said(), "some of it was not on screen yet")
	for range 4 {
		b.types("pgdn", 100*time.Millisecond)
		b.picture()
	}
	b.idle(time.Second)
	b.types("y", time.Second)
	require.Equal(t, []string{"once"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestTheSecondYCountsHalfASecondAfterItsSentence(t *testing.T) {
	const ms = time.Millisecond
	for name, waits := range map[string][]time.Duration{ // before each y
		"seen": {600 * ms}, "too soon, then seen": {400 * ms, 700 * ms}, "too soon twice": {100 * ms, 250 * ms, 700 * ms},
	} {
		b, s := confirmingBench(t)
		for i, wait := range waits {
			b.idle(wait)
			if b.types("y", 130*ms); i < len(waits)-1 { // the second one may be the repeat of a held key
				require.Contains(t, b.said(), "y was ignored, press it again", name)
			}
		}
		require.True(t, b.get(s.ID).Pending(), "%s: it may be the beginning of a word", name)
		b.idle(500 * ms)
		require.Equal(t, []string{"once"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected, name)
	}
}

func TestOneKeyApprovesOnlyWhatItMay(t *testing.T) {
	const ms = time.Millisecond
	plan, long, red, warned := approvePlan(), roomtest.ApproveDiff(), roomtest.ApproveCommand(), roomtest.ApproveTest()
	warned.Confirm = true
	for name, c := range map[string]struct {
		ask  queue.Ask
		on   bool
		keys func(*bench)
		sent bool
	}{
		"a command":                         {roomtest.ApproveTest(), true, func(b *bench) { b.types("y", 310*ms) }, true},
		"the setting is off":                {roomtest.ApproveTest(), false, func(b *bench) { b.types("y", time.Second) }, false},
		"before its time":                   {roomtest.ApproveTest(), true, func(b *bench) { b.types("y", 290*ms) }, false},
		"Enter means now":                   {roomtest.ApproveTest(), true, func(b *bench) { b.types("y", 50*ms); b.types("enter", 0) }, true},
		"a plan":                            {plan, true, func(b *bench) { b.types("y", time.Second) }, false},
		"a red mark":                        {red, true, func(b *bench) { b.types("y", time.Second) }, false},
		"confirmed for another reason":      {warned, true, func(b *bench) { b.types("y", time.Second) }, false},
		"not all of it was on screen":       {long, true, func(b *bench) { b.types("y", time.Second) }, false},
		"a word":                            {roomtest.ApproveTest(), true, func(b *bench) { b.types("y", 100*ms); b.types("o", time.Second) }, false},
		"a word, and Enter":                 {roomtest.ApproveTest(), true, func(b *bench) { b.types("y", 9*ms); b.types("o", 9*ms); b.types("enter", time.Second) }, false},
		"the end of a word":                 {roomtest.ApproveTest(), true, func(b *bench) { b.types("m", 100*ms); b.types("y", time.Second) }, false},
		"another key than the one to allow": {roomtest.ApproveTest(), true, func(b *bench) { b.types("1", time.Second) }, false},
	} {
		b := newBench(t, 80, 24)
		b.settings.S.ApproveWithOneKey = c.on
		b.newSettings()
		s := b.ask(c.ask, shop())
		other := b.ask(roomtest.ApproveTest(), infra())
		b.clock.Pass(time.Second)
		require.Equal(t, name != "the setting is off" && c.ask.Title == roomtest.ApproveTest().Title && !c.ask.Confirm,
			strings.Contains(b.picture(), "y allow at once"), "%s: the footer says so", name)
		c.keys(b)
		require.Equal(t, c.sent, !b.get(s.ID).Pending(), name)
		b.types("enter", 100*ms)
		b.types("enter", time.Second)
		require.True(t, b.get(other.ID).Pending(), "%s: an Enter out of habit", name)
	}
}

func TestOneKeyApprovesNothingThatHasJustComeUp(t *testing.T) {
	b := newBench(t, 80, 24)
	b.settings.S.ApproveWithOneKey = true
	b.newSettings()
	s := b.ask(roomtest.ApproveTest(), shop())
	b.types("y", time.Second)
	require.True(t, b.get(s.ID).Pending(), "it had not been on screen for half a second")
	b.types("esc", time.Second)
	b.types("y", 100*time.Millisecond)
	b.ask(roomtest.ApproveTest(), infra())
	b.press("J")
	b.idle(time.Second)
	require.Len(t, b.sessions(), 2)
	for _, s := range b.sessions() {
		require.True(t, s.Pending(), "the letter was for another request")
	}
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
		require.Contains(t, b.footer(), "Press y again to allow")
		require.Contains(t, b.picture(), place)
	}
}

// approveOwn returns roomtest.ApproveTest from an agent that offers to make a rule of its own for the same command.
func approveOwn() queue.Ask {
	a := roomtest.ApproveTest()
	a.Questions[0].Options = []queue.Option{roomtest.AllowOnce, {ID: "session-1",
		Label: "Allow exactly this command, until this session ends", Act: queue.ActSession, Exact: true}, roomtest.Refuse}
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
		queue.Option{ID: "session", Label: "Allow until this session ends", Act: queue.ActSession}, roomtest.Refuse)
	q := &a.Questions[0]
	q.Text, q.Mode, q.Max = "Which of these do you allow, and for how long?", queue.ModeMulti, 4
	return a
}
