package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/queue"
)

// onFile puts the bench on a real settings file that holds text.
func (b *bench) onFile(text string) *config.File {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "choicetui", "config.json")
	if text != "" {
		require.NoError(b.t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(b.t, os.WriteFile(path, []byte(text), 0o600))
	}
	file := config.Open(path)
	b.o.Settings = file
	b.newSettings()
	return file
}

func (b *bench) fileText() string {
	b.t.Helper()
	text, err := os.ReadFile(b.o.Settings.Path())
	require.NoError(b.t, err)
	return string(text)
}

// row is the screen's line of a setting.
func (b *bench) row(label string) string {
	for l := range strings.SplitSeq(b.picture(), "\n") {
		if strings.Contains(l, "  "+label+" ") || strings.Contains(l, "▸ "+label+" ") {
			return strings.TrimRight(l, " ")
		}
	}
	return ""
}

// to moves the cursor of the settings to a setting.
func (b *bench) to(key string) {
	b.t.Helper()
	b.press("g")
	for config.Table[b.set.cursor].Key != key {
		at := b.set.cursor
		b.press("down")
		require.Greater(b.t, b.set.cursor, at, key)
	}
}

func TestASettingIsChangedByKeysAndSavedAtOnce(t *testing.T) {
	b := newBench(t, 50, 20)
	b.onFile(`{"timeout_seconds": 120, "mine": 1}`)
	b.press("s")
	b.to("timeout_seconds")
	b.press("right")
	require.Contains(t, b.row("timeout seconds"), "3 min ‹ 180 ›")
	require.JSONEq(t, `{"timeout_seconds": 180, "mine": 1}`, b.fileText())
	require.Contains(t, b.picture(), "saved · was 120 · u undo ─")
	b.press("space", "left")
	require.Contains(t, b.row("timeout seconds"), "‹ 180 ›")
	b.press("u", "u")
	require.Contains(t, b.row("timeout seconds"), "‹ 180 ›")
	b.press("u")
	require.Contains(t, b.row("timeout seconds"), "2 min ‹ 120 ›")
	require.JSONEq(t, `{"timeout_seconds": 120, "mine": 1}`, b.fileText())
	b.press("u")
	require.Equal(t, "nothing was changed here yet", b.foot())
}

func TestAnExactValueIsTypedAndAWrongOneStaysInTheField(t *testing.T) {
	b := newBench(t, 80, 24)
	b.onFile("")
	b.press("s")
	b.to("timeout_seconds")
	require.Equal(t, "←→ change  ⏎ type a value", b.foot())
	b.press("enter")
	b.write("x")
	require.Contains(t, b.picture(), "timeout seconds: 300x")
	b.press("enter")
	require.Equal(t, `timeout_seconds is "300x"; it must be 1 s to 24 h: 300, 90m, 2h`, b.foot())
	require.Contains(t, b.picture(), "timeout seconds: 300x", "what was typed stays")
	b.set.field.SetText("217")
	b.press("enter")
	require.JSONEq(t, `{"timeout_seconds": 217}`, b.fileText())
	is, err := os.Stat(b.o.Settings.Path())
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), is.Mode())
	b.press("enter")
	b.write("99")
	b.press("esc")
	require.Contains(t, b.row("timeout seconds"), "‹ 217 ›", "Esc leaves it as it is")
	b.press("esc")
	require.Nil(t, b.page)
}

func TestLettersTypedIntoAValueAreNoCommands(t *testing.T) {
	b := newBench(t, 80, 24)
	b.onFile("")
	b.press("s", "enter")
	b.set.field.SetText("")
	b.write("terminal")
	b.Paste("\n")
	b.press("enter")
	require.JSONEq(t, `{"transport": "terminal"}`, b.fileText())
}

