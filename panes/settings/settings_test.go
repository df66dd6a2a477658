package settings

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

func TestASettingIsChangedByKeysAndSavedAtOnce(t *testing.T) {
	b := newBench(t, 50, 20, `{"timeout_seconds": 120, "mine": 1}`)
	b.to("timeout_seconds")
	b.press("right")
	require.Contains(t, b.line("time limit"), "‹ 3 min ›")
	require.JSONEq(t, `{"timeout_seconds": 180, "mine": 1}`, b.fileText())
	require.Contains(t, b.picture(), "saved · was 2 min · u undo ─")
	b.press("right", "left")
	require.Contains(t, b.line("time limit"), "‹ 3 min ›")
	b.press("u", "u")
	require.Contains(t, b.line("time limit"), "‹ 3 min ›")
	b.press("u")
	require.Contains(t, b.line("time limit"), "‹ 2 min ›")
	require.Contains(t, b.picture(), "undone · back to 2 min")
	require.JSONEq(t, `{"timeout_seconds": 120, "mine": 1}`, b.fileText())
	b.press("u")
	require.Equal(t, "nothing was changed here yet", b.said())
}

func TestASettingIsInForceBeforeItIsInTheFile(t *testing.T) {
	b := newBench(t, 80, 24, "")
	row, _ := b.Page.Table().Row(action.TabNext)
	row.Do(action.At{}, action.Arg{})
	require.Equal(t, config.TransportTerminal, b.Desk.Settings().Transport)
	require.NoFileExists(t, b.file.Path())
	require.NotContains(t, b.picture(), "saved")
	b.Calm()
	require.JSONEq(t, `{"transport": "terminal"}`, b.fileText())
	require.Contains(t, b.picture(), "saved · was auto")
	b.press("down")
	require.NotContains(t, b.picture(), "saved", "it is said of the row that was changed")
}

func TestAnExactValueIsTypedAndAWrongOneStaysInTheField(t *testing.T) {
	b := newBench(t, 80, 24, "")
	b.to("timeout_seconds")
	require.Equal(t, "←→ change  ⏎ type a value", b.said())
	b.press("enter")
	require.Equal(t, "⏎ save · allowed: 1 s to 24 h\nEsc leaves it as it is\n", roomtest.Footer(b.Page, b.w))
	b.Write(b.Page, "x")
	require.Contains(t, b.picture(), "time limit: x")
	b.press("enter")
	require.Equal(t, `time limit must be 1 s to 24 h, such as 300, 90m or 2h, not "x"`, b.said())
	require.Contains(t, b.picture(), "time limit: x", "what was typed stays")
	b.field.SetText("217")
	b.press("enter")
	require.JSONEq(t, `{"timeout_seconds": 217}`, b.fileText())
	is, err := os.Stat(b.file.Path())
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), is.Mode())
	b.press("enter")
	b.Write(b.Page, "99")
	b.press("esc")
	require.Contains(t, b.line("time limit"), "‹ 3:37 ›", "Esc leaves it as it is")
	require.False(t, b.Closed)
	b.press("esc")
	require.True(t, b.Closed)
}

func TestTheFirstCharacterTypedReplacesAValueAndAKeyThatMovesKeepsIt(t *testing.T) {
	b := newBench(t, 80, 24, "")
	b.to("timeout_seconds")
	b.press("enter")
	b.Write(b.Page, "10m")
	b.press("enter")
	require.JSONEq(t, `{"timeout_seconds": 600}`, b.fileText())
	b.press("enter")
	panes.Type(b.Page, tcell.NewEventKey(tcell.KeyRight, 0, tcell.ModNone))
	b.Write(b.Page, "0")
	require.Equal(t, "6000", b.field.Text())
}

func TestATimeBeyondTheRangeIsRefusedWithTheRange(t *testing.T) {
	b := newBench(t, 80, 24, "")
	b.to("timeout_seconds")
	b.press("enter")
	b.field.SetText("25h")
	b.press("enter")
	require.Equal(t, `time limit must be 1 s to 24 h, such as 300, 90m or 2h, not "25h"`, b.said())
	b.field.SetText("90m")
	b.press("enter")
	require.JSONEq(t, `{"timeout_seconds": 5400}`, b.fileText())
}

func TestTypingTheValueThatIsThereChangesNothing(t *testing.T) {
	b := newBench(t, 80, 24, "")
	b.to("timeout_seconds")
	b.press("enter", "enter")
	require.Contains(t, b.picture(), "─ unchanged ─")
	require.NoFileExists(t, b.file.Path())
	b.press("u")
	require.Equal(t, "nothing was changed here yet", b.said())
}

