package plain

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestLinesAskForMoreDetail(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.wait(desk.Settle)
	require.Contains(t, b.types("detail what it costs"), `Ask claude for more detail, "what it costs"? Enter asks for it`)
	require.True(t, b.get(s.ID).Pending())
	b.types("")
	got := b.get(s.ID).Outcome
	require.Equal(t, queue.ReasonMoreDetail, got.ReasonCode)
	require.Equal(t, "what it costs", got.Reason)
}

func TestLinesSetAQuestionAside(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.wait(desk.Settle)
	b.types("later", "no")
	require.Nil(t, b.get(s.ID).LaterUntil)
	require.Contains(t, b.types("later", ""), "Set aside until ")
	require.NotNil(t, b.get(s.ID).LaterUntil)
}

func TestLinesBringBackAQuestionThatWasSetAside(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.wait(desk.Settle)
	b.types("later", "")
	require.NotNil(t, b.get(s.ID).LaterUntil)
	require.Contains(t, b.types("later"), "The question is back.")
	require.Nil(t, b.get(s.ID).LaterUntil)
	require.True(t, b.get(s.ID).Pending())
}

func TestLinesListWhatIsSetAsideAsSuch(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.wait(desk.Settle)
	said := b.types("later", "")
	later := say.Later(b.get(s.ID))
	require.NotEmpty(t, later)
	require.Equal(t, 1, strings.Count(said, "Set aside"), said)
	require.Contains(t, b.types("list"), s.ID+", "+later+", current: ")
}

func TestLinesSayThatAQuestionWasSetAsideElsewhere(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.news()
	_, err := b.o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard,
		Do: queue.Later{}})
	require.NoError(t, err)
	b.settle()
	until := b.get(s.ID).LaterUntil.Format("15:04")
	require.Regexp(t, "^Set aside elsewhere until "+until+".\nTime: [^\n]*\n$", b.news())
	b.settle()
	require.Empty(t, b.news())
}

func TestLinesHoldAnAnswerBackAndTakeItBack(t *testing.T) {
	b := newBench(t, nil)
	now := b.desk.Settings()
	now.UndoSeconds = 3
	b.desk.SetSettings(now)
	s := b.ask(database())
	b.wait(desk.Settle)
	require.Contains(t, b.types("2", ""), "It will be sent in 3 seconds; u takes it back.")
	require.True(t, b.get(s.ID).Pending())
	require.Contains(t, b.types("undo"), "Taken back; nothing was sent.")
	b.wait(time.Minute)
	require.True(t, b.get(s.ID).Pending())
	b.types("2", "", "")
	require.False(t, b.get(s.ID).Pending(), "Enter sends it now")
}

func TestOwnWordsWhereOptionsOnlyAreTakenBecomeTheReasonOfACancel(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.wait(desk.Settle)
	b.types("text use DuckDB")
	require.True(t, b.get(s.ID).Pending())
	b.types("")
	require.Equal(t, "use DuckDB", b.get(s.ID).Outcome.Reason)
}

func TestLinesHideAnOptionOnceEnterAgrees(t *testing.T) {
	b := newBench(t, nil)
	b.ask(database())
	b.wait(desk.Settle)
	b.news()
	require.Equal(t, "Hide \"SQLite\" in all future questions from claude? Enter hides it, anything else keeps it.\n",
		b.types("hide 2"))
	b.types("no", "")
	require.Empty(t, b.settings.S.HiddenOptions, "no keeps it")

	b.wait(desk.Settle)
	said := b.types("V 2", "")
	hidden := config.HiddenOption{Client: "claude-code", ID: "lite", Label: "SQLite"}
	require.Equal(t, []config.HiddenOption{hidden}, b.settings.S.HiddenOptions)
	require.Contains(t, said, "Hidden in all future questions; u shows it again.\n")
	require.NotContains(t, b.types("show"), "SQLite")
	require.Contains(t, b.types("undo"), "Shown again from now on.\n")
	require.Empty(t, b.settings.S.HiddenOptions)
	require.Contains(t, b.types("show"), "SQLite")
	require.Contains(t, b.types("undo"), "There is nothing to take back.\n")
}

func TestLinesSayWhatSpeaksAgainstHidingAnOption(t *testing.T) {
	b := newBench(t, nil)
	b.ask(database())
	b.wait(desk.Settle)
	require.Contains(t, b.types("hide"), "Which option do you want to hide? Type V 1 for option 1.\n")
	require.Contains(t, b.types("hide 9"), "There is no option 9; choose 1 to 3.\n")
	require.Contains(t, b.types("hide 1"), "The agent recommends it. Enter hides it")
	b.wait(desk.Settle)
	b.settings.Full = errors.New("no space left on device")
	require.Contains(t, b.types("hide 2", ""), "Not hidden: no space left on device.\n")
	require.Contains(t, b.types("undo"), "There is nothing to take back.\n")
}

func TestLinesHideNoOptionOfAConfirmation(t *testing.T) {
	b := newBench(t, nil)
	a := database()
	a.Confirm = true
	b.ask(a)
	b.wait(desk.Settle)
	require.Contains(t, b.types("hide 2"), "The options of an approval cannot be hidden.\n")
	require.Empty(t, b.settings.S.HiddenOptions)
}

func TestAnOptionThatIsHiddenIsShownAgainAtOnce(t *testing.T) {
	b := newBench(t, nil)
	b.settings.S.HiddenOptions = []config.HiddenOption{{Client: "claude-code", ID: "lite", Label: "SQLite"}}
	b.newSettings()
	b.ask(database())
	b.wait(desk.Settle)
	require.Contains(t, b.types("hide 2"), "Shown again from now on.\n")
	require.Empty(t, b.settings.S.HiddenOptions)
}
