package screen

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

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
	require.Equal(t, "Not yet: press Enter again", b.footer())
}

func TestTheAreaIsReachedWithTabAndTakesTheSameKeys(t *testing.T) {
	b := newBenchOnFile(t, 120, 40, "")
	s := b.ask(database(), shop())
	b.ask(small("Deploy?", 900), infra())
	b.calm()
	b.picture()
	b.press("tab", "tab")
	require.Equal(t, areaSettings, b.frame.ground.area)
	b.press("right", "j", "enter")
	b.room().Field().SetText("42")
	require.Contains(t, b.picture(), "time limit: 42")
	b.press("enter")
	require.JSONEq(t, `{"transport": "terminal", "timeout_seconds": 42}`, b.fileText())
	require.Contains(t, b.picture(), "─ saved ─")
	require.True(t, b.get(s.ID).Pending(), "Enter there sends nothing")
	b.press("tab")
	require.Equal(t, areaQuestion, b.frame.ground.area)
	b.press("backtab")
	require.Equal(t, areaSettings, b.frame.ground.area)
	b.press("esc", "enter")
	require.False(t, b.get(s.ID).Pending())
}

func TestTheCardStaysAsLongAsItHidesNoQuestion(t *testing.T) {
	b := newBench(t, 100, 24)
	b.ask(database(), shop())
	for n := range 40 {
		pic := b.picture()
		if n < 16 { // the rows beside the settings, their rule and the footer
			for _, words := range []string{"─ settings · s more ─", "  transport ", "  time limit ",
				"  placeholders ", "  notes and comments "} {
				require.Contains(t, pic, words, n)
			}
		}
		if strings.Contains(pic, "settings · s more") {
			require.NotContains(t, pic, "▼", "every question has its row")
		}
		b.ask(small(fmt.Sprintf("Question %d?", n), 900), infra())
	}
	require.NotContains(t, b.picture(), "settings · s more")
}

func TestInALowPaneTheCardGivesWayToTheQueue(t *testing.T) {
	b := newBench(t, 100, 20)
	b.ask(database(), shop())
	require.Contains(t, b.picture(), "─ settings · s more ─")
	for range 20 {
		b.ask(small("Another?", 900), infra())
	}
	require.NotContains(t, b.picture(), "settings · s")
	b.press("tab")
	require.Equal(t, areaList, b.frame.ground.area)
	b.press("tab")
	require.Equal(t, areaQuestion, b.frame.ground.area, "what is not on screen takes no focus")
}

func TestEnterBoundToAnotherKeyIsNamedSo(t *testing.T) {
	b := newBenchOnFile(t, 80, 24, `{"keys": {"enter": "ctrl+o"}}`)
	b.ask(database(), shop())
	require.Equal(t, "^O Send PostgreSQL", b.footer())
}

func TestABrokenSettingsFileIsSaidOutsideTheSettingsToo(t *testing.T) {
	b := newBenchOnFile(t, 80, 24, `{"timeout_seconds": 120}`)
	b.rewrite("{\n  \"timeout_seconds\": 60,\n}")
	require.Contains(t, b.picture(), "! settings: line 3, column 1: unexpected")
}

func TestAnnotationsThatAreOffTakeNoPasteAndNoKeyAfterARestartToo(t *testing.T) {
	b := newBenchOnFile(t, 80, 24, "")
	b.ask(database(), shop())
	b.press("s")
	b.to("annotations_enabled")
	b.press("right", "esc")
	again := newBenchOnFile(t, 80, 24, b.fileText())
	s := again.ask(database(), shop())
	for _, each := range []*bench{b, again} {
		each.calm()
		require.Equal(t, "pasting needs a text field: press t first", each.keyboard.pasteWords())
		each.press("n")
		require.Equal(t, form.FieldNone, each.form().Typing())
	}
	again.calm()
	require.Equal(t, "n was ignored (notes are off in the settings: s)", again.footer())
	again.press("enter")
	again.calm()
	require.Equal(t, "⏎ Send PostgreSQL  n was ignored", again.footer())
	again.press("enter")
	require.Equal(t, queue.StatusSelected, again.get(s.ID).Status())
}