func TestLettersTypedIntoAValueAreNoCommands(t *testing.T) {
	b := newBench(t, 80, 24, "")
	b.press("enter")
	require.Equal(t, action.PlaceValue, b.Page.Place())
	require.Equal(t, b.Page.Field(), b.Area.Field())
	b.field.SetText("")
	b.Write(b.Page, "termin")
	panes.Paste(b.Page, "al\n")
	require.Equal(t, "terminal", b.field.Text()[:8])
	require.NotContains(t, b.field.Text(), "\n")
	b.press("enter")
	require.JSONEq(t, `{"transport": "terminal"}`, b.fileText())
}

func TestThePageHasTenSettingsAndMoreBehindAKey(t *testing.T) {
	b := newBench(t, 80, 24, "")
	first := 0
	for _, s := range config.Table {
		require.Equal(t, s.Group == config.GroupFirst, b.line(s.Label) != "", s.Key)
		if s.Group == config.GroupFirst {
			first++
		}
	}
	require.LessOrEqual(t, first, 10, "people read no more than this: a new one goes behind “more”")
	require.Equal(t, "transport", config.Table[0].Key)
	require.Contains(t, roomtest.Footer(b.Page, b.w), "e edit the file  h history  s more")
	b.press("s")
	for _, s := range config.Table {
		require.Equal(t, s.Group != "", b.line(s.Label) != "", s.Key)
	}
	require.Regexp(t, `\n more *\n +my own time limit`, b.picture())
	require.Contains(t, roomtest.Footer(b.Page, b.w), "e edit the file (15 more settings)  h history  s fewer")
	b.to("notify.warn_seconds")
	require.Contains(t, b.line("reminder"), "‹ 10 s before ›")
	require.Contains(t, b.picture(), "─ notify.warn_seconds · default ─")
	require.Contains(t, b.picture(), "How long before time runs out you are reminded. 0 s (off) to 24 h.")
	b.press("s")
	require.Empty(t, b.line("reminder"))
	require.Contains(t, b.line("transport"), "▸ transport", "the cursor is on a row that is shown")
}

func TestAllSettingsFitThePageOf24Rows(t *testing.T) {
	b := newBench(t, 80, 24, "")
	b.press("s")
	require.NotContains(t, b.picture(), "▼", "the page is full: a new setting has no Group, or takes the place of another")
	require.NotEmpty(t, b.line("ask the team"))
}

func TestAChoiceIsTypedByTheWordThatIsShown(t *testing.T) {
	b := newBench(t, 80, 24, `{"timeout_action": "defaults"}`)
	b.to("timeout_action")
	b.press("right")
	require.Contains(t, b.line("when time runs out"), "‹ no answer ›")
	b.press("enter")
	require.Equal(t, "no answer", b.field.Text())
	b.field.SetText("defaults")
	b.press("enter")
	require.JSONEq(t, `{"timeout_action": "defaults"}`, b.fileText())
	b.press("enter")
	b.field.SetText("no answer")
	b.press("enter")
	require.JSONEq(t, `{"timeout_action": "none"}`, b.fileText())
}

func TestTheRowSaysWhereItsValueComesFrom(t *testing.T) {
	b := newBench(t, 80, 24, "{\n  \"theme\": \"auto\",\n  \"timeout_seconds\": 7\n}\n")
	b.to("timeout_seconds")
	require.Contains(t, b.picture(), "timeout_seconds · line 3 of config.json · default 5 min")
}

func TestAChangeMadeElsewhereShowsInTheOpenPage(t *testing.T) {
	b := newBench(t, 80, 24, "")
	b.elsewhere(`{"transport": "terminal"}`)
	require.Contains(t, b.line("transport"), "‹ terminal ›")
	require.Contains(t, b.picture(), "transport · line 1 of config.json · default auto")
}

func TestABrokenFileIsSaidAndNotTouched(t *testing.T) {
	b := newBench(t, 80, 24, `{"timeout_seconds": 120}`)
	require.Nil(t, b.Trouble())
	broken := "{\n  \"timeout_seconds\": 60,\n}"
	b.elsewhere(broken)
	require.Contains(t, b.Trouble()[0], "settings: line 3, column 1: unexpected")
	require.Equal(t, []string{"settings file has an error: s shows it", "settings: s"}, b.Trouble()[1:])
	require.Contains(t, b.picture(), "! line 3, column 1: unexpected")
	require.Contains(t, b.Picture(b.Area), "! the file has a mistake")
	require.Equal(t, "the file is invalid: e to edit", b.said())
	b.to("timeout_seconds")
	require.Contains(t, b.line("time limit"), "‹ 2 min ›", "the last good settings stay in force")
	for _, key := range []string{"right", "left", "enter"} {
		b.press(key)
		require.Contains(t, b.said(), "not changed: line 3, column 1")
		require.Nil(t, b.Page.Field())
	}
	require.Equal(t, broken, b.fileText())
}

