package screen

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

func TestLettersTypedIntoAValueAreNoCommands(t *testing.T) {
	b := newBenchOnFile(t, 80, 24, "")
	b.press("s")
	b.calm()
	b.press("enter")
	b.room().Field().SetText("")
	b.write("terminal")
	b.Paste("\n")
	b.press("enter")
	require.JSONEq(t, `{"transport": "terminal"}`, b.fileText())
}

func TestABrokenFileIsSaidAndNotTouched(t *testing.T) {
	b := newBenchOnFile(t, 80, 24, `{"timeout_seconds": 120}`)
	broken := "{\n  \"timeout_seconds\": 60,\n}"
	b.rewrite(broken)
	require.Contains(t, b.picture(), "! settings: line 3, column 1: unexpected", "also outside the settings")
	b.press("s")
	require.Contains(t, b.picture(), "! line 3, column 1: unexpected")
	require.Equal(t, "the file is broken: e edits it", b.foot())
	b.to("timeout_seconds")
	require.Contains(t, b.row("time limit"), "‹ 120 ›", "the last good settings stay in force")
	for _, key := range []string{"right", "left", "enter"} {
		b.press(key)
		require.Contains(t, b.said(), "not changed: line 3, column 1")
		require.Nil(t, b.room().Field())
	}
	require.Equal(t, broken, b.fileText())
}

func TestHiddenOptionsAreListedAndBroughtBack(t *testing.T) {
	b := newBenchOnFile(t, 80, 24, "")
	s := b.ask(database(), shop())
	b.calm()
	b.press("j", "V")
	b.calm()
	b.press("enter", "s")
	b.to("hidden_options")
	require.Contains(t, b.row("hidden options"), "1 · ⏎ shows them")
	b.press("enter")
	require.Contains(t, b.picture(), "▸ SQLite (lite)")
	require.Contains(t, b.picture(), "claude-code")
	require.Equal(t, "⏎ show it again in future questions", b.foot())
	b.press("enter")
	require.Contains(t, b.picture(), "no option is hidden")
	require.Empty(t, b.seat.FormOf(s.ID).Rules().Hidden)
	b.press("u", "esc")
	require.Len(t, b.desk.Settings().HiddenOptions, 1)
	require.Contains(t, b.row("hidden options"), "1 · ⏎ shows them")
	require.Equal(t, form.Hidden{"q1": {"lite": true}}, b.seat.FormOf(s.ID).Rules().Hidden)
}

func TestTheSettingsKeepTheScreenWhenAQuestionArrives(t *testing.T) {
	b := newBench(t, 50, 20)
	b.press("s", "down")
	b.ask(database(), shop())
	require.Contains(t, lines(b.picture())[0], "─ settings ")
	require.Contains(t, lines(b.picture())[0], "1 waiting 5:00")
	b.press("?")
	require.Contains(t, lines(b.picture())[0], "─ keys ")
	b.press("esc")
	require.Contains(t, lines(b.picture())[0], "─ settings ", "help gives back what it was opened from")
	b.press("esc", "enter")
	require.Equal(t, "Not yet: press Enter again", b.foot())
}

func TestTheAreaIsReachedWithTabAndTakesTheSameKeys(t *testing.T) {
	b := newBenchOnFile(t, 120, 40, "")
	s := b.ask(database(), shop())
	b.ask(small("Deploy?", 900), infra())
	b.calm()
	b.picture()
	b.press("tab", "tab")
	require.Equal(t, areaSettings, b.frame.waiting.area)
	b.press("right", "j", "enter")
	b.room().Field().SetText("42")
	require.Contains(t, b.picture(), "time limit: 42")
	b.press("enter")
	require.JSONEq(t, `{"transport": "terminal", "timeout_seconds": 42}`, b.fileText())
	require.Contains(t, b.picture(), "saved · was 300")
	require.True(t, b.get(s.ID).Pending(), "Enter there sends nothing")
	b.press("tab")
	require.Equal(t, areaQuestion, b.frame.waiting.area)
	b.press("backtab")
	require.Equal(t, areaSettings, b.frame.waiting.area)
	b.press("esc", "enter")
	require.False(t, b.get(s.ID).Pending())
}