func TestPasteAndQuitNameReboundKeys(t *testing.T) {
	b := newBenchOnFile(t, 80, 24, `{"keys": {"text": "l", "note": "N", "comment": "", "quit": "Q"}}`)
	b.ask(database(), shop())
	b.calm()
	b.Paste("text")
	require.Equal(t, "pasting needs a text field: press l or N first", b.said())
	b.clock.Pass(time.Second)
	b.press("Q")
	require.Equal(t, "press Q again to quit; 1 question stays in the queue", b.said())
	b.press("n")
	require.Equal(t, "n was note, now N: your own keys", b.said())
	b.press("a")
	require.Equal(t, "a is unbound: comment has no key in the settings", b.said())
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
		b.clock.Pass(48 * time.Second)
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
		require.NotEmpty(t, b.rowWith(words), b.picture())
		require.Contains(t, b.picture(), "─ 2 waiting ")
		b.rewrite(`{}`)
		require.NotContains(t, b.picture(), "! ")
	}
	b := newBenchWith(t, 80, 24, func(o *Options) { o.Attach = "k7f3m2qx" })
	b.settings.S.Transport = config.TransportTerminal
	b.newSettings()
	require.NotContains(t, b.picture(), "do not wait here", "this form is where it waits")
}

func TestFilesSetAsideAreSaidBesideWhatIsSaidOfATerminal(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		b := newBenchWith(t, size[0], size[1], func(o *Options) { o.Aside = 2 })
		b.settings.S.Transport = config.TransportTerminal
		b.newSettings()
		b.ask(database(), shop())
		require.NotEmpty(t, b.rowWith("! agents do not wait here", "! 2 unreadable files"), b.picture())
	}
}

func TestScreenSettingsArea(t *testing.T) {
	for _, size := range [][2]int{{100, 30}, {120, 40}, {200, 60}} {
		b := newBench(t, size[0], size[1])
		five(b)
		b.clock.Pass(time.Second)
		b.picture()
		b.press("backtab", "j", "right")
		b.golden("settings-area-" + fmt.Sprintf("%dx%d", size[0], size[1]))
	}
}

func TestWhileQuestionsOpenInTheBrowserTheScreenSaysSo(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
		b := newBenchWith(t, size[0], size[1], func(o *Options) { o.Aside = 2 })
		b.settings.S.Transport = config.TransportWeb
		b.newSettings()
		flat := strings.Join(strings.Fields(strings.ReplaceAll(b.picture(), "│", "")), " ")
		require.Contains(t, flat, "! questions open in your browser (s) · ! 2 files of the queue could not be read; "+
			"choicetui doctor says where")
		b.ask(database(), shop())
		words := "questions open in your browser (s)"
		if size[0] == 40 {
			words = "in your browser"
		}
		require.NotEmpty(t, b.rowWith(words), b.picture())
		if size[0] > 40 {
			require.NotEmpty(t, b.rowWith(words, " · ! 2 unreadable files"), b.picture())
		}
		b.settings.S.Transport = config.TransportAuto
		b.newSettings()
		require.NotContains(t, b.picture(), "browser")
		require.NotEmpty(t, b.rowWith("! 2 ", "file"), b.picture())
	}
}

func TestABadKeyIsSaidInTheSettingsUntilItIsMendedAndTheGoodOnesStay(t *testing.T) {
	b := newBenchOnFile(t, 80, 24, `{"keys": {"nosuch": "z", "note": "N", "cancel": ""}}`)
	b.ask(database(), shop())
	b.press("s")
	for range 3 {
		b.press("down")
		require.Contains(t, b.picture(), "! line 1, column 49: keys.cancel is empty", b.picture())
		require.Contains(t, strings.ReplaceAll(b.picture(), "\n", " "), "keys.nosuch is not an action")
	}
	b.press("esc")
	require.Equal(t, action.Note, b.Keys().Lookup(action.PlaceQuestion, "N").Name)
	require.Equal(t, action.Cancel, b.Keys().Lookup(action.PlaceQuestion, "x").Name)
	b.rewrite(`{"keys": {"note": "N"}}`)
	b.press("s")
	require.NotContains(t, b.picture(), "!")
}