func TestAWrongValueInTheFileIsSaidAndTheRestCanBeChanged(t *testing.T) {
	b := newBench(t, 80, 24, "{\n  \"transport\": \"post\"\n}")
	require.Contains(t, b.picture(), `! line 2, column 16: transport must be one of auto, terminal, web, not "post"`)
	b.press("right")
	require.JSONEq(t, `{"transport": "terminal"}`, b.fileText())
	require.NotContains(t, b.picture(), "!")
}

func TestABadKeyIsSaidUntilItIsMended(t *testing.T) {
	b := newBench(t, 80, 24, "{\n  \"transport\": \"post\"\n}")
	b.KeysProblem("keys.nosuch is not an action")
	require.Contains(t, b.picture(), "keys.nosuch is not an action")
	require.Contains(t, b.Trouble()[0], "settings: line 2", "the file comes first")
	b.elsewhere("{}")
	require.Contains(t, b.picture(), "! keys.nosuch is not an action")
	require.Equal(t, "settings: keys.nosuch is not an action", b.Trouble()[0])
	b.KeysProblem("")
	require.NotContains(t, b.picture(), "!")
	require.Nil(t, b.Trouble())
}

// refusing cannot be written.
type refusing struct{ File }

func (refusing) Update(func(*config.Settings)) error { return errors.New("no space\nleft on device") }
func (refusing) Unset(string) error                  { return errors.New("no space left on device") }

func TestAChangeThatCannotBeSavedGoesBack(t *testing.T) {
	path := t.TempDir() + "/config.json"
	b := benchOn(t, 80, 24, refusing{config.Open(path)})
	b.press("right")
	require.Equal(t, "not saved: no space · left on device", b.said())
	require.Contains(t, b.line("transport"), "‹ auto ›")
	b.press("u")
	require.Equal(t, "nothing was changed here yet", b.said())
}

func TestAnUndoThatCannotBeSavedCanBeTriedAgain(t *testing.T) {
	b := newBench(t, 80, 24, "")
	b.press("right")
	good := b.file
	b.file = refusing{good}
	b.press("u")
	require.Equal(t, "not saved: no space left on device", b.said())
	require.Contains(t, b.line("transport"), "‹ terminal ›")
	b.file = good
	b.press("u")
	require.Contains(t, b.line("transport"), "‹ auto ›")
	require.JSONEq(t, "{}", b.fileText())
}

func TestUndoLeavesWhatWasNeverSetOutOfTheFile(t *testing.T) {
	b := newBench(t, 80, 24, "{\n  \"theme\": \"mono\"\n}\n")
	before := b.fileText()
	for _, key := range []string{"timeout_seconds", "notify.bell", "theme"} {
		b.to(key)
		b.press("right", "u")
		require.Equal(t, before, b.fileText(), key)
	}
}

func TestUndoGoesToTheRowThatItChanges(t *testing.T) {
	b := newBench(t, 80, 24, "")
	b.to("theme")
	b.press("right", "g", "u")
	require.Contains(t, b.line("theme"), "▸ theme")
	require.Contains(t, b.line("theme"), "‹ auto ›")
}

const oneHidden = `{"hidden_options": [{"client": "claude-code", "id": "lite", "label": "SQLite"}]}`

func TestHiddenOptionsAreListedAndBroughtBack(t *testing.T) {
	b := newBench(t, 80, 24, oneHidden)
	b.Ask(ask(), queue.Origin{Client: "claude-code"})
	require.NotEmpty(t, b.View().Form().Rules().Hidden)
	b.to("hidden_options")
	require.Contains(t, b.line("hidden options"), "1 · ⏎ shows them")
	require.Equal(t, "⏎ shows them", b.said())
	b.press("enter")
	require.Contains(t, b.picture(), "▸ SQLite (lite)")
	require.Contains(t, b.picture(), "claude-code")
	require.Equal(t, "⏎ show it again in future questions", b.said())
	require.NotContains(t, roomtest.Footer(b.Page, b.w), "edit")
	b.press("enter")
	require.Contains(t, b.picture(), "no option is hidden")
	require.Empty(t, b.View().Form().Rules().Hidden)
	b.press("enter", "right", "e")
	require.Empty(t, b.said(), "there is nothing that they would do")
	b.press("u", "esc")
	require.Len(t, b.Desk.Settings().HiddenOptions, 1)
	require.Contains(t, b.line("hidden options"), "1 · ⏎ shows them")
	require.JSONEq(t, oneHidden, b.fileText())
}