func TestTheCardStaysHoweverManyWaitFrom24RowsOn(t *testing.T) {
	b := newBench(t, 100, 24)
	b.ask(database(), shop())
	for n := range 40 {
		pic := b.picture()
		for _, words := range []string{"─ settings · s all ─", "  transport ", "  time limit ", "  show placeholders ",
			"  notes and comments "} {
			require.Contains(t, pic, words, n)
		}
		b.ask(small(fmt.Sprintf("Question %d?", n), 900), infra())
	}
}

func TestInALowPaneTheCardGivesWayToTheQueue(t *testing.T) {
	b := newBench(t, 100, 20)
	b.ask(database(), shop())
	require.Contains(t, b.picture(), "─ settings · s all ─")
	for range 20 {
		b.ask(small("Another?", 900), infra())
	}
	require.NotContains(t, b.picture(), "settings · s")
	b.press("tab")
	require.Equal(t, areaList, b.frame.waiting.area)
	b.press("tab")
	require.Equal(t, areaQuestion, b.frame.waiting.area, "what is not on screen takes no focus")
}

func TestAnnotationsOffOffersNoneAnywhereUntilOnAgain(t *testing.T) {
	b := newBenchOnFile(t, 80, 24, "")
	s := b.ask(database(), shop())
	b.calm()
	require.Contains(t, b.picture(), "n note  a comment")
	b.press("s")
	b.to("annotations_enabled")
	b.press("right", "esc")
	require.NotContains(t, b.picture(), "n note")
	require.NotContains(t, b.picture(), "a comment")
	for _, key := range []string{"n", "a"} {
		b.press(key)
		require.Equal(t, form.FieldNone, b.form().Typing())
		require.Contains(t, b.said(), "off in the settings: s")
	}
	require.Equal(t, "paste goes into text: press t first", router{b.Screen}.pasteWords())

	again := newBenchOnFile(t, 80, 24, b.fileText()) // a restart
	again.ask(database(), shop())
	again.calm()
	again.press("n")
	require.Equal(t, form.FieldNone, again.form().Typing())
	again.press("s")
	again.to("annotations_enabled")
	again.press("right", "esc", "n")
	require.Equal(t, form.FieldNote, again.form().Typing(), "until it is on again")

	b.calm()
	require.Equal(t, "Not yet: n not taken: notes are off in the settings: s", b.foot())
	b.press("enter")
	b.calm()
	require.Equal(t, "⏎ send PostgreSQL · n not taken", b.foot())
	b.press("enter")
	require.Equal(t, queue.StatusSelected, b.get(s.ID).Status())
}

func TestWordsOnScreenNameReboundKeys(t *testing.T) {
	b := newBenchOnFile(t, 80, 24, `{"keys": {"text": "l", "note": "N", "comment": "", "cancel": "X", "undo_last": "f2",
		"quit": "Q", "back": "f9", "less_time": "_"}}`)
	b.ask(database(), shop())
	b.calm()
	b.Paste("text")
	require.Equal(t, "paste goes into text: press l or N first", b.said())
	b.clock.pass(time.Second)
	b.press("V")
	b.calm()
	b.press("enter")
	require.Equal(t, "hidden in all future questions: F2 takes it back", b.said())
	b.press("Q")
	require.Equal(t, "Q again quits; 1 question stays in the queue", b.said())
	b.press("X")
	require.Contains(t, b.picture(), "X cancel · reason")
	require.Contains(t, b.picture(), "F9 back")
	b.Key(tcell.NewEventKey(tcell.KeyF9, 0, tcell.ModNone))
	b.press("n")
	require.Equal(t, "n was note, now N: your own keys", b.said())
	b.press("a")
	require.Equal(t, "a is unbound: comment has no key in the settings", b.said())
	require.NotContains(t, b.picture(), "  comment")
	b.clock.pass(4 * time.Minute)
	b.press("_")
	require.Equal(t, "_ never goes under 1:00", b.said())
}