func TestEverySettingIsARowWithItsNameAndExplanation(t *testing.T) {
	b := newBench(t, 200, 60)
	b.onFile("")
	b.press("s")
	for _, s := range config.Table {
		require.NotEmpty(t, b.row(s.Label), s.Key)
		require.NotEmpty(t, s.Help)
	}
	b.to("notify.warn_seconds")
	require.Contains(t, b.picture(), "This long before the deadline you are told again. 0 s (not) to 24 h.\nThe default, 10")
}

func TestTheRowSaysWhereItsValueComesFrom(t *testing.T) {
	b := newBench(t, 80, 24)
	b.onFile("{\n  \"theme\": \"auto\",\n  \"timeout_seconds\": 7\n}\n")
	b.press("s")
	b.to("timeout_seconds")
	require.Contains(t, b.picture(), "From line 3 of config.json · default 300")
}

func TestAChangeMadeElsewhereShowsInTheOpenPane(t *testing.T) {
	b := newBench(t, 80, 24)
	file := b.onFile("")
	b.press("s")
	require.NoError(t, os.MkdirAll(filepath.Dir(file.Path()), 0o700))
	require.NoError(t, os.WriteFile(file.Path(), []byte(`{"transport": "web"}`), 0o600))
	file.Reload()
	b.newSettings()
	require.Contains(t, b.row("transport"), "‹ web ›")
}

func TestABrokenFileIsSaidAndNotTouched(t *testing.T) {
	b := newBench(t, 80, 24)
	file := b.onFile(`{"timeout_seconds": 120}`)
	broken := "{\n  \"timeout_seconds\": 60,\n}"
	require.NoError(t, os.WriteFile(file.Path(), []byte(broken), 0o600))
	file.Reload()
	b.newSettings()
	require.Contains(t, b.picture(), "! settings: line 3, column 1: this is not valid JSON", "also outside the settings")
	b.press("s")
	require.Contains(t, b.picture(), "! line 3, column 1: this is not valid JSON")
	require.Equal(t, "the file is broken: e edits it", b.foot())
	b.to("timeout_seconds")
	require.Contains(t, b.row("timeout seconds"), "‹ 120 ›", "the last good settings stay in force")
	for _, key := range []string{"right", "space", "enter"} {
		b.press(key)
		require.Contains(t, b.foot(), "not changed: line 3, column 1")
		require.Nil(t, b.set.field)
	}
	require.Equal(t, broken, b.fileText())
}

func TestAWrongValueInTheFileIsSaidAndTheRestCanBeChanged(t *testing.T) {
	b := newBench(t, 80, 24)
	b.onFile("{\n  \"transport\": \"post\"\n}")
	b.press("s")
	require.Contains(t, b.picture(), `! line 2, column 16: transport is "post"; it must be one of auto`)
	b.press("right")
	require.JSONEq(t, `{"transport": "terminal"}`, b.fileText())
	require.NotContains(t, b.picture(), "!")
}

// refusing settings cannot be saved.
type refusing struct{ *fixedSettings }

func (refusing) Update(func(*config.Settings)) error { return errors.New("no space left on device") }

func TestAChangeThatCannotBeSavedGoesBack(t *testing.T) {
	b := newBench(t, 80, 24)
	b.o.Settings = refusing{b.settings}
	b.press("s", "right")
	require.Equal(t, "not saved: no space left on device", b.foot())
	require.Contains(t, b.row("transport"), "‹ auto ›")
	b.press("u")
	require.Equal(t, "nothing was changed here yet", b.foot())
}

func TestHiddenOptionsAreListedAndBroughtBack(t *testing.T) {
	b := newBench(t, 80, 24)
	b.onFile("")
	s := b.ask(database(), shop())
	b.calm()
	b.press("j", "V", "s")
	b.to("hidden_options")
	require.Contains(t, b.row("hidden options"), "1 · ⏎ shows them")
	b.press("enter")
	require.Contains(t, b.picture(), "▸ SQLite (lite)")
	require.Contains(t, b.picture(), "claude-code")
	require.Equal(t, "⏎ shows it again, from now on", b.foot())
	b.press("enter")
	require.Contains(t, b.picture(), "no option is hidden")
	require.Empty(t, b.forms[s.ID].Hidden)
	b.press("u", "esc")
	require.Len(t, b.Dashboard.settings.HiddenOptions, 1)
	require.Contains(t, b.row("hidden options"), "1 · ⏎ shows them")
	b.press("esc", "k", "k", "k")
	require.NotContains(t, b.picture(), "2 ○ SQLite")
}