func TestTheAreaHasTheSettingsOfTheCardWhateverThePageShows(t *testing.T) {
	b := newBench(t, 60, 8, oneHidden)
	b.to("hidden_options")
	b.press("enter")
	require.Equal(t, "transport placeholder notes", b.areaLabels("transport", "hidden", "placeholder",
		"notes", "theme"))
	b.Press(b.Area, "g", "right")
	require.Contains(t, b.fileText(), `"transport": "terminal"`, "the key acts on the row that is shown")
	b.Press(b.Area, "G", "right")
	require.Contains(t, b.fileText(), `"annotations_enabled": false`)
	b.Press(b.Area, "j", "left")
	require.Contains(t, b.fileText(), `"annotations_enabled": true`, "there is no row below")
}

// areaLabels are those of these words that stand in the area.
func (b *bench) areaLabels(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool {
		return !strings.Contains(b.Picture(b.Area), w)
	}), " ")
}

func TestTheAreasTimeoutIsTheOneThatHoldsForAllWhereThatIsSet(t *testing.T) {
	b := newBench(t, 60, 8, `{"timeout_seconds": 120}`)
	b.Press(b.Area, "g", "j", "right")
	require.Contains(t, b.fileText(), `"timeout_seconds": 180`)
	require.NotContains(t, b.Picture(b.Area), "my own time limit")
	b.elsewhere(`{"timeout_seconds": 120, "timeout_override": 60}`)
	require.Contains(t, b.Picture(b.Area), "▸ my own time limit")
	require.NotContains(t, b.Picture(b.Area), "  time limit")
	b.Press(b.Area, "right")
	require.JSONEq(t, `{"timeout_seconds": 120, "timeout_override": 90}`, b.fileText())
}

func TestTheAreaTakesTheSameKeysAndGivesTheFocusBack(t *testing.T) {
	b := newBench(t, 80, 12, "")
	b.Press(b.Area, "right", "j", "enter")
	b.field.SetText("42")
	require.Contains(t, b.fieldOver(), "time limit: 42")
	b.Press(b.Area, "enter")
	require.Empty(t, b.fieldOver())
	require.JSONEq(t, `{"transport": "terminal", "timeout_seconds": 42}`, b.fileText())
	require.Contains(t, b.Picture(b.Area), "saved · was 5 min")
	require.Contains(t, roomtest.Footer(b.Area, b.w), "s all settings")
	require.False(t, b.left)
	b.Press(b.Area, "esc")
	require.True(t, b.left)
	require.False(t, b.Closed, "no page was open")
	require.NotContains(t, b.Picture(b.Area), "saved")
}

// fieldOver returns what stands over the lower rule.
func (b *bench) fieldOver() string {
	s := tcell.NewSimulationScreen("UTF-8")
	require.NoError(b.t, s.Init())
	s.SetSize(40, 1)
	b.Area.DrawField(b.Ink(s), ink.Rect{W: 40, H: 1})
	s.Show()
	cells, _, _ := s.GetContents()
	text := ""
	for _, c := range cells {
		text += string(c.Runes)
	}
	return strings.TrimSpace(text)
}

func TestTheAreaShowsItsFirstRowsWithoutTheFocus(t *testing.T) {
	b := newBench(t, 40, 4, "")
	b.to("annotations_enabled")
	require.Contains(t, b.Picture(b.Area), "▸ notes and comments")
	b.focus = false
	require.Contains(t, b.Picture(b.Area), "  transport")
	require.NotContains(t, b.Picture(b.Area), "▸")
}

func TestTheEditorGetsTheFile(t *testing.T) {
	b := newBench(t, 80, 24, "")
	b.press("e")
	require.Equal(t, "no editor here: the file is "+b.file.Path(), b.said())
	var got string
	b.o.EditFile = func(_ context.Context, path string) error {
		got = path
		return errors.New("exit status 1")
	}
	b.press("e")
	require.Equal(t, b.file.Path(), got)
	require.Equal(t, "the editor: exit status 1", b.said())
	b.lends, got = false, ""
	b.press("e")
	require.Equal(t, "another program is using the terminal", b.said())
}

func TestWordsNameReboundKeys(t *testing.T) {
	b := newBench(t, 80, 24, "")
	own := map[string][]string{"undo_last": {"Z"}, "next_tab": {"f2"}, "edit_file": {"E"}, "back": {"f9"}}
	b.keys, _ = action.New(own, ink.Width)
	require.Equal(t, "←F2 change  ⏎ type a value", b.said())
	row, _ := b.Page.Table().Row(action.TabNext)
	row.Do(action.At{}, action.Arg{})
	b.Calm()
	require.Contains(t, b.picture(), "saved · was auto · Z undo ─")
	require.Contains(t, roomtest.Footer(b.Page, b.w), "Z undo  E edit the file")
	require.Contains(t, roomtest.Footer(b.Page, b.w), "F9 back  ? keys")
	own["undo_last"] = nil
	b.keys, _ = action.New(own, ink.Width)
	row.Do(action.At{}, action.Arg{})
	b.Calm()
	require.Contains(t, b.picture(), "saved · was terminal ─")
}
