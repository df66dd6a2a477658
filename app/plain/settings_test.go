package plain

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestAChangeOfHiddenOptionsReachesTheQuestionOnView(t *testing.T) {
	b := newBench(t, nil)
	a := one(queue.ModeSingle, nil)
	a.Questions = append(a.Questions, question("q2", queue.ModeMulti))
	b.ask(a)
	b.settings.S.HiddenOptions = []config.HiddenOption{{Client: "claude-code", ID: "lite", Label: "SQLite"}}
	b.newSettings()
	require.Contains(t, b.news(), "Your settings now hide 1 option of this question: show writes it again.")
	require.Contains(t, b.types("2"), "Option 2 is hidden")
	text := b.types("show")
	require.NotContains(t, text, "SQLite")
	require.Contains(t, text, "1 option hidden by your settings")
	b.newSettings()
	require.NotContains(t, b.news(), "Your settings", "the same again is no news")
	b.settings.S.HiddenOptions = nil
	b.newSettings()
	require.Contains(t, b.news(), "Your settings no longer hide any options of this question; type show to print it again.")
	require.Contains(t, b.types("2"), "SQLite. Press Enter to continue")
}

func TestANoteWrittenBeforeNotesWentOffStaysBehindAndThatIsSaid(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.types("note 1 mine", "comment on the whole")
	b.settings.S.AnnotationsEnabled = false
	b.newSettings()
	require.Contains(t, b.types("1"), "Your notes are kept but not sent, because notes are off.\nSend PostgreSQL to")
	b.types("")
	a := b.get(s.ID).Outcome.Answer
	require.Empty(t, a.Replies[0].Notes)
	require.Empty(t, a.Comment)
	kept, err := b.Disk.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, "mine", kept[0].Answer.Replies[0].Notes["pg"], "nothing typed is lost")
}

func TestAConfirmationStaysOpenUntilYesNoOrAnotherChoice(t *testing.T) {
	b := newBench(t, nil)
	a := database()
	a.Confirm = true
	s := b.ask(a)
	b.types("2", "")
	for _, aside := range []string{"y", "what", "list", "more", "help"} {
		require.Contains(t, b.types(aside), "Not confirmed yet: type the whole word yes", aside)
		b.handleLine(line{"yes", b.Clock.T.Add(-time.Second)})
		require.Contains(t, b.news(), "came too soon", "a yes from before that was written")
	}
	for _, other := range []string{"1", "note 1 x", "show", "q", "next"} {
		require.Contains(t, b.types(other), "Not confirmed; nothing was sent", other)
		b.types("yes")
		require.True(t, b.get(s.ID).Pending(), other)
		b.over = false
		b.types("2", "")
	}
	b.wait(desk.Settle)
	require.Contains(t, b.types("what", "yes"), "Sent: SQLite")
}

func TestTypingHoldsTheClock(t *testing.T) {
	b := newBench(t, nil)
	a := database()
	a.TimeoutSeconds = 60
	s := b.ask(a)
	b.wait(30 * time.Second)
	b.types("note 1 words")
	require.True(t, b.get(s.ID).Deadline.After(s.Deadline))
}

func TestPlaceholdersOffAreNotWritten(t *testing.T) {
	for _, visible := range []bool{true, false} {
		b := newBench(t, nil)
		b.settings.S.PlaceholderVisible = visible
		b.newSettings()
		b.ask(one(queue.ModeHybrid, func(q *queue.Question) { q.Placeholder = "such as CockroachDB" }))
		require.Equal(t, visible, strings.Contains(b.news(), "such as CockroachDB"))
	}
}

// fixed gives the settings a name under which they can be embedded beside the method Settings.
type fixed = roomtest.Settings

// changing are settings with a watch that a test can fire.
type changing struct {
	fixed
	changed chan func()
}

func (c *changing) Watch(ctx context.Context, changed func()) error {
	c.changed <- changed
	<-ctx.Done()
	return nil
}

func TestARunningPlainModeWatchesItsSettings(t *testing.T) {
	b := newBench(t, nil)
	settings := &changing{roomtest.Settings{S: config.Default()}, make(chan func(), 1)}
	b.o.Settings, b.o.In = settings, blocked{t.Context().Done()}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := Run(ctx, b.o)
		ended <- err
	}()
	select {
	case changed := <-settings.changed:
		changed()
	case <-time.After(10 * time.Second):
		t.Error("nobody watches the settings")
	}
	cancel()
	require.NoError(t, <-ended)
}

// blocked is an input that never gets a line.
type blocked struct{ done <-chan struct{} }

func (b blocked) Read([]byte) (int, error) {
	<-b.done
	return 0, context.Canceled
}