func TestTheSettingsKeepTheScreenWhenAQuestionArrives(t *testing.T) {
	b := newBench(t, 50, 20)
	b.press("s", "down")
	b.ask(database(), shop())
	require.Contains(t, lines(b.picture())[0], "─ settings ")
	require.Contains(t, lines(b.picture())[0], "1 waits 5:00")
	b.press("?")
	require.Contains(t, lines(b.picture())[0], "─ keys ")
	b.press("esc")
	require.Contains(t, lines(b.picture())[0], "─ settings ", "help gives back what it was opened from")
	b.press("esc", "enter")
	require.Equal(t, "ignored ⏎: this had just appeared, press again", b.foot())
}

func TestTheAreaIsReachedWithTabAndTakesTheSameKeys(t *testing.T) {
	b := newBench(t, 120, 40)
	b.onFile("")
	s := b.ask(database(), shop())
	b.ask(small("Deploy?", 900), infra())
	b.calm()
	b.picture()
	b.press("tab", "tab")
	require.Equal(t, areaSettings, b.focus)
	b.press("right", "j", "enter")
	b.set.field.SetText("42")
	require.Contains(t, b.picture(), "timeout seconds: 42")
	b.press("enter")
	require.JSONEq(t, `{"transport": "terminal", "timeout_seconds": 42}`, b.fileText())
	require.Contains(t, b.picture(), "saved · was 300")
	require.True(t, b.get(s.ID).Pending(), "Enter there sends nothing")
	b.press("tab")
	require.Equal(t, areaQuestion, b.focus)
	b.press("backtab")
	require.Equal(t, areaSettings, b.focus)
	b.press("esc", "enter")
	require.False(t, b.get(s.ID).Pending())
}

func TestTheAreaGivesWayToTheQueue(t *testing.T) {
	b := newBench(t, 120, 40)
	b.ask(database(), shop())
	require.Contains(t, b.picture(), "─ settings · s ─")
	for range 14 {
		b.ask(small("Another?", 900), infra())
	}
	require.Contains(t, b.picture(), "hold while typing")
	require.NotContains(t, b.picture(), "annotations enabled", "it shrinks first")
	for range 4 {
		b.ask(small("Another?", 900), infra())
	}
	require.NotContains(t, b.picture(), "settings · s")
	b.press("tab")
	require.Equal(t, areaQueue, b.focus)
	b.press("tab")
	require.Equal(t, areaQuestion, b.focus, "what is not on screen takes no focus")
}

func TestAnnotationsOffOffersNoneAnywhereUntilOnAgain(t *testing.T) {
	b := newBench(t, 80, 24)
	file := b.onFile("")
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
		require.Equal(t, panes.FieldNone, b.form.Typing())
		require.Contains(t, b.foot(), "off in the settings: s")
	}
	require.Equal(t, "paste goes into text: press t first", b.pasteWords())

	again := newBench(t, 80, 24) // a restart
	again.o.Settings = config.Open(file.Path())
	again.newSettings()
	again.ask(database(), shop())
	again.calm()
	again.press("n")
	require.Equal(t, panes.FieldNone, again.form.Typing())
	again.press("s")
	again.to("annotations_enabled")
	again.press("right", "esc", "n")
	require.Equal(t, panes.FieldNote, again.form.Typing(), "until it is on again")

	b.calm()
	b.press("enter")
	require.Equal(t, queue.StatusSelected, b.get(s.ID).Status())
}

