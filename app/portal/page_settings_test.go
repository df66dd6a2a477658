package portal

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/portal/door"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

func TestThePanelShowsTheSettingsOfTheGroups(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	page := b.open("/")
	page.presses("s")
	for _, row := range config.Table {
		if row.Group != "" {
			page.shows("panel", `id="set-`+row.Key+`"`)
		}
	}
	page.shows("panel", `<details><summary>More</summary><div class="set" id="set-timeout_override"`)
	require.NotContains(t, page.part("panel"), `id="set-queue"`)
	page.presses("esc")
	page.until(func(m message) bool { return m.Parts["panel"] == "" })
}

// other returns a value of a setting that is not its default.
func other(row config.Row) string {
	switch row.Kind {
	case config.Flag:
		if row.Default == true {
			return "off"
		}
		return "on"
	case config.Choice:
		for _, c := range row.Choices {
			if c != row.Default {
				return c
			}
		}
	case config.Seconds:
		return "77"
	case config.Text:
		if row.PageMaySet() {
			return row.Choices[1]
		}
	}
	return `"/tmp/evil"`
}

func TestAPageChangesWhatChoosesAmongValuesAndIsRefusedTheRest(t *testing.T) {
	t.Parallel()
	for _, row := range config.Table {
		t.Run(row.Key, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			page := b.open("/")
			was := string(b.settings.Settings().Values()[row.Key])
			value := other(row)
			page.does(pageEvent{Do: "set", Field: row.Key, Value: value})
			if !row.PageMaySet() {
				for _, inside := range []string{"", ".note", ".claude"} {
					page.does(pageEvent{Do: "set", Field: row.Key + inside, Value: value})
					page.shows("status", "This setting is changed in the terminal only")
				}
				require.Equal(t, was, string(b.settings.Settings().Values()[row.Key]))
				_, err := os.Stat(b.settings.Path())
				require.ErrorIs(t, err, os.ErrNotExist, "nothing was written")
				return
			}
			require.Eventually(t, func() bool {
				return string(config.Open(b.settings.Path()).Settings().Values()[row.Key]) != was
			}, 3*time.Second, 5*time.Millisecond)
		})
	}
}

func TestAPageTurnsTheDesktopNotificationOnAndOffAndNamesNoCommand(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	require.NoError(t, b.settings.Update(func(c *config.Settings) { c.Notify.Desktop = "/opt/tell --loud" }))
	b.owned(func() { b.d.SetSettings(b.settings.Settings()) })
	page := b.open("/")
	page.presses("s")
	page.shows("panel", `<option value="/opt/tell --loud" selected>/opt/tell --loud</option>`)
	page.shows("panel", "A command can only be set in the terminal.")
	for _, word := range []string{"/bin/sh", "auto /bin/sh", `"/bin/sh"`, "", " off"} {
		page.does(pageEvent{Do: "set", Field: "notify.desktop", Value: word})
		page.shows("status", "This setting is changed in the terminal only")
		require.Equal(t, "/opt/tell --loud", config.Open(b.settings.Path()).Settings().Notify.Desktop, word)
	}
	for _, word := range []string{"auto", "off"} {
		page.does(pageEvent{Do: "set", Field: "notify.desktop", Value: word})
		require.Eventually(t, func() bool { return config.Open(b.settings.Path()).Settings().Notify.Desktop == word },
			3*time.Second, 5*time.Millisecond)
	}
	page.shows("panel", `<option value="off" selected>off</option>`)
}