func TestEnterBoundToAnotherKeyIsNamedSo(t *testing.T) {
	b := newBenchOnFile(t, 80, 24, `{"keys": {"enter": "ctrl+o"}}`)
	b.ask(database(), shop())
	require.Equal(t, "^O send PostgreSQL", b.foot())
}

// atSizesOnFile is atSizes with a settings file.
func atSizesOnFile(t *testing.T, name, text string, set func(b *bench)) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			b := newBenchOnFile(t, size[0], size[1], text)
			set(b)
			b.golden(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]))
		})
	}
}

func TestScreenSettings(t *testing.T) {
	hidden := `[{"client": "a", "id": "b", "label": "c"}, {"client": "a", "id": "d", "label": "e"}]`
	file := "{\n  \"timeout_seconds\": 120,\n  \"hidden_options\": " + hidden + "\n}\n"
	atSizesOnFile(t, "settings", file, func(b *bench) {
		b.ask(database(), shop())
		b.clock.pass(48 * time.Second)
		b.press("s", "j")
		b.calm()
		b.press("right", "right", "right")
		b.press("left", "enter")
		b.room().Field().SetText("300")
		b.press("enter")
	})
}

func TestScreenSettingsBroken(t *testing.T) {
	atSizesOnFile(t, "settings-broken", "{\n  \"theme\": \"dark\",\n}\n", func(b *bench) { b.press("s") })
}

func TestWhileAgentsDoNotWaitHereTheScreenSaysSo(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
		b := newBenchOnFile(t, size[0], size[1], `{"transport": "terminal"}`)
		require.Contains(t, strings.Join(strings.Fields(b.picture()), " "), "! agents do not wait here: transport is terminal")
		b.ask(database(), shop())
		b.ask(small("Deploy?", 300), infra())
		words := "! agents do not wait here"
		if size[0] == 40 {
			words = "! transport"
		}
		require.NotEmpty(t, b.rowWith("2 waiting", words), b.picture())
		b.rewrite(`{}`)
		require.NotContains(t, b.picture(), "! ")
	}
	b := newBenchWith(t, 80, 24, func(o *Options) { o.Attach = "k7f3m2qx" })
	b.settings.s.Transport = config.TransportTerminal
	b.newSettings()
	require.NotContains(t, b.picture(), "do not wait here", "this form is where it waits")
}

func TestFilesSetAsideAreSaidBesideWhatIsSaidOfATerminal(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		b := newBenchWith(t, size[0], size[1], func(o *Options) { o.Aside = 2 })
		b.settings.s.Transport = config.TransportTerminal
		b.newSettings()
		b.ask(database(), shop())
		require.NotEmpty(t, b.rowWith("1 waiting", "! agents do not wait here", "! 2 unreadable files"), b.picture())
	}
}

func TestScreenSettingsArea(t *testing.T) {
	for _, size := range [][2]int{{100, 30}, {120, 40}, {200, 60}} {
		b := newBench(t, size[0], size[1])
		five(b)
		b.clock.pass(time.Second)
		b.picture()
		b.press("backtab", "j", "right")
		b.golden("settings-area-" + fmt.Sprintf("%dx%d", size[0], size[1]))
	}
}

func TestWhileQuestionsOpenInTheBrowserTheScreenSaysSo(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
		b := newBenchWith(t, size[0], size[1], func(o *Options) { o.Aside = 2 })
		b.settings.s.Transport = config.TransportWeb
		b.newSettings()
		flat := strings.Join(strings.Fields(strings.ReplaceAll(b.picture(), "│", "")), " ")
		require.Contains(t, flat, "! questions open in your browser: s · ! 2 files of the queue could not be read: "+
			"choicetui doctor says where")
		b.ask(database(), shop())
		words := "questions open in your browser: s"
		if size[0] == 40 {
			words = "in your browser"
		}
		require.NotEmpty(t, b.rowWith("1 waiting", words), b.picture())
		if size[0] > 40 {
			require.NotEmpty(t, b.rowWith(words, " · ! 2 unreadable files"), b.picture())
		}
		b.settings.s.Transport = config.TransportAuto
		b.newSettings()
		require.NotContains(t, b.picture(), "browser")
		require.NotEmpty(t, b.rowWith("! 2 ", "file"), b.picture())
	}
}