func TestANoteWrittenBeforeStaysBehindUnsentWhileAnnotationsAreOff(t *testing.T) {
	b := newBench(t, 80, 24)
	a := database()
	a.Questions[0].Options[1].Note, a.Comment = "the caller's", "from the caller"
	s := b.ask(a, shop())
	b.calm()
	b.press("n")
	b.write("mine")
	b.fixed().AnnotationsEnabled = false
	b.newSettings()
	require.Equal(t, panes.FieldNone, b.form.Typing(), "the field closes, its text is kept")
	require.Contains(t, b.foot(), "your notes stay, unsent: they are off")
	require.Equal(t, "mine", b.form.Draft().Answer.Replies[0].Notes["pg"])
	b.press("enter")
	got := b.get(s.ID).Outcome.Answer
	require.Equal(t, map[string]string{"lite": "the caller's"}, got.Replies[0].Notes)
	require.Equal(t, "from the caller", got.Comment)
}

func TestPlaceholdersOffHidesTheOneOfAQuestionAlreadyThere(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(one(queue.ModeHybrid, func(q *queue.Question) { q.Max, q.Placeholder = 1, "such as CockroachDB" }), shop())
	require.Contains(t, b.picture(), "such as CockroachDB")
	b.fixed().PlaceholderVisible = false
	b.newSettings()
	require.NotContains(t, b.picture(), "such as CockroachDB")
	require.Contains(t, b.picture(), "your own words")
}

func TestWordsOnScreenNameReboundKeys(t *testing.T) {
	b := newBench(t, 80, 24)
	b.onFile(`{"keys": {"text": "w", "note": "m", "comment": "", "cancel": "X", "show_hidden": "f2", "quit": "Q", "back": "f9", "less_time": "_"}}`)
	b.ask(database(), shop())
	b.calm()
	b.press("w")
	require.Equal(t, "this one takes its options only: X cancels it and tells why", b.foot())
	b.Paste("text")
	require.Equal(t, "paste goes into text: press w or m first", b.foot())
	b.clock.pass(time.Second)
	b.press("V")
	require.Equal(t, "hidden from now on: F2 shows it, V there brings it back", b.foot())
	b.press("Q")
	require.Equal(t, "Q again quits; 1 question stays in the queue", b.foot())
	b.press("X")
	require.Contains(t, b.picture(), "X cancel · why")
	require.Contains(t, b.picture(), "F9 keep the question")
	b.Key(tcell.NewEventKey(tcell.KeyF9, 0, tcell.ModNone))
	b.press("n")
	require.Equal(t, "n was note, now m: your own keys", b.foot())
	b.press("a")
	require.Equal(t, "a is unbound: comment has no key in the settings", b.foot())
	require.NotContains(t, b.picture(), "  comment")
	b.clock.pass(4 * time.Minute)
	b.press("_")
	require.Equal(t, "_ never goes under 1:00", b.foot())
}

func TestEnterBoundToAnotherKeyIsNamedSo(t *testing.T) {
	b := newBench(t, 80, 24)
	b.onFile(`{"keys": {"enter": "ctrl+o"}}`)
	b.ask(database(), shop())
	require.Equal(t, "^O send PostgreSQL", b.foot())
}

func TestScreenSettings(t *testing.T) {
	atSizes(t, "settings", func(b *bench) {
		b.onFile("{\n  \"timeout_seconds\": 120,\n  \"hidden_options\": [{\"client\": \"a\", \"id\": \"b\", \"label\": \"c\"}, {\"client\": \"a\", \"id\": \"d\", \"label\": \"e\"}]\n}\n")
		b.ask(database(), shop())
		b.clock.pass(48 * time.Second)
		b.press("s", "j", "right", "right", "right")
		b.press("left", "enter")
		b.set.field.SetText("300")
		b.press("enter")
	})
}

func TestScreenSettingsBroken(t *testing.T) {
	atSizes(t, "settings-broken", func(b *bench) {
		b.onFile("{\n  \"theme\": \"dark\",\n}\n")
		b.press("s")
	})
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