func TestATimeLimitThatIsChangedOnAQuestionMovesItsDeadline(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s, still := b.ask(one(queue.ModeSingle, nil)), b.ask(one(queue.ModeSingle, nil))
	page, other := b.open("/choice/"+s.ID), b.open("/")
	for _, c := range []struct {
		key, value string
		want       time.Duration
	}{{"timeout_seconds", "120", 2 * time.Minute}, {"timeout_override", "1h", time.Hour}, {"timeout_seconds", "9m", 9 * time.Minute}} {
		page.does(pageEvent{Do: "set", Field: c.key, Value: c.value})
		require.Eventually(t, func() bool {
			left := b.get(s.ID).Deadline.Sub(b.q.Now())
			return left <= c.want && left > c.want-5*time.Second
		}, 3*time.Second, 5*time.Millisecond, c.value)
	}
	other.until(func(m message) bool {
		return strings.HasPrefix(m.Times[s.ID].Left, "8:5") || m.Times[s.ID].Left == "9:00"
	})
	was := b.get(s.ID).Deadline
	page.does(pageEvent{Do: "set", Field: "timeout_override", Value: "off"})
	page.does(pageEvent{Do: "set", Field: "notify.warn_seconds", Value: "30"})
	page.presses("s")
	page.shows("panel", `id="s-timeout_seconds"`)
	page.mu.Lock()
	page.all.Parts["panel"] = ""
	page.mu.Unlock()
	page.does(pageEvent{Do: "set", Field: "timeout_seconds", Value: "never"})
	page.shows("status", "Not saved")
	page.shows("panel", `value="540"`) // the stored value, in place of the text that was typed
	require.Equal(t, was, b.get(s.ID).Deadline, "null moves nothing")
	require.Equal(t, still.Deadline, b.get(still.ID).Deadline, "nor does any other question move")
	require.Eventually(t, func() bool { return b.settings.Settings().TimeoutOverride == nil }, 3*time.Second,
		5*time.Millisecond)
}

func TestNothingIsChangedWhileTheFileIsBroken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	require.NoError(t, os.WriteFile(b.settings.Path(), []byte("{broken"), 0o600))
	b.settings.Reload()
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	page.does(pageEvent{Do: "set", Field: "timeout_seconds", Value: "60"})
	page.shows("status", "Not saved: ")
	require.Equal(t, s.Deadline, b.get(s.ID).Deadline)
	raw, err := os.ReadFile(b.settings.Path())
	require.NoError(t, err)
	require.Equal(t, "{broken", string(raw))
}

func TestAHiddenOptionIsShownAgainInThePanel(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	require.NoError(t, b.settings.Update(func(c *config.Settings) {
		c.HiddenOptions = []config.HiddenOption{{Client: "claude-code", ID: "lite", Label: "SQLite"}}
	}))
	b.owned(func() { b.d.SetSettings(b.settings.Settings()) })
	page := b.open("/")
	page.presses("s")
	page.shows("panel", "SQLite · claude-code")
	page.does(pageEvent{Do: "unhide", N: 1})
	require.Eventually(t, func() bool { return len(b.settings.Settings().HiddenOptions) == 0 }, 3*time.Second,
		5*time.Millisecond)
}

func TestADeviceSeesNoSettings(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.web = door.Session{May: door.RightsDevice}
	page := b.open("/")
	require.NotContains(t, page.part("top"), `data-do="settings"`)
	page.presses("s")
	page.does(pageEvent{Do: "set", Field: "single_submit_mode", Value: "on"})
	page.shows("status", "Settings cannot be changed from here")
	require.Empty(t, page.part("panel"))
	require.False(t, b.settings.Settings().SingleSubmitMode)
}

func TestTheSheetOfKeysNamesEachKeyOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(asking("Two", question("q1", queue.ModeMulti), question("q2", queue.ModeMulti)))
	page := b.open("/choice/" + s.ID)
	page.presses("?")
	page.shows("panel", "<kbd>→ ←</kbd></dt><dd>next or previous question in the form<")
	page.shows("panel", "<kbd>J K</kbd></dt><dd>next or previous question in the queue<")
	here, all, found := strings.Cut(page.part("panel"), "<summary>All keys</summary>")
	require.True(t, found)
	require.Contains(t, here, "<dd>next or previous question in the queue<", "the keys of this place")
	require.NotContains(t, here, "<dd>next or previous question in the form<", "the footer tells of it")
	for _, words := range []string{"<dd>next or previous question in the queue<", "<dd>cancel the question; asks for a reason first<"} {
		require.Equal(t, 1, strings.Count(all, words), words)
	}
}
